package testkit

import (
	"reflect"
	"slices"
	"testing"
)

// NilPointer checks that methods of a nil pointer do not panic, with zeros as arguments. Of methods that write, the
// error is not nil, if they return one; an error has the text "<nil>" and no Field.
func NilPointer(t testing.TB, pointer any, writes ...string) {
	t.Helper()
	of := reflect.TypeOf(pointer)
	for i := range of.NumMethod() {
		m := of.Method(i)
		args := []reflect.Value{reflect.Zero(of)}
		for j := 1; j < m.Type.NumIn() && !(m.Type.IsVariadic() && j == m.Type.NumIn()-1); j++ {
			args = append(args, reflect.Zero(m.Type.In(j)))
		}
		isNil := resultsOf(t, m, args)
		_, isError := pointer.(error)
		switch {
		case m.Name == "Error" && isError:
			NoDiff(t, isNil, []any{"<nil>"})
		case m.Name == "Field":
			Equal(t, Fingerprint(isNil), "[&nil ]", of.String())
		case slices.Contains(writes, m.Name) && len(isNil) > 0 && isNil[len(isNil)-1] == nil &&
			m.Type.Out(len(isNil)-1) == reflect.TypeFor[error]():
			t.Errorf("%v.%s writes to a nil pointer without an error", of, m.Name)
		}
	}
}

func resultsOf(t testing.TB, m reflect.Method, args []reflect.Value) (results []any) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%v.%s panics: %v", m.Type.In(0), m.Name, problem)
		}
	}()
	for _, result := range m.Func.Call(args) {
		results = append(results, result.Interface())
	}
	return results
}
