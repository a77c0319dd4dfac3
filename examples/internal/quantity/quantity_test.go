package quantity_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// There are suffixes up to E and Ei. Beyond them, nothing may be lost either.
func TestCanonicalBeyondSuffixes(t *testing.T) {
	for _, format := range []resource.Format{resource.DecimalSI, resource.BinarySI, resource.DecimalExponent} {
		for factor, want := range map[int64]string{1000: "1e21", 1001: "1001e18", 20_000_000: "20e24", -1000: "-1e21"} {
			q := *resource.NewQuantity(1e18, format)
			q.Mul(factor)
			if got := quantity.Canonical(q); got != want {
				t.Errorf("%d E in %s: %s, want %s", factor, format, got, want)
			}
		}
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "250m": "250m", "1536Mi": "1536Mi", "9999m": "9999m", "1280450Mi": "1.2Ti", "12345m": "12.3", "14000m": "14",
		"-12345m": "-12.3", "10240Ki": "10Mi", "999960": "1M", "1234567": "1.2M", "30236Mi": "29.5Gi", "123456789": "123M", "1023999Ki": "1000Mi",
		"1e36": "1e36", "12345n": "12345n",
	} {
		if got := quantity.Short(resource.MustParse(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
