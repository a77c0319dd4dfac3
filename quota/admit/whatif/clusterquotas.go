package whatif

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
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
	ownSharedKinds  = [...]string{"ClusterResourceQuota.quota.openshift.io", "GlobalResourceQuota.capsule.clastix.io"}
	viewSharedKinds = [...]string{"AppliedClusterResourceQuota.quota.openshift.io", "Tenant.capsule.clastix.io"}
)

func describesShared(kind string) bool {
	return slices.Contains(ownSharedKinds[:], kind) || slices.Contains(viewSharedKinds[:], kind)
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
	for _, kinds := range [][]string{ownSharedKinds[:], viewSharedKinds[:]} {
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

// namespaces returns the names of all namespaces that are known to the cluster or to a quota, sorted.
func (d *draft) namespaces(q *shared) []string {
	names := map[string]bool{}
	for name := range d.spaces {
		names[name] = name != ""
	}
	for name := range q.Namespaces {
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

// selectMembers selects the namespaces that share a quota.
func (d *draft) selectMembers(q *shared) {
	for _, name := range d.namespaces(q) {
		if d.selects(q, name) {
			q.members[name] = true
		}
	}
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
	return isCounted
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
