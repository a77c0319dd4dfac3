package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Lists keeps one copy of equal lists of amounts: thousands of workloads have few different ones, and a list takes more
// memory than most other data of a workload. The zero value has none. Callers must not modify the lists
// that it returns.
type Lists struct {
	known map[string]corev1.ResourceList
	key   []byte
	names []string
}

// Of returns a list that is equal to the given one, with amounts in the same format.
func (l *Lists) Of(list corev1.ResourceList) corev1.ResourceList {
	if len(list) == 0 {
		return list
	}
	l.key, l.names = l.key[:0], l.names[:0]
	for name := range list {
		l.names = append(l.names, string(name))
	}
	slices.Sort(l.names)
	for _, name := range l.names {
		q := list[corev1.ResourceName(name)].DeepCopy()
		number, suffix := q.CanonicalizeBytes(nil)
		l.key = append(append(append(l.key, name...), 0), number...)
		l.key = append(append(append(append(l.key, 0), suffix...), q.Format...), 0)
	}
	if same, known := l.known[string(l.key)]; known {
		return same
	}
	if l.known == nil {
		l.known = map[string]corev1.ResourceList{}
	}
	l.known[string(l.key)] = list
	return list
}

// Pod has the containers of a pod share their lists with those of others.
func (l *Lists) Pod(spec *corev1.PodSpec) {
	for _, containers := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			r.Requests, r.Limits = l.Of(r.Requests), l.Of(r.Limits)
		}
	}
}
