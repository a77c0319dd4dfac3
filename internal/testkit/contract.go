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

// Contract checks that call keeps the contract of every exported function of the library. The inputs
// are everything that call reads:
//
//   - concurrent calls return the same answer, and do not race (which the race detector shows). They
//     come first, when a value that fills a cache at the first read has not filled it yet;
//   - a later call returns the same answer;
//   - the inputs are unchanged afterwards, including cached strings, the decimals of quantities,
//     and the spare capacity of slices;
//   - no two places of a result share memory: no map, no decimal, no slice, and no spare
//     capacity, so that append to one slice does not change the others;
//   - a result shares no memory with an input or another result. Changing it changes neither
//     these nor the answer of the next call;
//   - all this also holds if the inputs share memory within themselves and with each other (Share), but
//     for concurrent calls.
func Contract(t TB, call func() any, inputs ...any) {
	t.Helper()
	contract(t, "", call, inputs, 2)
	defer Share(uint64(len(inputFingerprint(inputs))), inputs...)()
	contract(t, "with inputs that share memory, ", call, inputs, 1)
}

// contract checks call with the inputs as they are, which when says, the first time by so many concurrent calls.
func contract(t TB, when string, call func() any, inputs []any, calls int) {
	t.Helper()
	before := inputFingerprint(inputs)
	unchanged := func(what string) {
		t.Helper()
		if after := inputFingerprint(inputs); after != before {
			t.Fatalf("%s%s changed the inputs\nfrom %s\nto   %s", when, what, before, after)
		}
	}
	results := concurrently(calls, call)
	later := call()
	unchanged("calling")
	want := Fingerprint(results[0])
	same := func(what string, result any) {
		t.Helper()
		if got := Fingerprint(result); got != want {
			t.Fatalf("%s%s\none     %s\nanother %s", when, what, want, got)
		}
	}
	for _, result := range results[1:] {
		same("concurrent calls answer differently", result)
	}
	same("a later call answers differently", later)
	if places := SharedBy(results[0], later, inputs); places != "" {
		t.Fatalf("%s%s", when, places)
	}
	Scramble(later)
	unchanged("changing a result")
	same("changing a result changed another one", results[0])
	if calls > 1 {
		same("changing a result changed the next answer", call())
	}
}

// concurrently returns the results of n calls that start at the same time.
func concurrently(n int, call func() any) []any {
	results := make([]any, n)
	start := make(chan struct{})
	var wait sync.WaitGroup
	for i := range results {
		wait.Go(func() {
			<-start
			results[i] = call()
		})
	}
	close(start)
	wait.Wait()
	return results
}

// SharedBy returns two places that share memory but must not, or "". Memory that inputs share with each
// other is not checked.
func SharedBy(first, later any, inputs []any) string {
	names, values := []string{"the result"}, []any{first}
	for i, input := range inputs {
		names, values = append(names, fmt.Sprintf("input %d", i)), append(values, input)
	}
	ofResult := func(i, j int) bool { return i == 0 || j == 0 }
	if places := shared(names, values, ofResult); places != "" {
		return places
	}
	return shared([]string{"the result", "the result of a later call"}, []any{first, later}, ofResult)
}

// Fingerprint writes out a value with everything it points to, unexported fields
// included, so that equal fingerprints mean deep equality.
func Fingerprint(v any) string {
	return writer{}.text(v)
}

// inputFingerprint is Fingerprint with the elements between the length and the capacity of
// slices: append to a slice of the caller would write there.
func inputFingerprint(v any) string { return writer{spare: true}.text(v) }

type writer struct{ spare bool }

func (w writer) text(v any) string {
	return string(w.write(make([]byte, 0, 1<<13), reflect.ValueOf(v)))
}

// write appends a value.
func (w writer) write(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Invalid:
		return append(b, "nil"...)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, "nil"...)
		}
		return w.write(append(b, '&'), v.Elem())
	case reflect.Struct:
		b = append(b, '{')
		for i, name := range fieldNames(v.Type()) {
			if f := v.Field(i); !f.IsZero() {
				b = append(w.write(append(append(b, name...), ':'), f), ' ')
			}
		}
		return append(b, '}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return append(b, "nil"...)
		}
		if w.spare && v.Kind() == reflect.Slice {
			b = strconv.AppendInt(b, int64(v.Len()), 10)
			v = v.Slice(0, v.Cap())
		}
		b = append(b, '[')
		for i := range v.Len() {
			b = append(w.write(b, v.Index(i)), ' ')
		}
		return append(b, ']')
	case reflect.Map:
		if v.IsNil() {
			return append(b, "nil"...)
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, compareKeys)
		b = append(b, "map["...)
		for _, k := range keys {
			b = append(w.write(append(w.write(b, k), ':'), v.MapIndex(k)), ' ')
		}
		return append(b, ']')
	case reflect.String: // with its length, because it may contain quotes
		return append(append(append(strconv.AppendInt(b, int64(v.Len()), 10), '"'), v.String()...), '"')
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	default:
		return fmt.Appendf(b, "%#v", v)
	}
}

// namesByType caches the names of the fields of structs, because looking them up takes longer than
// everything else.
var namesByType sync.Map

func fieldNames(t reflect.Type) []string {
	if names, known := namesByType.Load(t); known {
		return names.([]string)
	}
	names := make([]string, t.NumField())
	for i := range names {
		names[i] = t.Field(i).Name
	}
	namesByType.Store(t, names)
	return names
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == reflect.String {
		return strings.Compare(a.String(), b.String())
	}
	return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// Scramble changes everything that can be reached from a value: elements of slices and maps, values
// behind pointers, and the decimals of quantities.
func Scramble(v any) { scramble(reflect.ValueOf(v)) }

func scramble(v reflect.Value) {
	if q, ok := quantityIn(v); ok {
		q.Add(*resource.NewQuantity(1, resource.DecimalSI)) // if it holds a decimal, that is changed in place
		return
	}
	switch v.Kind() {
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
		return
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
	parts(v, scramble)
}

func quantityIn(v reflect.Value) (*resource.Quantity, bool) {
	if !v.IsValid() || v.Type() != reflect.TypeFor[resource.Quantity]() {
		return nil, false
	}
	if v.CanAddr() {
		return v.Addr().Interface().(*resource.Quantity), true
	}
	q := v.Interface().(resource.Quantity)
	return &q, true
}
