package allocator

import (
	"cmp"
	"encoding/hex"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// claim is the Allocator's state of a claim. There may be millions of them, so every field
// counts.
type claim struct {
	demand

	seconds     int64 // of its creation
	nanoseconds int32
	holds       bool
	stay        stay
	namespace   *namespace
	name        string
	uid         string // see compactUID
	next        *claim // with the same hash
}

// demand is the request of a claim or, if it is holding, what it holds.
type demand struct {
	kind   *kind
	wants  []ledger.Want // above zero
	extras *extras       // nil for most claims
}

// extras holds fields that only few claims need.
type extras struct {
	negative []ledger.Want // a claim that has any waits in no queue
	written  map[int]text  // by resource: amounts that are not in canonical form, or negative
	later    *demand       // what a holding claim is to wait for when it is released, if that differs
}

// text is an amount as it was written.
type text struct {
	amount string
	format resource.Format
}

// kind holds what the wants of many claims have in common.
type kind struct {
	resources string            // see resourceKey
	formats   []resource.Format // in which the amounts are written
}

func newClaim(c *pool.ResourcePoolClaim, in *namespace) *claim {
	created := c.CreationTimestamp.Time
	return &claim{
		seconds: created.Unix(), nanoseconds: int32(created.Nanosecond()),
		namespace: in, name: strings.Clone(c.Name), uid: compactUID(c.UID),
	}
}

// key returns the name of the claim.
func (c *claim) key() types.NamespacedName {
	return types.NamespacedName{Namespace: c.namespace.name, Name: c.name}
}

// compare is the order of the queue.
func (c *claim) compare(o *claim) int {
	if c.seconds != o.seconds {
		return cmp.Compare(c.seconds, o.seconds)
	}
	return cmp.Or(
		cmp.Compare(c.nanoseconds, o.nanoseconds),
		strings.Compare(c.name, o.name),
		strings.Compare(c.namespace.name, o.namespace.name),
	)
}

func (c *claim) before(o *claim) bool { return c.compare(o) < 0 }

// waits reports whether a claim that is not holding is in the queue.
func (c *claim) waits() bool { return c.stay != gone && c.demand.waits() }

// waits reports whether a claim that is not holding can ever have its turn.
func (a *demand) waits() bool { return a.extras == nil || len(a.extras.negative) == 0 }

// negative returns the amounts below zero.
func (a *demand) negative() []ledger.Want {
	if a.extras == nil {
		return nil
	}
	return a.extras.negative
}

// read returns the amounts that a list requests.
func (l *Allocator) read(list corev1.ResourceList) demand {
	l.wants, l.negatives = l.ledger.Read(list, l.wants[:0], l.negatives[:0])
	a := demand{}
	if len(l.wants) > 0 {
		a.wants = append(make([]ledger.Want, 0, len(l.wants)), l.wants...)
	}
	l.key = l.key[:0]
	for _, w := range a.wants {
		r := l.ledger.Resources[w.Resource]
		q := list[r.Name]
		l.key = append(appendNumber(l.key, w.Resource), q.Format...)
		l.key = append(l.key, 0)
		if text := q.String(); !canonical(text, q.Format) {
			if is := w.Amount.Quantity(r.Scale, q.Format); is.String() != text {
				a.write(w.Resource, text, q.Format)
			}
		}
	}
	for _, w := range l.negatives {
		q := list[l.ledger.Resources[w.Resource].Name]
		a.write(w.Resource, q.String(), q.Format)
		a.extras.negative = append(a.extras.negative, w)
	}
	a.kind = l.kindOf(a.wants, list)
	return a
}

func (a *demand) write(number int, amount string, format resource.Format) {
	if a.extras == nil {
		a.extras = &extras{}
	}
	if a.extras.written == nil {
		a.extras.written = map[int]text{}
	}
	a.extras.written[number] = text{strings.Clone(amount), format}
}

// kindOf returns the kind of the claims with the current key.
func (l *Allocator) kindOf(wants []ledger.Want, list corev1.ResourceList) *kind {
	k := l.kinds[string(l.key)]
	if k == nil {
		k = &kind{resources: resourceKey(wants)}
		for _, w := range wants {
			k.formats = append(k.formats, list[l.ledger.Resources[w.Resource].Name].Format)
		}
		l.kinds[string(l.key)] = k
	}
	return k
}

// resourceKey returns a key that is equal for wants of the same resources.
func resourceKey(wants []ledger.Want) string {
	var key []byte
	for _, w := range wants {
		key = appendNumber(key, w.Resource)
	}
	return string(key)
}

func appendNumber(key []byte, number int) []byte {
	return append(key, byte(number>>16), byte(number>>8), byte(number))
}

// later returns what a holding claim waits for after its release.
func (a *demand) later() demand {
	if a.extras != nil && a.extras.later != nil {
		return *a.extras.later
	}
	return *a
}

// with returns the state of a holding claim that waits for something else after its release.
func (a demand) with(later demand) demand {
	extra := extras{}
	if a.extras != nil {
		extra = *a.extras
	}
	extra.later = &later
	a.extras = &extra
	return a
}

// same reports whether two demands are for the same amounts.
func (a *demand) same(b *demand, l *ledger.Ledger) bool {
	return l.Same(a.wants, b.wants) && l.Same(a.negative(), b.negative())
}

// written returns an amount in the notation of the claim.
func (l *Allocator) written(a *demand, w ledger.Want) resource.Quantity {
	if a.extras != nil {
		if as, is := a.extras.written[w.Resource]; is {
			q, _ := resource.ParseQuantity(as.amount) // which a quantity wrote
			q.Format = as.format
			return q
		}
	}
	return w.Amount.Quantity(l.ledger.Resources[w.Resource].Scale, a.kind.formats[ledger.Find(a.wants, w.Resource)])
}

// canonical reports whether a text is the canonical form of a quantity in a format, as far as
// that is easy to see: a number without leading zeros for which no larger suffix is possible.
func canonical(text string, format resource.Format) bool {
	base := 1000
	if format == resource.BinarySI {
		base = 1024
	}
	number, digits := 0, 0
	for digits < len(text) && digits < 10 && '0' <= text[digits] && text[digits] <= '9' {
		number = number*10 + int(text[digits]-'0')
		digits++
	}
	if digits == 0 || text[0] == '0' || number%base == 0 {
		return false
	}
	switch suffix := text[digits:]; format {
	case resource.BinarySI:
		return suffix == "" && number < base || suffix == "Ki" || suffix == "Mi" || suffix == "Gi"
	case resource.DecimalSI:
		return suffix == "" || suffix == "m"
	case resource.DecimalExponent:
		return suffix == ""
	}
	return false
}

// compactUID returns a UID of the usual 36 bytes as 16 bytes, and any other UID unchanged.
// Different UIDs stay different: the API server never generates UIDs of 16 bytes, and such a UID
// is lengthened.
func compactUID(uid types.UID) string {
	s := string(uid)
	if len(s) == 16 {
		return s + "\x00"
	}
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return strings.Clone(s)
	}
	digits := s[:8] + s[9:13] + s[14:18] + s[19:23] + s[24:]
	if strings.ToLower(digits) != digits {
		return strings.Clone(s)
	}
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return strings.Clone(s)
	}
	return string(raw)
}
