package testkit

import (
	"reflect"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WithEmpty returns a deep copy of a value in which nil slices and maps are replaced by empty ones,
// except byte slices. WithNil does the opposite. The inputs of computations come from manifests and from
// JSON, which do not distinguish the two.
func WithEmpty[T any](v T) T { return copyOf(v, copier{empty: true}) }

// WithNil is the opposite of WithEmpty.
func WithNil[T any](v T) T { return copyOf(v, copier{}) }

func copyOf[T any](v T, c copier) T {
	to := reflect.New(reflect.TypeFor[T]()).Elem()
	c.copy(to, reflect.ValueOf(&v).Elem())
	return to.Interface().(T)
}

type copier struct{ empty bool }

// copy sets to, which is zero and settable, to a copy of a value. Unexported fields are copied
// unchanged, except those of quantities.
func (c copier) copy(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			c.copy(to.Elem(), from.Elem())
		}
	case reflect.Interface:
		if !from.IsNil() {
			own := reflect.New(from.Elem().Type()).Elem()
			c.copy(own, from.Elem())
			to.Set(own)
		}
	case reflect.Struct:
		c.copyStruct(to, from)
	case reflect.Slice:
		if from.Len() > 0 || c.empty {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		for i := range from.Len() {
			c.copy(to.Index(i), from.Index(i))
		}
	case reflect.Map:
		if from.Len() > 0 || c.empty {
			to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
		}
		for entries := from.MapRange(); entries.Next(); {
			own := reflect.New(from.Type().Elem()).Elem()
			c.copy(own, entries.Value())
			to.SetMapIndex(entries.Key(), own)
		}
	default:
		to.Set(from)
	}
}

func (c copier) copyStruct(to, from reflect.Value) {
	switch v := from.Interface().(type) {
	case resource.Quantity:
		to.Set(reflect.ValueOf(v.DeepCopy()))
		return
	case metav1.Time, metav1.MicroTime:
		to.Set(from)
		return
	}
	to.Set(from)
	for i := range from.NumField() {
		if from.Type().Field(i).IsExported() {
			to.Field(i).SetZero()
			c.copy(to.Field(i), from.Field(i))
		}
	}
}

// EmptyIsNil checks that an answer does not depend on whether slices and maps in the input are nil or
// empty. Amounts in the answers have to be formatted equally. In the answers, empty and nil are equal.
func EmptyIsNil[T any](t TB, in T, answer func(T) any) {
	t.Helper()
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	empty, none := answer(WithEmpty(in)), answer(WithNil(in))
	if diff := cmp.Diff(none, empty, cmpopts.EquateEmpty(), AsWritten(), all); diff != "" {
		t.Fatalf("-of nil lists +of empty ones:\n%s", diff)
	}
}
