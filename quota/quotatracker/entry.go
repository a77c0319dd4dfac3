package quotatracker

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

// put adds an object, in place of the one that has the key already.
func (t *Tracker) put(key quota.Key, object quota.Object) error {
	if key.Name == "" {
		return fmt.Errorf("quotatracker: %s: %w", nameOf(key), errUnnamed)
	}
	var e entry
	for i := range t.candidates(key) {
		q := t.quotas[i].quota
		matched, err := object.Matches(q)
		if err != nil {
			return fmt.Errorf("quotatracker: %s: quota %s/%s: %w", nameOf(key), q.Namespace, q.Name, err)
		}
		if matched {
			e.quotas = append(e.quotas, i)
		}
	}
	t.scratch = object.UsageInto(t.scratch)
	e.usage = make([]amount, 0, len(t.scratch))
	for name, q := range t.scratch {
		if !q.IsZero() {
			e.usage = append(e.usage, pack(t.names.number(name), q))
		}
	}
	if old, tracked := t.objects[key]; tracked {
		t.count(key.Namespace, old, -1)
	}
	t.count(key.Namespace, e, 1)
	t.objects[key] = e
	return nil
}

// candidates yields the quotas that may concern an object: those of its namespace and of
// none, which is not known to be another.
func (t *Tracker) candidates(key quota.Key) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if key.Namespace == "" {
			for i := range int32(len(t.quotas)) {
				if !yield(i) {
					return
				}
			}
			return
		}
		for _, namespace := range []string{key.Namespace, ""} {
			for _, i := range t.within[namespace] {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// count adds the usage of an object to that of its namespace and quotas, or subtracts it
// with a sign of -1.
func (t *Tracker) count(namespace string, e entry, sign int64) {
	usage := t.usage[namespace]
	if usage == nil {
		usage = corev1.ResourceList{}
		t.usage[namespace] = usage
	}
	for i := range e.usage {
		amount := &e.usage[i]
		name := t.names.names[amount.name]
		change := amount.unpack(sign)
		sum := usage[name]
		sum.Add(change)
		usage[name] = sum
		for _, q := range e.quotas {
			used := t.quotas[q].status.Used
			if sum, limited := used[name]; limited {
				sum.Add(change)
				used[name] = sum
			}
		}
	}
}

// nameOf returns a key in the form `pods shop/web`.
func nameOf(key quota.Key) string {
	return key.Resource.String() + " " + key.Namespace + "/" + key.Name
}
