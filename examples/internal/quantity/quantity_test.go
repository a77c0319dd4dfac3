package quantity_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// There are suffixes up to E and Ei. Beyond them, nothing may be lost either.
func TestCanonicalBeyondSuffixes(t *testing.T) {
	for _, format := range []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent} {
		for factor, want := range map[int64]string{1000: "1e21", 1001: "1001e18", 20_000_000: "20e24", -1000: "-1e21"} {
			q := *resource.NewQuantity(1e18, format)
			q.Mul(factor)
			testkit.Equal(t, quantity.Canonical(q), want, factor, "E in", format)
		}
	}
}

// What is not set has a text of its own.
func TestCanonicalOr(t *testing.T) {
	q := resource.MustParse("1000m")
	if got := quantity.CanonicalOr(nil, "none") + quantity.CanonicalOr(&q, "none"); got != "none1" {
		t.Error(got)
	}
}
