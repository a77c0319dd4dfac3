package testkit

import (
	"fmt"
	"reflect"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Separate returns a copy of a value that shares no memory with it, and whose parts share none with each other. It
// panics if a struct other than a Quantity or a time has an unexported field that refers to memory.
func Separate[T any](v T) T { return copyOf(v, asItIs) }

// WithEmpty is Separate with empty slices and maps for nil ones. WithNil does the opposite. The inputs of computations
// come from manifests and from JSON, which do not distinguish the two.
func WithEmpty[T any](v T) T { return copyOf(v, empty) }

// WithNil is the opposite of WithEmpty.
func WithNil[T any](v T) T { return copyOf(v, none) }

// A copier says what becomes of slices and maps without elements.
type copier int

const (
	asItIs copier = iota
	empty
	none
)

func copyOf[T any](v T, c copier) T { return c.copy(reflect.ValueOf(&v).Elem()).Interface().(T) }

// keeps reports whether the copy of a slice or map is not nil.
func (c copier) keeps(v reflect.Value) bool {
	return v.Len() > 0 || c == empty || c == asItIs && !v.IsNil()
}

// copy returns a copy that can be set.
func (c copier) copy(v reflect.Value) reflect.Value {
	own := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			own.Set(reflect.New(v.Type().Elem()))
			own.Elem().Set(c.copy(v.Elem()))
		}
	case reflect.Interface:
		if !v.IsNil() {
			own.Set(c.copy(v.Elem()))
		}
	case reflect.Struct:
		own.Set(v)
		c.copyFields(own)
	case reflect.Slice:
		if c.keeps(v) {
			own.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			own.Index(i).Set(c.copy(v.Index(i)))
		}
	case reflect.Map:
		if c.keeps(v) {
			own.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		}
		for entries := v.MapRange(); entries.Next(); {
			own.SetMapIndex(entries.Key(), c.copy(entries.Value()))
		}
	default:
		own.Set(v)
	}
	return own
}

// copyFields gives a struct, which is a copy, fields of its own.
func (c copier) copyFields(v reflect.Value) {
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
			v.Field(i).Set(c.copy(v.Field(i)))
		case refers(f.Type):
			panic(fmt.Sprintf("%v.%s cannot be copied", v.Type(), f.Name))
		}
	}
}

// EmptyIsNil checks that an answer does not depend on whether slices and maps in the input are nil or empty. Amounts in
// the answers have to be formatted equally. In the answers, empty and nil are equal.
func EmptyIsNil[T any](t TB, in T, answer func(T) any) {
	t.Helper()
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(answer(WithNil(in)), answer(WithEmpty(in)), cmpopts.EquateEmpty(), AsWritten(), all); diff != "" {
		t.Fatalf("-of nil lists +of empty ones:\n%s", diff)
	}
}
