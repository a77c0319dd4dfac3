package tree

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

const (
	maxReplicas   = 1000  // of one template: more than any node runs
	maxContainers = 20000 // of all pods
)

// input has the objects that were read, and the pods of them.
type input struct {
	inventory.List
	asWritten bool // missing requests are not set to the limits
	pods      []*corev1.Pod
}

// makePods collects the pods of the input, and creates those of templates whose objects own nothing in the input.
func (in *input) makePods() {
	owners, containers, uids := in.owners(), 0, map[types.UID]bool{}
	for i, o := range in.Objects {
		var pods []*corev1.Pod
		if pod, isPod := o.(*corev1.Pod); isPod {
			pods = []*corev1.Pod{pod}
		} else if spec := inventory.PodSpec(o); spec != nil && !owners[in.Places[i].Named] &&
			(o.GetUID() == "" || !owners[string(o.GetUID())]) {
			pods = in.podsOf(in.Places[i], o, spec)
		}
		if len(pods) == 0 || computeresources.HasEnded(pods[0]) {
			continue
		}
		containers += len(pods) * (len(pods[0].Spec.Containers) + len(pods[0].Spec.InitContainers) + 1)
		if containers > maxContainers {
			in.Fail(in.Places[i], objects.Unreadable, "",
				fmt.Sprintf("omitted: more than %d pods and containers are too many for one node", maxContainers))
			return
		}
		if err := identify(pods, uids); err != nil {
			in.Fail(in.Places[i], objects.Invalid, "metadata.uid", err.Error())
			continue
		}
		for _, pod := range pods {
			if !in.asWritten {
				computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Gates{})
			}
		}
		in.pods = append(in.pods, pods...)
	}
}

// owners returns the controllers of the objects in the input, by UID, and by kind and name.
func (in *input) owners() map[string]bool {
	owners := map[string]bool{}
	for _, o := range in.Objects {
		if ref := metav1.GetControllerOfNoCopy(o); ref != nil {
			owners[string(ref.UID)] = true
			owners[ref.Kind+" "+wording.Qualified(o.GetNamespace(), ref.Name)] = true
		}
	}
	return owners
}

// podsOf returns as many pods as run at the same time.
func (in *input) podsOf(at objects.Place, o admit.APIObject, spec *corev1.PodSpec) (pods []*corev1.Pod) {
	replicas, field := replicasOf(o)
	switch {
	case len(spec.Containers) == 0:
		in.Fail(at, objects.Invalid, "spec.template.spec.containers", "no containers")
		return nil
	case replicas < 0:
		in.Fail(at, objects.Invalid, field, fmt.Sprintf("%d is negative", replicas))
		return nil
	case replicas > maxReplicas:
		in.Fail(at, objects.Unreadable, field, fmt.Sprintf("%d on one node: at most %d are shown", replicas, maxReplicas))
		return nil
	}
	for i := range replicas {
		pod := &corev1.Pod{Spec: *spec.DeepCopy()}
		pod.Namespace, pod.Name = o.GetNamespace(), o.GetName()
		if replicas > 1 {
			pod.Name = fmt.Sprintf("%s-%d", o.GetName(), i)
		}
		pods = append(pods, pod)
	}
	return pods
}

// replicasOf returns how many pods of an object run at the same time, and the field that sets this number. It defaults
// to one, and is zero for a Job that has finished or is suspended, and for a CronJob.
func replicasOf(object admit.APIObject) (replicas int32, field string) {
	set := new(int32)
	field = "spec.replicas"
	switch o := object.(type) {
	case *appsv1.Deployment:
		set = o.Spec.Replicas
	case *appsv1.StatefulSet:
		set = o.Spec.Replicas
	case *appsv1.ReplicaSet:
		set = o.Spec.Replicas
	case *corev1.ReplicationController:
		set = o.Spec.Replicas
	case *appsv1.DaemonSet:
		return 1, field
	case *batchv1.Job:
		field = "spec.parallelism"
		ended := slices.ContainsFunc(o.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Status == corev1.ConditionTrue && (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed)
		})
		if ended || o.Spec.Suspend != nil && *o.Spec.Suspend {
			return 0, field
		}
		set = o.Spec.Parallelism
		if most := o.Spec.Completions; set != nil && most != nil && *most >= 0 {
			return min(*set, *most), field
		}
	}
	if set == nil {
		return 1, field
	}
	return *set, field
}

// identify sets missing UIDs of pods, computed from their other metadata, and returns what is
// wrong with a UID. It adds the UIDs to those that are taken.
func identify(pods []*corev1.Pod, taken map[types.UID]bool) error {
	for _, pod := range pods {
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
