package noderesources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// CriticalVictims returns the pods that the kubelet evicts so that a critical pod can start or be resized,
// if the node is short of resources: their indices in pods, in the order of eviction. The error has the
// message of the kubelet, "no set of running pods found to reclaim resources: [(res: cpu, q: 100), ]", with
// what remains missing; then nothing is evicted.
//
// A critical pod is static, the mirror of a static pod, or has a priority of 2000000000 or more. It can
// evict pods that are not critical, and critical pods with a lower priority if both set one. Whether the
// pod is critical is not checked: any other pod can evict those with a lower priority.
//
// Guaranteed pods are evicted for what is missing without all Burstable and BestEffort pods, then
// Burstable pods for what is missing without all BestEffort pods and these Guaranteed ones, and then
// BestEffort pods for the rest. Within a class, each step evicts the pod that minimizes the sum of squared
// remaining deficits, relative to the original ones. Ties go to the smaller request for memory, then for cpu, then
// to namespace, name, UID and index. The set need not be minimal. The result has BestEffort pods first and
// Guaranteed pods last.
//
// Pods count with allocated requests as in AdmitPod, but in the way of the kubelet's preemption: without
// what is still in effect during a resize; of a pod with pod-level resources, only these; and with
// overhead only for a resource that is requested otherwise. The distances are computed in floating point,
// as in the kubelet.
//
// Pods that have ended, nil pods, and all but the first of several pods with one UID are ignored. A nil pod
// cannot evict any. With negative requests, which no cluster admits, the victims may not be enough. Cost: quadratic in
// the number of pods of a class.
//
// Source: getPodsToPreempt of k8s.io/kubernetes/pkg/kubelet/preemption, and Preemptable of
// k8s.io/kubernetes/pkg/kubelet/types (v1.37).
func CriticalVictims(pod *corev1.Pod, short Shortages, pods []*corev1.Pod, opts KubeletOptions) ([]int, error) {
	if pod == nil {
		pod = &corev1.Pod{}
	}
	return opts.victims(pod, short, opts.active(pods))
}

// victims is CriticalVictims for pods with their allocated resources, of which nil ones do not count.
func (o *KubeletOptions) victims(pod *corev1.Pod, short Shortages, pods []*corev1.Pod) ([]int, error) {
	var bestEffort, burstable, guaranteed []candidate
	for i, other := range pods {
		if other == nil || !canEvict(pod, other) {
			continue
		}
		c := o.candidate(i, other, short)
		switch eviction.Class(other, release.Rules(o.Kubernetes)) {
		case corev1.PodQOSBestEffort:
			bestEffort = append(bestEffort, c)
		case corev1.PodQOSBurstable:
			burstable = append(burstable, c)
		case corev1.PodQOSGuaranteed:
			guaranteed = append(guaranteed, c)
		}
	}
	for _, class := range [][]candidate{bestEffort, burstable, guaranteed} {
		slices.SortFunc(class, func(a, b candidate) int { return cmp.Or(ordering.Pods(a.pod, b.pod), a.index-b.index) })
	}
	need := missing(short)
	if open := need.without(bestEffort, burstable, guaranteed); len(open) > 0 {
		return nil, open.unmet()
	}
	fromGuaranteed := choose(guaranteed, need.without(bestEffort, burstable))
	fromBurstable := choose(burstable, need.without(bestEffort, fromGuaranteed))
	fromBestEffort := choose(bestEffort, need.without(fromBurstable, fromGuaranteed))
	var victims []int
	for _, c := range slices.Concat(fromBestEffort, fromBurstable, fromGuaranteed) {
		victims = append(victims, c.index)
	}
	return victims, nil
}

// canEvict reports whether a critical pod can evict another.
func canEvict(pod, other *corev1.Pod) bool {
	if criticalpod.Is(pod) && !criticalpod.Is(other) {
		return true
	}
	return pod.Spec.Priority != nil && other.Spec.Priority != nil && *pod.Spec.Priority > *other.Spec.Priority
}

// candidate is a pod that can be evicted.
type candidate struct {
	index       int
	pod         *corev1.Pod
	requests    []int64 // for the resources that are short
	memory, cpu int64
}

// candidate returns what is made free if a pod is evicted.
func (o *KubeletOptions) candidate(index int, pod *corev1.Pod, short Shortages) candidate {
	list := eviction.Requests(nil, &pod.Spec, o.Kubernetes)
	list[corev1.ResourcePods] = resourcelist.Quantity(corev1.ResourcePods, 1)
	request := func(name corev1.ResourceName) int64 { return resourcelist.Integer(name, list[name]) }
	c := candidate{index: index, pod: pod, memory: request(corev1.ResourceMemory), cpu: request(corev1.ResourceCPU)}
	for _, s := range short {
		c.requests = append(c.requests, request(s.Resource))
	}
	return c
}

// requirement is how much of a resource is missing.
type requirement struct {
	at       int // in the requests of candidates
	resource corev1.ResourceName
	amount   int64
}

type requirements []requirement

// missing returns what has to be made free.
func missing(short Shortages) (need requirements) {
	for i, s := range short {
		need = append(need, requirement{i, s.Resource,
			quantity.SubSaturated(s.Requested, quantity.SubSaturated(s.Capacity, s.Used))})
	}
	return need
}

// without returns what is still missing if pods are evicted.
func (rs requirements) without(evicted ...[]candidate) (open requirements) {
	candidates := slices.Concat(evicted...)
	for _, r := range rs {
		for _, c := range candidates {
			r.amount = quantity.SubSaturated(r.amount, c.requests[r.at])
			if r.amount <= 0 {
				break
			}
		}
		if r.amount > 0 {
			open = append(open, r)
		}
	}
	return open
}

// distance returns how much is still missing if a pod is evicted: the sum of the squares of the parts of
// the requirements, each from 0 to 1.
func (rs requirements) distance(c *candidate) (sum float64) {
	for _, r := range rs {
		if open := quantity.SubSaturated(r.amount, c.requests[r.at]); open > 0 {
			part := float64(open) / float64(r.amount)
			sum += float64(part * part) // the conversion keeps compilers from fusing
		}
	}
	return sum
}

func (rs requirements) unmet() error {
	var b strings.Builder
	for _, r := range rs {
		fmt.Fprintf(&b, "(res: %s, q: %d), ", r.resource, r.amount)
	}
	return fmt.Errorf("no set of running pods found to reclaim resources: [%s]", b.String())
}

// choose returns those of the candidates that are evicted until nothing is missing, in this order.
func choose(from []candidate, need requirements) (chosen []candidate) {
	from = slices.Clone(from)
	for len(need) > 0 && len(from) > 0 {
		best := 0
		for i := range from {
			a, b := &from[i], &from[best]
			if cmp.Or(cmp.Compare(need.distance(a), need.distance(b)), cmp.Compare(a.memory, b.memory),
				cmp.Compare(a.cpu, b.cpu)) < 0 {
				best = i
			}
		}
		need = need.without(from[best : best+1])
		chosen = append(chosen, from[best])
		from = slices.Delete(from, best, best+1)
	}
	return chosen
}
