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
// one. Only the increase is charged. Quotas that did not concern the old object are charged
// for all of it, and so are all quotas if the old object has no resourceVersion, and has
// thus never been stored, or was of another kind. Nothing is given back: if the object costs
// less, or leaves the scope of a quota, status.used stays, until the quota controller counts
// again.
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

// admission is one decision. It takes the way of the API server, but goes on after a
// failure.
type admission struct {
	object   Object
	old      *Object // of an update, if its cost is to be deducted
	opts     AdmitOptions
	failures []Failure

	// What inspect has found out about the quotas.
	concerned     []concernedQuota
	covered       []corev1.ResourceName       // that the quotas in concerned, or of unknown status, limit
	coveredScopes []corev1.ResourceQuotaScope // of all quotas; the object is within them
}

// concernedQuota is a quota that the object is charged to.
type concernedQuota struct {
	index        int
	increaseOnly bool // the old object was charged to it, too
}

func (a *admission) check(quotas []corev1.ResourceQuota) ([]corev1.ResourceQuota, []Failure) {
	limitedScopes := a.limitedScopes()
	for i := range quotas {
		a.inspect(i, &quotas[i])
	}
	cost := a.object.Usage()
	if negative := resourcelist.IsNegative(cost); len(negative) > 0 {
		a.fail(Failure{Cause: NegativeUsage, Resources: negative})
	}
	increase := cost
	if a.old != nil {
		increase = resourcelist.SubtractWithNonNegativeResult(cost, a.old.Usage())
	}
	if a.chargesAnything(cost, increase) {
		a.requireCover(cost, limitedScopes)
	}
	after := copies(quotas)
	for _, c := range a.concerned {
		a.charge(&after[c.index], c.due(cost, increase))
	}
	if len(a.failures) > 0 {
		byQuota(a.failures)
		return nil, a.failures
	}
	return after, nil
}

func (a *admission) fail(f Failure) { a.failures = append(a.failures, f) }

// inspect finds out what a quota covers, what it objects to before any amounts are
// compared, and whether the object is to be charged to it.
func (a *admission) inspect(index int, quota *corev1.ResourceQuota) {
	m := a.object.match(quota)
	if m.err != nil {
		a.fail(Failure{Cause: InvalidScope, Namespace: quota.Namespace, Quota: quota.Name, Detail: m.err.Error()})
		return
	}
	a.coveredScopes = append(a.coveredScopes, m.within...)
	if !m.concerns() {
		return
	}
	names := slices.Sorted(a.object.charged(m.hard))
	a.covered = append(a.covered, names...)
	if unspecified := a.object.MissingRequired(names); len(unspecified) > 0 {
		f := Failure{Cause: MustSpecify, Namespace: quota.Namespace, Quota: quota.Name, MissingRequired: unspecified}
		for _, u := range unspecified {
			f.Resources = append(f.Resources, u.Resource)
		}
		a.fail(f)
	}
	if !known(&quota.Status, names) {
		a.fail(Failure{Cause: StatusUnknown, Namespace: quota.Namespace, Quota: quota.Name, Resources: names})
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

// due returns what the quota is charged: what the object costs, or the increase alone.
func (c concernedQuota) due(cost, increase corev1.ResourceList) corev1.ResourceList {
	if c.increaseOnly {
		return increase
	}
	return cost
}

// chargesAnything reports whether any quota is charged more than zero. If none concerns the
// object, one that did would be charged the increase.
func (a *admission) chargesAnything(cost, increase corev1.ResourceList) bool {
	if len(a.concerned) == 0 {
		return !resourcelist.IsZero(increase)
	}
	return slices.ContainsFunc(a.concerned, func(c concernedQuota) bool { return !resourcelist.IsZero(c.due(cost, increase)) })
}

// charge adds a charge to the usage of a quota, if it fits. Amounts below zero have been
// refused before.
func (a *admission) charge(quota *corev1.ResourceQuota, charge corev1.ResourceList) {
	status := &quota.Status
	charge = resourcelist.RemoveZeros(resourcelist.Mask(charge, resourcelist.ResourceNames(status.Hard)))
	if a.opts.Subresource != "status" {
		if exceeded := Exceeded(status.Hard, status.Used, charge); len(exceeded) > 0 {
			a.fail(Failure{
				Cause: ExceededQuota, Namespace: quota.Namespace, Quota: quota.Name, Resources: exceeded,
				Requested: resourcelist.Mask(charge, exceeded), Used: resourcelist.Mask(status.Used, exceeded), Limited: resourcelist.Mask(status.Hard, exceeded),
			})
		}
	}
	status.Used = resourcelist.Add(status.Used, charge)
}

// copies returns copies of quotas that share nothing with them.
func copies(quotas []corev1.ResourceQuota) []corev1.ResourceQuota {
	list := make([]corev1.ResourceQuota, len(quotas))
	for i := range quotas {
		quotas[i].DeepCopyInto(&list[i])
	}
	return list
}
