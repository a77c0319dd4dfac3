package resourcelist_test

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		list corev1.ResourceList
		want string
	}{
		{nil, ""},
		{list(), ""},
		{list("cpu", "500m"), "cpu=500m"},
		{list("pods", "0", "memory", "1.5Gi", "cpu", "1000m", "nvidia.com/gpu", "-1"), "cpu=1,memory=1536Mi,nvidia.com/gpu=-1,pods=0"},
	} {
		testkit.Equal(t, resourcelist.String(test.list), test.want)
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "250m": "250m", "1536Mi": "1536Mi", "9999m": "9999m", "1280450Mi": "1.2Ti", "12345m": "12.3", "14000m": "14",
		"-12345m": "-12.3", "10240Ki": "10Mi", "999960": "1M", "1234567": "1.2M", "30236Mi": "29.5Gi", "123456789": "123M", "1023999Ki": "1000Mi",
		"1e36": "1e36", "-1001e18": "-1001e18", "2278754192n": "2.3", "512123456n": "512m", "999499999n": "999m", "999500001n": "1",
		"12345n": "12.3u", "-12345u": "-12.3m", "99949u": "99.9m", "99951u": "100m", "5726623061": "5.7G", "12345e0": "12.3k",
	} {
		testkit.Equal(t, resourcelist.Short(resource.MustParse(text)), want, text)
	}
	beyond := *resource.NewQuantity(1e18, resource.BinarySI)
	beyond.Mul(20_000_000)
	testkit.Equal(t, resourcelist.Short(beyond), "20e24")
}

// The text is within 5% of the amount, and short.
func TestShortIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := rapid.OneOf(testkit.Quantity(), testkit.Bytes()).Draw(t, "q")
		text := resourcelist.Short(q)
		stored := q.DeepCopy()
		stored.RoundUp(resource.Nano)
		exact := testkit.Exact(stored)
		off := new(big.Rat).Sub(testkit.Exact(resource.MustParse(text)), exact)
		if bound := new(big.Rat).Mul(exact.Abs(new(big.Rat).Set(exact)), big.NewRat(501, 10_000)); off.Abs(off).Cmp(bound) > 0 {
			t.Fatalf("%v is written as %s", exact, text)
		}
		if large, limit := big.NewRat(1e15, 1), 8; exact.Cmp(large) < 0 && len(text) > limit && q.Format != resource.DecimalExponent {
			t.Fatalf("%v is written as %s, too long", exact, text)
		}
		testkit.Contract(t, func() any { return resourcelist.Short(q) }, &q)
	})
}
