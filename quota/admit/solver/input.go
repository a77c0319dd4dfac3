package solver

import (
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota"
)

// Input has the constraints of a pod in addition to its spec. It is only read. The order of its
// lists does not matter, and nil elements are ignored. The zero value has no constraints.
type Input struct {
	// LimitRanges are those of the namespace, as the API server stores them: see
	// limitrange.WithDefaults for those of manifests. Items of types other than Container and
	// Pod do not concern pods.
	LimitRanges []*corev1.LimitRange
	// Quotas are the ResourceQuotas of the namespace. Those count that match the pod by their
	// scopes; what remains is status.hard less status.used.
	Quotas []*corev1.ResourceQuota
	// Floors are the minimum requests of single containers, such as their measured usage.
	Floors []Floor
	// Replicas is the number of pods with this spec that the quotas have to admit, in addition to
	// their usage. Values below one count as one.
	Replicas int64
	// Kubernetes selects whether the pod level counts, which of its amounts the server sets by default, and how ratios
	// are compared. Without PodLevelResources, the solution has none.
	Kubernetes computeresources.Kubernetes
}

// Floor is the minimum request of a container, such as its measured usage. A smaller request in the
// spec contradicts it.
type Floor struct {
	Ref      computeresources.Ref // a name is enough: see computeresources.Ref.In
	Requests corev1.ResourceList
	Source   computeresources.Source // names where it comes from in answers, such as {Kind: "usage"}
}

// inputError is returned for input that no answer can be computed from.
type inputError struct {
	Source computeresources.Source // the object; zero for the pod
	Ref    computeresources.Ref    // the part of the pod; zero for an object
	Field  string                  // below it, such as `max[cpu]`, `status` or `floor`
	// Detail is what is wrong. It is empty for an amount that is too large.
	Detail string
}

// Error returns the object, the field, and what is wrong.
func (e *inputError) Error() string {
	object := e.Source.String()
	if e.Ref != (computeresources.Ref{}) {
		object = e.Ref.String()
	}
	if e.Detail == "" {
		return fmt.Sprintf("%s: %s is beyond 9223372036854775807, the largest amount that Kubernetes compares", object,
			e.Field)
	}
	return fmt.Sprintf("%s: %s: %s", object, e.Field, e.Detail)
}

// or returns the first of two errors in the order of messages. Each may be nil.
func (e *inputError) or(other *inputError) *inputError {
	if e == nil || other != nil && other.Error() < e.Error() {
		return other
	}
	return e
}

// objects returns what a pod of a class has to satisfy.
func (in *Input) objects(spec *corev1.PodSpec, class corev1.PodQOSClass) (objects, error) {
	o := objects{Floors: in.Floors, Kubernetes: in.Kubernetes}
	for _, lr := range in.LimitRanges {
		if lr == nil {
			continue
		}
		for i, item := range lr.Spec.Limits {
			source := computeresources.Source{Kind: "LimitRange", Namespace: lr.Namespace, Name: lr.Name,
				Field: "spec.limits[" + strconv.Itoa(i) + "]"}
			o.Items = append(o.Items, rangeItem{source, item})
		}
	}
	pod := &corev1.Pod{Status: corev1.PodStatus{QOSClass: class}}
	if spec != nil {
		pod.Spec = *spec
	}
	object := quota.Pod(pod, time.Time{}, quota.PodOptions{Kubernetes: in.Kubernetes})
	var failed *inputError
	for _, q := range in.Quotas {
		b, counts, err := budgetOf(object, q)
		failed = failed.or(err)
		if counts {
			b.Replicas = in.Replicas
			o.Budgets = append(o.Budgets, b)
		}
	}
	if failed != nil {
		return objects{}, failed
	}
	return o, nil
}

// budgetOf returns what remains of a quota, and whether it counts the pod.
func budgetOf(object quota.Object, q *corev1.ResourceQuota) (budget, bool, *inputError) {
	usage, err := object.UsageIn(q)
	if usage == nil && err == nil {
		return budget{}, false, nil
	}
	source := quota.SourceOf(q, "")
	if err != nil {
		return budget{}, false, &inputError{Source: source, Field: "spec.scopeSelector", Detail: err.Error()}
	}
	var names []corev1.ResourceName
	for name := range usage {
		if quantity.Find(q.Status.Hard, name) != nil {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if quantity.Find(q.Status.Used, name) == nil {
			names = nil
			break
		}
	}
	if len(names) == 0 {
		return budget{}, false, &inputError{Source: source, Field: "status", Detail: "does not say how much is used"}
	}
	remaining := resourcelist.Subtract(resourcelist.Mask(q.Status.Hard, names), resourcelist.Mask(q.Status.Used, names))
	if q.Kind == string(quota.GlobalResourceQuota) && len(resourcelist.IsNegative(quota.Remaining(q))) > 0 {
		remaining = resourcelist.Min(remaining, resourcelist.Subtract(remaining, remaining)) // it refuses any other request
	}
	return budget{Source: quota.SourceOf(q, "spec.hard"), Remaining: remaining}, true, nil
}
