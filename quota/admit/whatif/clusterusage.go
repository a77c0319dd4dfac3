package whatif

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

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
		d.selectMembers(q)
		hasStatus := len(q.Status.Hard) > 0
		if !hasStatus && isStored && isEmpty {
			continue // neither its controller nor pods say what is used
		}
		if !hasStatus {
			q.Status = corev1.ResourceQuotaStatus{Hard: q.Spec.Hard.DeepCopy()}
		}
		known, isWhole := resourcelist.ResourceNames(q.Status.Used), isComplete(q.Status)
		for _, name := range slices.Sorted(maps.Keys(q.members)) {
			used, isCounted := q.Namespaces[name]
			if isCounted && isWhole {
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
		d.selectMembers(q)
		for _, name := range d.namespaces(q) {
			if q.members[name] {
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
