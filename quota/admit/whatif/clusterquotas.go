package whatif

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// shared is a quota that namespaces share. It is copied before it is written to: only one with the same token belongs
// to a draft alone.
type shared struct {
	*token
	*quota.ClusterQuota
	members map[string]bool // the namespaces that share it
	changed int             // the number of the change of the cluster that was the last of it
}

func (q *shared) source() computeresources.Source { return quota.SourceOf(q.In(""), "") }

// The kinds that describe quotas of several namespaces. Those of a second kind follow from the first, which count if
// both exist: an AppliedClusterResourceQuota is a view of a quota, and Capsule creates quotas for the rules of a
// Tenant.
var (
	ownSharedKinds  = []string{"ClusterResourceQuota.quota.openshift.io", "GlobalResourceQuota.capsule.clastix.io"}
	viewSharedKinds = []string{"AppliedClusterResourceQuota.quota.openshift.io", "Tenant.capsule.clastix.io"}
)

func describesShared(kind string) bool {
	return slices.Contains(ownSharedKinds, kind) || slices.Contains(viewSharedKinds, kind)
}

// ClusterQuotas returns copies of the quotas that several namespaces share, by kind and name. Namespaces has an entry
// for each namespace of the cluster that does. If a namespace is not among the objects, the status of a quota says
// whether it shares it.
func (c *Cluster) ClusterQuotas() (quotas []*quota.ClusterQuota) {
	if c == nil {
		return nil
	}
	for _, q := range c.shared {
		quotas = append(quotas, q.DeepCopy())
	}
	return quotas
}

// changedShared returns the quotas that several namespaces share and that are new, or whose limits, usage or namespaces
// have changed.
func (d *draft) changedShared() (changed []*quota.ClusterQuota) {
	for _, q := range d.shared {
		isSame := func(o *shared) bool {
			return o == q || o.source() == q.source() && equality.Semantic.DeepEqual(o.ClusterQuota, q.ClusterQuota)
		}
		if !slices.ContainsFunc(d.before.sharedOrNone(), isSame) {
			changed = append(changed, q.DeepCopy())
		}
	}
	return changed
}

func (c *Cluster) sharedOrNone() []*shared {
	if c == nil {
		return nil
	}
	return c.shared
}

// invalidShared returns why an object that describes quotas of several namespaces is not stored.
func invalidShared(obj admit.APIObject, kubernetes computeresources.Kubernetes) (errs field.ErrorList) {
	quotas, err := quota.ClusterQuotasOf(obj)
	if err != nil {
		errs = append(errs, field.Invalid(field.NewPath("spec"), field.OmitValueType{}, err.Error()))
	}
	for _, q := range quotas {
		in := q.In("")
		in.Status = q.Status
		for _, err := range quota.ValidateObject(nil, in, kubernetes) {
			if !strings.HasPrefix(err.Field, "metadata") {
				err.Field = quota.SourceOf(in, err.Field).Field
				errs = append(errs, err)
			}
		}
		if _, err := q.Selects(&corev1.Namespace{}); err != nil {
			path, detail := field.NewPath("spec", "selector"), errors.Unwrap(err).Error()
			errs = append(errs, field.Invalid(path, field.OmitValueType{}, detail))
		}
	}
	return errs
}

// describedShared returns the quotas that objects of the cluster describe, by kind and name.
func (d *draft) describedShared() (all []*quota.ClusterQuota, items []*item) {
	of := d.spaces[""]
	if of == nil {
		return nil, nil
	}
	known := map[computeresources.Source]bool{}
	for _, kinds := range [][]string{ownSharedKinds, viewSharedKinds} {
		for _, k := range slices.SortedFunc(of.items.Keys, key.compare) {
			if !slices.Contains(kinds, k.kind) {
				continue
			}
			it := of.items.Get(k)
			quotas, _ := quota.ClusterQuotasOf(it.object) // it has been validated
			for _, q := range quotas {
				if source := quota.SourceOf(q.In(""), ""); !known[source] {
					known[source] = true
					all, items = append(all, q), append(items, it)
				}
			}
		}
	}
	return all, items
}

// readShared reads the quotas that namespaces share, without what is used of them.
func (d *draft) readShared() (errs []error) {
	if of := d.spaces[""]; of != nil {
		for _, k := range slices.SortedFunc(of.items.Keys, key.compare) {
			if describesShared(k.kind) {
				for _, err := range invalidShared(of.items.Get(k).object, d.opts.Admission.Kubernetes) {
					errs = append(errs, errors.New(sourceOf("", k).String()+": "+err.Error()))
				}
			}
		}
	}
	if len(errs) > 0 {
		return errs
	}
	all, _ := d.describedShared()
	for _, q := range all {
		d.shared = append(d.shared, &shared{token: d.token, ClusterQuota: q, members: map[string]bool{}})
	}
	d.sortShared()
	return nil
}

func (d *draft) sortShared() {
	slices.SortFunc(d.shared, func(a, b *shared) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
}

// countShared selects the namespaces of the quotas that were read, and counts what is used of them, if their status
// does not say so.
func (d *draft) countShared() {
	_, items := d.describedShared()
	isStored, isEmpty := false, true
	for _, it := range items {
		isStored = isStored || it.object.GetUID() != ""
	}
	for _, s := range d.spaces {
		isEmpty = isEmpty && s.pods.IsEmpty()
	}
	for _, q := range d.shared {
		d.noteShared(q)
		for _, name := range d.namespaces(q) {
			if d.selects(q, name) {
				q.members[name] = true
			}
		}
		hasStatus := len(q.Status.Hard) > 0
		if !hasStatus && isStored && isEmpty {
			continue // neither its controller nor pods say what is used
		}
		if !hasStatus {
			q.Status = corev1.ResourceQuotaStatus{Hard: q.Spec.Hard.DeepCopy()}
		}
		known := resourcelist.ResourceNames(q.Status.Used)
		for _, name := range slices.Sorted(maps.Keys(q.members)) {
			used, isCounted := q.Namespaces[name]
			if isCounted && len(known) >= len(q.Status.Hard) {
				continue
			}
			fresh := d.usageIn(q, name)
			if !isCounted { // the sum of the status has it
				used = resourcelist.Mask(fresh, known)
				if q.Namespaces == nil {
					q.Namespaces = map[string]corev1.ResourceList{}
				}
				q.Namespaces[name] = used
			}
			maps.DeleteFunc(fresh, func(name corev1.ResourceName, _ resource.Quantity) bool {
				return slices.Contains(known, name)
			})
			q.SetUsed(name, resourcelist.Overlay(used, fresh))
		}
	}
}

// namespaces returns the names of all namespaces that are known to the cluster or to a quota, sorted.
func (d *draft) namespaces(q *shared) []string {
	names := map[string]bool{}
	for name := range d.spaces {
		names[name] = name != ""
	}
	for name := range q.Namespaces {
		names[name] = true
	}
	for _, name := range q.Names {
		names[name] = true
	}
	if of := d.spaces[""]; of != nil {
		for k := range of.items.All {
			names[k.name] = names[k.name] || k.kind == "Namespace"
		}
	}
	maps.DeleteFunc(names, func(_ string, isNamespace bool) bool { return !isNamespace })
	return slices.Sorted(maps.Keys(names))
}

// selects reports whether a namespace shares a quota: by its labels, or by the status of the quota if the namespace is
// not among the objects.
func (d *draft) selects(q *shared, name string) bool {
	if it := d.itemOf("", key{"Namespace", name}); it != nil {
		if namespace, ok := it.object.(*corev1.Namespace); ok {
			selected, _ := q.Selects(namespace) // its selectors have been validated
			return selected
		}
	}
	_, isCounted := q.Namespaces[name]
	return isCounted || slices.Contains(q.Names, name)
}

// usageIn counts what the objects of a namespace use of a quota.
func (d *draft) usageIn(q *shared, name string) corev1.ResourceList {
	var objects []quota.Object
	if s := d.spaces[name]; s != nil {
		objects = d.quotaObjects(s)
	}
	status, _ := quota.CalculateUsage(objects, q.In(name)) // an invalid scope is refused for each object
	return status.Used
}

// noteShared notes that a quota has changed: namespaces that share it look at it again.
func (d *draft) noteShared(q *shared) {
	d.changes++
	q.changed = d.changes
}

// writableShared returns a quota to write to.
func (d *draft) writableShared(i int) *shared {
	q := d.shared[i]
	if q.token != d.token {
		q = &shared{d.token, q.DeepCopy(), maps.Clone(q.members), q.changed}
		d.shared[i] = q
	}
	return q
}

// sharedIn returns the quotas that a namespace shares with others, and the number of their last change.
func (d *draft) sharedIn(name string) (quotas []*corev1.ResourceQuota, changed int) {
	for _, q := range d.shared {
		if q.members[name] {
			quotas, changed = append(quotas, q.In(name)), max(changed, q.changed)
		}
	}
	return quotas, changed
}

// sharedChange returns the number of the last change of a quota that a namespace shares.
func (d *draft) sharedChange(name string) (changed int) {
	for _, q := range d.shared {
		if q.members[name] {
			changed = max(changed, q.changed)
		}
	}
	return changed
}

// takeShared adds the increases of an object that was admitted to the quotas that its namespace shares. Its namespace
// has counted them.
func (d *draft) takeShared(s *space, increases []quota.Increase) {
	for _, increase := range increases {
		for i, q := range d.shared {
			if q.Name == increase.Source.Name && string(q.Kind) == increase.Source.Kind {
				q = d.writableShared(i)
				q.SetUsed(s.name, resourcelist.Add(q.Namespaces[s.name], increase.Usage))
				d.noteShared(q)
			}
		}
	}
	s.seen = d.sharedChange(s.name)
}

// giveShared subtracts what an object uses less than before from the quotas that its namespace shares. Now is zero for
// one that is deleted.
func (d *draft) giveShared(s *space, was, now quota.Object) {
	for i, q := range d.shared {
		if !q.members[s.name] {
			continue
		}
		in := q.In(s.name)
		before, _ := was.UsageIn(in) // with invalid scopes, it is not counted
		after, _ := now.UsageIn(in)
		less := resourcelist.SubtractWithNonNegativeResult(before, after)
		less = resourcelist.Mask(less, resourcelist.ResourceNames(q.Status.Used))
		if resourcelist.IsZero(less) {
			continue
		}
		q = d.writableShared(i)
		q.SetUsed(s.name, resourcelist.Subtract(q.Namespaces[s.name], less))
		d.noteShared(q)
		d.unlockShared(q)
	}
}

// unlockShared notes that more may be admitted in all namespaces of a quota.
func (d *draft) unlockShared(q *shared) {
	for name := range q.members {
		if d.spaces[name] != nil {
			d.unlocked[name] = true
		}
	}
}

// reselect looks again at whether a namespace shares quotas, since it is new, gone, or has other labels.
func (d *draft) reselect(name string) {
	for i, q := range d.shared {
		was, is := q.members[name], d.selects(q, name)
		if d.itemOf("", key{"Namespace", name}) == nil {
			is = false // it was deleted
		}
		if was == is {
			continue
		}
		q = d.writableShared(i)
		if is {
			q.members[name] = true
			q.SetUsed(name, d.usageIn(q, name))
		} else {
			d.unlockShared(q)
			delete(q.members, name)
			q.SetUsed(name, nil)
		}
		d.noteShared(q)
		if d.spaces[name] != nil {
			s := d.space(name)
			d.recompile(s, s.quotasOf())
		}
	}
}

// setShared reads the quotas again that objects of the cluster describe, since one of these has changed. What is used
// of a quota that was there remains, unless it has other scopes; all else is counted.
func (d *draft) setShared() {
	former := d.shared
	all, _ := d.describedShared()
	d.shared = nil
	for _, described := range all {
		q := &shared{token: d.token, ClusterQuota: described, members: map[string]bool{}}
		q.Status, q.Namespaces = corev1.ResourceQuotaStatus{Hard: q.Spec.Hard.DeepCopy()}, nil
		if i := slices.IndexFunc(former, func(o *shared) bool { return o.source() == q.source() }); i >= 0 {
			old := former[i].DeepCopy()
			names := resourcelist.ResourceNames(q.Status.Hard)
			if !equality.Semantic.DeepEqual(old.Spec.Scopes, q.Spec.Scopes) ||
				!equality.Semantic.DeepEqual(old.Spec.ScopeSelector, q.Spec.ScopeSelector) {
				names = nil // they were of other objects
			}
			q.Status.Used, q.Namespaces = resourcelist.Mask(old.Status.Used, names), old.Namespaces
			for name, used := range q.Namespaces {
				q.Namespaces[name] = resourcelist.Mask(used, names)
			}
		}
		for _, name := range d.namespaces(q) {
			if d.selects(q, name) {
				q.members[name] = true
				q.SetUsed(name, resourcelist.Overlay(q.Namespaces[name], d.usageIn(q, name)))
			} else if q.Namespaces[name] != nil {
				q.SetUsed(name, nil)
			}
		}
		d.shared = append(d.shared, q)
		d.noteShared(q)
	}
	d.sortShared()
	for _, q := range slices.Concat(former, d.shared) {
		for name := range q.members {
			if d.spaces[name] != nil {
				s := d.space(name)
				d.recompile(s, s.quotasOf())
			}
		}
	}
}

// isProjected reports whether Capsule has written a quota as the part of a namespace in a quota that is known, which
// counts instead: it writes all of them again whenever the usage of one changes.
//
// Source: syncResourceQuotas of projectcapsule/capsule/internal/controllers/globalresourcequotas.
func (d *draft) isProjected(q *corev1.ResourceQuota) bool {
	name, isSet := q.Labels["projectcapsule.dev/global-resource-quota"]
	return isSet && slices.ContainsFunc(d.shared, func(of *shared) bool {
		return of.Kind == quota.GlobalResourceQuota && of.Name == name
	})
}

// isShared reports whether a quota of a namespace presents one that several share.
func isShared(q *corev1.ResourceQuota) bool {
	kind := quota.ClusterQuotaKind(q.Kind)
	return kind == quota.ClusterResourceQuota || kind == quota.GlobalResourceQuota
}
