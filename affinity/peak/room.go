package peak

import (
	"math/big"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/bisect"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// room is the room of a namespace for placeholders, one after another.
type room struct {
	// atPeak is the namespace with all tasks at their peak, and largest with the largest of their pods. Both are nil
	// if the namespace has neither LimitRanges nor quotas.
	atPeak, largest *admit.Namespace
}

// roomIn returns the room that the tasks of a run leave.
func roomIn(run *affinity.Run, opts Options) (*room, error) {
	if len(opts.LimitRanges)+len(opts.Quotas) == 0 && len(opts.Admission.Limited) == 0 {
		return &room{}, nil
	}
	if _, err := admit.Compile(opts.LimitRanges, opts.Quotas, opts.Admission); err != nil {
		return nil, err
	}
	opts.Only = nil // a quota counts all tasks
	requests, err := DemandOf(run, opts)
	if err != nil {
		return nil, err
	}
	limits, err := DemandOf(withLimits(run), opts)
	if err != nil {
		return nil, err
	}
	used := func(of func(Peak) resource.Quantity) (*admit.Namespace, error) {
		var r corev1.ResourceRequirements
		pods := amounts(&r.Limits, limits, of)
		pods = max(pods, amounts(&r.Requests, requests, of))
		return admit.Compile(opts.LimitRanges, withTasks(opts.Quotas, run, r, pods), opts.Admission)
	}
	atPeak, err := used(func(p Peak) resource.Quantity { return p.Amount })
	if err != nil {
		return nil, err
	}
	largest, err := used(func(p Peak) resource.Quantity { return p.Largest })
	return &room{atPeak, largest}, err
}

// amounts sets the amounts of a demand that are above zero, apart from the number of pods, which it returns.
func amounts(list *corev1.ResourceList, demand Demand, of func(Peak) resource.Quantity) (pods int64) {
	for _, p := range demand.Peaks {
		amount := of(p)
		if p.Resource == corev1.ResourcePods {
			pods = amount.Value()
		} else if amount.Sign() > 0 {
			quantity.Set(list, p.Resource, amount)
		}
	}
	return pods
}

// withLimits returns a run whose tasks request what they are limited to.
func withLimits(run *affinity.Run) *affinity.Run {
	own := *run
	own.Tasks, own.Finally = slices.Clone(run.Tasks), slices.Clone(run.Finally)
	for _, tasks := range [][]affinity.Task{own.Tasks, own.Finally} {
		for i := range tasks {
			tasks[i].Requests = tasks[i].Limits
		}
	}
	return &own
}

// withTasks returns quotas in which so many pods of the run are used, which together have these amounts.
func withTasks(
	quotas []*corev1.ResourceQuota, run *affinity.Run, r corev1.ResourceRequirements, pods int64,
) (all []*corev1.ResourceQuota) {
	deadline := int64(1) // any
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		PriorityClassName: run.PodTemplate.PriorityClassName, ActiveDeadlineSeconds: &deadline,
		Containers: []corev1.Container{{Resources: r}},
	}}
	counted := quota.Pod(pod, time.Time{}, quota.PodOptions{})
	for _, q := range quotas {
		if q == nil {
			continue
		}
		own := q.DeepCopy()
		usage, err := counted.UsageIn(q)
		for name, amount := range usage {
			if name == corev1.ResourcePods || name == "count/pods" {
				amount = quantity.Times(amount, pods)
			}
			if was, known := own.Status.Used[name]; err == nil && known && pods > 0 {
				quantity.Add(&was, amount)
				own.Status.Used[name] = was
			}
		}
		all = append(all, own)
	}
	return all
}

// raise returns the containers of a placeholder with the largest requests, up to wanted, that the namespace admits,
// and what refuses more. The namespace has the placeholder from then on.
func (in *room) raise(set *appsv1.StatefulSet, wanted corev1.ResourceList) ([]corev1.Container, []*admit.Refusal) {
	if in.atPeak == nil {
		return raised(set.Spec.Template.Spec.Containers, wanted), nil
	}
	is, refusals := in.least(set)
	if refusals != nil {
		return set.Spec.Template.Spec.Containers, refusals
	}
	namespace := in.atPeak
	if !createOf(namespace, set, is).Admitted() {
		namespace = in.largest
	}
	if d := createOf(namespace, set, is); !d.Admitted() {
		return is, d.Refusals // there is no room for the tasks
	}
	for _, name := range quantity.Names(wanted) {
		amount := wanted[name]
		d := createOf(namespace, set, raised(is, corev1.ResourceList{name: amount}))
		if d.Admitted() {
			is = raised(is, corev1.ResourceList{name: amount})
			continue
		}
		refusals = append(refusals, d.Refusals...)
		is = raised(is, greatest(namespace, set, is, name, amount.DeepCopy()))
	}
	in.atPeak, in.largest = in.atPeak.After(createOf(in.atPeak, set, is)), in.largest.After(createOf(in.largest, set, is))
	return is, refusals
}

// least returns the containers of a placeholder as they are, but within the minima of LimitRanges, or why the API
// server refuses them.
func (in *room) least(set *appsv1.StatefulSet) ([]corev1.Container, []*admit.Refusal) {
	is := set.Spec.Template.Spec.Containers
	for {
		d := createOf(in.largest, set, is)
		minima := corev1.ResourceList{}
		for _, r := range d.Refusals {
			switch {
			case r.Failure != nil: // there may be no room for the tasks
			case r.Violation == nil || r.Violation.Bound != limitrange.Min:
				return nil, d.Refusals
			default:
				minima = resourcelist.Max(minima, corev1.ResourceList{r.Resource: r.Violation.Enforced})
			}
		}
		next := raised(is, minima)
		if len(minima) == 0 || slices.EqualFunc(is, next, sameAmounts) {
			return is, nil
		}
		is = next
	}
}

func sameAmounts(a, b corev1.Container) bool {
	return resourcelist.Equals(a.Resources.Requests, b.Resources.Requests) &&
		resourcelist.Equals(a.Resources.Limits, b.Resources.Limits)
}

// greatest returns the largest amount of a resource below one that is refused, in whole units.
func greatest(
	ns *admit.Namespace, set *appsv1.StatefulSet, is []corev1.Container, name corev1.ResourceName,
	refused resource.Quantity,
) corev1.ResourceList {
	scale := resourcename.Scale(name)
	past := quantity.Ceil(quantity.Rational(refused), scale)
	of := func(units *big.Int) corev1.ResourceList {
		return corev1.ResourceList{name: quantity.OfUnits(units, scale, refused.Format)}
	}
	first := bisect.First(big.NewInt(0), past, func(units *big.Int) bool {
		return !createOf(ns, set, raised(is, of(units))).Admitted()
	})
	if first.Sign() <= 0 {
		return nil
	}
	return of(new(big.Int).Sub(first, big.NewInt(1)))
}

// createOf returns the decision on the pod of a placeholder with these containers.
func createOf(ns *admit.Namespace, set *appsv1.StatefulSet, containers []corev1.Container) admit.Decision {
	pod := &corev1.Pod{Spec: *set.Spec.Template.Spec.DeepCopy()}
	pod.Namespace, pod.Name, pod.Labels = set.Namespace, set.Name+"-0", set.Spec.Template.Labels
	pod.Spec.Containers = containers
	return ns.Create(pod, admit.Attributes{})
}
