// Package ledger has the amounts of a pool: capacity, claimed and remaining amount of each
// resource, exact at every magnitude.
package ledger

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Ledger holds the amounts of a pool by resource. Resources are numbered: those that the pool
// offered at first, sorted by name, then others as claims or a change of the pool name them. The
// number of a resource does not change, unless Forget frees it. The zero value is a pool without resources.
type Ledger struct {
	Resources     []Resource
	Left, Claimed []quantity.Amount // by number; Left may be below zero

	Others map[corev1.ResourceName]int // the numbers of those that were not offered at first

	first int   // how many were offered at first
	free  []int // numbers that no resource has
}

// Resource is a resource of a ledger.
type Resource struct {
	Name    corev1.ResourceName
	Scale   resource.Scale  // of its amounts
	Format  resource.Format // of the pool
	Offered bool            // otherwise, the pool has none of it
}

// Want is an amount of the resource with a number.
type Want struct {
	Resource int
	Amount   quantity.Amount
}

// Find returns the place of the resource with a number among wants, -1 if it is not there.
func Find(wants []Want, number int) int {
	return slices.IndexFunc(wants, func(w Want) bool { return w.Resource == number })
}

// amountIn returns the amount in wants of the resource with this number, or zero if wants does not have it.
func amountIn(wants []Want, number int) quantity.Amount {
	if i := Find(wants, number); i >= 0 {
		return wants[i].Amount
	}
	return quantity.Amount{}
}

// New returns the ledger of a pool without claims.
func New(hard corev1.ResourceList) *Ledger {
	l := &Ledger{first: len(hard)}
	for _, name := range quantity.Names(hard) {
		l.offer(l.add(name), hard[name])
	}
	return l
}

// SetHard changes the capacity of the pool. Claimed amounts do not change.
func (l *Ledger) SetHard(hard corev1.ResourceList) {
	for number := range l.Resources {
		if _, ok := hard[l.Resources[number].Name]; !ok {
			l.offer(number, resource.Quantity{})
			l.Resources[number].Offered = false
		}
	}
	for _, name := range quantity.Names(hard) {
		l.offer(l.number(name), hard[name])
	}
}

func (l *Ledger) offer(number int, hard resource.Quantity) {
	r := &l.Resources[number]
	r.Offered, r.Format = true, hard.Format
	l.Left[number] = quantity.AmountOf(&hard, r.Scale).Minus(l.Claimed[number], r.Scale)
}

func (l *Ledger) add(name corev1.ResourceName) int {
	if len(l.free) == 0 {
		l.free = append(l.free, len(l.Resources))
		l.Resources = append(l.Resources, Resource{})
		l.Left, l.Claimed = append(l.Left, quantity.Amount{}), append(l.Claimed, quantity.Amount{})
	}
	last := len(l.free) - 1
	number := l.free[last]
	l.free = l.free[:last]
	l.Resources[number] = Resource{Name: name, Scale: quantity.ScaleOf(name)}
	l.Left[number], l.Claimed[number] = quantity.Amount{}, quantity.Amount{}
	return number
}

// number returns the number of a resource, a new one if it has none.
func (l *Ledger) number(name corev1.ResourceName) int {
	for number := range l.first {
		if l.Resources[number].Name == name {
			return number
		}
	}
	number, ok := l.Others[name]
	if !ok {
		if l.Others == nil {
			l.Others = map[corev1.ResourceName]int{}
		}
		number = l.add(name)
		l.Others[name] = number
	}
	return number
}

// Forget frees the numbers of these resources that the pool does not offer, and that are not used.
func (l *Ledger) Forget(used []bool) {
	for _, name := range slices.Sorted(maps.Keys(l.Others)) {
		if number := l.Others[name]; !used[number] && !l.Resources[number].Offered {
			delete(l.Others, name)
			l.free = append(l.free, number)
		}
	}
}

// Read appends to wants the amounts of a claim that are above zero, and to negative those
// below. Resources that the pool offered at first come first, by number; then others, by
// name.
func (l *Ledger) Read(claim corev1.ResourceList, wants, negative []Want) (_, _ []Want) {
	unread := len(claim)
	for number := range l.first {
		if q := claim[l.Resources[number].Name]; !q.IsZero() {
			wants, negative = l.note(number, &q, wants, negative)
			unread--
			if unread == 0 {
				return wants, negative
			}
		}
	}
	for _, name := range quantity.Names(claim) {
		q := claim[name]
		if !q.IsZero() && !l.offeredAtFirst(name) {
			wants, negative = l.note(l.number(name), &q, wants, negative)
		}
	}
	return wants, negative
}

func (l *Ledger) offeredAtFirst(name corev1.ResourceName) bool {
	return slices.ContainsFunc(l.Resources[:l.first], func(r Resource) bool { return r.Name == name })
}

func (l *Ledger) note(number int, q *resource.Quantity, wants, negative []Want) (_, _ []Want) {
	w := Want{number, quantity.AmountOf(q, l.Resources[number].Scale)}
	if w.Amount.Sign() > 0 {
		return append(wants, w), negative
	}
	return wants, append(negative, w)
}

// Take moves the requested amounts from the available to the claimed ones.
func (l *Ledger) Take(wants []Want) {
	for _, w := range wants {
		scale := l.Resources[w.Resource].Scale
		l.Left[w.Resource] = l.Left[w.Resource].Minus(w.Amount, scale)
		l.Claimed[w.Resource] = l.Claimed[w.Resource].Plus(w.Amount, scale)
	}
}

// Give is the inverse of Take.
func (l *Ledger) Give(wants []Want) {
	for _, w := range wants {
		scale := l.Resources[w.Resource].Scale
		l.Left[w.Resource] = l.Left[w.Resource].Plus(w.Amount, scale)
		l.Claimed[w.Resource] = l.Claimed[w.Resource].Minus(w.Amount, scale)
	}
}

// Same reports whether two lists of wants, as Read returns them, are the same amounts.
func (l *Ledger) Same(a, b []Want) bool {
	return slices.EqualFunc(a, b, func(v, w Want) bool {
		scale := l.Resources[v.Resource].Scale
		return v.Resource == w.Resource && !v.Amount.Exceeds(w.Amount, scale) && !w.Amount.Exceeds(v.Amount, scale)
	})
}

// Resize returns which wants a claim cannot have instead of the amounts that it has, which count as used, appended to
// behind and short. Wants that do not exceed what it has are never returned. Of the others, behind are those of
// resources that are closed to it; short are those of other resources that exceed the sum of what it has and what
// remains.
func (l *Ledger) Resize(has, wants []Want, isClosed func(Want) bool, behind, short []Want) (_, _ []Want) {
	for _, w := range wants {
		scale, had := l.Resources[w.Resource].Scale, amountIn(has, w.Resource)
		switch {
		case !w.Amount.Exceeds(had, scale):
		case isClosed(w):
			behind = append(behind, w)
		case w.Amount.Exceeds(l.Left[w.Resource].Plus(had, scale), scale):
			short = append(short, w)
		}
	}
	return behind, short
}

// Short reports whether less is left than wanted.
func (l *Ledger) Short(w Want) bool {
	return w.Amount.Exceeds(l.Left[w.Resource], l.Resources[w.Resource].Scale)
}

// Quantity formats an amount of a resource as the pool does.
func (l *Ledger) Quantity(number int, a quantity.Amount) resource.Quantity {
	return a.Quantity(l.Resources[number].Scale, l.Resources[number].Format)
}

// All returns amounts by resource: of each resource that the pool offers, and of others those that
// are not zero.
func (l *Ledger) All(amounts []quantity.Amount) corev1.ResourceList {
	return l.list(amounts, func(number int) bool { return l.Resources[number].Offered || !amounts[number].IsZero() })
}

// Available returns the remaining amounts of the resources that the pool offers.
func (l *Ledger) Available() corev1.ResourceList {
	return l.list(l.Left, func(number int) bool { return l.Resources[number].Offered })
}

// NonZero returns the amounts that are not zero, by resource.
func (l *Ledger) NonZero(amounts []quantity.Amount) corev1.ResourceList {
	return l.list(amounts, func(number int) bool { return !amounts[number].IsZero() })
}

func (l *Ledger) list(amounts []quantity.Amount, which func(int) bool) corev1.ResourceList {
	list := corev1.ResourceList{}
	for number, a := range amounts {
		if which(number) {
			list[l.Resources[number].Name] = l.Quantity(number, a)
		}
	}
	return list
}
