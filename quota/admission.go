package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/quota/arithmetic"
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

// LimitedResource says what is limited by default. It has the form of limitedResources in
// the configuration resourcequota.admission.k8s.io/v1.
type LimitedResource struct {
	// APIGroup and Resource are those of the objects for which MatchContains holds.
	APIGroup string `json:"apiGroup,omitempty"`
	Resource string `json:"resource"`

	// MatchContains are parts of names: an object that costs more than zero of any
	// resource whose name contains one of them needs a quota that names the resource.
	MatchContains []string `json:"matchContains,omitempty"`

	// MatchScopes are scopes: an object of any kind within one of them needs a quota with
	// a scope of the same name, within which it is.
	MatchScopes []corev1.ScopedResourceSelectorRequirement `json:"matchScopes,omitempty"`
}

// Admit decides whether quotas admit an object that is to be created. If they do, it
// returns copies of all of them, in their order, with the object added to status.used;
// otherwise nil, and every reason against it, sorted by namespace and name of the quota
// (those without one first), and by cause. The API server stops at the first failure it
// meets: its message is among them. What quotas admit, they admit exactly: no sum
// overflows.
//
// Only quotas that Matches says concern the object count. Amounts of zero do not matter,
// even where more is used than allowed. A quota whose status has no limits yet, but whose
// spec has some for the object, is StatusUnknown: the API server would let everything
// past it.
//
// Source: CheckRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func Admit(quotas []corev1.ResourceQuota, object Object, opts AdmitOptions) (after []corev1.ResourceQuota, failures []Failure) {
	if object.none() || opts.Subresource != "" {
		return copies(quotas), nil
	}
	a := admission{object: object, opts: opts}
	return a.check(quotas)
}

// AdmitUpdate decides, as Admit does, whether quotas admit an object in place of the old
// one. It is charged for what it costs more. Quotas that did not concern the old object
// are charged for all of it, and so are all quotas if the old object has no
// resourceVersion, and has thus never been stored, or was of another kind. Nothing is
// given back: if the object costs less, or leaves the scope of a quota, status.used stays,
// until the quota controller counts again.
//
// Quotas look at updates of services, PersistentVolumeClaims and ResourceClaims, at pods if
// they are resized (subresource resize), or if they become, or cease to be, Terminating,
// and at nothing else: any other update is admitted and changes nothing. An update of a
// status is charged, but not refused for what it costs.
func AdmitUpdate(quotas []corev1.ResourceQuota, old, object Object, opts AdmitOptions) (after []corev1.ResourceQuota, failures []Failure) {
	if !updateMatters(&old, &object, opts.Subresource) {
		return copies(quotas), nil
	}
	a := admission{object: object, opts: opts}
	if old.stored() && old.resource == object.resource {
		a.old = &old
	}
	return a.check(quotas)
}

// updateMatters reports whether quotas look at an update.
func updateMatters(old, object *Object, subresource string) bool {
	switch {
	case object.pod != nil:
		return subresource == "resize" || subresource == "" && old.pod != nil && hasDeadline(old.pod) != hasDeadline(object.pod)
	case object.volumeClaim != nil:
		return subresource == "" || subresource == "status"
	case object.service != nil, object.resourceClaim != nil:
		return subresource == ""
	}
	return false
}

// admission is one decision.
type admission struct {
	object   Object
	old      *Object // of an update, if its cost is to be deducted
	opts     AdmitOptions
	failures []Failure

	// What the quotas so far require something of: resources that concern the object, and
	// scopes that it is within.
	covered       []corev1.ResourceName
	coveredScopes []corev1.ScopedResourceSelectorRequirement
}

func (a *admission) check(quotas []corev1.ResourceQuota) ([]corev1.ResourceQuota, []Failure) {
	limitedScopes := a.limitedScopes()
	var concerned []int
	for i := range quotas {
		if a.concerns(&quotas[i]) {
			concerned = append(concerned, i)
		}
	}
	cost := a.object.Cost()
	if negative := arithmetic.IsNegative(cost); len(negative) > 0 {
		a.fail(Failure{Cause: NegativeCost, Resources: negative})
	}
	after := copies(quotas)
	increase := cost
	if a.old != nil {
		increase = arithmetic.SubtractWithNonNegativeResult(cost, a.old.Cost())
	}
	charges, charged := a.charges(quotas, concerned, cost, increase)
	if charged {
		a.requireCover(cost, limitedScopes)
	}
	for i, charge := range charges {
		a.charge(&after[concerned[i]], charge)
	}
	if len(a.failures) > 0 {
		byQuota(a.failures)
		return nil, a.failures
	}
	return after, nil
}

func (a *admission) fail(f Failure) { a.failures = append(a.failures, f) }

// concerns reports whether the object is to be charged to a quota, and notes what the
// quota covers, and what it objects to before any amounts are compared.
func (a *admission) concerns(quota *corev1.ResourceQuota) bool {
	if a.object.outside(quota) {
		return false
	}
	within, err := a.object.within(quota)
	if err != nil {
		a.fail(Failure{Cause: InvalidScope, Namespace: quota.Namespace, Quota: quota.Name, Detail: err.Error()})
		return false
	}
	a.coveredScopes = append(a.coveredScopes, within...)
	hard := hardOf(quota)
	var charged []corev1.ResourceName
	for _, name := range arithmetic.ResourceNames(hard) {
		if a.object.Charges(name) {
			charged = append(charged, name)
		}
	}
	if len(charged) == 0 || len(within) < len(quota.Spec.Scopes)+selectorLen(quota) {
		return false
	}
	a.covered = append(a.covered, charged...)
	if unspecified := a.object.Unspecified(charged); len(unspecified) > 0 {
		f := Failure{Cause: MustSpecify, Namespace: quota.Namespace, Quota: quota.Name, Unspecified: unspecified}
		for _, u := range unspecified {
			f.Resources = append(f.Resources, u.Resource)
		}
		a.fail(f)
	}
	if !known(&quota.Status, charged) {
		a.fail(Failure{Cause: StatusUnknown, Namespace: quota.Namespace, Quota: quota.Name, Resources: charged})
		return false
	}
	return true
}

// known reports whether a status has limits, and the usage of all of these resources.
func known(status *corev1.ResourceQuotaStatus, names []corev1.ResourceName) bool {
	return len(status.Hard) > 0 && !slices.ContainsFunc(names, func(name corev1.ResourceName) bool {
		_, ok := status.Used[name]
		return !ok
	})
}

// charges returns what each of the quotas is charged, and whether anything is charged at
// all, if only by quotas to come.
func (a *admission) charges(quotas []corev1.ResourceQuota, concerned []int, cost, increase corev1.ResourceList) (charges []corev1.ResourceList, charged bool) {
	for _, i := range concerned {
		charge := cost
		if a.old != nil && a.concernedOld(&quotas[i]) {
			charge = increase
		}
		charges = append(charges, charge)
		charged = charged || !arithmetic.IsZero(charge)
	}
	return charges, charged || len(concerned) == 0 && !arithmetic.IsZero(increase)
}

func (a *admission) concernedOld(quota *corev1.ResourceQuota) bool {
	matched, err := a.old.Matches(quota)
	return matched && err == nil
}

// charge adds a charge to the usage of a quota, if it fits. Amounts below zero have been
// refused before.
func (a *admission) charge(quota *corev1.ResourceQuota, charge corev1.ResourceList) {
	status := &quota.Status
	charge = arithmetic.RemoveZeros(arithmetic.Mask(charge, arithmetic.ResourceNames(status.Hard)))
	if a.opts.Subresource != "status" {
		if exceeded := Exceeded(status.Hard, status.Used, charge); len(exceeded) > 0 {
			a.fail(Failure{
				Cause: ExceededQuota, Namespace: quota.Namespace, Quota: quota.Name, Resources: exceeded,
				Requested: arithmetic.Mask(charge, exceeded), Used: arithmetic.Mask(status.Used, exceeded), Limited: arithmetic.Mask(status.Hard, exceeded),
			})
		}
	}
	status.Used = arithmetic.Add(status.Used, charge)
}

// limitedScopes returns the scopes of the configuration that the object is within, whatever
// resource they stand beside.
func (a *admission) limitedScopes() (scopes []corev1.ScopedResourceSelectorRequirement) {
	for _, limited := range a.opts.Limited {
		within, err := a.object.inScopes(limited.MatchScopes)
		if err != nil {
			a.fail(Failure{Cause: InvalidScope, Detail: err.Error()})
		}
		scopes = append(scopes, within...)
	}
	return scopes
}

// requireCover holds what the object costs, and the scopes it is within, against what is
// limited by default and the quotas cover.
func (a *admission) requireCover(cost corev1.ResourceList, scopes []corev1.ScopedResourceSelectorRequirement) {
	uncovered := arithmetic.Difference(a.limitedNames(cost), a.covered)
	if len(uncovered) > 0 {
		a.fail(Failure{Cause: UncoveredResources, Resources: uncovered})
	}
	var uncoveredScopes []corev1.ScopedResourceSelectorRequirement
	for _, scope := range scopes {
		same := func(s corev1.ScopedResourceSelectorRequirement) bool { return s.ScopeName == scope.ScopeName }
		if !slices.ContainsFunc(a.coveredScopes, same) {
			uncoveredScopes = append(uncoveredScopes, *scope.DeepCopy())
		}
	}
	if len(uncoveredScopes) > 0 {
		a.fail(Failure{Cause: UncoveredScopes, Scopes: uncoveredScopes})
	}
}

// limitedNames returns what the object costs more than zero of, and is limited by default.
func (a *admission) limitedNames(cost corev1.ResourceList) (names []corev1.ResourceName) {
	for _, limited := range a.opts.Limited {
		if (schema.GroupResource{Group: limited.APIGroup, Resource: limited.Resource}) != a.object.resource {
			continue
		}
		for name, q := range cost {
			contains := func(part string) bool { return strings.Contains(string(name), part) }
			if q.Sign() > 0 && slices.ContainsFunc(limited.MatchContains, contains) {
				names = append(names, name)
			}
		}
	}
	return names
}

// copies returns copies of quotas that share nothing with them.
func copies(quotas []corev1.ResourceQuota) []corev1.ResourceQuota {
	list := make([]corev1.ResourceQuota, len(quotas))
	for i := range quotas {
		quotas[i].DeepCopyInto(&list[i])
	}
	return list
}
