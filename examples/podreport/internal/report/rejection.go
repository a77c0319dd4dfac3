package report

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// Rejection is what the API server would reject because of requests, limits and quotas.
type Rejection struct {
	// Stored says that the object itself is accepted, and that the pods and claims are
	// rejected that are created for it.
	Stored bool `json:"stored"`
	// Reasons are all that there are; the server may name only some of them at a time.
	Reasons []Reason `json:"reasons"`
}

// Reason is one thing that has to change.
type Reason struct {
	// Kind is that of the part: "container", "init container", "sidecar", "pod",
	// "claim", "service", or a kind of workload in small letters.
	Kind     string              `json:"kind"`
	Name     string              `json:"name,omitempty"`     // of a container, claim or service
	Resource corev1.ResourceName `json:"resource,omitempty"` // if there is one
	// What is wrong, and the Remedy, in words.
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
	// Path is the field in the manifest that has to change.
	Path string `json:"path"`
	// Server is the message of the API server.
	Server string `json:"server"`
	// Defaults are the amounts given by LimitRanges that take part in it, if any.
	Defaults []Default `json:"defaults,omitempty"`
	// Bound is what is broken of a LimitRange, and Quota of a ResourceQuota. Without
	// either, the object is invalid.
	Bound *BrokenBound `json:"bound,omitempty"`
	Quota *BrokenQuota `json:"quota,omitempty"`

	Words string `json:"-"` // What, without the number of a replica
}

// BrokenBound is a bound of a LimitRange, and what was found.
type BrokenBound struct {
	Type  corev1.LimitType `json:"type"`
	Name  string           `json:"name"`  // min, max or maxLimitRequestRatio
	Value string           `json:"value"` // what it is set to
	From  RangeItem        `json:"from"`
	// Cause is "no request", "no limit", "request out of bounds", "limit out of bounds"
	// or "ratio of limit to request too high".
	Cause string `json:"cause"`
	// Request and Limit are what the container, pod or claim has, if anything.
	Request string `json:"request,omitempty"`
	Limit   string `json:"limit,omitempty"`
	// Ratio is limit/request, if it is too high.
	Ratio float64 `json:"ratio,omitempty"`
}

// BrokenQuota is what a ResourceQuota has against an object.
type BrokenQuota struct {
	Name string `json:"name"`
	// Cause is "exceeded quota", "must specify", "status unknown" or "negative usage". For the
	// last, there is no name.
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

// reasonOf describes why a part is refused. The subject stands for it in words about quotas.
func reasonOf(p *part, refusal *admit.Refusal, subject string) Reason {
	r := Reason{
		Kind: p.kind, Name: p.name, Resource: refusal.Resource,
		What: refusal.What, Remedy: refusal.Remedy, Path: p.prefix + refusal.Path,
	}
	if refusal.Ref != (computeresources.Ref{}) {
		r.Kind, r.Name = refusal.Ref.Kind.String(), refusal.Ref.Name
	}
	if about, is := strings.CutPrefix(r.What, "claim: "); is {
		r.What = "claim " + p.name + ": " + about
	}
	r.Words = r.What
	switch {
	case refusal.Invalid != nil:
		r.Server = refusal.Invalid.Error()
	case refusal.Violation != nil:
		r.Server, r.Bound = refusal.Violation.Error(), brokenBound(refusal.Violation)
	case refusal.Failure != nil:
		r.What, r.Path = subject+": "+r.What, p.prefix+"spec"
		r.Server, r.Quota = refusal.Failure.Error(), brokenQuota(refusal.Failure)
	}
	for _, d := range refusal.Defaults {
		r.Defaults = append(r.Defaults, describeDefault(p.prefix, d))
	}
	return r
}

// distinct removes reasons that are there already: what is invalid in a template is in its pods.
func distinct(reasons []Reason) []Reason {
	var list []Reason
	for _, r := range reasons {
		if !slices.ContainsFunc(list, func(other Reason) bool { return other.Path == r.Path && other.What == r.What }) {
			list = append(list, r)
		}
	}
	return list
}

func brokenBound(v *limitrange.Violation) *BrokenBound {
	b := &BrokenBound{
		Type: v.Type, Name: v.Bound.String(), Value: quantity.Canonical(v.Enforced),
		From: rangeItem(v.Source), Cause: v.Cause.String(), Ratio: v.Ratio,
	}
	if v.Request != nil {
		b.Request = quantity.Canonical(*v.Request)
	}
	if v.Limit != nil {
		b.Limit = quantity.Canonical(*v.Limit)
	}
	return b
}

func brokenQuota(f *quota.Failure) *BrokenQuota {
	return &BrokenQuota{
		Name: f.Source.Name, Cause: f.Cause.String(), Resources: f.Resources,
		Requested: amountsOf(f.Requested), Used: amountsOf(f.Used), Limited: amountsOf(f.Limited), Missing: amountsOf(f.Shortfall()),
	}
}
