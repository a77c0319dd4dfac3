package report

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
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
	// Stops are the quotas that stop the next one, by name, if any.
	Stops []Stop `json:"stops,omitempty"`
}

// Stop is what a quota has against an object.
type Stop struct {
	Quota string `json:"quota"`
	// Reason is such as "exceeded quota" or "must specify".
	Reason string `json:"reason"`
	// Missing is by how much the quota is too small, if it is exceeded.
	Missing Amounts `json:"missing,omitempty"`
	// Server is the message of the API server.
	Server string `json:"server"`

	Words string `json:"-"`
}

// consult asks the quotas of each namespace, by one application after the other.
func consult(quotas map[string][]manifest.ResourceQuota, applications []application) {
	of := map[string][]application{}
	for _, a := range applications {
		of[a.home] = append(of[a.home], a)
	}
	for namespace, list := range quotas {
		l := openLedger(list, of[namespace])
		for i := range of[namespace] {
			a := &of[namespace][i]
			v := l.judge(a)
			uses := l.uses(a)
			l.add(a, &v)
			if len(uses) == 0 && len(v.failures) == 0 {
				continue // it is none of their business
			}
			*a.report = QuotaReport{uses, describeFit(a, &v, uses)}
			if !a.exists && (v.once < len(a.once) || v.replicas < a.replicas) {
				a.reject(&v)
			}
		}
	}
}

// uses describes the quotas that concern an application, before it is added to their usage.
func (l *ledger) uses(a *application) []QuotaUse {
	var uses []QuotaUse
	for i, q := range l.quotas {
		names := a.limitedBy(q)
		if len(names) == 0 {
			continue
		}
		u := QuotaUse{Name: q.Name}
		if l.unknown[i] {
			u.Unknown = quota.Failure{Cause: quota.StatusUnknown, Source: computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name, Field: "status"}, Resources: names}.String()
		}
		asked := a.usage(q, len(a.once), a.replicas)
		left := resourcelist.Subtract(q.Status.Hard, q.Status.Used)
		if !a.exists {
			left = resourcelist.Subtract(left, asked)
		}
		for _, name := range names {
			r := ResourceUse{Resource: name, Asked: quantity.Canonical(asked[name]), Hard: quantity.Canonical(q.Status.Hard[name])}
			if used, known := q.Status.Used[name]; known && !l.unknown[i] {
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
			if matched, _ := p.object.Matches(q); !matched {
				continue
			}
			for name := range q.Status.Hard {
				if p.object.MatchesResource(name) {
					names = append(names, name)
				}
			}
		}
	}
	return resourcelist.Difference(names, nil) // each once
}

func describeFit(a *application, v *verdict, uses []QuotaUse) *Fit {
	fit := Fit{Unit: a.unit, Wanted: a.replicas, Exist: a.exists}
	if !v.unbounded {
		fit.Replicas = &v.replicas
	}
	for _, u := range uses {
		fit.AtMost = fit.AtMost || u.Unknown != ""
	}
	for i := range v.failures {
		f := &v.failures[i]
		stop := Stop{Quota: f.Source.Name, Reason: f.Cause.String(), Server: f.Error(), Words: objection(f)}
		if missing := f.Shortfall(); len(missing) > 0 {
			stop.Missing = amountsOf(missing)
		}
		fit.Stops = append(fit.Stops, stop)
	}
	return &fit
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
