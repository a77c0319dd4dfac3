package testkit

import (
	"testing"

	"pgregory.net/rapid"
)

// Applies checks that a function which changes its first argument keeps the contract about memory that
// others share. The object is that argument. Others are everything else that apply reads, and what else may
// share memory with the object, such as the configuration of a controller. Each object is checked ten times,
// so RAPID_CHECKS=2000 checks 20,000. It shares memory within itself, with others, and all of it with a copy
// of the struct:
//
//   - the object and the result are as for an object that shares nothing;
//   - others and the copy of the struct are unchanged;
//   - the result shares no memory with any of them.
//
// An apply that changes several objects gets a T that has them in a slice, and begins with a copy of the
// slice.
func Applies[T, O any](t *testing.T, draw func(t *rapid.T) (object T, others O), apply func(object *T, others O) (result any)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		object, others := draw(t)
		for range 10 {
			own, theirs := Separate(object), Separate(others)
			Share(rapid.Uint64().Draw(t, "sharing"), &own, &theirs)
			AppliesOnce(t, &own, theirs, apply)
		}
	})
}

// AppliesOnce is Applies for one object, which shares what it shares already.
func AppliesOnce[T, O any](t TB, object *T, others O, apply func(object *T, others O) any) {
	t.Helper()
	separate := Separate(*object)
	result := apply(&separate, Separate(others))
	want := Fingerprint([]any{result, separate})

	before := inputFingerprint([]any{object, others})
	own := *object
	result = apply(&own, others)
	if after := inputFingerprint([]any{object, others}); after != before {
		t.Fatalf("changed memory of others\nfrom %s\nto   %s", before, after)
	}
	if got := Fingerprint([]any{result, own}); got != want {
		t.Fatalf("shared memory is changed differently\nseparate %s\nshared   %s", want, got)
	}
	names := []string{"the result", "the object", "the copy of the object", "the other arguments"}
	if places := shared(names, []any{result, &own, object, others}, func(i, j int) bool { return (i == 0) != (j == 0) }); places != "" {
		t.Fatalf("%s", places)
	}
}
