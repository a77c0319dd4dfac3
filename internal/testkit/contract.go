package testkit

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TB is what *testing.T, *testing.B and *rapid.T have in common here.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Contract checks that call keeps what every exported function of the library
// promises. The inputs are all that call reads:
//
//   - they are the same afterwards, down to cached strings and the decimals behind
//     quantities;
//   - two calls give the same answer;
//   - changing a result changes neither the inputs nor another result;
//   - calls that run at the same time give that answer too, and do not race (which
//     shows under the race detector).
func Contract(t TB, call func() any, inputs ...any) {
	t.Helper()
	before := Fingerprint(inputs)
	check := func(when string) {
		t.Helper()
		if after := Fingerprint(inputs); after != before {
			t.Fatalf("%s changed the inputs\nfrom %s\nto   %s", when, before, after)
		}
	}
	first := call()
	want := Fingerprint(first)
	check("calling")
	second := call()
	if got := Fingerprint(second); got != want {
		t.Fatalf("a second call answers differently\nfirst  %s\nsecond %s", want, got)
	}
	Scramble(second)
	check("changing a result")
	if got := Fingerprint(first); got != want {
		t.Fatalf("changing a result changed another one\nfrom %s\nto   %s", want, got)
	}
	var wait sync.WaitGroup
	answers := make([]string, 3)
	for i := range answers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			answers[i] = Fingerprint(call())
		}()
	}
	wait.Wait()
	for _, got := range answers {
		if got != want {
			t.Fatalf("a concurrent call answers differently\nalone %s\nthen  %s", want, got)
		}
	}
	check("calling concurrently")
}

// Fingerprint writes out a value with everything it points to, unexported fields
// included, so that equal fingerprints mean deep equality.
func Fingerprint(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(v))
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString("&")
		write(b, v.Elem())
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				b.WriteString(v.Type().Field(i).Name)
				b.WriteByte(':')
				write(b, f)
				b.WriteString(" ")
			}
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString("[")
		for i := range v.Len() {
			write(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		b.WriteString("map[")
		for _, k := range keys {
			write(b, k)
			b.WriteByte(':')
			write(b, v.MapIndex(k))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.String:
		b.WriteString(strconv.Quote(v.String()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	default:
		fmt.Fprintf(b, "%#v", v)
	}
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.String {
		return strings.Compare(a.String(), b.String())
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// Scramble changes everything that can be reached from a value: elements of slices and
// maps, what pointers point to, and the decimals behind quantities.
func Scramble(v any) { scramble(reflect.ValueOf(v)) }

func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			scramble(v.Elem())
		}
	case reflect.Struct:
		if q, ok := quantityIn(v); ok {
			scrambleQuantity(q)
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scramble(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			scramble(v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			element := reflect.New(v.Type().Elem()).Elem()
			element.Set(v.MapIndex(k))
			scramble(element)
			v.SetMapIndex(k, element)
		}
		if v.Len() > 0 {
			v.SetMapIndex(v.MapKeys()[0], reflect.Value{})
		}
	case reflect.String:
		if v.CanSet() {
			v.SetString(v.String() + "x")
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.CanSet() {
			v.SetInt(v.Int() ^ 1)
		}
	case reflect.Bool:
		if v.CanSet() {
			v.SetBool(!v.Bool())
		}
	}
}

func quantityIn(v reflect.Value) (*resource.Quantity, bool) {
	if v.Type() != reflect.TypeFor[resource.Quantity]() {
		return nil, false
	}
	if v.CanAddr() {
		return v.Addr().Interface().(*resource.Quantity), true
	}
	q := v.Interface().(resource.Quantity)
	return &q, true
}

// scrambleQuantity adds one. If q holds a decimal, that is changed in place, and with
// it any quantity that shares it.
func scrambleQuantity(q *resource.Quantity) { q.Add(*resource.NewQuantity(1, resource.DecimalSI)) }
