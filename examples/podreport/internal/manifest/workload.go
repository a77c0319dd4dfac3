package manifest

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Workload is an object that runs pods.
type Workload struct {
	objects.Place
	Kind, Namespace, Name string
	Home                  string // the namespace that it is in
	Exists                bool   // it has been created already

	Pods   int64        // how many run, or would run, at a time
	counts []countField // what the object says of it
	Object admit.APIObject
	Pod    *corev1.Pod // as stated, without defaults
	Prefix string      // of paths within the pod: empty, or spec.template and a dot
	Claims []template  // what is claimed for each pod
}

// countField is a field that says how many pods there are.
type countField struct {
	path  string
	value *int32
}

// workloadOf returns the pod of a typed object, and how many there are of it.
func workloadOf(object admit.APIObject) (w Workload) {
	switch o := object.(type) {
	case *corev1.Pod:
		w = Workload{Pods: 1, Pod: o}
		if finished(o) {
			w.Pods = 0
		}
		w.identify(&o.ObjectMeta)
	case *appsv1.Deployment:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *appsv1.StatefulSet:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.Claims = claimTemplates(o.Spec.VolumeClaimTemplates)
		w.identify(&o.ObjectMeta)
	case *appsv1.ReplicaSet:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *appsv1.DaemonSet:
		w = fromTemplate("spec", 1, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *batchv1.Job:
		w = fromJob("spec", &o.Spec)
		w.identify(&o.ObjectMeta)
	case *batchv1.CronJob:
		w = fromJob("spec.jobTemplate.spec", &o.Spec.JobTemplate.Spec)
		w.identify(&o.ObjectMeta)
	}
	w.Object = object
	w.Claims = append(w.Claims, ephemeralClaims(w.Prefix, w.Pod.Spec.Volumes)...)
	return w
}

func fromTemplate(path string, pods int64, template *corev1.PodTemplateSpec) Workload {
	pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	return Workload{Pods: pods, Prefix: path + ".template.", Pod: pod}
}

func replicated(replicas *int32, template *corev1.PodTemplateSpec) Workload {
	w := fromTemplate("spec", orOne(replicas), template)
	w.counts = []countField{{"spec.replicas", replicas}}
	return w
}

// fromJob takes as many pods as run at the same time: never more than have to
// complete.
func fromJob(path string, job *batchv1.JobSpec) Workload {
	pods := orOne(job.Parallelism)
	if job.Completions != nil {
		pods = min(pods, int64(*job.Completions))
	}
	w := fromTemplate(path, pods, &job.Template)
	w.counts = []countField{{path + ".parallelism", job.Parallelism}, {path + ".completions", job.Completions}}
	return w
}

func (w *Workload) identify(meta *metav1.ObjectMeta) {
	w.Namespace, w.Name = meta.Namespace, nameOf(meta)
	w.Exists = created(meta) || w.Live()
}

// created reports whether a cluster has created the object, which gives all of them a UID.
func created(meta *metav1.ObjectMeta) bool { return meta.UID != "" }

// nameOf returns the name. One that the server is to complete is shown as its
// beginning.
func nameOf(meta *metav1.ObjectMeta) string {
	if meta.Name == "" && meta.GenerateName != "" {
		return meta.GenerateName + "..."
	}
	return meta.Name
}

func orOne(n *int32) int64 {
	if n == nil {
		return 1
	}
	return int64(*n)
}

// Live reports whether the pod exists already, as its status shows.
func (w *Workload) Live() bool {
	return !equality.Semantic.DeepEqual(w.Pod.Status, corev1.PodStatus{})
}

// finished reports whether a live pod has given back what it asked for.
func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// Scale says how many pods there are, in words.
func (w *Workload) Scale() string {
	switch w.Kind {
	case "Pod":
		if w.Pods == 0 {
			return fmt.Sprintf("finished (%s), no longer counts", w.Pod.Status.Phase)
		}
		return "1 pod"
	case "DaemonSet":
		return "1 pod per node"
	case "Job":
		return wording.Count(w.Pods, "pod") + " at a time"
	case "CronJob":
		return wording.Count(w.Pods, "pod") + " per run"
	default:
		return wording.Count(w.Pods, "replica")
	}
}
