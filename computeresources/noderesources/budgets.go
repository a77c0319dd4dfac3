package noderesources

import (
	"cmp"
	"slices"
	"strings"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/release"
)

// budgets are PodDisruptionBudgets that may protect a pod.
type budgets struct {
	sorted []budget // by namespace and name
	rules  release.Rules
}

type budget struct {
	namespace, name string
	selector        labels.Selector
	status          *policyv1.PodDisruptionBudgetStatus
	left            int64 // how many disruptions it still allows
}

func budgetsOf(list []*policyv1.PodDisruptionBudget, rules release.Rules) budgets {
	b := budgets{rules: rules}
	for _, pdb := range list {
		if pdb == nil {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
		if err != nil || selector.Empty() && !rules.BudgetsOfAllPods() {
			continue
		}
		b.sorted = append(b.sorted,
			budget{namespace: pdb.Namespace, name: pdb.Name, selector: selector, status: &pdb.Status})
	}
	slices.SortStableFunc(b.sorted, func(x, y budget) int {
		return cmp.Or(strings.Compare(x.namespace, y.namespace), strings.Compare(x.name, y.name))
	})
	return b
}

// protect sets which pods of a node, the most important one first, are protected: a budget allows no more
// disruptions after those of the pods before.
//
// Source: FilterVictimsWithPDBViolation of k8s.io/kubernetes/pkg/scheduler/framework/preemption.
func (b budgets) protect(pods []victim) {
	if len(b.sorted) == 0 {
		return
	}
	for i := range b.sorted {
		b.sorted[i].left = int64(b.sorted[i].status.DisruptionsAllowed)
	}
	for i := range pods {
		pods[i].isProtected = b.disrupt(pods[i].pod)
	}
}

// disrupt counts the disruption of a pod, and reports whether it violates a budget.
func (b budgets) disrupt(pod *PotentialVictim) (violates bool) {
	if len(pod.Labels) == 0 && !b.rules.BudgetsOfAllPods() {
		return false
	}
	first, _ := slices.BinarySearchFunc(b.sorted, pod.Namespace,
		func(x budget, namespace string) int { return strings.Compare(x.namespace, namespace) })
	for i := first; i < len(b.sorted) && b.sorted[i].namespace == pod.Namespace; i++ {
		own := &b.sorted[i]
		if _, isDisrupted := own.status.DisruptedPods[pod.Name]; isDisrupted ||
			!own.selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		own.left--
		violates = violates || own.left < 0
		if violates && b.rules.StopsAtViolatedBudget() {
			break
		}
	}
	return violates
}
