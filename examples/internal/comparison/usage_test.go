package comparison_test

import (
	"testing"

	"github.com/kubemath/kubemath/examples/internal/comparison"
)

func TestPart(t *testing.T) {
	half := int64(50)
	if got := (comparison.Usage{Percent: &half}).Part(); got != 50 {
		t.Error(got)
	}
	if got := (comparison.Usage{Used: "1"}).Part(); got != 0 {
		t.Error(got)
	}
}
