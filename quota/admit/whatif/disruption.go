package whatif

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/workload"
)

// disruption is a PodDisruptionBudget and what it allows now.
type disruption struct {
	*policyv1.PodDisruptionBudget
	selector labels.Selector
	status   policyv1.PodDisruptionBudgetStatus // now
	first    policyv1.PodDisruptionBudgetStatus // at the start
	ready    int32                              // of its pods at the start
}

// drainNode evicts pods of a node, by namespace and name, each as soon as its budget allows it. Controllers replace the
// pods that are gone before others are tried again. It notes why pods stay.
func (d *draft) drainNode(node string, isEvicted func(p *pod) bool) {
	pods := slices.DeleteFunc(d.podsOn(node), func(p *pod) bool { return !isEvicted(p) })
	budgets := d.disruptions()
	stays := map[*pod]error{}
	for evicted := true; evicted; {
		clear(stays)
		evicted = false
		for _, p := range pods {
			if d.podOf(p.NamespacedName) != p { // it is gone, or there is another one of its name
				continue
			}
			if err := d.refuseEviction(budgets, p); err != nil {
				stays[p] = err
				continue
			}
			d.lose(p, false)
			evicted = len(budgets) > 0
		}
		if len(stays) == 0 {
			return
		}
		d.settle()
		for _, b := range budgets {
			b.update(d.countHealthy(b))
		}
	}
	for _, p := range pods {
		if err := stays[p]; err != nil {
			d.setFate(p, fate{stays: err})
			d.touch(p.NamespacedName, p)
		}
	}
}

// refuseEviction returns why a pod may not be evicted now, nil if it may, which is then counted.
//
// Source: Create and checkAndDecrement of k8s.io/kubernetes/pkg/registry/core/pod/storage/eviction.go.
func (d *draft) refuseEviction(budgets []*disruption, p *pod) error {
	isStarting := p.Object.Status.Phase == corev1.PodPending && p.Shape == nil // those that get a node here are ready
	if isStarting || p.Object.DeletionTimestamp != nil {
		return nil
	}
	var own *disruption
	for _, b := range budgets {
		switch {
		case !b.isOf(p):
		case own != nil:
			return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
				Code: 500, Reason: metav1.StatusReasonInternalError,
				Message: "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."}}
		default:
			own = b
		}
	}
	if own == nil || !d.isHealthy(p) && own.ignoresUnhealthy() {
		return nil
	}
	if own.status.DisruptionsAllowed <= 0 {
		return own.refusal()
	}
	own.status.DisruptionsAllowed--
	return nil
}

// isOf reports whether the budget selects a pod.
func (b *disruption) isOf(p *pod) bool {
	return b.Namespace == p.Namespace && b.selector.Matches(labels.Set(p.Object.Labels))
}

// ignoresUnhealthy reports whether pods that are not ready may be evicted whatever is allowed.
func (b *disruption) ignoresUnhealthy() bool {
	policy := b.Spec.UnhealthyPodEvictionPolicy
	return policy != nil && *policy == policyv1.AlwaysAllow ||
		b.status.CurrentHealthy >= b.status.DesiredHealthy && b.status.DesiredHealthy > 0
}

// refusal returns the error of the API server about a budget that allows no disruption.
func (b *disruption) refusal() error {
	err := apierrors.NewTooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0)
	message := fmt.Sprintf("The disruption budget %s does not allow evicting pods currently", b.Name)
	failure := b.failure()
	switch {
	case failure != "":
		message += " because it failed sync: " + failure
	case b.status.CurrentHealthy <= b.status.DesiredHealthy:
		message = fmt.Sprintf("The disruption budget %s needs %d healthy pods and has %d currently", b.Name,
			b.status.DesiredHealthy, b.status.CurrentHealthy)
	}
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes,
		metav1.StatusCause{Type: policyv1.DisruptionBudgetCause, Message: message})
	return err
}

// failure returns why the controller of budgets cannot tell what is allowed, empty if it can.
func (b *disruption) failure() string {
	c := meta.FindStatusCondition(b.first.Conditions, policyv1.DisruptionAllowedCondition)
	if c == nil || c.Status != metav1.ConditionFalse || c.Reason != policyv1.SyncFailedReason {
		return ""
	}
	return c.Message
}

// disruptions returns the budgets as they are now.
func (d *draft) disruptions() (all []*disruption) {
	for _, budget := range d.budgets() {
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil {
			continue
		}
		b := &disruption{PodDisruptionBudget: budget, selector: selector, first: budget.Status}
		b.ready = d.countHealthy(b)
		if equality.Semantic.DeepEqual(b.first, policyv1.PodDisruptionBudgetStatus{}) ||
			b.first.ObservedGeneration < b.Generation { // its controller has not looked at it
			b.first = d.statusOf(b)
		}
		b.update(b.ready)
		all = append(all, b)
	}
	return all
}

// update sets what is allowed when so many of the pods are healthy.
func (b *disruption) update(healthy int32) {
	b.status = b.first
	if healthy == b.ready || b.failure() != "" {
		return
	}
	b.status.CurrentHealthy += healthy - b.ready
	b.status.DisruptionsAllowed = max(0, b.status.CurrentHealthy-b.status.DesiredHealthy)
}

// podsOfBudget yields the pods that a budget selects.
func (d *draft) podsOfBudget(b *disruption, yield func(p *pod)) {
	if s := d.spaces[b.Namespace]; s != nil {
		for _, p := range s.pods.All {
			if b.isOf(p) {
				yield(p)
			}
		}
	}
}

// countHealthy counts the pods of a budget that are ready and not being deleted.
func (d *draft) countHealthy(b *disruption) (n int32) {
	d.podsOfBudget(b, func(p *pod) {
		if p.Object.DeletionTimestamp == nil && d.isHealthy(p) {
			n++
		}
	})
	return n
}

// isHealthy reports whether a pod is ready, as its status says, or else because it has a node.
func (d *draft) isHealthy(p *pod) bool {
	for i := range p.Object.Status.Conditions {
		if c := &p.Object.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return !p.ended && d.isReady(p)
}

// statusOf returns the status that the controller of budgets sets.
//
// Source: getExpectedPodCount and updatePdbStatus of k8s.io/kubernetes/pkg/controller/disruption.
func (d *draft) statusOf(b *disruption) policyv1.PodDisruptionBudgetStatus {
	scale, pods := int32(0), int32(0)
	var missing string // a pod whose controller has no replicas
	seen := map[key]bool{}
	d.podsOfBudget(b, func(p *pod) {
		pods++
		if p.owner == (key{}) {
			return
		}
		_, it := d.top(p.Namespace, p.owner)
		switch {
		case it == nil || workload.Of(it.object).Replicas == nil:
			missing = max(missing, p.Name)
		case !seen[it.key]:
			seen[it.key] = true
			scale += int32(workload.Of(it.object).Wanted)
		}
	})
	status := policyv1.PodDisruptionBudgetStatus{CurrentHealthy: b.ready}
	portion := func(of *intstr.IntOrString) int32 {
		n, err := intstr.GetScaledValueFromIntOrPercent(of, int(scale), true)
		if err != nil {
			return 0
		}
		return int32(n)
	}
	spec := &b.Spec
	switch {
	case spec.MaxUnavailable != nil:
		status.ExpectedPods, status.DesiredHealthy = scale, max(0, scale-portion(spec.MaxUnavailable))
	case spec.MinAvailable != nil && spec.MinAvailable.Type == intstr.Int:
		status.ExpectedPods, status.DesiredHealthy, missing = pods, spec.MinAvailable.IntVal, ""
	case spec.MinAvailable != nil:
		status.ExpectedPods, status.DesiredHealthy = scale, portion(spec.MinAvailable)
	}
	switch {
	case missing != "":
		return policyv1.PodDisruptionBudgetStatus{Conditions: []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition,
			Status: metav1.ConditionFalse, Reason: policyv1.SyncFailedReason,
			Message: fmt.Sprintf("found no controllers for pod %q", missing)}}}
	case status.ExpectedPods > 0:
		status.DisruptionsAllowed = max(0, status.CurrentHealthy-status.DesiredHealthy)
	}
	return status
}
