package controllers

import (
	"cmp"
	"math"
	"slices"
)

// scale scales ReplicaSets to other replicas of the Deployment. If at most one wants pods, it gets all; if the current
// one is complete, the others get none. Source: scale.
func (d *deployment) scale() {
	all, only := active(d.sets), d.current
	if len(all) == 1 {
		only = all[0]
	} else if only == nil && len(d.olds) > 0 {
		only = d.olds[len(d.olds)-1]
	}
	switch {
	case only == nil:
	case len(all) < 2:
		if only.size != d.replicas {
			d.resize(only, d.replicas)
		}
	case d.isSaturated():
		for _, s := range active(d.olds) {
			d.resize(s, 0)
		}
	case !d.isRecreated():
		d.share(all)
	}
}

// isSaturated reports whether the current ReplicaSet has all pods, and was scaled for them. Source: IsSaturated.
func (d *deployment) isSaturated() bool {
	if d.current == nil {
		return false
	}
	desired, ok := numberOf(d.current, DesiredReplicas)
	return ok && desired == d.replicas && d.current.size == d.replicas && d.current.Available == d.replicas
}

// share adds or takes replicas in proportion to the sizes of ReplicaSets, so that there are as many as the Deployment
// may have. The largest one comes first, of equal ones the newest if they grow and the oldest if they shrink. The first
// gets what is left over.
func (d *deployment) share(all []*set) {
	add := -sizes(all)
	if d.replicas > 0 {
		add += d.most
	}
	if add > 0 {
		slices.Reverse(all)
	}
	slices.SortStableFunc(all, func(a, b *set) int { return cmp.Compare(b.size, a.size) })
	next, left := make([]int, len(all)), add
	for i, s := range all {
		part := 0
		switch {
		case left > 0:
			part = min(d.fraction(s), left)
		case left < 0:
			part = max(d.fraction(s), left)
		}
		next[i], left = s.size+part, left-part
	}
	next[0] = max(next[0]+left, 0)
	for i, s := range all {
		if notes := d.annotations(); s.size != next[i] || s.Annotations[DesiredReplicas] != notes[DesiredReplicas] ||
			s.Annotations[MaxReplicas] != notes[MaxReplicas] {
			d.resize(s, next[i])
		}
	}
}

// fraction returns by how much a ReplicaSet grows with the Deployment, or shrinks. Source: getReplicaSetFraction.
func (d *deployment) fraction(s *set) int {
	before, _ := numberOf(s, MaxReplicas)
	before = cmp.Or(before, d.pods)
	switch {
	case d.replicas == 0:
		return -s.size
	case before == 0:
		return 0
	}
	return int(math.Round(float64(s.size*d.most)/float64(before))) - s.size
}
