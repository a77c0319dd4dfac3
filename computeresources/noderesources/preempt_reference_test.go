package noderesources_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

func (n slowNode) copy() slowNode { return slowNode{n.allocatable, maps.Clone(n.pods)} }

// shortages returns why the pod does not fit: with the pods that are nominated to the node, or else without them.
func (c *preemptCase) shortages(n slowNode, node string) (reasons []string, unresolvable bool) {
	with := n.copy()
	for i, other := range c.opts.Nominated {
		if other.Node == node && other.Priority >= c.opts.Priority {
			with.pods[types.UID(fmt.Sprint("nominated", i))] = c.nominated[i]
		}
	}
	for _, m := range []slowNode{with, n} {
		for _, s := range m.fit(c.pod, 0) {
			reasons, unresolvable = append(reasons, s.Error()), unresolvable || s.Unresolvable
		}
		if len(reasons) > 0 {
			break
		}
	}
	return reasons, unresolvable
}

// slowVictims are the victims on a node, as SelectVictimsOnNode finds them.
type slowVictims struct {
	node       string
	pods       []noderesources.PotentialVictim
	violations int
}

func (c *preemptCase) victims(node string) (found slowVictims, reasons []string) {
	found.node = node
	n := c.nodes[node].copy()
	var potential []noderesources.PotentialVictim
	for _, v := range c.pods[node] {
		if _, known := n.pods[v.UID]; known && v.Priority < c.opts.Priority {
			potential = append(potential, v)
			delete(n.pods, v.UID)
		}
	}
	if len(potential) == 0 {
		return found, []string{"No preemption victims found for incoming pod"}
	}
	if reasons, _ := c.shortages(n, node); len(reasons) > 0 {
		return found, reasons
	}
	slices.SortFunc(potential, moreImportant)
	violating, others := c.byBudgets(potential)
	for _, v := range append(violating, others...) {
		n.pods[v.UID] = c.nodes[node].pods[v.UID]
		if reasons, _ := c.shortages(n, node); len(reasons) > 0 {
			delete(n.pods, v.UID)
			found.pods = append(found.pods, v)
			if slices.ContainsFunc(violating, func(other noderesources.PotentialVictim) bool { return other.UID == v.UID }) {
				found.violations++
			}
		}
	}
	slices.SortFunc(found.pods, moreImportant)
	return found, nil
}

// byBudgets follows FilterVictimsWithPDBViolation, and filterPodsWithPDBViolation of 1.36, with budgets in the order of their names.
func (c *preemptCase) byBudgets(pods []noderesources.PotentialVictim) (violating, others []noderesources.PotentialVictim) {
	stops, all := c.opts.Kubernetes.Release != "1.36", c.opts.Kubernetes.Release == "1.38"
	budgets := slices.Clone(c.opts.Budgets)
	slices.SortStableFunc(budgets, func(a, b *policyv1.PodDisruptionBudget) int { return cmp.Compare(a.Name, b.Name) })
	disrupted := make([]int, len(budgets))
	for _, v := range pods {
		violates := false
		for i, b := range budgets {
			selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
			if _, isDisrupted := b.Status.DisruptedPods[v.Name]; isDisrupted || err != nil || b.Namespace != v.Namespace || !all && (len(v.Labels) == 0 || selector.Empty()) ||
				!selector.Matches(labels.Set(v.Labels)) {
				continue
			}
			disrupted[i]++
			violates = violates || disrupted[i] > int(b.Status.DisruptionsAllowed)
			if violates && stops {
				break
			}
		}
		if violates {
			violating = append(violating, v)
		} else {
			others = append(others, v)
		}
	}
	return violating, others
}

// started returns when a pod was started, in the far future if it was not.
func started(v noderesources.PotentialVictim) int64 {
	if v.StartTime.IsZero() {
		return math.MaxInt64
	}
	return v.StartTime.Unix()
}

func moreImportant(a, b noderesources.PotentialVictim) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(started(a), started(b)), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// preempt follows Evaluator.Preempt, with a node for each turn of DryRunPreemption. A node that fits is not asked for.
func (c *preemptCase) preempt() (best slowVictims, message string) {
	if c.opts.PreemptionPolicy == corev1.PreemptNever {
		return best, "not eligible due to preemptionPolicy=Never."
	}
	if n, known := c.nodes[c.opts.NominatedNode]; known && c.refused != c.opts.NominatedNode {
		if _, unresolvable := c.shortages(n, c.opts.NominatedNode); !unresolvable {
			for _, v := range c.pods[c.opts.NominatedNode] {
				if _, known := n.pods[v.UID]; known && v.Preempted && v.Priority < c.opts.Priority {
					return best, "not eligible due to a terminating pod on the nominated node."
				}
			}
		}
	}
	counts := map[string]int{}
	var tried []string
	for _, name := range slices.Sorted(maps.Keys(c.nodes)) {
		if reasons, unresolvable := c.shortages(c.nodes[name], name); len(reasons) > 0 && !unresolvable && (c.opts.Filter == nil || name != c.refused) {
			tried = append(tried, name)
		} else {
			counts["Preemption is not helpful for scheduling"]++
		}
	}
	var violating, others []slowVictims
	count := c.opts.Count
	if count <= 0 {
		count = math.MaxInt
	}
	for i := range tried {
		found, reasons := c.victims(tried[((c.opts.Offset+i)%len(tried)+len(tried))%len(tried)])
		for _, reason := range reasons {
			counts[reason]++
		}
		switch {
		case len(reasons) > 0:
			continue
		case found.violations == 0:
			others = append(others, found)
		case len(violating) < count:
			violating = append(violating, found)
		}
		if len(others) > 0 && len(others)+len(violating) >= count {
			break
		}
	}
	if all := append(others, violating...); len(all) > 0 {
		return pickSlowly(all), ""
	}
	var reasons []string
	for reason, n := range counts {
		reasons = append(reasons, fmt.Sprint(n, " ", reason))
	}
	slices.Sort(reasons)
	return best, fmt.Sprintf("0/%d nodes are available: %s.", len(c.nodes), strings.Join(reasons, ", "))
}

// pickSlowly follows pickOneNodeForPreemption: the nodes with the highest score of each function in turn, and then the
// first by name.
func pickSlowly(all []slowVictims) slowVictims {
	for _, score := range []func(slowVictims) int64{
		func(v slowVictims) int64 { return -int64(v.violations) },
		func(v slowVictims) int64 { return -int64(v.pods[0].Priority) },
		func(v slowVictims) (sum int64) {
			for _, pod := range v.pods {
				sum -= int64(pod.Priority) + 1<<31
			}
			return sum
		},
		func(v slowVictims) int64 { return -int64(len(v.pods)) },
		func(v slowVictims) int64 {
			earliest := int64(math.MaxInt64)
			for _, pod := range v.pods {
				if pod.Priority == v.pods[0].Priority {
					earliest = min(earliest, started(pod))
				}
			}
			return earliest
		},
	} {
		most := int64(math.MinInt64)
		for _, v := range all {
			most = max(most, score(v))
		}
		all = slices.DeleteFunc(all, func(v slowVictims) bool { return score(v) < most })
	}
	slices.SortFunc(all, func(a, b slowVictims) int { return strings.Compare(a.node, b.node) })
	return all[0]
}

func (v slowVictims) preemption(node string) preempted {
	p := preempted{Node: node, PDBViolations: v.violations}
	for _, pod := range v.pods {
		p.Victims = append(p.Victims, pod.UID)
	}
	return p
}

// list returns the requests as a list.
func (p slowPod) list() corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, n := range p.requests {
		list[name] = *resource.NewQuantity(n, resource.DecimalSI)
		if name == "cpu" {
			list[name] = *resource.NewMilliQuantity(n, resource.DecimalSI)
		}
	}
	return list
}
