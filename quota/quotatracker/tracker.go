package quotatracker

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

var (
	// errTracked is returned for an object or a quota that is added twice.
	errTracked = errors.New("already tracked")
	// errUntracked is returned if an unknown object is updated or removed.
	errUntracked = errors.New("not tracked")
	// errUnnamed is returned for an object without a name, because it has no unique key.
	errUnnamed = errors.New("object without a name")
)

// Tracker holds the usage of objects, namespaces and quotas. Use New. Methods that change
// it must not run at the same time as others. Each takes some microseconds, regardless of the
// number of objects, so a lock around them is held only briefly.
type Tracker struct {
	quotas  []tracked
	within  map[string][]int32 // indices in quotas by namespace
	objects map[quota.Key]entry
	usage   map[string]corev1.ResourceList // by namespace
	names   nameTable
	scratch corev1.ResourceList // the usage of the object in hand
}

// entry is what the Tracker keeps of an object.
type entry struct {
	usage  []amount
	quotas []int32 // that count it: indices in Tracker.quotas
}

// tracked is a quota without its status, which is kept separately: without a status, the spec determines
// what the quota counts.
type tracked struct {
	quota  *corev1.ResourceQuota
	status corev1.ResourceQuotaStatus
}

// New returns a Tracker for quotas, without objects. The specs of the quotas count; their statuses
// do not. It keeps copies, and ignores nil quotas. Two quotas with the same namespace and name are
// an error. If quotas or their limits change, create a new Tracker.
func New(quotas []*corev1.ResourceQuota) (*Tracker, error) {
	t := &Tracker{
		within:  map[string][]int32{},
		objects: map[quota.Key]entry{},
		usage:   map[string]corev1.ResourceList{},
		names:   nameTable{index: map[corev1.ResourceName]int32{}},
		scratch: corev1.ResourceList{},
	}
	for _, given := range quotas {
		if given == nil {
			continue
		}
		q := tracked{quota: given.DeepCopy()}
		q.quota.Status = corev1.ResourceQuotaStatus{}
		q.status, _ = quota.CalculateUsage(nil, q.quota)
		namespace := q.quota.Namespace
		if t.find(namespace, q.quota.Name) != nil {
			return nil, fmt.Errorf("quotatracker: quota %s/%s: %w", namespace, q.quota.Name, errTracked)
		}
		t.within[namespace] = append(t.within[namespace], int32(len(t.quotas)))
		t.quotas = append(t.quotas, q)
	}
	return t, nil
}

// Add adds an object. If it returns an error, nothing has changed. The error names the object and
// says that it has no name, that it is tracked already, or is the error of a quota with an invalid scope selector.
//
// Cost: O(1) in the number of objects; O(resources) for each quota of the namespace.
func (t *Tracker) Add(object quota.Object) error {
	key := object.Key()
	if _, tracked := t.objects[key]; tracked {
		return fmt.Errorf("quotatracker: %s: %w", nameOf(key), errTracked)
	}
	return t.put(key, object)
}

// Update replaces the object with the same key. If it returns an error, nothing has changed. The
// error names the object and says that it is not tracked, or is the error of a quota with an invalid scope
// selector.
//
// Cost: that of Add and Remove.
func (t *Tracker) Update(object quota.Object) error {
	key := object.Key()
	if _, tracked := t.objects[key]; !tracked {
		return fmt.Errorf("quotatracker: %s: %w", nameOf(key), errUntracked)
	}
	return t.put(key, object)
}

// Remove removes the object with a key. If there is none, nothing has changed, and the error names
// the key.
//
// Cost: that of Add.
func (t *Tracker) Remove(key quota.Key) error {
	e, tracked := t.objects[key]
	if !tracked {
		return fmt.Errorf("quotatracker: %s: %w", nameOf(key), errUntracked)
	}
	t.count(key.Namespace, e, -1)
	delete(t.objects, key)
	return nil
}

// Has reports whether there is an object with a key.
func (t *Tracker) Has(key quota.Key) bool {
	_, tracked := t.objects[key]
	return tracked
}

// Usage returns the usage of the objects of a namespace, including resources that no quota limits.
// Resources with a usage of zero are absent. The list is never nil, and belongs to the caller.
func (t *Tracker) Usage(namespace string) corev1.ResourceList {
	return resourcelist.RemoveZeros(t.usage[namespace])
}

// Status returns the current status of a quota, as quota.CalculateUsage would, and reports whether
// there is such a quota. The status belongs to the caller.
func (t *Tracker) Status(namespace, name string) (corev1.ResourceQuotaStatus, bool) {
	q := t.find(namespace, name)
	if q == nil {
		return corev1.ResourceQuotaStatus{}, false
	}
	return *q.status.DeepCopy(), true
}

// Quotas returns the quotas with their current status, in the order in which they were passed to
// New, without nil ones. They can be passed to quota.Admit, and belong to the caller.
func (t *Tracker) Quotas() []*corev1.ResourceQuota {
	list := make([]*corev1.ResourceQuota, len(t.quotas))
	for i := range t.quotas {
		list[i] = t.quotas[i].quota.DeepCopy()
		t.quotas[i].status.DeepCopyInto(&list[i].Status)
	}
	return list
}

func (t *Tracker) find(namespace, name string) *tracked {
	for _, i := range t.within[namespace] {
		if t.quotas[i].quota.Name == name {
			return &t.quotas[i]
		}
	}
	return nil
}
