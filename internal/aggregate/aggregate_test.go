package aggregate_test

import (
	"errors"
	"testing"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubemath/kubemath/internal/aggregate"
)

func TestMessageIsThatOfNewAggregate(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	for _, list := range [][]error{{a}, {a, b}, {b, a, b}, {a, a}} {
		got := aggregate.Of(list)
		if want := utilerrors.NewAggregate(list); got.Error() != want.Error() {
			t.Errorf("Of(%v) = %q, want %q", list, got, want)
		}
		for _, err := range list {
			if !errors.Is(got, err) {
				t.Errorf("Of(%v) does not wrap %v", list, err)
			}
		}
	}
}

func TestNoErrors(t *testing.T) {
	if err := aggregate.Of([]error{}); err != nil {
		t.Errorf("Of() = %v, want nil", err)
	}
}

func TestComparable(t *testing.T) {
	x, y := aggregate.Of([]error{errors.New("a")}), aggregate.Of([]error{errors.New("a")})
	if x == y {
		t.Error("two errors are one")
	}
	if x != error(x) {
		t.Error("an error is not itself")
	}
}

func TestUnwrapCopies(t *testing.T) {
	e := aggregate.Of([]error{errors.New("a")})
	e.(*aggregate.Error).Unwrap()[0] = errors.New("b")
	if e.Error() != "a" {
		t.Errorf("the error became %v", e)
	}
}
