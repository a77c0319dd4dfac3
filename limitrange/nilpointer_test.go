package limitrange_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*limitrange.Policy)(nil))
	testkit.NilPointer(t, (*limitrange.Violation)(nil))
	testkit.NilPointer(t, (*limitrange.Conflict)(nil))
}
