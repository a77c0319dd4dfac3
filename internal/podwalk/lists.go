package podwalk

import corev1 "k8s.io/api/core/v1"

// Lists are the lists that count of the containers of a pod, one for each: of their spec, or
// of their status. The lists are only read. The zero value has none.
type Lists struct {
	first [8]containerList
	more  []containerList
	count int
	// entries are how many entries the lists have, and met how many of them Effective has
	// found.
	entries, met int
}

type containerList struct {
	kind Kind
	list corev1.ResourceList
}

// Add adds the list of a container. Init containers and sidecars have to be added in their
// order. Of amounts in different formats, the first decides on that of a sum.
func (l *Lists) Add(kind Kind, list corev1.ResourceList) {
	c := containerList{kind, list}
	if l.count < len(l.first) {
		l.first[l.count] = c
	} else {
		l.more = append(l.more, c)
	}
	l.count++
	l.entries += len(list)
}

// Each calls visit with each list.
func (l *Lists) Each(visit func(corev1.ResourceList)) {
	for i := range l.count {
		visit(l.at(i).list)
	}
}

func (l *Lists) at(i int) *containerList {
	if i < len(l.first) {
		return &l.first[i]
	}
	return &l.more[i-len(l.first)]
}

// IsAll reports whether the lists have no entries but those that Effective has found, if it
// was asked once for each resource.
func (l *Lists) IsAll() bool { return l.met == l.entries }

// Effective returns the effective amount of a resource of all containers. The amount in missing
// replaces a missing amount of a container.
func (l *Lists) Effective(name corev1.ResourceName, missing corev1.ResourceList) Exact {
	if len(missing) == 0 && l.IsAll() {
		return Exact{}
	}
	missingAmount := ExactIn(missing, name)
	var sum Sum[Exact]
	for i := range l.count {
		c := l.at(i)
		amount := ExactIn(c.list, name)
		if amount.set {
			l.met++
		} else {
			amount = missingAmount
		}
		sum.Add(c.kind, amount)
	}
	return sum.Total()
}

// Complete reports whether every container sets more than zero of a resource. The amount in missing
// replaces a missing one.
func (l *Lists) Complete(name corev1.ResourceName, missing corev1.ResourceList) bool {
	missingAmount := missing[name]
	for i := range l.count {
		q, set := l.at(i).list[name]
		if !set {
			q = missingAmount
		}
		if q.Sign() <= 0 {
			return false
		}
	}
	return true
}
