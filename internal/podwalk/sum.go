package podwalk

// This file is the formula for the containers of a pod (KEP-753), one resource at a time.
// App containers and sidecars run together. Init containers run one after the other, each
// together with the sidecars that were started before it:
//
//	use(i)    = Σ sidecars before i + init container i
//	effective = max(Σ app containers + Σ sidecars, max use(i))

// Amount is what a Sum adds up. An amount may be absent, which is not the same as zero: it
// adds nothing, and any other is greater.
type Amount[A any] interface {
	Plus(A) A
	Max(A) A // the receiver, if both are equal
}

// Sum adds up what the containers of a pod need of one resource. The zero value is a pod
// without containers, if that of A is absent.
type Sum[A Amount[A]] struct{ together, sidecars, peak A }

// Add adds a container. Init containers and sidecars have to be added in their order; app
// containers may come before or after them.
func (s *Sum[A]) Add(kind Kind, amount A) {
	switch kind {
	case App:
		s.together = s.together.Plus(amount)
	case Sidecar:
		s.together = s.together.Plus(amount)
		s.sidecars = s.sidecars.Plus(amount)
		s.peak = s.peak.Max(s.sidecars)
	case Init:
		s.peak = s.peak.Max(amount.Plus(s.sidecars))
	}
}

// Total returns the effective amount of the pod.
func (s *Sum[A]) Total() A { return s.together.Max(s.peak) }

// Units is Sum over integers that are not negative, and so few and small that no sum overflows (see
// quantity.MaxSmallSum). Sum itself would call Plus and Max through a table, and take twice the
// time of the lookups that it adds up.
type Units struct{ together, sidecars, peak int64 }

// Add is Sum.Add.
func (u *Units) Add(kind Kind, amount int64) {
	switch kind {
	case App:
		u.together += amount
	case Sidecar:
		u.together += amount
		u.sidecars += amount // no more than together
	case Init:
		u.peak = max(u.peak, u.sidecars+amount)
	}
}

// Total is Sum.Total.
func (u *Units) Total() int64 { return max(u.together, u.peak) }

// Simultaneous returns the sets of containers that run at one time, as indices of kinds, which are
// those of the containers in the order in which they start. The first is that of the running pod:
// app containers and sidecars; then comes one for each init container: the sidecars before it, and
// itself. For non-negative amounts, Sum.Total is the largest sum over one of the sets.
func Simultaneous(kinds []Kind) [][]int {
	sets := [][]int{nil}
	var sidecars []int
	for i, kind := range kinds {
		switch kind {
		case App:
			sets[0] = append(sets[0], i)
		case Sidecar:
			sets[0] = append(sets[0], i)
			sidecars = append(sidecars, i)
		case Init:
			sets = append(sets, append(sidecars[:len(sidecars):len(sidecars)], i))
		}
	}
	return sets
}
