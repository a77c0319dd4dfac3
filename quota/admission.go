package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// AdmitOptions are what a request and its API server have beside the object. The zero value
// is a request for the object itself, and a default cluster.
type AdmitOptions struct {
	// Subresource is the part of the object that is created or updated: empty for the
	// object itself, resize for an update of the resources of a running pod, status for
	// that of a PersistentVolumeClaim. Quotas do not look at others.
	Subresource string

	// Limited is the configuration of the admission plugin: what no one may use unless a
	// quota allows it.
	Limited []LimitedResource
}

// Admit decides whether quotas admit an object that is to be created. If they do, it
// returns copies of all of them, in their order, with the usage of the object added to
// status.used; otherwise nil, and every failure, sorted by namespace and name of the quota
// (those without one first), and by cause. The API server stops at the first failure it
// meets: Failures.Reported is the one that it names. Sums are exact: nothing is admitted
// because a sum overflows.
//
// Only quotas that Matches says concern the object count. Amounts of zero do not matter,
// even where more is used than allowed. A quota whose status has no limits yet, but whose
// spec has some for the object, is StatusUnknown: the API server would admit everything.
// A nil quota is ignored, and is nil in the result.
//
// Source: CheckRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func Admit(object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) (after []*corev1.ResourceQuota, failures Failures) {
	v := AssessmentOf(object, quotas, opts)
	return v.After(quotas), v.Failures
}

// AdmitUpdate decides, as Admit does, whether quotas admit an update of an object: old is
// the object as it is stored, object as it is to be. Only the increase is added to the usage
// of a quota; all of it if the quota did not concern the old object, if the old object has
// no resourceVersion, and has thus never been stored, or if it was of another kind. Usage
// never shrinks: if the object uses less, or leaves the scope of a quota, status.used stays
// until the quota controller calculates it again.
//
// An update that quotas do not look at (see HandlesUpdate) is admitted and changes nothing. An
// update of a status is added to the usage, but not refused for exceeding a quota.
//
// A pod with other requests or limits than old, and no subresource, is admitted as well: no such
// update reaches the quotas, since the API server refuses it before (only the subresource resize
// can change them; see computeresources.ValidateResize). To ask about a resize, set Subresource.
func AdmitUpdate(old, object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) (after []*corev1.ResourceQuota, failures Failures) {
	v := AssessmentOfUpdate(old, object, quotas, opts)
	return v.After(quotas), v.Failures
}

// Assessment is what quotas say about an object, without the quotas themselves. It refers to
// nothing that it was made of.
type Assessment struct {
	// Failures are why the object is not admitted; none if it is.
	Failures Failures

	usage, increase corev1.ResourceList
	concerned       []concernedQuota
}

// AssessmentOf is Admit for callers that do not always need the quotas afterwards, which After
// makes.
//
// Cost: for an object that is admitted, that of Usage, and one more allocation.
func AssessmentOf(object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) Assessment {
	if !Handles(object, opts) {
		return Assessment{}
	}
	a := decision{object: object, opts: opts}
	return a.check(quotas)
}

// AssessmentOfUpdate is AdmitUpdate for callers that do not always need the quotas afterwards.
func AssessmentOfUpdate(old, object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) Assessment {
	if !HandlesUpdate(old, object, opts) {
		return Assessment{}
	}
	a := decision{object: object, opts: opts}
	if old.stored() && old.resource == object.resource {
		a.old = &old
	}
	return a.check(quotas)
}

// After returns copies of the quotas that the decision was made about, in their order, with
// what the object adds to their usage; nil if there are failures. Quotas must be those that
// AssessmentOf was given.
func (v Assessment) After(quotas []*corev1.ResourceQuota) []*corev1.ResourceQuota {
	if len(v.Failures) > 0 {
		return nil
	}
	after := copies(quotas)
	for _, c := range v.concerned {
		if c.index < len(after) && after[c.index] != nil {
			status := &after[c.index].Status
			delta := c.delta(v.usage, v.increase)
			delta = resourcelist.RemoveZeros(resourcelist.Mask(delta, resourcelist.ResourceNames(status.Hard)))
			status.Used = resourcelist.Add(status.Used, delta)
		}
	}
	return after
}

// decision is one admission on its way. It goes as the API server does, but does not stop at
// a failure.
type decision struct {
	object   Object
	old      *Object // of an update, if its usage is to be deducted
	opts     AdmitOptions
	failures Failures

	// What inspect has found out about the quotas.
	concerned     []concernedQuota
	covered       []corev1.ResourceName       // that the quotas in concerned, or of unknown status, limit
	coveredScopes []corev1.ResourceQuotaScope // of all quotas; the object is within them
}

// concernedQuota is a quota that concerns the object.
type concernedQuota struct {
	index        int
	increaseOnly bool // the old object is in its usage already
}

func (a *decision) check(quotas []*corev1.ResourceQuota) Assessment {
	limitedScopes := a.limitedScopes()
	for i, quota := range quotas {
		if quota != nil {
			a.inspect(i, quota, len(quotas))
		}
	}
	usage := a.object.Usage()
	if negative := resourcelist.IsNegative(usage); len(negative) > 0 {
		a.fail(Failure{Cause: NegativeUsage, Resources: negative})
	}
	increase := usage
	if a.old != nil {
		increase = resourcelist.SubtractWithNonNegativeResult(usage, a.old.Usage())
	}
	if len(a.opts.Limited) > 0 && a.increasesAny(usage, increase) {
		a.requireCover(usage, limitedScopes)
	}
	if a.opts.Subresource != "status" {
		for _, c := range a.concerned {
			a.requireRoom(quotas[c.index], c.delta(usage, increase))
		}
	}
	a.failures.sort()
	return Assessment{a.failures, usage, increase, a.concerned}
}

func (a *decision) fail(f Failure) { a.failures = append(a.failures, f) }

// inspect finds out what a quota covers, what it objects to before any amounts are
// compared, and whether the object is to be added to its usage.
func (a *decision) inspect(index int, quota *corev1.ResourceQuota, quotas int) {
	m := a.object.match(quota)
	if m.err != nil {
		a.fail(Failure{Cause: InvalidScope, Source: sourceOf(quota, "spec.scopeSelector"), Detail: m.err.Error()})
		return
	}
	a.coveredScopes = append(a.coveredScopes, m.within...)
	if !m.concerns() {
		return
	}
	if len(a.opts.Limited) > 0 {
		a.covered = slices.AppendSeq(a.covered, a.object.matching(m.hard))
	}
	if a.object.lacksRequired(m.hard) {
		a.fail(a.mustSpecify(quota, m.hard))
	}
	if !a.known(quota, m.hard) {
		names := slices.Sorted(a.object.matching(m.hard))
		a.fail(Failure{Cause: StatusUnknown, Source: sourceOf(quota, "status"), Resources: names})
		return
	}
	c := concernedQuota{index: index}
	if a.old != nil {
		old := a.old.match(quota)
		c.increaseOnly = old.concerns()
	}
	if a.concerned == nil {
		a.concerned = make([]concernedQuota, 0, quotas)
	}
	a.concerned = append(a.concerned, c)
}

// mustSpecify returns the failure of a pod that does not set what a quota limits.
func (a *decision) mustSpecify(quota *corev1.ResourceQuota, hard corev1.ResourceList) Failure {
	f := Failure{Cause: MustSpecify, Source: sourceOf(quota, "spec.hard")}
	f.MissingRequired = a.object.MissingRequired(slices.Collect(a.object.matching(hard)))
	for _, m := range f.MissingRequired {
		f.Resources = append(f.Resources, m.Resource)
	}
	return f
}

// known reports whether a status has limits, and the usage of all resources of hard that the
// object may use.
func (a *decision) known(quota *corev1.ResourceQuota, hard corev1.ResourceList) bool {
	for name := range hard {
		if _, ok := quota.Status.Used[name]; !ok && a.object.MatchesResource(name) {
			return false
		}
	}
	return len(quota.Status.Hard) > 0
}

// delta returns what is added to the usage of the quota: the usage of the object, or the
// increase alone.
func (c concernedQuota) delta(usage, increase corev1.ResourceList) corev1.ResourceList {
	if c.increaseOnly {
		return increase
	}
	return usage
}

// increasesAny reports whether the usage of any quota grows. If none concerns the object,
// one that did would grow by the increase.
func (a *decision) increasesAny(usage, increase corev1.ResourceList) bool {
	if len(a.concerned) == 0 {
		return !resourcelist.IsZero(increase)
	}
	return slices.ContainsFunc(a.concerned, func(c concernedQuota) bool { return !resourcelist.IsZero(c.delta(usage, increase)) })
}

// requireRoom fails if a quota has too little remaining for what is to be added to its usage.
// Amounts below zero have been refused before.
func (a *decision) requireRoom(quota *corev1.ResourceQuota, delta corev1.ResourceList) {
	if status := &quota.Status; !Fits(delta, status.Used, status.Hard) {
		a.failures = append(a.failures, Check(delta, status.Used, status.Hard, sourceOf(quota, "spec.hard"))...)
	}
}

// copies returns copies of quotas that share nothing with them, nil for nil.
func copies(quotas []*corev1.ResourceQuota) []*corev1.ResourceQuota {
	list := make([]*corev1.ResourceQuota, len(quotas))
	for i, quota := range quotas {
		list[i] = quota.DeepCopy()
	}
	return list
}
