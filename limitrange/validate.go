package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Validate returns the bounds that a pod violates: those of type Container for each container, init
// container and sidecar, and those of type Pod for the effective requests and limits of the pod.
// They are sorted by container, in the order of computeresources.Containers and then the pod; by
// bound, Min before Max before Ratio; by resource; and by source.
//
// The server enforces LimitRanges after its own defaults and those of LimitRanges; Create of package
// admit runs all these steps. If several ranges reject a pod, the server reports the violations of one
// of them; Validate returns all. Package admit has the message of the server: see its Decision.Err.
//
// The effective amounts of the pod are computed as in computeresources.SpecRequests, but without
// overhead, and with pod-level cpu and memory, but not pod-level hugepages.
//
// A nil spec is treated as a pod without containers. The result owns its quantities, and is nil if
// the pod passes. In that case, the cost is at most two lookups for each container and bounded
// resource, without allocation, if bounds and amounts are whole milli-units of cpu, or whole units
// of other resources, from 0 to 2^43.
//
// Source: PodValidateLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (p *Policy) Validate(spec *corev1.PodSpec) computeresources.Problems[*Violation] {
	if p == nil || len(p.container) == 0 && len(p.pod) == 0 || p.surelyPasses(spec) {
		return nil
	}
	var found []Violation
	if len(p.container) > 0 {
		for ref, c := range computeresources.Containers(spec) {
			found = appendViolations(found, ref, c.Resources.Requests, c.Resources.Limits, p.container)
		}
	}
	if len(p.pod) > 0 {
		ref := computeresources.Ref{Kind: computeresources.Pod}
		requests, limits := p.podAmounts(spec)
		found = appendViolations(found, ref, requests, limits, p.pod)
	}
	return aggregate.Pointers(found)
}

// ValidateClaim returns the bounds of type PersistentVolumeClaim that a claim violates, sorted by
// bound, resource and source. Only requests count, and ratios are ignored. A nil spec has no
// requests. The result owns its quantities, and is nil if the claim passes.
//
// Source: PersistentVolumeClaimValidateLimitFunc of the same package.
func (p *Policy) ValidateClaim(spec *corev1.PersistentVolumeClaimSpec) computeresources.Problems[*Violation] {
	if p == nil {
		return nil
	}
	var requests corev1.ResourceList
	if spec != nil {
		requests = spec.Resources.Requests
	}
	return aggregate.Pointers(appendViolations(nil, computeresources.Ref{}, requests, nil, p.claim))
}

// appendViolations checks the amounts of one container, pod or claim against the bounds of one
// type.
func appendViolations(found []Violation, ref computeresources.Ref, requests, limits corev1.ResourceList, bounds []BoundValue) []Violation {
	for i := range bounds {
		b := &bounds[i]
		a := limitranger.Amounts{Request: quantity.Find(requests, b.Resource), Limit: quantity.Find(limits, b.Resource)}
		cause, ratio := check(a, b)
		if cause == passes {
			continue
		}
		v := Violation{
			Type: b.Type, Ref: ref, Resource: b.Resource, Bound: b.Bound, Cause: cause, Also: also(a, b, cause),
			Enforced: b.Amount.DeepCopy(), Source: b.Source,
			Request: quantity.Clone(a.Request), Limit: quantity.Clone(a.Limit),
		}
		if cause == RatioOut {
			v.Ratio = ratio
		}
		found = append(found, v)
	}
	return found
}

// check returns why amounts break a bound, or passes, and what CheckRatio finds if the
// bound is a ratio.
func check(a limitranger.Amounts, b *BoundValue) (cause ViolationCause, ratio float64) {
	var verdict limitranger.Verdict
	switch {
	case b.Bound == Min:
		verdict = a.CheckMin(b.Amount)
	case b.Bound == Max && b.Type == corev1.LimitTypePersistentVolumeClaim:
		verdict = a.CheckMaxRequest(b.Amount)
	case b.Bound == Max:
		verdict = a.CheckMax(b.Amount)
	default:
		verdict, ratio = a.CheckRatio(b.Amount)
	}
	return causeOf(verdict), ratio
}

// also returns the Violation.Also of amounts, one of which is missing.
func also(a limitranger.Amounts, b *BoundValue, cause ViolationCause) ViolationCause {
	switch {
	case b.Bound == Max && cause == NoLimit && a.CheckMaxRequest(b.Amount) == limitranger.RequestOut:
		return RequestOut
	case b.Bound == Min && cause == NoRequest && (limitranger.Amounts{Request: a.Limit}).CheckMin(b.Amount) == limitranger.RequestOut:
		return LimitOut
	}
	return passes
}

func causeOf(v limitranger.Verdict) ViolationCause {
	switch v {
	case limitranger.NoRequest:
		return NoRequest
	case limitranger.NoLimit:
		return NoLimit
	case limitranger.RequestOut:
		return RequestOut
	case limitranger.LimitOut:
		return LimitOut
	case limitranger.RatioOut:
		return RatioOut
	case limitranger.Passes:
	}
	return passes
}

// podAmounts returns the amounts that bounds of type Pod apply to. The LimitRanger has its own formula,
// which differs from the scheduler's in overhead and in pod-level hugepages.
func (p *Policy) podAmounts(spec *corev1.PodSpec) (requests, limits corev1.ResourceList) {
	opts := computeresources.Options{Gates: computeresources.Gates{IgnorePodLevel: true}, ExcludeOverhead: true}
	requests, limits = computeresources.SpecRequests(spec, opts), computeresources.SpecLimits(spec, opts)
	if podLevel := p.podLevel(spec); podLevel != nil {
		overridePodLevel(requests, podLevel.Requests)
		overridePodLevel(limits, podLevel.Limits)
	}
	return requests, limits
}

// podLevel returns the pod-level resources of spec, if they count.
func (p *Policy) podLevel(spec *corev1.PodSpec) *corev1.ResourceRequirements {
	if spec == nil || p.ignorePodLevel {
		return nil
	}
	return spec.Resources
}

func overridePodLevel(total, ofPod corev1.ResourceList) {
	for name, q := range ofPod {
		if limitranger.CountsPodLevel(name) {
			total[name] = q
		}
	}
}
