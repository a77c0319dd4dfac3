package sweep_test

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
)

// answer has the results of a function, or how it has panicked.
type answer struct {
	results []any
	problem string
}

func call(f reflect.Value, args []reflect.Value) (a answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			a.problem = fmt.Sprintf("panic: %v%s", panicked, placeOf(string(debug.Stack())))
		}
	}()
	in := f.Call
	if f.Type().IsVariadic() {
		in = f.CallSlice
	}
	for _, result := range in(args) {
		a.results = append(a.results, readOut(result))
	}
	return a
}

// readOut returns a result, and the elements of one that is an iterator.
func readOut(result reflect.Value) any {
	t := result.Type()
	if t.Kind() != reflect.Func || result.IsNil() {
		return result.Interface()
	}
	elements := []any{}
	switch {
	case t.CanSeq2():
		for k, v := range result.Seq2() {
			elements = append(elements, k.Interface(), v.Interface())
		}
	case t.CanSeq():
		for v := range result.Seq() {
			elements = append(elements, v.Interface())
		}
	}
	return elements
}

// placeOf returns the first lines of a stack that are of the library.
func placeOf(stack string) string {
	_, stack, _ = strings.Cut(stack, "panic(")
	var places []string
	for line := range strings.Lines(stack) {
		if strings.Contains(line, ".go:") && !strings.Contains(line, "/testkit/sweep/") && !strings.Contains(line, "/src/runtime/") &&
			!strings.Contains(line, "/src/reflect/") {
			places = append(places, strings.Fields(line)[0])
		}
	}
	return " at " + strings.Join(places[:min(len(places), 4)], ", ")
}
