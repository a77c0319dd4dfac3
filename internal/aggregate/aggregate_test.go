package aggregate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/testkit"
)

// code is an error that errors.As can find.
type code int

func (c code) Error() string { return fmt.Sprint("code ", int(c)) }

func TestOf(t *testing.T) {
	sentinel := errors.New("a")
	for _, test := range []struct {
		name string
		errs []error
		want string
	}{
		{"one", []error{sentinel}, "a"},
		{"two", []error{sentinel, code(2)}, "[a, code 2]"},
		{"one message twice", []error{sentinel, errors.New("a")}, "a"},
		{"nested", []error{aggregate.Of([]error{sentinel, code(2)}), code(2), utilerrors.NewAggregate([]error{code(1)})}, "[a, code 2, code 1]"},
		{"equal messages", []error{code(2), sentinel, code(2)}, "[code 2, a]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := aggregate.Of(test.errs)
			testkit.Equal(t, err.Error(), test.want, err)
			if theirs := utilerrors.NewAggregate(test.errs); theirs.Error() != test.want {
				t.Errorf("NewAggregate says %q, the table %q", theirs, test.want)
			}
			if !errors.Is(err, sentinel) || errors.Is(err, code(3)) {
				t.Errorf("a in it: %v, code 3 in it: %v", errors.Is(err, sentinel), errors.Is(err, code(3)))
			}
			var c code
			if found := errors.As(err, &c); found != strings.Contains(test.want, "code") || found && c != 2 {
				t.Errorf("the code in it is %d, %v", c, found)
			}
			list, is := err.(utilerrors.Aggregate)
			if !is || !list.Is(sentinel) || len(list.Errors()) != len(test.errs) {
				t.Fatalf("%v is not the aggregate of %v", list, test.errs)
			}
			list.Errors()[0] = nil
			if list.Errors()[0] == nil {
				t.Error("the list of errors is shared")
			}
			if other := aggregate.Of(test.errs); err == other {
				t.Error("two aggregates are one error")
			}
		})
	}
	for _, none := range [][]error{nil, {}} {
		if err := aggregate.Of(none); err != nil {
			t.Errorf("no errors: %v", err)
		}
	}
}

func TestPointers(t *testing.T) {
	list := []code{1, 2}
	if got := aggregate.Pointers(list); len(got) != 2 || got[0] != &list[0] || got[1] != &list[1] {
		t.Errorf("of %v: %v", list, got)
	}
	testkit.NoDiff(t, aggregate.Pointers([]code{}), nil, "of nothing")
}

// NewAggregate copies the message for each error.
func TestLongMessage(t *testing.T) {
	testkit.GrowsLinearly(t, 500, func(n int) func() {
		errs := make([]code, n)
		for i := range errs {
			errs[i] = code(i)
		}
		return func() {
			if !strings.HasPrefix(aggregate.Of(errs).Error(), "[code 0, code 1, ") {
				t.Error("another message")
			}
		}
	})
}

func TestInvalid(t *testing.T) {
	kind := schema.GroupKind{Group: "apps", Kind: "Deployment"}
	path := field.NewPath("spec")
	one, two := field.Required(path.Child("a"), "say it"), field.Invalid(path.Child("b"), 3, "too many")
	for _, errs := range []field.ErrorList{nil, {}, {one}, {one, two}, {two, one, two}} {
		testkit.NoDiff(t, aggregate.Invalid(kind, "web", errs).ErrStatus, apierrors.NewInvalid(kind, "web", errs).ErrStatus, fmt.Sprint(errs))
	}
	testkit.GrowsLinearly(t, 500, func(n int) func() {
		errs := make(field.ErrorList, n)
		for i := range errs {
			errs[i] = field.Invalid(path.Index(i), i, "invalid")
		}
		return func() {
			if !strings.Contains(aggregate.Invalid(kind, "web", errs).Error(), "spec[1]") {
				t.Error("another message")
			}
		}
	})
}
