package testkit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Equal reports an error unless got is want, by ==. What says what they are, in words that are separated by
// spaces. In a property, the error ends the draw.
func Equal[T comparable](t TB, got, want T, what ...any) {
	t.Helper()
	if got != want {
		fail(t, "%sgot %v, want %v", words(what), show(got), show(want))
	}
}

// NoDiff is Equal by cmp.Diff, which compares quantities by their amounts. What may have options of cmp, too.
func NoDiff[T any](t TB, got, want T, what ...any) {
	t.Helper()
	opts, said := cmp.Options{cmp.Exporter(func(reflect.Type) bool { return true })}, []any{}
	for _, one := range what {
		if opt, ok := one.(cmp.Option); ok {
			opts = append(opts, opt)
		} else {
			said = append(said, one)
		}
	}
	if diff := cmp.Diff(want, got, opts); diff != "" {
		fail(t, "%s(-want +got):\n%s", words(said), diff)
	}
}

// OK ends a test, or the draw of a property, if there is an error.
func OK(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Strings returns the texts of all elements, and nil if there are none.
func Strings[S ~[]E, E any](all S) (texts []string) {
	for _, one := range all {
		texts = append(texts, fmt.Sprint(one))
	}
	return texts
}

// fail continues a test, but ends the draw of a property.
func fail(t TB, format string, args ...any) {
	t.Helper()
	if test, ok := t.(*testing.T); ok {
		test.Errorf(format, args...)
		return
	}
	t.Fatalf(format, args...)
}

func words(what []any) string {
	if len(what) == 0 {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintln(what...), "\n") + ": "
}

// show quotes texts, so that an empty one can be seen.
func show(v any) string {
	if reflect.ValueOf(v).Kind() == reflect.String {
		return fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf("%+v", v)
}
