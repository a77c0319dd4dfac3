package testkit

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// block is memory that a value refers to: a map, the value behind a pointer, or the elements of a slice
// with its spare capacity, into which append writes.
type block struct {
	start, end uintptr
	of         int    // the index of the value that it belongs to
	place      string // where in that value, if the walk takes names
}

// shared returns two places of values that share memory, or "". It compares two places, which may be in
// one value, if apart returns true for the indices of their values.
func shared(names []string, values []any, apart func(i, j int) bool) string {
	find := func(named bool) (a, b block, found bool) {
		w := walk{named: named, seen: map[visit]bool{}}
		for i, v := range values {
			w.of = i
			w.value(names[i], reflect.ValueOf(v))
		}
		return overlap(w.blocks, apart)
	}
	if _, _, found := find(false); !found {
		return ""
	}
	a, b, _ := find(true)
	return fmt.Sprintf("%s and %s share memory", a.place, b.place)
}

// overlap returns two blocks that overlap but must not.
func overlap(blocks []block, apart func(i, j int) bool) (a, b block, found bool) {
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(a.start, b.start) })
	for i, a := range blocks {
		for _, b := range blocks[i+1:] {
			if b.start >= a.end {
				break
			}
			if apart(a.of, b.of) {
				if a.of > b.of {
					a, b = b, a
				}
				return a, b, true
			}
		}
	}
	return block{}, block{}, false
}

// DecimalsAreCopied reports whether resource.Quantity never writes to a decimal, so that copies share it, and
// methods copy what they change or return: of apimachinery 0.38 on. Amounts such as 1.5Gi then allocate in
// functions that otherwise do not.
func DecimalsAreCopied() bool { return decimalsAreCopied() }

var decimalsAreCopied = sync.OnceValue(func() bool {
	q := resource.MustParse("1.5Gi")
	first, second := q.AsDec(), q.AsDec()
	return first != second
})

// walk collects the blocks that values refer to.
type walk struct {
	named  bool
	of     int
	blocks []block
	seen   map[visit]bool
}

// visit is memory that has been read as a value of a type. A slice is read up to its length.
type visit struct {
	start  uintptr
	length int
	as     reflect.Type
}

// value walks through a value, including unexported fields. Strings and functions do not change, nor do
// times, which share their zone, and errors created by package errors.
func (w *walk) value(place string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().PkgPath() != "errors" {
			if w.add(place, v, v.Type().Elem().Size(), 1) {
				w.value(place, v.Elem())
			}
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.value(place, v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[resource.Quantity]() && DecimalsAreCopied() {
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			switch f.Kind() {
			case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64, reflect.Uint8:
				continue // has no reference to memory that changes
			}
			at := ""
			if w.named {
				at = w.step(place, ".", v.Type().Field(i).Name)
			}
			w.value(at, f)
		}
	case reflect.Slice:
		if !w.add(place, v, uintptr(v.Cap())*v.Type().Elem().Size(), v.Len()) {
			return
		}
		fallthrough
	case reflect.Array:
		if !refers(v.Type().Elem()) {
			return
		}
		for i := range v.Len() {
			w.value(w.step(place, "[", i, "]"), v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() || !w.add(place, v, 1, 1) || !refers(v.Type().Elem()) {
			return
		}
		for entries := v.MapRange(); entries.Next(); {
			w.value(w.step(place, "[", entries.Key(), "]"), entries.Value())
		}
	}
}

// add records a block, and reports whether it has to be read: it is not empty, and has not been read
// before.
func (w *walk) add(place string, v reflect.Value, size uintptr, length int) bool {
	start := v.Pointer()
	if size == 0 || start == 0 {
		return false
	}
	w.blocks = append(w.blocks, block{start, start + size, w.of, place})
	key := visit{start, length, v.Type()}
	read := !w.seen[key]
	w.seen[key] = true
	return read
}

func (w *walk) step(place string, parts ...any) string {
	if !w.named {
		return ""
	}
	var b strings.Builder
	b.WriteString(place)
	for _, part := range parts {
		fmt.Fprint(&b, part)
	}
	return b.String()
}

// refers reports whether a value of the type can refer to memory that changes.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return true
	case reflect.Array:
		return refers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
