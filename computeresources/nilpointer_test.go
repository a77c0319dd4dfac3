package computeresources_test

import (
	"testing"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*computeresources.InvalidResource)(nil))
	testkit.NilPointer(t, (*computeresources.ResizeProblem)(nil))
	testkit.NilPointer(t, (*computeresources.FieldError)(nil))
}
