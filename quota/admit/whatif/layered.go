package whatif

import "maps"

// layered is a map that is cheap to copy: what has changed since the base was made is in a layer above, which alone is
// copied. The base is never written to, and shared by all copies.
type layered[K comparable, V any] struct {
	base map[K]*V
	top  map[K]*V // nil if the key is deleted
}

// mostLayered is how much smaller than the base the layer above stays.
const mostLayered = 8

func (m *layered[K, V]) get(k K) *V {
	if v, known := m.top[k]; known {
		return v
	}
	return m.base[k]
}

// set sets a value, or deletes it if it is nil.
func (m *layered[K, V]) set(k K, v *V) { m.top[k] = v }

// fork returns a copy that may be written to.
func (m *layered[K, V]) fork() layered[K, V] {
	if len(m.top)*mostLayered <= len(m.base) {
		top := maps.Clone(m.top)
		if top == nil {
			top = map[K]*V{}
		}
		return layered[K, V]{m.base, top}
	}
	return m.merged()
}

// merged returns a copy with an empty layer.
func (m *layered[K, V]) merged() layered[K, V] {
	return layered[K, V]{maps.Collect(m.all), map[K]*V{}}
}

// all yields the entries, in no order.
func (m *layered[K, V]) all(yield func(K, *V) bool) {
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

// keys yields the keys, in no order.
func (m *layered[K, V]) keys(yield func(K) bool) {
	for k := range m.all {
		if !yield(k) {
			return
		}
	}
}
