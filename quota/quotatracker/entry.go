package quotatracker

import (
	"fmt"
	"iter"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

// put takes an object in, in place of the one that has the key already.
func (t *Tracker) put(key quota.Key, object quota.Object) error {
	if key.Name == "" {
		return fmt.Errorf("track: %s: %w", key, ErrUnnamed)
	}
	var e entry
	for i := range t.candidates(key) {
		q := &t.quotas[i].quota
		matched, err := object.Matches(q)
		if err != nil {
			return fmt.Errorf("track: %s: quota %s/%s: %w", key, q.Namespace, q.Name, err)
		}
		if matched {
			e.charged = append(e.charged, i)
		}
	}
	t.cost = object.UsageInto(t.cost)
	e.cost = make([]amount, 0, len(t.cost))
	for name, q := range t.cost {
		if !q.IsZero() {
			e.cost = append(e.cost, pack(t.names.number(name), q))
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

// count adds the cost of an object to all usage, or takes it off with a sign of -1.
func (t *Tracker) count(namespace string, e entry, sign int64) {
	usage := t.usage[namespace]
	if usage == nil {
		usage = corev1.ResourceList{}
		t.usage[namespace] = usage
	}
	for i := range e.cost {
		amount := &e.cost[i]
		name := t.names.names[amount.name]
		change := amount.unpack(sign)
		sum := usage[name]
		sum.Add(change)
		usage[name] = sum
		for _, q := range e.charged {
			used := t.quotas[q].status.Used
			if sum, limited := used[name]; limited {
				sum.Add(change)
				used[name] = sum
			}
		}
	}
}
