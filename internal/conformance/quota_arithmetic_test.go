package conformance

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestQuotaArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := testkit.ResourceList(quantityRanges["any quantity"])
		a, b := lists.Draw(t, "a"), lists.Draw(t, "b")
		x, y := resourcelist.ResourceNames(a), resourcelist.ResourceNames(b)
		same := func(what string, theirs, ours corev1.ResourceList) {
			testkit.NoDiff(t, ours, theirs, what)
		}
		sameNames := func(what string, theirs, ours []corev1.ResourceName) {
			slices.Sort(theirs)
			if !reflect.DeepEqual(theirs, ours) {
				t.Fatalf("%s: %#v, upstream %#v", what, ours, theirs)
			}
		}
		same("Add", upstream.Add(a.DeepCopy(), b.DeepCopy()), resourcelist.Add(a, b))
		same("Max", upstream.Max(a.DeepCopy(), b.DeepCopy()), resourcelist.Max(a, b))
		same("Mask", upstream.Mask(a.DeepCopy(), y), resourcelist.Mask(a, y))
		same("RemoveZeros", upstream.RemoveZeros(a.DeepCopy()), resourcelist.RemoveZeros(a))
		if !holdsLeast(a, b) {
			same("Subtract", upstream.Subtract(a.DeepCopy(), b.DeepCopy()), resourcelist.Subtract(a, b))
			same("SubtractWithNonNegativeResult", upstream.SubtractWithNonNegativeResult(a.DeepCopy(), b.DeepCopy()), resourcelist.SubtractWithNonNegativeResult(a, b))
		}
		within, exceeded := upstream.LessThanOrEqual(a.DeepCopy(), b.DeepCopy())
		ourWithin, ourExceeded := resourcelist.LessThanOrEqual(a, b)
		if within != ourWithin || upstream.Equals(a, b) != resourcelist.Equals(a, b) || upstream.IsZero(a) != resourcelist.IsZero(a) {
			t.Fatal("comparison")
		}
		sameNames("exceeded", exceeded, ourExceeded)
		sameNames("IsNegative", upstream.IsNegative(a), resourcelist.IsNegative(a))
		sameNames("ResourceNames", upstream.ResourceNames(a), x)
	})
}

// holdsLeast reports whether a list has the smallest int64, at any scale: see
// TestDivergenceSubtractLeast.
func holdsLeast(lists ...corev1.ResourceList) bool {
	for _, list := range lists {
		for _, q := range list {
			if d := q.AsDec(); d.UnscaledBig().IsInt64() && d.UnscaledBig().Int64() == math.MinInt64 {
				return true
			}
		}
	}
	return false
}

// Up to 1.37, upstream subtracts by adding the negation, and the smallest int64 is its own negation.
// See docs/decisions/quota.md#sums-and-differences-are-exact.
func TestDivergenceSubtractLeast(t *testing.T) {
	a := corev1.ResourceList{"cpu": resource.MustParse("1")}
	b := corev1.ResourceList{"cpu": *resource.NewQuantity(math.MinInt64, resource.DecimalSI)}
	want := testkit.List("cpu", "9223372036854775809")
	testkit.NoDiff(t, resourcelist.Subtract(a, b), want)
	if differs := oracle.Release < "1.38"; cmp.Equal(want, upstream.Subtract(a, b)) == differs {
		t.Errorf("upstream of %s differs: %t", oracle.Release, !differs)
	}
}

// Since 1.38, upstream adds quantities whose last digits are more than 29 places apart after it has rounded the smaller
// one up.
// See docs/decisions/quota.md#sums-and-differences-are-exact.
func TestDivergenceSumOfFarAmounts(t *testing.T) {
	a, b := testkit.List("memory", "1e30"), testkit.List("memory", "1")
	want := "1000000000000000000000000000001"
	ours, theirs := resourcelist.Add(a, b), upstream.Add(a, b)
	testkit.Equal(t, ours.Memory().AsDec().String(), want, "ours")
	if oracle.Release >= "1.38" {
		want = "1000000000000000000000000000010"
	}
	testkit.Equal(t, theirs.Memory().AsDec().String(), want, "theirs")
}

// Of two equal amounts, upstream's maximum has the format of the second.
// See docs/decisions/computeresources.md#extremes-keep-the-first.
func TestDivergenceMaxOfEqualAmounts(t *testing.T) {
	a, b := testkit.List("memory", "1Gi"), testkit.List("memory", "1073741824")
	testkit.NoDiff(t, resourcelist.Max(a, b), a, testkit.AsWritten())
	if diff := cmp.Diff(b, upstream.Max(a, b), testkit.AsWritten()); diff != "" {
		t.Errorf("upstream no longer differs (-want +got):\n%s", diff)
	}
}

// Fits is what the admission plugin does with a request after RemoveZeros.
func TestQuotaFits(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				lists := testkit.ResourceList(quantities)
				hard, used, requested := lists.Draw(t, "hard"), lists.Draw(t, "used"), lists.Draw(t, "requested")
				for name, q := range requested {
					if q.Sign() <= 0 {
						delete(requested, name)
					}
				}
				fits, exceeded := upstreamFits(hard.DeepCopy(), used.DeepCopy(), requested.DeepCopy())
				testkit.Equal(t, quota.WithinHard(requested, used, hard), fits, "Fits")
				slices.Sort(exceeded)
				var ours []corev1.ResourceName
				for _, f := range quota.FailuresOf(requested, used, hard, "q") {
					ours = append(ours, f.Resources...)
				}
				testkit.NoDiff(t, ours, exceeded, cmpopts.EquateEmpty(), "FailuresOf")
			})
		})
	}
}

func upstreamFits(hard, used, requested corev1.ResourceList) (bool, []corev1.ResourceName) {
	masked := upstream.Mask(requested, upstream.ResourceNames(hard))
	sum := upstream.Mask(upstream.Add(used, masked), upstream.ResourceNames(masked))
	return upstream.LessThanOrEqual(sum, hard)
}
