package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Validate returns the bounds that a pod violates on its creation, if old is nil, or on an update of old: those of
// type Container for each container, init container and sidecar, and those of type Pod for the effective requests
// and limits of the pod. They are sorted by container, in the order of computeresources.Containers and then the pod;
// by bound, Min before Max before Ratio; by resource; and by source.
//
// A request or a limit below Min violates it, and so does no request; a limit or a request above Max, and no limit; a
// limit above Ratio times the request, and a request or limit that is zero or missing.
//
// The server enforces LimitRanges after its own defaults and those of LimitRanges; Create of package
// admit runs all these steps. If several ranges reject a pod, the server reports the violations of one
// of them; Validate returns all. Package admit has the message of the server: see its Decision.Err.
//
// The effective amounts of the pod are computed as in computeresources.SpecRequests, but without
// overhead, and with pod-level cpu and memory, but not pod-level hugepages.
//
// Since 1.38, an update is not rejected because of amounts that it does not change: if a container or the pod has
// the request and the limit of a resource that the container of this name, or the pod, has in old, no bound of that
// resource is violated. Up to 1.37, old does not count.
//
// A nil spec is treated as a pod without containers. The result owns its quantities, and is nil if
// the pod passes. Then nothing is allocated, if the pod has up to 1000 containers, the policy bounds up to four
// resources, and amounts are whole milli-units of up to 2^48.
//
// Cost: two lookups for each container and bounded resource, a comparison of integers for each container and bound,
// and the effective amounts of a pod that violates a bound of type Pod.
//
// Source: PodValidateLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (p *Policy) Validate(old, spec *corev1.PodSpec) computeresources.Problems[*Violation] {
	if p == nil || len(p.container) == 0 && len(p.pod) == 0 {
		return nil
	}
	var found []Violation
	var space [4]limitranger.Amounts
	amounts := space[:0]
	var spaceOfSums [4]podSum
	sums := append(spaceOfSums[:0], make([]podSum, len(p.resources))...)
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		amounts = p.read(amounts[:0], c.Resources.Requests, c.Resources.Limits)
		ref := computeresources.Ref{Kind: computeresources.Kind(kind), Index: cs.Index(i), Name: c.Name}
		found = p.appendViolations(found, ref, &c.Resources, p.before(old, ref), amounts, p.container)
		for j := range p.resources {
			if len(p.pod) > 0 {
				sums[j].add(kind, &amounts[j])
			}
		}
	}
	if cs.Len() > quantity.MaxSmallSum || !p.podPasses(spec, sums) {
		ofPod := p.podAmounts(spec)
		amounts = p.read(amounts[:0], ofPod.Requests, ofPod.Limits)
		pod := computeresources.Ref{Kind: computeresources.Pod}
		found = p.appendViolations(found, pod, &ofPod, p.before(old, pod), amounts, p.pod)
	}
	return aggregate.Pointers(found)
}

// read appends the amounts of each resource of the policy.
func (p *Policy) read(amounts []limitranger.Amounts, requests, limits corev1.ResourceList) []limitranger.Amounts {
	for _, name := range p.resources {
		amounts = append(amounts, limitranger.Amounts{
			Request: limitranger.AmountOf(quantity.Find(requests, name)),
			Limit:   limitranger.AmountOf(quantity.Find(limits, name)),
			Exactly: p.exactly,
		})
	}
	return amounts
}

// podSum is the effective request and limit of the containers for one resource, in milli-units.
type podSum struct {
	requests, limits   podwalk.Units
	requested, limited bool
	inexact            bool // an amount is not a small number of milli-units
}

func (s *podSum) add(kind podwalk.Kind, a *limitranger.Amounts) {
	request, small1 := a.Request.Milli()
	limit, small2 := a.Limit.Milli()
	s.requests.Add(kind, request)
	s.limits.Add(kind, limit)
	s.requested, s.limited = s.requested || a.Request.IsSet(), s.limited || a.Limit.IsSet()
	s.inexact = s.inexact || !small1 || !small2
}

func (s *podSum) amounts() (a limitranger.Amounts) {
	if s.requested {
		a.Request = limitranger.AmountOfMilli(s.requests.Total())
	}
	if s.limited {
		a.Limit = limitranger.AmountOfMilli(s.limits.Total())
	}
	return a
}

// podPasses reports whether a pod with these sums violates no bound of type Pod. If it returns false, the pod may
// still pass.
func (p *Policy) podPasses(spec *corev1.PodSpec, sums []podSum) bool {
	podLevel := p.podLevel(spec)
	for i := range p.pod {
		b := &p.pod[i]
		s := &sums[b.resource]
		a := s.amounts()
		a.Exactly = p.exactly
		if podLevel != nil && limitranger.CountsPodLevel(b.Resource) {
			if q, set := podLevel.Requests[b.Resource]; set {
				a.Request = limitranger.AmountOf(&q)
			}
			if q, set := podLevel.Limits[b.Resource]; set {
				a.Limit = limitranger.AmountOf(&q)
			}
		}
		if verdict, _ := b.check(&a); s.inexact || verdict != limitranger.Passes {
			return false
		}
	}
	return true
}

// ValidateClaim returns the bounds of type PersistentVolumeClaim that a claim violates on its creation, if old is
// nil, or on an update of old, sorted by bound, resource and source. Only requests count, and ratios are ignored.
// Since 1.38, a request that old has is not checked again. A nil spec has no requests. The result owns its
// quantities, and is nil if the claim passes.
//
// Source: PersistentVolumeClaimValidateLimitFunc of the same package.
func (p *Policy) ValidateClaim(old, spec *corev1.PersistentVolumeClaimSpec) computeresources.Problems[*Violation] {
	if p == nil {
		return nil
	}
	var r corev1.ResourceRequirements
	if spec != nil {
		r.Requests = spec.Resources.Requests
	}
	var before *corev1.ResourceRequirements
	if old != nil && p.skipsUnchangedAmounts {
		before = &corev1.ResourceRequirements{Requests: old.Resources.Requests}
	}
	var space [4]limitranger.Amounts
	amounts := space[:0]
	for i := range p.claim {
		request := quantity.Find(r.Requests, p.claim[i].Resource)
		amounts = append(amounts, limitranger.Amounts{Request: limitranger.AmountOf(request), Exactly: p.exactly})
	}
	return aggregate.Pointers(p.appendViolations(nil, computeresources.Ref{}, &r, before, amounts, p.claim))
}

// before returns the amounts that a container or the pod has in old, if those are not checked again.
func (p *Policy) before(old *corev1.PodSpec, ref computeresources.Ref) *corev1.ResourceRequirements {
	if old == nil || !p.skipsUnchangedAmounts {
		return nil
	}
	if ref.Kind == computeresources.Pod {
		amounts := p.podAmounts(old)
		return &amounts
	}
	return computeresources.Ref{Kind: ref.Kind, Name: ref.Name}.Resources(old)
}

// isUnchanged reports whether an update that is checked against a bound keeps the request and the limit of the
// resource. The request of a claim must be set. Before is nil if everything is checked.
func (b *enforced) isUnchanged(r, before *corev1.ResourceRequirements) bool {
	if before == nil {
		return false
	}
	if b.Type == corev1.LimitTypePersistentVolumeClaim && quantity.Find(r.Requests, b.Resource) == nil {
		return false
	}
	return isSame(b.Resource, r.Requests, before.Requests) && isSame(b.Resource, r.Limits, before.Limits)
}

// isSame reports whether a resource is in neither list, or in both with equal amounts.
func isSame(name corev1.ResourceName, a, b corev1.ResourceList) bool {
	x, y := quantity.Find(a, name), quantity.Find(b, name)
	if x == nil || y == nil {
		return x == y
	}
	return x.Cmp(*y) == 0
}

// appendViolations checks the amounts of one container, pod or claim against the bounds of one type. The amounts are
// those of r. Before has those that are not checked again: see isUnchanged.
func (p *Policy) appendViolations(
	found []Violation, ref computeresources.Ref, r, before *corev1.ResourceRequirements, amounts []limitranger.Amounts,
	bounds []enforced,
) []Violation {
	for i := range bounds {
		b := &bounds[i]
		a := &amounts[b.resource]
		verdict, ratio := b.check(a)
		if verdict == limitranger.Passes || b.isUnchanged(r, before) {
			continue
		}
		v := Violation{
			Type: b.Type, Ref: ref, Resource: b.Resource, Bound: b.Bound, Cause: causeOf(verdict), Also: b.also(a, verdict),
			Enforced: b.Amount.DeepCopy(), Source: b.Source,
			Request: quantity.Clone(quantity.Find(r.Requests, b.Resource)),
			Limit:   quantity.Clone(quantity.Find(r.Limits, b.Resource)),
		}
		if verdict == limitranger.RatioOut {
			v.Ratio = ratio
			if p.exactly {
				v.Ratio = v.Limit.AsApproximateFloat64() / v.Request.AsApproximateFloat64()
			}
		}
		found = append(found, v)
	}
	return found
}

// check compares amounts with the bound. It also returns what CheckRatio finds if the bound is a ratio.
func (b *enforced) check(a *limitranger.Amounts) (verdict limitranger.Verdict, ratio float64) {
	switch {
	case b.Bound == Min:
		return a.CheckMin(&b.amount), 0
	case b.Bound == Max && b.Type == corev1.LimitTypePersistentVolumeClaim:
		return a.CheckMaxRequest(&b.amount), 0
	case b.Bound == Max:
		return a.CheckMax(&b.amount), 0
	}
	return a.CheckRatio(&b.amount)
}

// also returns the Violation.Also of amounts, one of which is missing.
func (b *enforced) also(a *limitranger.Amounts, verdict limitranger.Verdict) ViolationCause {
	onlyLimit := limitranger.Amounts{Request: a.Limit, Exactly: a.Exactly}
	switch {
	case b.Bound == Max && verdict == limitranger.NoLimit && a.CheckMaxRequest(&b.amount) == limitranger.RequestOut:
		return RequestOut
	case b.Bound == Min && verdict == limitranger.NoRequest && onlyLimit.CheckMin(&b.amount) == limitranger.RequestOut:
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
func (p *Policy) podAmounts(spec *corev1.PodSpec) corev1.ResourceRequirements {
	opts := computeresources.Options{
		Kubernetes:     computeresources.Kubernetes{Release: "1.37"}, // whose sum of limits may lack a container
		IgnorePodLevel: true, ExcludeOverhead: true,
	}
	r := corev1.ResourceRequirements{
		Requests: computeresources.SpecRequests(spec, opts),
		Limits:   computeresources.SpecLimits(spec, opts),
	}
	if podLevel := p.podLevel(spec); podLevel != nil {
		overridePodLevel(r.Requests, podLevel.Requests)
		overridePodLevel(r.Limits, podLevel.Limits)
	}
	return r
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
