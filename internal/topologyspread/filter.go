package topologyspread

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// The reasons of the plugin.
const (
	notMatching  = "node(s) didn't match pod topology spread constraints"
	missingLabel = notMatching + " (missing required label)"
)

// Refusal returns why the pod may not be on a node, in the words of the scheduler, and whether no preemption could
// change that. The message is empty if the pod may be there.
//
// Source: Filter.
func (s *Spread) Refusal(i int) (message string, isUnresolvable bool) {
	for k := range s.limits {
		l := &s.limits[k]
		if !l.nodes[i].hasLabel {
			return missingLabel, true
		}
		if l.skewWith(i) > int(l.maxSkew) {
			return notMatching, false
		}
	}
	return "", false
}

// skewWith returns by how much the domain of a node would exceed the least domain with the pod. The least domain is
// taken for empty if there are fewer domains than minDomains.
func (l *limit) skewWith(i int) int {
	pods, least := l.pods[l.nodes[i].domain], l.least
	if l.selectsItself {
		pods++
	}
	if l.domains < int(l.minDomains) {
		least = 0
	}
	return pods - least
}

// Evict is Remove for what Refusal counts, as the scheduler does it while it tries which pods of a node to preempt. It
// also subtracts pods that were not counted because they are being deleted or, up to 1.37, because the selector is
// empty.
//
// Source: RemovePod.
func (s *Spread) Evict(i int, pod *corev1.Pod) { s.try(i, pod, -1) }

// Reprieve undoes Evict.
//
// Source: AddPod.
func (s *Spread) Reprieve(i int, pod *corev1.Pod) { s.try(i, pod, 1) }

func (s *Spread) try(i int, pod *corev1.Pod, by int) {
	if pod == nil || pod.Namespace != s.namespace {
		return
	}
	for k := range s.limits {
		l := &s.limits[k]
		if l.nodes[i].isCounted && l.selector.Matches(labels.Set(pod.Labels)) {
			l.change(i, by)
		}
	}
}
