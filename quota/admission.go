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
// meets: its message is among them. Sums are exact: nothing is admitted because a sum
// overflows.
//
// Only quotas that Matches says concern the object count. Amounts of zero do not matter,
// even where more is used than allowed. A quota whose status has no limits yet, but whose
// spec has some for the object, is StatusUnknown: the API server would admit everything.
// A nil quota is ignored, and is nil in the result.
//
// Source: CheckRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func Admit(object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) (after []*corev1.ResourceQuota, failures Failures) {
	if !Handles(object, opts) {
		return copies(quotas), nil
	}
	a := admission{object: object, opts: opts}
	return a.check(quotas)
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
// update reaches the quotas, since the API server has refused it before (only the subresource
// resize can change them; see computeresources.ValidateResize). Whoever asks what a resize takes
// has to set Subresource.
func AdmitUpdate(old, object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) (after []*corev1.ResourceQuota, failures Failures) {
	if !HandlesUpdate(old, object, opts) {
		return copies(quotas), nil
	}
	a := admission{object: object, opts: opts}
	if old.stored() && old.resource == object.resource {
		a.old = &old
	}
	return a.check(quotas)
}

// admission is one decision. It takes the way of the API server, but goes on after a
// failure.
type admission struct {
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

func (a *admission) check(quotas []*corev1.ResourceQuota) ([]*corev1.ResourceQuota, Failures) {
	limitedScopes := a.limitedScopes()
	for i, quota := range quotas {
		if quota != nil {
			a.inspect(i, quota)
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
	if a.increasesAny(usage, increase) {
		a.requireCover(usage, limitedScopes)
	}
	after := copies(quotas)
	for _, c := range a.concerned {
		a.add(after[c.index], c.delta(usage, increase))
	}
	if len(a.failures) > 0 {
		a.failures.sort()
		return nil, a.failures
	}
	return after, nil
}

func (a *admission) fail(f Failure) { a.failures = append(a.failures, f) }

// inspect finds out what a quota covers, what it objects to before any amounts are
// compared, and whether the object is to be added to its usage.
func (a *admission) inspect(index int, quota *corev1.ResourceQuota) {
	m := a.object.match(quota)
	if m.err != nil {
		a.fail(Failure{Cause: InvalidScope, Source: sourceOf(quota, "spec.scopeSelector"), Detail: m.err.Error()})
		return
	}
	a.coveredScopes = append(a.coveredScopes, m.within...)
	if !m.concerns() {
		return
	}
	names := slices.Sorted(a.object.matching(m.hard))
	a.covered = append(a.covered, names...)
	if missing := a.object.MissingRequired(names); len(missing) > 0 {
		f := Failure{Cause: MustSpecify, Source: sourceOf(quota, "spec.hard"), MissingRequired: missing}
		for _, m := range missing {
			f.Resources = append(f.Resources, m.Resource)
		}
		a.fail(f)
	}
	if !known(&quota.Status, names) {
		a.fail(Failure{Cause: StatusUnknown, Source: sourceOf(quota, "status"), Resources: names})
		return
	}
	c := concernedQuota{index: index}
	if a.old != nil {
		old := a.old.match(quota)
		c.increaseOnly = old.concerns()
	}
	a.concerned = append(a.concerned, c)
}

// known reports whether a status has limits, and the usage of all of these resources.
func known(status *corev1.ResourceQuotaStatus, names []corev1.ResourceName) bool {
	return len(status.Hard) > 0 && !slices.ContainsFunc(names, func(name corev1.ResourceName) bool {
		_, ok := status.Used[name]
		return !ok
	})
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
func (a *admission) increasesAny(usage, increase corev1.ResourceList) bool {
	if len(a.concerned) == 0 {
		return !resourcelist.IsZero(increase)
	}
	return slices.ContainsFunc(a.concerned, func(c concernedQuota) bool { return !resourcelist.IsZero(c.delta(usage, increase)) })
}

// add adds delta to the usage of a quota, and fails if it does not fit. Amounts below zero
// have been refused before.
func (a *admission) add(quota *corev1.ResourceQuota, delta corev1.ResourceList) {
	status := &quota.Status
	delta = resourcelist.RemoveZeros(resourcelist.Mask(delta, resourcelist.ResourceNames(status.Hard)))
	if a.opts.Subresource != "status" {
		a.failures = append(a.failures, Check(delta, status.Used, status.Hard, sourceOf(quota, "spec.hard"))...)
	}
	status.Used = resourcelist.Add(status.Used, delta)
}

// copies returns copies of quotas that share nothing with them, nil for nil.
func copies(quotas []*corev1.ResourceQuota) []*corev1.ResourceQuota {
	list := make([]*corev1.ResourceQuota, len(quotas))
	for i, quota := range quotas {
		list[i] = quota.DeepCopy()
	}
	return list
}
