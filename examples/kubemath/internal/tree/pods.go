package tree

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

const (
	maxReplicas   = 1000  // of one template: more than any node runs
	maxContainers = 20000 // of all pods
)

// makePods collects the pods of the input, and creates those of templates whose objects own nothing in
// the input.
func (in *input) makePods() {
	owners, containers, uids := in.owners(), 0, map[types.UID]bool{}
	for i := range in.found {
		o := &in.found[i]
		var pods []*corev1.Pod
		if pod, isPod := o.typed.(*corev1.Pod); isPod {
			pods = []*corev1.Pod{pod}
		} else if !owners[o.key()] && (o.GetUID() == "" || !owners[string(o.GetUID())]) {
			pods = in.podsOfTemplate(o)
		}
		if len(pods) == 0 || computeresources.HasEnded(pods[0]) {
			continue
		}
		one := &pods[0].Spec
		more := len(pods) * (len(one.Containers) + len(one.InitContainers) + 1)
		err := identify(pods, uids)
		switch {
		case err != nil:
			in.fail(o.Place, objects.Invalid, "metadata.uid", err.Error())
		case containers+more > maxContainers:
			in.fail(o.Place, objects.Unreadable, "", fmt.Sprintf("omitted: more than %d pods and containers are too many for one node", maxContainers))
		default:
			containers += more
			in.pods = append(in.pods, pods...)
		}
	}
}

// owners returns the controllers of the objects in the input, by UID, and by kind and name.
func (in *input) owners() map[string]bool {
	owners := map[string]bool{}
	for _, o := range in.found {
		if ref := metav1.GetControllerOfNoCopy(o); ref != nil {
			owners[string(ref.UID)] = true
			owners[nameKey(ref.Kind, o.GetNamespace(), ref.Name)] = true
		}
	}
	return owners
}

// podsOfTemplate returns as many pods as there are replicas.
func (in *input) podsOfTemplate(o *object) []*corev1.Pod {
	template, replicas, field := templateOf(o.typed)
	switch {
	case template == nil || len(template.Spec.Containers) == 0:
		in.fail(o.Place, objects.Invalid, "spec.template.spec.containers", "no containers")
		return nil
	case replicas < 0:
		in.fail(o.Place, objects.Invalid, field, fmt.Sprintf("%d is negative", replicas))
		return nil
	case replicas > maxReplicas:
		in.fail(o.Place, objects.Unreadable, field, fmt.Sprintf("%d on one node: at most %d are shown", replicas, maxReplicas))
		return nil
	}
	isController := true
	var pods []*corev1.Pod
	for i := range replicas {
		pod := &corev1.Pod{Spec: *template.Spec.DeepCopy()}
		pod.Namespace, pod.Name = o.GetNamespace(), o.GetName()
		pod.OwnerReferences = []metav1.OwnerReference{{Kind: o.kind, Name: o.GetName(), UID: o.GetUID(), Controller: &isController}}
		if replicas > 1 {
			pod.Name = fmt.Sprintf("%s-%d", o.GetName(), i)
		}
		pods = append(pods, pod)
	}
	return pods
}

// templateOf returns the template of an object, how many pods of it run at the same time, and the field
// that sets this number. The number defaults to one, and is zero for a Job that has finished.
func templateOf(typed any) (template *corev1.PodTemplateSpec, replicas int32, field string) {
	field = "spec.replicas"
	var set *int32
	switch o := typed.(type) {
	case *appsv1.Deployment:
		template, set = &o.Spec.Template, o.Spec.Replicas
	case *appsv1.StatefulSet:
		template, set = &o.Spec.Template, o.Spec.Replicas
	case *appsv1.ReplicaSet:
		template, set = &o.Spec.Template, o.Spec.Replicas
	case *corev1.ReplicationController:
		template, set = o.Spec.Template, o.Spec.Replicas
	case *appsv1.DaemonSet:
		template = &o.Spec.Template
	case *batchv1.Job:
		template, set, field = &o.Spec.Template, parallel(o), "spec.parallelism"
	}
	if set == nil {
		return template, 1, field
	}
	return template, *set, field
}

// parallel returns how many pods of a Job run at the same time, nil if the Job does not set it.
func parallel(job *batchv1.Job) *int32 {
	none := int32(0)
	for _, c := range job.Status.Conditions {
		if c.Status == corev1.ConditionTrue && (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) {
			return &none
		}
	}
	if job.Spec.Suspend != nil && *job.Spec.Suspend {
		return &none
	}
	set, completions := job.Spec.Parallelism, job.Spec.Completions
	if set != nil && completions != nil && *completions < *set && *completions >= 0 {
		return completions
	}
	return set
}

// identify sets missing names and UIDs of pods, computed from their other metadata, and returns what is
// wrong with a UID. It adds the UIDs to those that are taken.
func identify(pods []*corev1.Pod, taken map[types.UID]bool) error {
	for _, pod := range pods {
		if pod.Name == "" {
			pod.Name = pod.GenerateName + "..."
		}
		if pod.UID == "" {
			pod.UID = madeUID(pod, taken)
		}
		uid := cgroupname.UIDOf(pod)
		if _, err := (cgroupname.Identity{Class: corev1.PodQOSGuaranteed, UID: uid}).Path(); err != nil {
			return err
		}
		if taken[uid] {
			return fmt.Errorf("%q is the UID of another pod", uid)
		}
		taken[uid] = true
	}
	return nil
}

func madeUID(pod *corev1.Pod, taken map[types.UID]bool) types.UID {
	made := strings.Trim(unfit.ReplaceAllString(wording.Qualified(pod.Namespace, pod.Name), "-"), "-.")
	uid := types.UID(made)
	for n := 2; uid == "" || taken[uid]; n++ {
		uid = types.UID(fmt.Sprintf("%s.%d", cmp.Or(made, "pod"), n))
	}
	return uid
}

// unfit matches characters that cannot be part of the name of a cgroup.
var unfit = regexp.MustCompile(`[^A-Za-z0-9.]+`)
