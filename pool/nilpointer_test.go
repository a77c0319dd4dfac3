package pool_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*pool.Record)(nil))
	testkit.NilPointer(t, (*pool.Allocation)(nil))
}
