package affinity_test

import (
	"testing"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*affinity.Collision)(nil))
}
