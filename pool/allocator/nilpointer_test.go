package allocator_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*allocator.Allocator)(nil), "Set", "Delete", "Release", "SetPool")
	if names := (*allocator.Allocator)(nil).SetPool(&pool.ResourcePool{}); names != nil {
		t.Error(names)
	}
}
