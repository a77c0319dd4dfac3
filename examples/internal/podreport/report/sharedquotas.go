package report

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// sharing is a quota that namespaces share, as objects are created in them.
type sharing struct {
	*quota.ClusterQuota
	before    corev1.ResourceList // its usage before anything is created
	members   map[string]bool
	isUnknown bool // it has no status
}

// share adds the quotas that namespaces share to them, with the usage of existing applications if there is no status.
func share(in *manifest.Input, states map[string]*creation, of map[string][]*application) (all []*sharing) {
	for _, described := range in.Shared {
		s := &sharing{ClusterQuota: described.DeepCopy(), members: map[string]bool{}}
		s.isUnknown = len(s.Status.Hard) == 0
		if s.isUnknown {
			s.Status.Hard = s.Spec.Hard
		}
		for _, home := range slices.Sorted(maps.Keys(states)) {
			c := states[home]
			if !in.IsSharedBy(s.ClusterQuota, home) {
				continue
			}
			s.members[home] = true
			c.shared = append(c.shared, s)
			presented := s.In(home)
			c.unknown[quota.SourceOf(presented, "")] = s.isUnknown
			if s.isUnknown {
				status, _ := quota.CalculateUsage(nil, presented) // without objects, none is invalid
				for _, a := range of[home] {
					status.Used = resourcelist.Add(status.Used, c.usageOf(presented, slices.Concat(a.there, a.expired)))
				}
				s.SetUsed(home, status.Used)
			}
		}
		s.before = s.Status.Used
		all = append(all, s)
	}
	return all
}

// see has a namespace look at the quotas that it shares as they are now.
func (c *creation) see() {
	if len(c.shared) == 0 {
		return
	}
	quotas := slices.DeleteFunc(c.namespace.Quotas(), inventory.IsShared)
	for _, s := range c.shared {
		quotas = append(quotas, s.In(c.home))
	}
	c.namespace, _ = admit.Compile(c.ranges, quotas, c.opts) // all are valid
}

// tell adds to the quotas that a namespace shares what has been created in it.
func (c *creation) tell() {
	if len(c.shared) == 0 {
		return
	}
	for _, q := range c.namespace.Quotas() {
		for _, s := range c.shared {
			if string(s.Kind) != q.Kind || s.Name != q.Name || resourcelist.Equals(q.Status.Used, s.In(c.home).Status.Used) {
				continue
			}
			more := resourcelist.Subtract(q.Status.Used, s.Status.Used)
			s.SetUsed(c.home, resourcelist.Add(s.Namespaces[c.home], more))
		}
	}
}

func (c *creation) isUnknown(q *corev1.ResourceQuota) bool { return c.unknown[quota.SourceOf(q, "")] }

func (r *Report) addShared(in *manifest.Input, all []*sharing) {
	for _, s := range all {
		d := SharedQuota{Kind: string(s.Kind), Held: heldOf(s.Name, s.Status, s.before, s.isUnknown), Unknown: !in.SharersKnown(s.ClusterQuota)}
		for namespace := range s.Namespaces {
			s.members[namespace] = true
		}
		for _, namespace := range slices.Sorted(maps.Keys(s.members)) {
			used := Amounts(resourcelist.Mask(s.Namespaces[namespace], resourcelist.ResourceNames(s.Status.Hard)))
			d.Namespaces = append(d.Namespaces, Sharer{namespace, used})
		}
		r.SharedQuotas = append(r.SharedQuotas, d)
	}
}
