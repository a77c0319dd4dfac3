package solver_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*solver.ConflictError)(nil))
}
