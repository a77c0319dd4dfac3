// Package layered has a map that is cheap to copy.
package layered

import "maps"

// Map is a map that is cheap to copy: what has changed since the base was shared is in a layer above, which alone is
// copied. A base that is shared is never written to. The zero value is an empty map.
type Map[K comparable, V any] struct {
	base map[K]*V
	top  map[K]*V // nil while the base belongs to this map alone; a value is nil if the key is deleted
}

// mostAbove is how much smaller than the base the layer above stays.
const mostAbove = 8

// Get returns a value, nil if there is none.
func (m *Map[K, V]) Get(k K) *V {
	if v, known := m.top[k]; known {
		return v
	}
	return m.base[k]
}

// Set sets a value, or deletes it if it is nil.
func (m *Map[K, V]) Set(k K, v *V) {
	_, isBelow := m.base[k]
	switch {
	case m.top != nil && v == nil && !isBelow:
		delete(m.top, k) // so that keys that come and go leave nothing
	case m.top != nil:
		m.top[k] = v
	case v == nil:
		delete(m.base, k)
	case m.base == nil:
		m.base = map[K]*V{k: v}
	default:
		m.base[k] = v
	}
}

// Fork returns a copy that may be written to. The map must not be written to afterwards, except by another Fork of it.
// The cost is that of copying a layer, which is at most an eighth of the base, or of everything if it is larger.
func (m *Map[K, V]) Fork() Map[K, V] {
	switch {
	case m.base == nil && m.top == nil:
		return Map[K, V]{}
	case m.top == nil:
		return Map[K, V]{m.base, map[K]*V{}}
	case len(m.top)*mostAbove <= len(m.base):
		return Map[K, V]{m.base, maps.Clone(m.top)}
	}
	return Map[K, V]{base: maps.Collect(m.All)}
}

// All yields the entries, in no order.
func (m *Map[K, V]) All(yield func(K, *V) bool) {
	for k, v := range m.top {
		if v != nil && !yield(k, v) {
			return
		}
	}
	for k, v := range m.base {
		if _, above := m.top[k]; !above && !yield(k, v) {
			return
		}
	}
}

// Keys yields the keys, in no order.
func (m *Map[K, V]) Keys(yield func(K) bool) {
	for k := range m.All {
		if !yield(k) {
			return
		}
	}
}

// IsEmpty reports whether there are no entries.
func (m *Map[K, V]) IsEmpty() bool {
	for range m.All {
		return false
	}
	return true
}
