package testkit

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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
	var all places
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
	names := make([]corev1.ResourceName, 0, len(list))
	for name := range list {
		names = append(names, name)
	}
	slices.Sort(names)
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
		if p.byType == nil {
			p.byType = map[reflect.Type][]reflect.Value{}
		}
		p.found, p.byType[v.Type()] = append(p.found, v), append(p.byType[v.Type()], v)
	}
	if list, ok := v.Interface().(corev1.ResourceList); ok {
		p.lists = append(p.lists, list)
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			p.collect(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				p.collect(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			p.collect(v.Index(i))
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

// Separate returns a copy of a value that shares no memory with it, and whose parts share none with each
// other. It panics if a struct other than a Quantity or a time has an unexported field that refers to memory.
func Separate[T any](v T) T {
	return separate(reflect.ValueOf(&v).Elem()).Interface().(T)
}

func separate(v reflect.Value) reflect.Value {
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			copied.Set(reflect.New(v.Type().Elem()))
			copied.Elem().Set(separate(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			copied.Set(separate(v.Elem()))
		}
	case reflect.Struct:
		separateFields(copied)
	case reflect.Slice:
		if !v.IsNil() {
			copied.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			copied.Index(i).Set(separate(v.Index(i)))
		}
	case reflect.Array:
		for i := range v.Len() {
			copied.Index(i).Set(separate(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		copied.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for entries := v.MapRange(); entries.Next(); {
			copied.SetMapIndex(entries.Key(), separate(entries.Value()))
		}
	}
	return copied
}

// separateFields gives a struct, which is a copy, fields of its own.
func separateFields(v reflect.Value) {
	switch own := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*own = own.DeepCopy()
		return
	case *time.Time:
		return
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.IsExported():
			v.Field(i).Set(separate(v.Field(i)))
		case refers(f.Type):
			panic(fmt.Sprintf("%v.%s cannot be copied", v.Type(), f.Name))
		}
	}
}
