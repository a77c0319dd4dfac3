package noderesources

import (
	"slices"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// budgets are PodDisruptionBudgets that may protect a pod, sorted by namespace.
type budgets []budget

type budget struct {
	namespace string
	selector  labels.Selector
	status    *policyv1.PodDisruptionBudgetStatus
	left      int64 // how many disruptions it still allows
}

func budgetsOf(list []*policyv1.PodDisruptionBudget) (b budgets) {
	for _, pdb := range list {
		if pdb == nil {
			continue
		}
		if selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector); err == nil && !selector.Empty() {
			b = append(b, budget{namespace: pdb.Namespace, selector: selector, status: &pdb.Status})
		}
	}
	slices.SortFunc(b, func(x, y budget) int { return strings.Compare(x.namespace, y.namespace) })
	return b
}

// protect sets which pods of a node, the most important one first, are protected: a budget allows no more
// disruptions after those of the pods before.
//
// Source: filterPodsWithPDBViolation of k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption.
func (b budgets) protect(pods []victim) {
	if len(b) == 0 {
		return
	}
	for i := range b {
		b[i].left = int64(b[i].status.DisruptionsAllowed)
	}
	for i := range pods {
		pods[i].isProtected = b.disrupt(pods[i].pod)
	}
}

// disrupt counts the disruption of a pod, and reports whether it violates a budget.
func (b budgets) disrupt(pod *PotentialVictim) (violates bool) {
	if len(pod.Labels) == 0 { // matches no budget
		return false
	}
	first, _ := slices.BinarySearchFunc(b, pod.Namespace,
		func(x budget, namespace string) int { return strings.Compare(x.namespace, namespace) })
	for i := first; i < len(b) && b[i].namespace == pod.Namespace; i++ {
		if _, isDisrupted := b[i].status.DisruptedPods[pod.Name]; isDisrupted ||
			!b[i].selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		b[i].left--
		violates = violates || b[i].left < 0
	}
	return violates
}
