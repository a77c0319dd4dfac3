package whatif_test

import (
	"math"
	"slices"
)

// slowSet is a ReplicaSet of a Deployment, as both references have it.
type slowSet struct {
	id          string
	number      int // in the order of creation
	size        int // spec.replicas
	noted, most int // the replicas of the Deployment, and its pods at most, when it was scaled last
	isCurrent   bool
	pods, ready int
}

// slowDeployment is what a Deployment says about its rollout.
type slowDeployment struct {
	replicas, surge, unavailable int
	recreate, paused             bool
}

// slowScale is a ReplicaSet that gets another size.
type slowScale struct {
	*slowSet
	to int
}

// scale notes the new size.
func (d slowDeployment) scale(s slowScale) {
	s.size, s.noted, s.most = s.to, d.replicas, d.replicas+d.surge
}

// next does one sync: it returns with how many replicas a ReplicaSet is created, -1 if none is, and which are scaled then.
//
// Source: isScalingEvent, scale, rolloutRecreate and rolloutRolling of k8s.io/kubernetes v1.37 pkg/controller/deployment.
func (d slowDeployment) next(sets []*slowSet) (created int, scaled []slowScale) {
	created = -1
	resize := func(s *slowSet, size int) { scaled = append(scaled, slowScale{s, size}) }
	slices.SortFunc(sets, func(a, b *slowSet) int { return a.number - b.number })
	var current *slowSet
	var olds, active []*slowSet
	total, oldPods, isScaled := 0, 0, false
	for _, s := range sets {
		if s.isCurrent && current == nil {
			current = s
		} else {
			olds = append(olds, s)
			oldPods += s.pods
		}
		if s.size > 0 {
			active = append(active, s)
			total += s.size
			isScaled = isScaled || s.noted != d.replicas
		}
	}
	if isScaled || d.paused {
		if len(active) == 0 { // the current one, or else the newest
			if current != nil {
				active = append(active, current)
			} else {
				active = append(active, olds[max(0, len(olds)-1):]...)
			}
		}
		d.share(current, active, resize)
		return created, scaled
	}
	size, ready := 0, 0
	if current != nil {
		size, ready = current.size, current.ready
	}
	if d.recreate {
		for _, s := range olds {
			if s.size > 0 {
				resize(s, 0)
			}
		}
		switch {
		case len(scaled) > 0 || oldPods > 0:
		case current == nil:
			created = d.replicas
		case size != d.replicas:
			resize(current, d.replicas)
		}
		return created, scaled
	}
	for size < d.replicas && total < d.replicas+d.surge {
		size, total = size+1, total+1
	}
	if current == nil {
		created = size
	} else if size = min(size, d.replicas); size != current.size {
		resize(current, size)
		return created, scaled
	}
	least := d.replicas - min(d.unavailable, d.replicas)
	spare := total - least - (size - ready)
	if spare <= 0 {
		return created, scaled
	}
	sizes, available := map[*slowSet]int{}, ready
	for _, s := range olds {
		sizes[s] = s.size
		if s.size > 0 {
			available += s.ready
		}
		for ; spare > 0 && sizes[s] > s.ready; spare-- {
			sizes[s]--
		}
	}
	for _, s := range olds {
		for ; sizes[s] > 0 && available > least; available-- {
			sizes[s]--
		}
		if sizes[s] != s.size {
			resize(s, sizes[s])
		}
	}
	return created, scaled
}

// share scales all ReplicaSets with pods after the replicas of their Deployment have changed.
func (d slowDeployment) share(current *slowSet, active []*slowSet, resize func(s *slowSet, size int)) {
	switch {
	case len(active) == 0:
		return
	case len(active) == 1:
		if active[0].size != d.replicas {
			resize(active[0], d.replicas)
		}
		return
	case current != nil && current.size == d.replicas && current.noted == d.replicas && current.ready == d.replicas:
		for _, s := range active {
			if s != current {
				resize(s, 0)
			}
		}
		return
	case d.recreate:
		return
	}
	add := d.replicas + d.surge
	if d.replicas == 0 {
		add = 0
	}
	for _, s := range active {
		add -= s.size
	}
	slices.SortFunc(active, func(a, b *slowSet) int {
		switch {
		case a.size != b.size:
			return b.size - a.size
		case add > 0:
			return b.number - a.number
		}
		return a.number - b.number
	})
	sizes, left := make([]int, len(active)), add
	for i, s := range active {
		more := -s.size
		if d.replicas > 0 {
			more += int(math.Floor(float64(s.size*(d.replicas+d.surge))/float64(s.most) + 0.5))
		}
		if add > 0 {
			more = min(more, left)
		} else {
			more = max(more, left)
		}
		if left == 0 {
			more = 0
		}
		sizes[i], left = s.size+more, left-more
	}
	sizes[0] = max(0, sizes[0]+left)
	for i, s := range active {
		if s.size != sizes[i] || s.noted != d.replicas || s.most != d.replicas+d.surge {
			resize(s, sizes[i])
		}
	}
}
