package report

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/limitrange"
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
	Resource corev1.ResourceName `json:"resource,omitempty"` // if known
	// What is wrong, and the Remedy, if there is one, in words.
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
	// Path is the part, or the field of it, in the manifest.
	Path string `json:"path"`
	// Server is the message of the API server.
	Server string `json:"server"`
	// Defaults are the amounts given by LimitRanges that take part in it, if any.
	Defaults []Default `json:"defaults,omitempty"`
	// Bound is what is broken of a LimitRange, and Quota of a ResourceQuota. Without
	// either, the object is invalid.
	Bound *BrokenBound `json:"bound,omitempty"`
	Quota *BrokenQuota `json:"quota,omitempty"`
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

// rejection returns why the API server would reject a workload whose pods are admitted
// like this, or nil.
func rejection(w *manifest.Workload, a limitrange.Admission, policy *limitrange.Policy) *Rejection {
	r := &Rejection{Stored: true}
	asStated := invalidAsStated(w, a)
	for _, p := range a.Problems() {
		reason := reasonOf(w, p)
		if p.Invalid != nil && contains(asStated, p.Invalid) {
			reason.prefix(w.Prefix)
		}
		r.Reasons = append(r.Reasons, reason)
	}
	for _, reason := range onlyAsStated(w, a) {
		reason.prefix(w.Prefix)
		r.Reasons = append(r.Reasons, reason)
	}
	r.Stored = len(asStated) == 0 && (w.Prefix != "" || len(r.Reasons) == 0)
	for _, c := range w.Claims {
		r.Reasons = append(r.Reasons, claimReasons(c.Name, c.Path+".spec", c.Spec, policy)...)
	}
	if len(r.Reasons) == 0 {
		return nil
	}
	return r
}

// invalidAsStated returns what the server finds invalid in the workload itself. A template
// is judged without the defaults that its pods get.
func invalidAsStated(w *manifest.Workload, a limitrange.Admission) computeresources.InvalidResources {
	if w.Prefix == "" {
		return a.Invalid
	}
	return computeresources.Validate(&w.Pod.Spec, computeresources.ValidateOptions{})
}

// onlyAsStated returns what the server finds invalid in a template, and not in its pods.
func onlyAsStated(w *manifest.Workload, a limitrange.Admission) (reasons []Reason) {
	if w.Prefix == "" {
		return nil
	}
	asStated := invalidAsStated(w, a)
	for i := range asStated {
		if invalid := &asStated[i]; !contains(a.Invalid, invalid) {
			reasons = append(reasons, reasonOf(w, limitrange.Problem{Ref: invalid.Ref, Resource: invalid.Resource, What: invalid.Error(), Invalid: invalid}))
		}
	}
	return reasons
}

func contains(list computeresources.InvalidResources, invalid *computeresources.InvalidResource) bool {
	return slices.ContainsFunc(list, func(i computeresources.InvalidResource) bool { return i.Error() == invalid.Error() })
}

func reasonOf(w *manifest.Workload, p limitrange.Problem) Reason {
	r := Reason{
		Kind: p.Ref.Kind.String(), Name: p.Ref.Name, Resource: p.Resource,
		What: p.What, Remedy: p.Remedy, Path: w.Prefix + p.Ref.Path(nil).String(),
	}
	if p.Invalid != nil {
		r.Path, r.Server = w.Prefix+p.Invalid.Field(nil).Field, p.Invalid.Error()
	}
	if p.Violation != nil {
		r.Server, r.Bound = p.Violation.Error(), brokenBound(p.Violation)
	}
	for _, d := range p.Defaults {
		r.Defaults = append(r.Defaults, describeDefault(w.Prefix, d))
	}
	return r
}

// prefix makes the path in the server's message that of the template.
func (r *Reason) prefix(path string) {
	if r.What == r.Server {
		r.What = path + r.What
	}
	r.Server = path + r.Server
}

// claimReasons returns why a claim would be rejected whose spec is at the path.
func claimReasons(name, path string, spec *corev1.PersistentVolumeClaimSpec, policy *limitrange.Policy) []Reason {
	var reasons []Reason
	for _, v := range policy.ValidateClaim(spec) {
		p := v.Diagnosis()
		reasons = append(reasons, Reason{
			Kind:     "claim",
			Name:     name,
			Resource: v.Resource,
			What:     fmt.Sprintf("claim %s: %s", name, strings.TrimPrefix(p.What, "claim: ")),
			Remedy:   p.Remedy,
			Path:     path + ".resources",
			Server:   v.Error(),
			Bound:    brokenBound(&v),
		})
	}
	return reasons
}

func brokenBound(v *limitrange.Violation) *BrokenBound {
	b := &BrokenBound{
		Type:  v.Type,
		Name:  v.Bound.String(),
		Value: quantity.Canonical(v.Enforced),
		From:  rangeItem(v.Source),
		Cause: v.Cause.String(),
		Ratio: v.Ratio,
	}
	if v.Request != nil {
		b.Request = quantity.Canonical(*v.Request)
	}
	if v.Limit != nil {
		b.Limit = quantity.Canonical(*v.Limit)
	}
	return b
}
