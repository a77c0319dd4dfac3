package resourcelist_test

import (
	"maps"
	"math"
	"math/big"
	"regexp"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestInteger(t *testing.T) {
	tests := []struct {
		name   corev1.ResourceName
		amount string
		want   int64
	}{
		{"cpu", "1500m", 1500},
		{"requests.cpu", "1500m", 1500},
		{"limits.cpu", "2", 2000},
		{"cpu", "1n", 1},
		{"cpu", "-1n", -1},
		{"cpu", "1000001n", 2},
		{"cpu", "0", 0},
		{"memory", "1.5Gi", 1610612736},
		{"memory", "1500m", 2},
		{"memory", "-1500m", -2},
		{"memory", "0.1Ki", 103},
		{"pods", "110", 110},
		{"nvidia.com/gpu", "8", 8},
		{"example.com/cpu", "8", 8},
		{"memory", "9Pi", 9 << 50}, // MilliValue wraps around from 9223372036854776k on
		{"memory", "7Ei", 7 << 60},
		{"memory", "8Ei", math.MaxInt64},
		{"cpu", "10P", math.MaxInt64},
		{"cpu", "1E", math.MaxInt64},
		{"cpu", "-1E", math.MinInt64},
		{"memory", "1e30", math.MaxInt64},
		{"memory", "-1e30", math.MinInt64},
		{"cpu", "9223372036854775807m", math.MaxInt64},
		{"cpu", "9223372036854775806m", math.MaxInt64 - 1},
	}
	for _, test := range tests {
		t.Run(string(test.name)+" "+test.amount, func(t *testing.T) {
			testkit.Equal(t, resourcelist.Integer(test.name, resource.MustParse(test.amount)), test.want)
		})
	}
}

func TestQuantity(t *testing.T) {
	tests := []struct {
		name   corev1.ResourceName
		n      int64
		text   string
		format resource.Format
	}{
		{"cpu", 1500, "1500m", resource.DecimalSI},
		{"requests.cpu", 2000, "2", resource.DecimalSI},
		{"limits.cpu", -1, "-1m", resource.DecimalSI},
		{"pods", 110, "110", resource.DecimalSI},
		{"count/pods", 1024, "1024", resource.DecimalSI},
		{"nvidia.com/gpu", 8, "8", resource.DecimalSI},
		{"example.com/memory", 1024, "1024", resource.DecimalSI},
		{"requests.example.com/memory", 1024, "1024", resource.DecimalSI},
		{"memory", 1 << 30, "1Gi", resource.BinarySI},
		{"requests.memory", 1 << 30, "1Gi", resource.BinarySI},
		{"limits.memory", 1000, "1k", resource.BinarySI},
		{"memory", 0, "0", resource.BinarySI},
		{"memory", 1, "1", resource.BinarySI},
		{"memory", -1000, "-1k", resource.BinarySI},
		{"memory", 1023, "1023", resource.BinarySI},
		{"memory", 1025, "1025", resource.BinarySI},
		{"memory", 1073741825, "1073741825", resource.BinarySI},
		{"memory", 2000, "2k", resource.DecimalSI},
		{"memory", 100_000, "100k", resource.DecimalSI},
		{"memory", 1_000_000, "1M", resource.DecimalSI},
		{"memory", -1_000_000, "-1M", resource.DecimalSI},
		{"requests.memory", 1_500_000_000, "1500M", resource.DecimalSI},
		{"hugepages-2Mi", 1_000_000_000_000, "1T", resource.DecimalSI}, // a multiple of 1024 as well
		{"memory", 1_024_000_000, "1024M", resource.DecimalSI},         // 1000000Ki
		{"memory", 1_024_000, "1000Ki", resource.BinarySI},
		{"memory", 512_000, "500Ki", resource.BinarySI},
		{"memory", -1536 << 20, "-1536Mi", resource.BinarySI},
		{"memory", 1000 << 20, "1000Mi", resource.BinarySI},
		{"memory", 1_000_000_000_000_000_000, "1E", resource.DecimalSI},
		{"memory", 9_000_000_000_000_000_000, "9E", resource.DecimalSI},
		{"memory", math.MaxInt64, "9223372036854775807", resource.BinarySI},
		{"memory", math.MinInt64, "-9223372036854775808", resource.BinarySI},
		{"pods", 100_000, "100k", resource.DecimalSI},
		{"ephemeral-storage", 1 << 20, "1Mi", resource.BinarySI},
		{"requests.ephemeral-storage", 1 << 20, "1Mi", resource.BinarySI},
		{"limits.ephemeral-storage", 1 << 20, "1Mi", resource.BinarySI},
		{"storage", 1 << 40, "1Ti", resource.BinarySI},
		{"requests.storage", 1 << 40, "1Ti", resource.BinarySI},
		{"gold.storageclass.storage.k8s.io/requests.storage", 1 << 40, "1Ti", resource.BinarySI},
		{".storageclass.storage.k8s.io/requests.storage", 1 << 10, "1024", resource.DecimalSI},
		{"gold.storageclass.storage.k8s.io/persistentvolumeclaims", 1 << 10, "1024", resource.DecimalSI},
		{"hugepages-2Mi", 4 << 20, "4Mi", resource.BinarySI},
		{"requests.hugepages-2Mi", 4 << 20, "4Mi", resource.BinarySI},
		{"", 1 << 10, "1024", resource.DecimalSI},
	}
	for _, test := range tests {
		t.Run(string(test.name), func(t *testing.T) {
			got := resourcelist.Quantity(test.name, test.n)
			if got.String() != test.text || got.Format != test.format {
				t.Errorf("%s in %s, want %s in %s", got.String(), got.Format, test.text, test.format)
			}
		})
	}
}

func TestIntegers(t *testing.T) {
	type integers = map[corev1.ResourceName]int64
	got := resourcelist.Integers(list("cpu", "1500m", "memory", "1.5Gi", "nvidia.com/gpu", "1"))
	want := integers{"cpu": 1500, "memory": 1610612736, "nvidia.com/gpu": 1}
	testkit.NoDiff(t, got, want, "Integers")
	if got := resourcelist.Integers(nil); got == nil || len(got) > 0 {
		t.Errorf("of nil: %#v", got)
	}
	wantList(t, "OfIntegers", resourcelist.OfIntegers(want), list("cpu", "1500m", "memory", "1536Mi", "nvidia.com/gpu", "1"))
	if got := resourcelist.OfIntegers(nil); got == nil || len(got) > 0 {
		t.Errorf("of no integers: %#v", got)
	}
}

// Of bytes, the number before the suffix is the lesser one of both formats.
func TestQuantityOfBytesIsShort(t *testing.T) {
	suffix := regexp.MustCompile(`[A-Za-z]*$`)
	numberOf := func(n int64, format resource.Format) *big.Int {
		number, ok := new(big.Int).SetString(suffix.ReplaceAllString(resource.NewQuantity(n, format).String(), ""), 10)
		if !ok {
			t.Fatal(n, format)
		}
		return number
	}
	rapid.Check(t, func(t *rapid.T) {
		round := rapid.SampledFrom([]int64{1, 1000, 1_000_000, 1_000_000_000_000, 1 << 10, 1 << 20, 1 << 40, 1_024_000_000}).Draw(t, "round to")
		n := rapid.Int64().Draw(t, "number") / round * round
		got := resourcelist.Quantity("memory", n)
		binary, decimal := numberOf(n, resource.BinarySI), numberOf(n, resource.DecimalSI)
		want := resource.BinarySI
		if decimal.CmpAbs(binary) < 0 {
			want = resource.DecimalSI
		}
		if got.Format != want || got.Value() != n {
			t.Fatalf("%d is %s in %s, want %s: %s in binary and %s in decimal", n, got.String(), got.Format, want, binary, decimal)
		}
	})
}

// Integers equal those of exact fractions, and converting them back gives the same list.
func TestIntegersEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := lists().Draw(t, "list")
		got := resourcelist.Integers(of)
		want := map[corev1.ResourceName]int64{}
		for name, value := range rats(of) {
			want[name] = testkit.RoundedAway(value, unitsPerOne(name))
		}
		testkit.NoDiff(t, got, want)
		back := resourcelist.OfIntegers(got)
		if again := resourcelist.Integers(back); !maps.Equal(got, again) {
			t.Fatalf("there and back: %v, want %v", again, got)
		}
		for name, value := range rats(back) {
			if testkit.RoundedAway(value, unitsPerOne(name)) != got[name] {
				t.Fatalf("%s: %v for %d", name, value, got[name])
			}
		}
		testkit.Contract(t, func() any { return resourcelist.Integers(of) }, of)
		testkit.Contract(t, func() any { return resourcelist.OfIntegers(got) }, got)
		for name, q := range of {
			testkit.Contract(t, func() any { return resourcelist.Integer(name, q) }, &q)
			testkit.Contract(t, func() any { q := resourcelist.Quantity(name, got[name]); return &q })
		}
	})
}
