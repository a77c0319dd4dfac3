package noderesources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/criticalpod"
)

// KubeletOptions are the settings of a kubelet that decide about resources. The zero value is a default
// kubelet.
type KubeletOptions struct {
	// Kubernetes selects whether the pod level counts, which pods can be resized, and what a pod that is
	// being resized takes on its node: up to 1.36, a kubelet adds up the maximum of each container.
	Kubernetes computeresources.Kubernetes

	// StaticCPUs and StaticMemory are cpuManagerPolicy static and memoryManagerPolicy Static: the
	// requests of cpu or memory of a Guaranteed pod cannot be resized. They count in PendingResizes,
	// and should be false with the feature gate InPlacePodVerticalScalingExclusiveCPUs or
	// InPlacePodVerticalScalingExclusiveMemory.
	StaticCPUs, StaticMemory bool

	// LimitedSwap is memorySwap.swapBehavior LimitedSwap on a node with cgroup v2 and swap: the memory
	// request of a container that may use swap can only be resized by a restart. It counts in
	// PendingResizes.
	LimitedSwap bool
}

// Admission is the answer of a kubelet to a pod, by resources alone. In the zero value, the pod
// is admitted and nothing is evicted.
type Admission struct {
	// Reason and Message are empty if the pod is admitted. The kubelet writes them into the status of a
	// pod that it rejects: OutOf and the resource, such as OutOfcpu, and "Node didn't have enough
	// resource: cpu, requested: 1000, used: 1500, capacity: 2000". The reason UnexpectedAdmissionError means
	// that a critical pod needs more than the eviction of other pods makes free.
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`

	// Shortages are what the node has too little of while no pod is evicted. The reason names the first.
	Shortages Shortages `json:"shortages,omitempty"`

	// Victims are the pods that the kubelet evicts so that a critical pod fits, as CriticalVictims
	// returns them: their indices in the list of pods.
	Victims []int `json:"victims,omitempty"`
}

// AdmitPod returns whether the kubelet of a node with these allocatable resources and pods starts a pod
// that is bound to the node, and otherwise the reason and the message of the status that it rejects the pod
// with, word for word. The scheduler has usually made sure that the pod fits, but not for static pods, for pods
// that set spec.nodeName, and for pods of a node that has less allocatable than before.
//
// The comparison is that of Ledger.Shortages, with these differences. Pods count with the resources that the
// node has allocated, according to their statuses, and not with those that a pending resize asks for;
// while a resize is actuated, the larger amount counts. The pod itself counts with allocated resources
// as well if its status has any, as after a restart of the kubelet. Requests of a container for an extended
// resource are ignored if the node does not list it, or if the status of the pod maps it to a resource claim. If
// the pod is critical, the kubelet evicts others: see CriticalVictims.
//
// The kubelet also checks the operating system of the pod, node affinity, host ports, taints with
// NoExecute, pressure on the node, sysctls, AppArmor, and what its CPU, memory, device and topology
// managers have to assign. These are not considered. Insufficient resources take precedence over node affinity,
// node name, host ports and taints, except for a critical pod, which is then rejected without evicting others.
//
// Pods that have ended, nil pods, and the pod itself, by its UID, are not counted; of several pods with one
// UID, the first one counts. Since 1.37, the kubelet does not count pods that it has not admitted yet: their
// statuses do not tell, so leave them out. A nil pod is one without containers. Nothing fits if allocatable is nil.
// Cost: linear in the number of pods; with evictions, also that of CriticalVictims.
//
// Source: predicateAdmitHandler of k8s.io/kubernetes/pkg/kubelet/lifecycle, and AddPod of
// k8s.io/kubernetes/pkg/kubelet/allocation (v1.37).
func AdmitPod(pod *corev1.Pod, allocatable corev1.ResourceList, pods []*corev1.Pod, opts KubeletOptions) Admission {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	n := newKubeletNode(allocatable, pods, &opts)
	for i, other := range n.pods {
		if other != nil && (pods[i] == pod || pod.UID != "" && other.UID == pod.UID) {
			n.remove(i)
		}
	}
	pod, _ = opts.allocated(pod)
	return n.admit(pod)
}

// admit returns the answer to a pod that is not on the node, or was removed from it. The desired resources of
// the pod count.
func (n *kubeletNode) admit(pod *corev1.Pod) Admission {
	request := SpecRequest(n.counted(pod), computeresources.Options{Kubernetes: n.opts.Kubernetes})
	a := Admission{Shortages: n.appendShortages(nil, &request, &FitOptions{})}
	if len(a.Shortages) == 0 {
		return a
	}
	if criticalpod.Is(pod) {
		victims, err := n.opts.victims(pod, a.Shortages, n.pods)
		if err != nil {
			a.Reason = "UnexpectedAdmissionError"
			a.Message = "Unexpected error while attempting to recover from admission failure: " +
				"preemption: error finding a set of pods to preempt: " + err.Error()
		}
		a.Victims = victims
		return a
	}
	first := a.Shortages[0]
	a.Reason = "OutOf" + string(first.Resource)
	a.Message = fmt.Sprintf("Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d",
		first.Resource, first.Requested, first.Used, first.Capacity)
	return a
}
