package whatif_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*whatif.Cluster)(nil))
}
