package report

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota"
)

// BrokenQuota is what a ResourceQuota has against an object.
type BrokenQuota struct {
	Name string `json:"name"`
	// Cause is "exceeded quota", "must specify", "status unknown", "invalid scope" or
	// "negative usage". For the last, there is no name.
	Cause string `json:"cause"`
	// Resources are those in question, sorted.
	Resources []corev1.ResourceName `json:"resources,omitempty"`
	// Requested, Used, Limited and Missing are amounts of them, for "exceeded quota".
	// Used includes the replicas before this one.
	Requested Amounts `json:"requested,omitempty"`
	Used      Amounts `json:"used,omitempty"`
	Limited   Amounts `json:"limited,omitempty"`
	Missing   Amounts `json:"missing,omitempty"`
}

// reject adds why the API server would reject the application, or what is created for it.
func (a *application) reject(v *verdict) {
	if *a.rejection == nil {
		*a.rejection = &Rejection{Stored: len(a.once) > 0}
	}
	r := *a.rejection
	if len(a.once) > 0 && v.once == 0 {
		r.Stored = false
	}
	for i := range v.failures {
		f := &v.failures[i]
		r.Reasons = append(r.Reasons, Reason{
			Kind:   v.next.kind,
			Name:   v.next.name,
			What:   a.subject(v.next, v.replicas+1) + ": " + objection(f),
			Remedy: a.remedy(f, v),
			Path:   v.next.path,
			Server: f.Error(),
			Quota:  brokenQuota(f),
		})
	}
}

func brokenQuota(f *quota.Failure) *BrokenQuota {
	b := &BrokenQuota{Name: f.Source.Name, Cause: f.Cause.String(), Resources: f.Resources}
	if f.Cause == quota.ExceededQuota {
		b.Requested, b.Used, b.Limited, b.Missing = amountsOf(f.Requested), amountsOf(f.Used), amountsOf(f.Limited), amountsOf(f.Shortfall())
	}
	return b
}

// objection says what a quota has against an object: "quota compute lacks 1 of pods".
func objection(f *quota.Failure) string {
	switch f.Cause {
	case quota.ExceededQuota:
		missing := f.Shortfall()
		var amounts []string
		for _, name := range resourcelist.ResourceNames(missing) {
			amounts = append(amounts, quantity.Canonical(missing[name])+" of "+string(name))
		}
		return "quota " + f.Source.Name + " lacks " + wording.Enumerate(amounts)
	case quota.MustSpecify:
		var amounts []string
		for _, u := range f.MissingRequired {
			amounts = append(amounts, fmt.Sprintf("%s (missing in %s)", u.Resource, strings.Join(u.Containers, ", ")))
		}
		return "quota " + f.Source.Name + " wants every container to state " + wording.Enumerate(amounts)
	case quota.StatusUnknown:
		return "quota " + f.Source.Name + " does not know how much is used"
	case quota.InvalidScope, quota.NegativeUsage, quota.UncoveredResources, quota.UncoveredScopes:
		// The message says it all.
	}
	return f.Error()
}

func (a *application) remedy(f *quota.Failure, v *verdict) string {
	switch f.Cause {
	case quota.ExceededQuota:
		remedy := "ask for less, or raise the quota"
		if v.replicas > 0 {
			remedy = "run no more than " + wording.Count(v.replicas, a.unit) + ", " + remedy
		}
		return remedy
	case quota.MustSpecify:
		return "state it, or let a LimitRange give a default"
	case quota.InvalidScope, quota.StatusUnknown, quota.NegativeUsage, quota.UncoveredResources, quota.UncoveredScopes:
		// Not for the owner of the workload to remedy.
	}
	return ""
}
