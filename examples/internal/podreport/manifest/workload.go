package manifest

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Workload is an object that runs pods, with the objects in the input that it has created.
type Workload struct {
	Object // that of a workload of which only members are in the input has no Typed

	Pods    int64       // how many run, or would run, at a time
	Idle    string      // why none run, if so
	Pod     *corev1.Pod // as in the manifest, without defaults
	Prefix  string      // of paths within the pod: empty, or spec.template and a dot
	Claims  []template  // the claims of each pod
	Members []Member    // the objects in the input that it has created, in the order of the files

	Missing  int64             // how many pods of a workload of a cluster are yet to be created
	Surge    bool              // of a Deployment: some of these are in addition to its replicas, during a rollout
	Assumed  bool              // the input does not say whether its pods exist: they are counted as if they did
	Next     bool              // of a CronJob of a cluster: no run exists, and the next one is yet to be created
	Applied  bool              // it is a manifest, which replaces an object of the cluster
	Expired  int64             // Jobs of a CronJob that its controller deletes before the next run
	Injected []string          // containers that live pods have beyond the template, and new ones will have
	Node     string            // of a pod that is on a node, or can only be on this one
	Selector map[string]string // of nodes, by their labels
	Hook     hook.Phase        // when it is created, if it is a hook
	Order    hook.Order        // among the hooks of its phase
	Leaves   bool              // the hook stays as an object when it has ended

	owner       *metav1.OwnerReference
	template    *corev1.PodTemplateSpec // in the object
	counts      []countField            // the fields that set the number of pods
	status      status
	former      *corev1.PodTemplateSpec // of the object that it replaces
	children    []*Workload             // the ReplicaSets of a Deployment, the Jobs of a CronJob
	parent      *Workload               // of one of these
	staying     int64                   // of these: how many pods they have
	running     bool                    // a run of a CronJob has not finished
	completions *int64                  // of a Job: how many pods are yet to succeed
	wanted      int64                   // how many pods it asks for
	uids        []types.UID             // of all objects of this name
	hash        string                  // of the template that a pod was created from
	unread      bool                    // it is only known as the owner of others
	counted     bool                    // its pods are counted for the nodes in the input
	live        bool                    // it is a pod that exists
}

// countField is a field that says how many pods there are.
type countField struct {
	path  string
	value *int32
}

// workloadOf returns the pod of a typed object, and the number of pods.
func workloadOf(object admit.APIObject) *Workload {
	if o, is := object.(*corev1.ReplicationController); is && o.Spec.Template == nil {
		o.Spec.Template = &corev1.PodTemplateSpec{}
	}
	w := &Workload{Object: Object{Typed: object}, Pods: 1, Prefix: "spec.template.", template: inventory.PodTemplate(object)}
	if w.template != nil {
		w.Pod = &corev1.Pod{Spec: w.template.Spec}
	}
	if of := inventory.Replicas(object); of != nil {
		w.Pods, w.counts = orOne(*of), []countField{{"spec.replicas", *of}}
	}
	switch o := object.(type) {
	case *corev1.Pod:
		w.Prefix, w.Pod, w.Node, w.hash = "", o, nodeOf(&o.Spec), o.Labels[appsv1.DefaultDeploymentUniqueLabelKey]
		w.live = !equality.Semantic.DeepEqual(o.Status, corev1.PodStatus{})
		if computeresources.HasEnded(o) {
			w.stop("finished (%s), requests nothing", o.Status.Phase)
		}
	case *appsv1.Deployment:
		w.status = statusOf(o.Status, o.Status.Replicas, o.Status.UpdatedReplicas)
		for _, c := range o.Status.Conditions {
			w.status.note(string(c.Type), c.Status, c.Reason, c.Message)
		}
		o.Spec.Selector, o.Status = nil, appsv1.DeploymentStatus{}
	case *appsv1.StatefulSet:
		for i, t := range o.Spec.VolumeClaimTemplates {
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
			w.Claims = append(w.Claims, template{fmt.Sprintf("spec.volumeClaimTemplates[%d]", i), claim.Name, claim})
		}
		w.status = statusOf(o.Status, o.Status.Replicas, o.Status.UpdatedReplicas)
		o.Spec.Selector, o.Status = nil, appsv1.StatefulSetStatus{}
	case *appsv1.ReplicaSet:
		w.status = statusOf(o.Status, o.Status.Replicas, o.Status.Replicas)
		for _, c := range o.Status.Conditions {
			w.status.note(string(c.Type), c.Status, c.Reason, c.Message)
		}
		o.Spec.Selector, o.Status = nil, appsv1.ReplicaSetStatus{}
	case *corev1.ReplicationController:
		w.status = statusOf(o.Status, o.Status.Replicas, o.Status.Replicas)
		for _, c := range o.Status.Conditions {
			w.status.note(string(c.Type), c.Status, c.Reason, c.Message)
		}
		o.Spec.Selector, o.Status = nil, corev1.ReplicationControllerStatus{}
	case *appsv1.DaemonSet:
		w.Selector = o.Spec.Template.Spec.NodeSelector
		w.status = statusOf(o.Status, o.Status.CurrentNumberScheduled, o.Status.UpdatedNumberScheduled)
		w.status.missing = int64(max(0, o.Status.DesiredNumberScheduled-o.Status.CurrentNumberScheduled))
		o.Spec.Selector, o.Status = nil, appsv1.DaemonSetStatus{}
	case *batchv1.Job:
		w.runJob("spec", &o.Spec)
		if w.completions != nil {
			w.Pods = min(w.Pods, max(0, *w.completions-int64(o.Status.Succeeded)))
		}
		w.status = statusOf(o.Status, o.Status.Active, o.Status.Active)
		for _, c := range o.Status.Conditions {
			w.status.note(string(c.Type), c.Status, c.Reason, c.Message)
		}
		if w.status.ended != "" {
			w.stop("finished (%s), runs no pods", w.status.ended)
		}
		w.suspend(o.Spec.Suspend)
		o.Spec.Selector, o.Status = nil, batchv1.JobStatus{}
	case *batchv1.CronJob:
		w.runJob("spec.jobTemplate.spec", &o.Spec.JobTemplate.Spec)
		w.suspend(o.Spec.Suspend)
		o.Status = batchv1.CronJobStatus{}
	}
	w.identify(object)
	w.Claims = append(w.Claims, ephemeralClaims(w.Prefix, w.Pod.Spec.Volumes)...)
	return w
}

// nodeOf returns the node of a pod, or the only one that its node affinity names, as that of a pod of a DaemonSet that waits.
func nodeOf(spec *corev1.PodSpec) string {
	if a := spec.Affinity; spec.NodeName == "" && a != nil && a.NodeAffinity != nil {
		required := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		if required == nil || len(required.NodeSelectorTerms) != 1 {
			return ""
		}
		for _, r := range required.NodeSelectorTerms[0].MatchFields {
			if r.Key == metav1.ObjectNameField && r.Operator == corev1.NodeSelectorOpIn && len(r.Values) == 1 {
				return r.Values[0]
			}
		}
	}
	return spec.NodeName
}

// runJob sets the number of pods of a Job that run at the same time, which is at most the number of completions.
func (w *Workload) runJob(path string, job *batchv1.JobSpec) {
	w.Prefix, w.Pods = path+".template.", orOne(job.Parallelism)
	if job.Completions != nil || job.Parallelism == nil {
		n := orOne(job.Completions)
		w.completions, w.Pods = &n, min(w.Pods, n)
	}
	w.counts = []countField{{path + ".parallelism", job.Parallelism}, {path + ".completions", job.Completions}}
}

func (w *Workload) stop(format string, args ...any) { w.Pods, w.Idle = 0, fmt.Sprintf(format, args...) }

func (w *Workload) suspend(suspended *bool) {
	if suspended != nil && *suspended && w.Idle == "" {
		w.stop("suspended, runs no pods")
	}
}

func (w *Workload) identify(meta metav1.Object) {
	w.Namespace, w.Name = meta.GetNamespace(), nameOf(meta)
	w.Exists = created(meta) || w.live
	if created(meta) {
		w.uids = []types.UID{meta.GetUID()}
	}
	if ref := metav1.GetControllerOfNoCopy(meta); ref != nil {
		w.owner = &metav1.OwnerReference{Kind: ref.Kind, Name: ref.Name, UID: ref.UID}
	}
}

// update keeps the fields of the replaced object that applying this one would keep.
func (w *Workload) update(before *Workload) {
	w.Exists = w.Exists || before.Exists
	w.uids = append(w.uids, before.uids...)
	if !w.status.known {
		w.status = before.status
		w.status.failing, w.status.failure = "", "" // of the object before
	}
	w.Applied, w.former = len(w.uids) > 0 && !created(w.Typed), before.template
	if w.owner == nil {
		w.owner = before.owner
	}
}

// check returns why the API server would reject a workload, for errors that would make its report misleading.
// Requests and limits are validated in the report, and other fields are not.
func (w *Workload) check() (faults []objects.Fault) {
	fault := func(path, format string, args ...any) {
		faults = append(faults, objects.Fault{Field: path, Text: fmt.Sprintf(format, args...)})
	}
	if w.Name == "" {
		fault("metadata.name", "missing")
	}
	for _, c := range w.counts {
		if c.value != nil && *c.value < 0 {
			fault(c.path, "%d is negative", *c.value)
		}
	}
	if len(w.Pod.Spec.Containers) == 0 {
		fault(w.Prefix+"spec.containers", "no containers")
	}
	seen := map[string]bool{}
	for ref, c := range computeresources.Containers(&w.Pod.Spec) {
		path := w.Prefix + ref.Path(nil).Child("name").String()
		switch {
		case c.Name == "":
			fault(path, "missing")
		case seen[c.Name]:
			fault(path, "%q is the name of two containers", c.Name)
		}
		seen[c.Name] = true
	}
	switch class := w.Pod.Status.QOSClass; class {
	case "", corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort:
	default:
		fault("status.qosClass", "%q is not a QoS class", class)
	}
	return faults
}

// created reports whether a cluster has created the object, which gives all of them a UID.
func created(meta metav1.Object) bool { return meta.GetUID() != "" }

// generated is the end of a name that the API server completes.
const generated = "..."

// nameOf returns the name, or the beginning of a name that the API server completes.
func nameOf(meta metav1.Object) string {
	if meta.GetName() == "" && meta.GetGenerateName() != "" {
		return meta.GetGenerateName() + generated
	}
	return meta.GetName()
}

func orOne(n *int32) int64 {
	if n == nil {
		return 1
	}
	return int64(*n)
}

// Live reports whether the pod of the workload exists, according to its status. If the workload is not
// in the input, that is one of its pods.
func (w *Workload) Live() bool { return w.live }

// Scale returns the number of pods, in words.
func (w *Workload) Scale() string {
	live, there := w.LivePods(), w.Pods-w.Missing
	words := wording.Count(w.wanted, "replica")
	switch {
	case w.Idle != "" && live == 0 && there <= 0:
		return w.Idle
	case w.Kind == "Pod":
		return "1 pod"
	case w.unread && w.Missing == 0:
		return wording.Count(w.Pods, "pod") + " in the input, without their owner"
	case w.Kind == "DaemonSet" && (live > 0 || w.status.known):
		words = wording.Count(w.Pods, "pod")
	case w.counted:
		words = "1 pod on each of " + wording.Count(w.Pods, "node")
	case w.Kind == "DaemonSet":
		words = "1 pod per node"
	case w.Kind == "Job":
		words = wording.Count(w.Pods, "pod") + " at a time"
	case w.Kind == "CronJob" && w.Idle != "":
		words = wording.Count(w.Pods, "pod") + " of earlier runs"
	case w.Kind == "CronJob":
		words = wording.Count(w.Pods, "pod") + " per run"
	}
	switch {
	case w.Next || there == w.wanted && w.Missing == 0:
		return words
	case w.Missing == 0 || there+w.Missing == w.wanted:
		return fmt.Sprintf("%s, of which %d exist", words, there)
	}
	return fmt.Sprintf("%s: %s, %d yet to be created", words, wording.Count(there, "pod"), w.Missing)
}
