package quota

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
)

// AdmitOptions are the properties of a request and its API server. The zero value is a request for
// the object itself, not a subresource, in a default cluster.
type AdmitOptions struct {
	// Subresource is the subresource that is created or updated: empty for the object itself,
	// resize for the resources of a running pod, status for the status of a PersistentVolumeClaim.
	// Quotas ignore all others.
	Subresource string

	// Limited is the configuration of the admission plugin: resources that may only be used if a
	// quota allows it.
	Limited []LimitedResource
}

// Admit decides whether quotas admit a request: the creation of an object if old is the zero Object,
// and otherwise an update, where old is the stored object, and object the updated one. The result has
// every failure, sorted by namespace and name of the quota (failures without a quota first), then by
// cause. The API server stops at the first failure, in the order of the FailureCauses, with one
// exception: it checks a quota for all of InvalidScope, MustSpecify and StatusUnknown before the next one.
// admit.Decision.Err is the error for that failure. Sums are exact: nothing is admitted because a sum
// overflows.
//
// Only quotas that match the object count (see Matches). A usage of zero fits even if the quota is
// exceeded already. A nil quota is ignored.
//
// As on the server, only the limits in the status of a quota are enforced. The quota controller copies
// them from the spec. Until then, a quota admits everything: see Assessment.Unenforced. If the status
// has a limit, but not how much is used, the failure is StatusUnknown.
//
// Of an update, only the increase is added to the usage of a quota. The whole usage is added if the
// quota did not match the old object, if the old object has another kind, or if its metadata has no
// resourceVersion, so that it was never stored. Usage never decreases: if the object uses less, or
// leaves the scope of a quota, status.used remains until the quota controller calculates it again.
//
// A request that quotas ignore (see Assessment.Applies) is admitted and changes nothing. An update of
// a status is added to the usage, but is never refused for exceeding a quota. A pod with other requests
// or limits than old, and without a subresource, is admitted: such an update never reaches the quotas,
// because the API server refuses it earlier (only the resize subresource can change them; see
// computeresources.ValidateResize). For a resize, set Subresource.
//
// Cost: that of Usage, and one allocation if the object is admitted.
//
// Source: CheckRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func Admit(old, object Object, quotas []*corev1.ResourceQuota, opts AdmitOptions) Assessment {
	if !applies(&old, &object, opts.Subresource) {
		return Assessment{}
	}
	a := decision{object: object, opts: opts}
	if old.isStored() && old.resource == object.resource {
		a.old = old
	}
	return a.check(quotas)
}

// Assessment is the decision of quotas on an object, without copies of the quotas. It shares no
// memory with them.
type Assessment struct {
	// Applies reports whether quotas apply to the request at all. They apply to the creation of objects
	// of every kind; to updates of Services, PersistentVolumeClaims and ResourceClaims; to the status
	// of PersistentVolumeClaims; to pods that are resized (subresource resize) or that enter or
	// leave the scope Terminating; and to updates of objects WithUsage. They never apply to the creation of a
	// subresource. It does not depend on the quotas.
	Applies bool `json:"applies,omitempty"`

	// Failures are the reasons why the object is not admitted. They are empty if it is admitted.
	Failures computeresources.Problems[*Failure] `json:"failures,omitempty"`

	// Unenforced are the limits that the object is subject to according to the spec of a quota, and
	// that its status does not have yet: the API server ignores them, and may refuse the object as
	// soon as the quota controller has updated the status. It has an element with the cause
	// StatusUnknown, the field status.hard and the resources for each such quota, sorted by
	// namespace and name. It does not depend on Failures.
	Unenforced computeresources.Problems[*Failure] `json:"unenforced,omitempty"`

	// Increases are the quotas whose usage grows if the object is stored, and by how much, in the order of the
	// quotas. They are empty if there are Failures.
	Increases []Increase `json:"increases,omitempty"`
}

// Increase is what is added to the usage of a quota.
type Increase struct {
	// Index is the place of the quota in the list that was passed to Admit, and Source the quota, with the field
	// status.used.
	Index  int                     `json:"index"`
	Source computeresources.Source `json:"source"`
	// Usage is what is added: an amount for each resource that the status of the quota limits and that the object
	// uses.
	Usage corev1.ResourceList `json:"usage"`
}

// After returns copies of the quotas, in their order, with the Increases of n such objects added, one after the other,
// in the format in which it is read again: 3073741824 bytes that are the sum of 512Mi and others have no binary
// suffix ever after. It returns nil if there are Failures, which it does not look for in further objects. Nil quotas
// are nil in the result. Quotas must be those that were passed to Admit; an Increase without its quota is ignored.
// With n below 1, nothing is added.
func (v Assessment) After(quotas []*corev1.ResourceQuota, n int64) []*corev1.ResourceQuota {
	if len(v.Failures) > 0 {
		return nil
	}
	after := copies(quotas)
	for _, increase := range v.Increases {
		if n < 1 || increase.Index < 0 || increase.Index >= len(quotas) || quotas[increase.Index] == nil {
			continue
		}
		status := &after[increase.Index].Status
		for name, q := range increase.Usage { // the first object decides in which format the usage is stored
			sum := status.Used[name]
			sum.Add(q)
			quantity.Set(&status.Used, name, sum)
		}
		quantity.RereadAll(status.Used)
		if n > 1 && len(increase.Usage) > 0 {
			status.Used = resourcelist.Add(status.Used, resourcelist.Multiply(increase.Usage, n-1))
		}
	}
	return after
}

// decision is an admission in progress. It has the steps of the API server, but does not stop at a
// failure.
type decision struct {
	object   Object
	old      Object // of an update, if its usage is to be deducted; otherwise the zero Object
	opts     AdmitOptions
	usage    corev1.ResourceList // of object
	increase corev1.ResourceList // of an update, what the usage exceeds that of old by; otherwise the usage
	failures []Failure

	// The results of inspect.
	unenforced    []Failure
	grows         bool                        // the usage in any of the increases
	increases     []Increase                  // of the quotas that count the object; they share their lists
	covered       []corev1.ResourceName       // that the quotas that count the object, or of unknown usage, limit
	coveredScopes []corev1.ResourceQuotaScope // of all quotas; the object is within them
}

func (a *decision) check(quotas []*corev1.ResourceQuota) Assessment {
	a.usage = a.object.Usage()
	a.increase = a.usage
	if !a.old.none() {
		a.increase = resourcelist.SubtractWithNonNegativeResult(a.usage, a.old.Usage())
	}
	limitedScopes := a.limitedScopes()
	for i, quota := range quotas {
		if quota != nil {
			a.inspect(i, quota, len(quotas))
		}
	}
	if negative := resourcelist.IsNegative(a.usage); len(negative) > 0 {
		a.failures = append(a.failures, Failure{Cause: NegativeUsage, Resources: negative})
	}
	if len(a.opts.Limited) > 0 {
		a.requireCover(limitedScopes)
	}
	sortFailures(a.failures)
	sortFailures(a.unenforced)
	return Assessment{Applies: true, Failures: aggregate.Pointers(a.failures),
		Unenforced: aggregate.Pointers(a.unenforced), Increases: a.ownIncreases(quotas)}
}

// ownIncreases returns the increases of an object that is admitted, each with a list of its own. The last one keeps the
// list that they have shared.
func (a *decision) ownIncreases(quotas []*corev1.ResourceQuota) []Increase {
	if len(a.failures) > 0 {
		return nil
	}
	increases := a.increases[:0]
	for i, increase := range a.increases {
		if i < len(a.increases)-1 {
			increase.Usage = increase.Usage.DeepCopy()
		}
		hard := quotas[increase.Index].Status.Hard
		maps.DeleteFunc(increase.Usage, func(name corev1.ResourceName, q resource.Quantity) bool {
			_, limited := hard[name]
			return !limited || q.IsZero()
		})
		if len(increase.Usage) > 0 {
			increases = append(increases, increase)
		}
	}
	if len(increases) == 0 {
		return nil
	}
	return increases
}

// inspect records what a quota covers, its failures, and what the object adds to its usage.
func (a *decision) inspect(index int, quota *corev1.ResourceQuota, quotas int) {
	cluster := clusterKind(quota.Kind)
	if cluster == ClusterResourceQuota && a.opts.Subresource != "" {
		return // its plugin ignores it
	}
	m := a.object.match(quota)
	if m.err != nil {
		a.failures = append(a.failures,
			Failure{Cause: InvalidScope, Source: SourceOf(quota, "spec.scopeSelector"), Detail: m.err.Error()})
		return
	}
	if cluster == "" {
		a.coveredScopes = append(a.coveredScopes, m.within...)
	}
	if m.inAll {
		a.noteUnenforced(quota)
	}
	if !m.named || !m.inAll || len(quota.Status.Hard) == 0 {
		return
	}
	if len(a.opts.Limited) > 0 && cluster == "" {
		a.covered = slices.AppendSeq(a.covered, a.object.matching(m.hard))
	}
	a.requireAmounts(quota)
	for name := range m.hard {
		if _, known := quota.Status.Used[name]; !known && a.object.matchesResource(name) {
			a.failures = append(a.failures, Failure{Cause: StatusUnknown, Source: SourceOf(quota, "status"),
				Resources: slices.Sorted(a.object.matching(m.hard))})
			return
		}
	}
	added := a.usage
	if !a.old.none() {
		if old := a.old.match(quota); old.named && old.inAll {
			added = a.increase
		}
	}
	a.grows = a.grows || !resourcelist.IsZero(added)
	status, source := &quota.Status, SourceOf(quota, "spec.hard")
	switch {
	case cluster == GlobalResourceQuota:
		a.failures = append(a.failures, failuresOfAny(added, status.Used, status.Hard, source)...)
	case a.opts.Subresource != "status":
		a.failures = append(a.failures, failuresOf(added, status.Used, status.Hard, source)...)
	}
	if a.increases == nil {
		a.increases = make([]Increase, 0, quotas)
	}
	a.increases = append(a.increases, Increase{index, SourceOf(quota, "status.used"), added})
}

// requireAmounts fails if a pod does not set what a quota limits.
func (a *decision) requireAmounts(quota *corev1.ResourceQuota) {
	f := Failure{Cause: MustSpecify, Source: SourceOf(quota, "spec.hard")}
	for name := range quota.Status.Hard {
		f.MissingRequired = a.object.appendMissing(f.MissingRequired, name)
	}
	if len(f.MissingRequired) == 0 {
		return
	}
	if clusterKind(quota.Kind) == GlobalResourceQuota {
		a.object.inOrderOfSpec(f.MissingRequired)
	}
	slices.SortFunc(f.MissingRequired, func(a, b MissingResource) int { return cmp.Compare(a.Resource, b.Resource) })
	for _, missing := range f.MissingRequired {
		f.Resources = append(f.Resources, missing.Resource)
	}
	a.failures = append(a.failures, f)
}

// noteUnenforced records the limits in the spec of a quota that its status does not have.
func (a *decision) noteUnenforced(quota *corev1.ResourceQuota) {
	var names []corev1.ResourceName
	for name := range quota.Spec.Hard {
		if _, enforced := quota.Status.Hard[name]; !enforced && a.object.matchesResource(name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		a.unenforced = append(a.unenforced, Failure{Cause: StatusUnknown, Source: SourceOf(quota, "status.hard"),
			Resources: names})
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
