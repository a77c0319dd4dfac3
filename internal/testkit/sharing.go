package testkit

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Share replaces some of the maps, slices and pointers that values refer to by others of the same type, so
// that values share memory within themselves and with each other, as if a controller had assigned the lists
// of its configuration to several containers: one list of requests in three containers, requests that are
// also the limits, pod-level resources of two pods, one slice of containers. Some quantities get the value
// of another one, and share its decimal.
//
// Objects themselves, and types outside of k8s.io, are not shared. The seed decides what is shared. What has
// no address, such as a value of a map, is not replaced. Undo restores the values.
func Share(seed uint64, values ...any) (undo func()) {
	draw := rand.New(rand.NewPCG(seed, uint64(len(values))))
	all := places{byType: map[reflect.Type][]reflect.Value{}}
	for _, v := range values {
		all.collect(reflect.ValueOf(v))
	}
	var undone []func()
	for _, place := range all.found {
		if draw.IntN(3) == 0 {
			old, same := reflect.ValueOf(place.Interface()), all.byType[place.Type()]
			place.Set(same[draw.IntN(len(same))])
			undone = append(undone, func() { place.Set(old) })
		}
	}
	for range (len(all.lists) + 2) / 3 {
		from, to := all.lists[draw.IntN(len(all.lists))], all.lists[draw.IntN(len(all.lists))]
		if len(from) > 0 && len(to) > 0 {
			name := anyName(draw, to)
			old := to[name]
			to[name] = from[anyName(draw, from)]
			undone = append(undone, func() { to[name] = old })
		}
	}
	return func() {
		for _, f := range slices.Backward(undone) {
			f()
		}
	}
}

func anyName(draw *rand.Rand, list corev1.ResourceList) corev1.ResourceName {
	names := slices.Sorted(maps.Keys(list))
	return names[draw.IntN(len(names))]
}

// places are the variables that Share may set, in the order of a walk.
type places struct {
	found  []reflect.Value
	byType map[reflect.Type][]reflect.Value
	lists  []corev1.ResourceList
}

func (p *places) collect(v reflect.Value) {
	if !v.IsValid() {
		return
	}
	if v.CanSet() && sharable(v.Type()) && !v.IsNil() {
		p.found, p.byType[v.Type()] = append(p.found, v), append(p.byType[v.Type()], v)
	}
	if list, ok := v.Interface().(corev1.ResourceList); ok {
		p.lists = append(p.lists, list)
	}
	if v.Kind() != reflect.Map {
		parts(v, p.collect)
	}
}

// parts calls visit for what a value points to, its exported fields, its elements, or the values of a map, which cannot
// be set.
func parts(v reflect.Value, visit func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			visit(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				visit(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			visit(v.Index(i))
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			visit(entries.Value())
		}
	}
}

// sharable reports whether Share may set a variable of a type.
func sharable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Map:
		return true
	case reflect.Pointer:
		return ofKubernetes(t.Elem()) && !t.Implements(reflect.TypeFor[metav1.Object]())
	case reflect.Slice:
		return ofKubernetes(t.Elem()) && t.Elem().Kind() == reflect.Struct
	}
	return false
}

func ofKubernetes(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), "k8s.io/") }
