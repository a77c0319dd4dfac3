package quotatree_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*quotatree.Tree)(nil), "Charge", "Give", "Take")
	testkit.NilPointer(t, (*quotatree.Shortage)(nil))
}
