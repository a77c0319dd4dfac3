package report

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota"
)

// QuotaReport is what ResourceQuotas say to an object.
type QuotaReport struct {
	// Quotas are those that limit the object, or what is created for it, by name, if any.
	Quotas []QuotaUse `json:"quotas,omitempty"`
	// Fit is how much of it they leave room for, if there are any.
	Fit *Fit `json:"fit,omitempty"`
}

// QuotaUse is how much of a ResourceQuota is used.
type QuotaUse struct {
	Name string `json:"name"`
	// Resources are those that the object may be charged for, by name.
	Resources []ResourceUse `json:"resources"`
	// Unknown is set if the quota has no status, as one that has never been created. The
	// message is that of the API server. Only what exceeds the quota all by itself, or
	// with what stands before it in the files, is known to be rejected.
	Unknown string `json:"unknown,omitempty"`
}

func (u QuotaUse) unknown() bool { return u.Unknown != "" }

// ResourceUse is a line of the table of a quota.
type ResourceUse struct {
	Resource corev1.ResourceName `json:"resource"`
	// Used is what the status of the quota says, and what stands before in the files as
	// far as it is admitted. It is empty if the status does not say so.
	Used string `json:"used,omitempty"`
	// Asked is what the object costs, with all of its replicas.
	Asked string `json:"asked"`
	Hard  string `json:"hard"`
	// Left is Hard less Used and Asked: below zero, it does not fit. What exists already
	// is part of Used, and not taken off again. It is empty if Used is.
	Left string `json:"left,omitempty"`
}

// Fit is how many replicas quotas leave room for.
type Fit struct {
	// Unit is what is counted: replica, pod, claim or service.
	Unit string `json:"unit"`
	// Replicas is how many of them fit, beside what is used. It is left out if no quota
	// stops them.
	Replicas *int64 `json:"replicas,omitempty"`
	// Wanted is how many there shall be. If they exist, they are part of what is used.
	Wanted int64 `json:"wanted"`
	Exist  bool  `json:"exist,omitempty"`
	// AtMost is set if quotas without a status may leave room for less.
	AtMost bool `json:"atMost,omitempty"`
	// Stops are why the next one is refused, if it is.
	Stops []Reason `json:"stops,omitempty"`
}

// uses describes the quotas that concern an application, before it is added to their usage.
func (c *creation) uses(a *application) []QuotaUse {
	var uses []QuotaUse
	for _, q := range c.namespace.Quotas() {
		names := a.limitedBy(q)
		if len(names) == 0 {
			continue
		}
		u := QuotaUse{Name: q.Name}
		if c.unknown[q.Name] {
			u.Unknown = quota.Failure{Cause: quota.StatusUnknown, Source: computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, Field: "status"}, Resources: names}.String()
		}
		asked := a.usage(q)
		left := resourcelist.Subtract(q.Status.Hard, q.Status.Used)
		if !a.exists {
			left = resourcelist.Subtract(left, asked)
		}
		for _, name := range names {
			r := ResourceUse{Resource: name, Asked: quantity.Canonical(asked[name]), Hard: quantity.Canonical(q.Status.Hard[name])}
			if used, known := q.Status.Used[name]; known && !c.unknown[q.Name] {
				r.Used, r.Left = quantity.Canonical(used), quantity.Canonical(left[name])
			}
			u.Resources = append(u.Resources, r)
		}
		uses = append(uses, u)
	}
	return uses
}

// limitedBy returns the resources of a quota that an application may use, sorted.
func (a *application) limitedBy(q *corev1.ResourceQuota) []corev1.ResourceName {
	var names []corev1.ResourceName
	for _, parts := range [][]part{a.once, a.each} {
		for _, p := range parts {
			if matched, _ := p.counted.Matches(q); !matched {
				continue
			}
			for name := range q.Status.Hard {
				if p.counted.MatchesResource(name) {
					names = append(names, name)
				}
			}
		}
	}
	return resourcelist.Difference(names, nil) // each once
}

// usage returns what an application uses of a quota, with all of its replicas.
func (a *application) usage(q *corev1.ResourceQuota) corev1.ResourceList {
	sum := corev1.ResourceList{}
	add := func(parts []part, n int64) {
		for _, p := range parts {
			if matched, _ := p.counted.Matches(q); matched {
				sum = resourcelist.Add(sum, resourcelist.Multiply(p.counted.Usage(), n))
			}
		}
	}
	add(a.once, 1)
	add(a.each, a.wanted)
	return resourcelist.RemoveZeros(resourcelist.Mask(sum, resourcelist.ResourceNames(q.Status.Hard)))
}

// fit describes how many replicas fit, and why the next one does not.
func (a *application) fit(n int64, unbounded bool, stops []Reason, unknown bool) *Fit {
	fit := &Fit{Unit: a.unit, Wanted: a.wanted, Exist: a.exists, AtMost: unknown, Stops: stops}
	if !unbounded {
		fit.Replicas = &n
	}
	return fit
}

// Words says how many fit, and what stops the next.
func (f *Fit) Words() string {
	if f.Replicas == nil {
		return "any number"
	}
	words := fmt.Sprint(*f.Replicas)
	if f.AtMost {
		words = "at most " + words
	}
	if *f.Replicas < f.Wanted && !f.Exist {
		words += fmt.Sprintf(" of %d", f.Wanted)
	}
	for i, stop := range f.Stops {
		if i == 0 {
			words += "; the next does not: " + stop.Words
		} else {
			words += "; " + stop.Words
		}
	}
	return words
}
