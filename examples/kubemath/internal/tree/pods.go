package tree

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

const (
	maxReplicas   = 1000  // of one template: more than any node runs
	maxContainers = 20000 // of all pods of a node
)

// input has the objects that were read, and the pods of them.
type input struct {
	inventory.List
	asWritten bool                     // missing requests are not set to the limits
	pods      map[string][]*corev1.Pod // by the name of the node, empty for those without one
	uids      map[types.UID]bool
	count     map[string]int // of containers and pods, by the name of the node
}

// makePods collects the pods of the input, and creates those of templates whose pods are not in it.
func (in *input) makePods() {
	in.pods, in.uids, in.count = map[string][]*corev1.Pod{}, map[types.UID]bool{}, map[string]int{}
	for i, o := range in.Objects {
		if pod, isPod := o.(*corev1.Pod); isPod && !computeresources.HasEnded(pod) {
			in.add(in.Places[i], pod)
		}
	}
	for _, t := range in.Templates() {
		if t.Replicas > maxReplicas {
			in.Fail(t.Place, objects.Unreadable, t.Field, fmt.Sprintf("%d on one node: at most %d are shown", t.Replicas, maxReplicas))
			continue
		}
		for i := range t.Replicas {
			pod := &corev1.Pod{Spec: *t.Spec.DeepCopy()}
			pod.Namespace, pod.Name = t.Object.GetNamespace(), t.Object.GetName()
			if t.Replicas > 1 {
				pod.Name = fmt.Sprintf("%s-%d", pod.Name, i)
			}
			if !in.add(t.Place, pod) {
				break
			}
		}
	}
}

// add adds a pod to its node, unless it is invalid or there are too many.
func (in *input) add(at objects.Place, pod *corev1.Pod) bool {
	node := pod.Spec.NodeName
	in.count[node] += len(pod.Spec.Containers) + len(pod.Spec.InitContainers) + 1
	if in.count[node] > maxContainers {
		in.Fail(at, objects.Unreadable, "", fmt.Sprintf("omitted: more than %d pods and containers are too many for one node", maxContainers))
		return false
	}
	if err := in.identify(pod); err != nil {
		in.Fail(at, objects.Invalid, "metadata.uid", err.Error())
		return false
	}
	if !in.asWritten {
		computeresources.ApplyRequestDefaults(&pod.Spec, computeresources.Gates{})
	}
	in.pods[node] = append(in.pods[node], pod)
	return true
}

// identify sets a missing UID of a pod, computed from its other metadata, and returns what is wrong with it.
func (in *input) identify(pod *corev1.Pod) error {
	if pod.UID == "" {
		pod.UID = madeUID(pod, in.uids)
	}
	uid := cgroupname.UIDOf(pod)
	if _, err := (cgroupname.Identity{Class: corev1.PodQOSGuaranteed, UID: uid}).Path(); err != nil {
		return err
	}
	if in.uids[uid] {
		return fmt.Errorf("%q is the UID of another pod", uid)
	}
	in.uids[uid] = true
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
