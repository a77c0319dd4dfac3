package noderesources

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/release"
)

// Resize is what the kubelet does about the resize of a pod in place.
type Resize struct {
	Pod int `json:"pod"` // the index of the pod

	// State is what computeresources.PendingResize returns afterwards: "" if the node allocates the desired
	// resources now, corev1.PodReasonDeferred if it has no room and will try again, and
	// corev1.PodReasonInfeasible if it refuses.
	State string `json:"state,omitempty"`

	// Message is that of the condition PodResizePending, word for word. Reason is what the kubelet
	// logs, such as OutOfcpu; the reason of the condition is State. Victims are evicted for a
	// critical pod that is resized.
	Admission
}

// PendingResizes returns what the kubelet of a node with these allocatable resources and pods does about
// the pods whose desired resources differ from the allocated ones, in the order in which it tries them. It
// tries them when a pod is resized, added, removed or ends, when a resize was actuated, and every three minutes.
// The answer holds for one such round: what one resize takes or evicts counts for the next.
//
// A resize is infeasible, in this order, if a container that may use swap would need no restart for
// another request of memory, or if a Guaranteed pod requests another amount of cpu or memory under a
// static policy: see KubeletOptions. It also remains infeasible if the condition PodResizePending says
// so for the generation of the pod, or without an observedGeneration; then the message is that of the
// condition. Otherwise, AdmitPod decides with the desired resources on the node without the pod: if they do not
// fit, the resize is deferred. This holds also for amounts beyond what the node has in all, and for a resize
// that asks for less than before on an overcommitted node. (The API server refuses the former: see
// computeresources.ValidateResizeOnNode.)
//
// Resizes that do not raise the total request of cpu or memory come first. Then those of pods with a higher
// priority, which is 0 if not set; of Guaranteed pods; and those that have been pending longer, by the
// lastTransitionTime of the condition, before those without the condition. The last criterion is
// namespace, name, UID and index.
//
// Once a resize is allocated, the pod takes the larger of its desired resources and those that its status has,
// as PodRequest counts them. A resize to less therefore makes nothing free in the same round, but as
// soon as the node reports that it was actuated.
//
// Statuses have allocated requests but no allocated limits. Limits of containers count as allocated if
// they are in effect; pod-level limits are not compared. A container without a status that has resources
// counts as allocated as desired, so no resize of a manifest is pending. Pods that have ended, nil pods,
// pods that an earlier resize evicts, all but the first of several pods with one UID and, since 1.38, pods
// that are terminating are not tried.
// The other checks of a kubelet are not considered: see AdmitPod; nodes that run Windows refuse all
// resizes. The result is nil if no resize is pending.
//
// Cost: that of AdmitPod for each pending resize, without counting all pods again.
//
// Source: retryPendingResizes, sortPendingResizes and podResizesAdmitHandler of
// k8s.io/kubernetes/pkg/kubelet/allocation (v1.37), KEP-1287.
func PendingResizes(pods []*corev1.Pod, allocatable corev1.ResourceList, opts KubeletOptions) []Resize {
	n := newKubeletNode(allocatable, pods, &opts)
	triesTerminating := !release.Rules(opts.Kubernetes).ForgetsResizesOfTerminating()
	var pending []pendingResize
	for i, pod := range pods {
		if n.pods[i] == nil || pod.DeletionTimestamp != nil && !triesTerminating {
			continue
		}
		if before, differs := opts.allocated(pod); differs {
			pending = append(pending, opts.pending(i, pod, before))
		}
	}
	slices.SortFunc(pending, pendingResize.compare)
	var resizes []Resize
	for _, p := range pending {
		if n.pods[p.index] != nil {
			resizes = append(resizes, n.resize(p))
		}
	}
	return resizes
}

// pendingResize is a pod with other desired resources than it has allocated.
type pendingResize struct {
	index       int
	pod, before *corev1.Pod // with the desired and with the allocated resources

	raises       bool // the total request of cpu or memory
	priority     int32
	isGuaranteed bool
	condition    *corev1.PodCondition // PodResizePending, nil if there is none
}

func (o *KubeletOptions) pending(index int, pod, before *corev1.Pod) pendingResize {
	p := pendingResize{
		index: index, pod: pod, before: before, priority: eviction.Priority(pod),
		isGuaranteed: eviction.Class(pod, release.Rules(o.Kubernetes)) == corev1.PodQOSGuaranteed,
	}
	options := computeresources.Options{Kubernetes: o.Kubernetes}
	now, then := computeresources.SpecRequests(&pod.Spec, options), computeresources.SpecRequests(&before.Spec, options)
	p.raises = now.Cpu().Cmp(*then.Cpu()) > 0 || now.Memory().Cmp(*then.Memory()) > 0
	isPending := func(c corev1.PodCondition) bool { return c.Type == corev1.PodResizePending }
	if i := slices.IndexFunc(pod.Status.Conditions, isPending); i >= 0 {
		p.condition = &pod.Status.Conditions[i]
	}
	return p
}

// compare is negative if p is tried before q.
func (p pendingResize) compare(q pendingResize) int {
	return cmp.Or(
		ordering.TrueFirst(!p.raises, !q.raises),
		cmp.Compare(q.priority, p.priority),
		ordering.TrueFirst(p.isGuaranteed, q.isGuaranteed),
		ordering.TrueFirst(p.condition != nil, q.condition != nil),
		p.since().Compare(q.since().Time),
		ordering.Pods(p.pod, q.pod),
		p.index-q.index,
	)
}

// since returns when the resize became pending; zero if it is not known.
func (p pendingResize) since() metav1.Time {
	if p.condition == nil {
		return metav1.Time{}
	}
	return p.condition.LastTransitionTime
}

// resize returns what becomes of a resize, and changes the node accordingly.
func (n *kubeletNode) resize(p pendingResize) Resize {
	r := Resize{Pod: p.index}
	if message, refuses := n.opts.refusal(&p); refuses {
		r.State = corev1.PodReasonInfeasible
		r.Reason, r.Message = corev1.PodReasonInfeasible, message
		return r
	}
	n.remove(p.index)
	r.Admission = n.admit(p.pod)
	for _, i := range r.Victims {
		n.remove(i)
	}
	if r.Reason != "" {
		r.State = corev1.PodReasonDeferred
		n.add(p.index, p.before)
		return r
	}
	n.add(p.index, p.pod)
	return r
}
