package admit_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*admit.Namespace)(nil))
	testkit.NilPointer(t, (*admit.Refusal)(nil))
}
