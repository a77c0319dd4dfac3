package noderesources_test

import (
	"testing"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*noderesources.Ledger)(nil), "Add", "Update", "Remove")
	testkit.NilPointer(t, (*noderesources.Cluster)(nil), "AddNode", "UpdateNode", "RemoveNode", "AddPod", "UpdatePod", "RemovePod")
	testkit.NilPointer(t, (*noderesources.Ranking)(nil))
	testkit.NilPointer(t, (*noderesources.FitOptions)(nil))
	for _, err := range []error{(*noderesources.Shortage)(nil), (*noderesources.FitError)(nil), (*noderesources.PreemptError)(nil)} {
		testkit.NilPointer(t, err)
	}
}
