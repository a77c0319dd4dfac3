package quota_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestNilPointers(t *testing.T) {
	testkit.NilPointer(t, (*quota.Failure)(nil))
}
