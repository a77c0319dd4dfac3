package podwalk_test

import (
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// fraction is an amount of arbitrary size; nil is absent.
type fraction struct{ *big.Rat }

func (f fraction) Plus(other fraction) fraction {
	switch {
	case other.Rat == nil:
		return f
	case f.Rat == nil:
		return other
	}
	return fraction{new(big.Rat).Add(f.Rat, other.Rat)}
}

func (f fraction) Max(other fraction) fraction {
	if other.Rat == nil || f.Rat != nil && other.Cmp(f.Rat) <= 0 {
		return f
	}
	return other
}

// The examples of KEP-753, and cases that other implementations get wrong.
func TestSum(t *testing.T) {
	type container struct {
		kind   podwalk.Kind
		amount int64
	}
	const app, initial, sidecar = podwalk.App, podwalk.Init, podwalk.Sidecar
	for name, test := range map[string]struct {
		containers []container
		want       int64
	}{
		"no containers":                           {nil, 0},
		"app containers run together":             {[]container{{app, 1}, {app, 2}}, 3},
		"init containers run one after the other": {[]container{{initial, 2}, {initial, 3}, {app, 1}}, 3},
		"a sidecar runs beside app containers":    {[]container{{sidecar, 1}, {app, 1}}, 2},
		"a sidecar before an init container":      {[]container{{sidecar, 3}, {initial, 5}, {app, 1}}, 8},
		"a sidecar behind an init container":      {[]container{{initial, 10}, {sidecar, 1}, {app, 1}}, 10},
		"sidecars on both sides":                  {[]container{{sidecar, 1}, {initial, 4}, {sidecar, 2}, {app, 3}}, 6},
		"app containers added first":              {[]container{{app, 1}, {sidecar, 3}, {initial, 5}}, 8},
	} {
		var sum podwalk.Sum[fraction]
		var units podwalk.Units
		for _, c := range test.containers {
			sum.Add(c.kind, fraction{big.NewRat(c.amount, 1)})
			units.Add(c.kind, c.amount)
		}
		got := sum.Total()
		if got.Rat == nil {
			got.Rat = new(big.Rat)
		}
		if got.Cmp(big.NewRat(test.want, 1)) != 0 || units.Total() != test.want {
			t.Errorf("%s: Sum %v, Units %d, want %d", name, got, units.Total(), test.want)
		}
	}
}

// A pod needs what its sidecars use while they start, although a later one is negative.
func TestSumOfNegativeSidecars(t *testing.T) {
	var sum podwalk.Sum[fraction]
	for _, amount := range []int64{3, -2} {
		sum.Add(podwalk.Sidecar, fraction{big.NewRat(amount, 1)})
	}
	if got := sum.Total(); got.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("%v, want 3", got)
	}
}

// The sum of absent amounts is absent; a sum with a zero amount is zero.
func TestSumOfAbsentAmounts(t *testing.T) {
	for _, kind := range allKinds {
		var sum podwalk.Sum[fraction]
		sum.Add(kind, fraction{})
		if got := sum.Total(); got.Rat != nil {
			t.Errorf("kind %d: the sum of what is absent is %v", kind, got)
		}
		sum.Add(kind, fraction{new(big.Rat)})
		if got := sum.Total(); got.Rat == nil {
			t.Errorf("kind %d: the sum of zero is absent", kind)
		}
	}
}

func TestSimultaneous(t *testing.T) {
	kinds := []podwalk.Kind{podwalk.Sidecar, podwalk.Init, podwalk.Init, podwalk.Sidecar, podwalk.Init, podwalk.App, podwalk.App}
	want := [][]int{{0, 3, 5, 6}, {0, 1}, {0, 2}, {0, 3, 4}}
	got := podwalk.Simultaneous(kinds)
	testkit.NoDiff(t, got, want)
	for i, set := range got {
		testkit.Equal(t, len(append(set, 99)), len(want[i])+1)
	}
	testkit.NoDiff(t, got, want, "after appending to each of the sets")
}

// The formula, in quantities and in integers, gives the largest sum over containers that run at the same
// time.
func TestSumIsGreatestOfSimultaneous(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inits := rapid.SliceOfN(rapid.SampledFrom([]podwalk.Kind{podwalk.Init, podwalk.Sidecar}), 0, 6).Draw(t, "init containers")
		kinds := inits
		for range rapid.IntRange(0, 3).Draw(t, "app containers") {
			kinds = append(kinds, podwalk.App)
		}
		amounts := rapid.SliceOfN(rapid.Int64Range(0, 5), len(kinds), len(kinds)).Draw(t, "amounts")
		var want int64
		for _, set := range podwalk.Simultaneous(kinds) {
			var sum int64
			for _, i := range set {
				sum += amounts[i]
			}
			want = max(want, sum)
		}
		var sum podwalk.Sum[fraction]
		sum.Add(podwalk.App, fraction{new(big.Rat)})
		var units podwalk.Units
		for i, kind := range kinds {
			sum.Add(kind, fraction{big.NewRat(amounts[i], 1)})
			units.Add(kind, amounts[i])
		}
		if got := sum.Total(); got.Cmp(big.NewRat(want, 1)) != 0 || units.Total() != want {
			t.Fatalf("Sum %v, Units %d, want %d", got, units.Total(), want)
		}
	})
}

func exact(q resource.Quantity) podwalk.Exact {
	return podwalk.ExactIn(corev1.ResourceList{"memory": q}, "memory")
}

// Exact adds, compares and formats as resource.Quantity does, and writes to nothing that it
// was given.
func TestExactIsQuantity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]corev1.ResourceName{"cpu", "memory", "example.com/gpu"}).Draw(t, "name")
		x, y := testkit.Quantity().Draw(t, "x"), testkit.Quantity().Draw(t, "y")
		lists := []corev1.ResourceList{{name: x}, {name: y}}
		before := testkit.Fingerprint(lists)
		a, b := podwalk.ExactIn(lists[0], name), podwalk.ExactIn(lists[1], name)
		sum, most := a.Plus(b), a.Max(b)
		for _, e := range []podwalk.Exact{a, b, sum, most} {
			q := e.Quantity()
			q.Add(resource.MustParse("1")) // is the caller's
		}
		testkit.Equal(t, testkit.Fingerprint(lists), before, "a list has changed")
		wantSum, wantMost := x.DeepCopy(), x.DeepCopy()
		quantity.Add(&wantSum, y)
		if y.Cmp(x) > 0 {
			wantMost = y.DeepCopy()
		}
		for what, test := range map[string]struct {
			got  podwalk.Exact
			want resource.Quantity
		}{"x": {a, x}, "sum": {sum, wantSum}, "greater": {most, wantMost}} {
			got := test.got.Quantity()
			if got.Cmp(test.want) != 0 || got.Format != test.want.Format || !test.got.Set || test.got.Amount.Sign() != test.want.Sign() {
				t.Fatalf("%s = %v %s, want %v %s", what, got.String(), got.Format, test.want.String(), test.want.Format)
			}
		}
	})
}

// Of equal amounts in two formats, the receiver is the greater. A sum has the format of its
// first amount that is not zero, or of the last one.
func TestExactFormats(t *testing.T) {
	binary, decimal := exact(resource.MustParse("1Gi")), exact(resource.MustParse("1073741824"))
	zero := exact(resource.Quantity{Format: resource.DecimalExponent})
	for name, test := range map[string]struct {
		got  podwalk.Exact
		want resource.Format
	}{
		"the greater of 1Gi and 1073741824": {binary.Max(decimal), resource.BinarySI},
		"the greater of 1073741824 and 1Gi": {decimal.Max(binary), resource.DecimalSI},
		"1Gi + 1073741824":                  {binary.Plus(decimal), resource.BinarySI},
		"0 + 1Gi":                           {zero.Plus(binary), resource.BinarySI},
		"1Gi + 0":                           {binary.Plus(zero), resource.BinarySI},
		"0 + 0 in another format":           {exact(resource.Quantity{Format: resource.BinarySI}).Plus(zero), resource.DecimalExponent},
		"0 + 0 + 1Gi":                       {exact(resource.Quantity{}).Plus(zero).Plus(binary), resource.BinarySI},
	} {
		testkit.Equal(t, test.got.Quantity().Format, test.want, name, "format")
	}
}

func TestExactKeepsNoFormat(t *testing.T) {
	for _, q := range []resource.Quantity{{}, {Format: resource.BinarySI}} {
		testkit.Equal(t, podwalk.ExactIn(corev1.ResourceList{"a": q}, "a").Quantity().Format, q.Format)
	}
}

func TestExactAbsent(t *testing.T) {
	absent, one := podwalk.ExactIn(nil, "memory"), exact(resource.MustParse("1"))
	if absent.Set || !absent.Amount.IsZero() {
		t.Errorf("absent: set %v, amount %v", absent.Set, absent.Amount)
	}
	if q := absent.Quantity(); !q.IsZero() {
		t.Errorf("absent is %v", q.String())
	}
	for what, got := range map[string]podwalk.Exact{
		"absent + 1": absent.Plus(one), "1 + absent": one.Plus(absent), "max(absent, 1)": absent.Max(one), "max(1, absent)": one.Max(absent),
	} {
		if got.Amount.Value() != 1 || !got.Set {
			t.Errorf("%s = %d", what, got.Amount.Value())
		}
	}
	if most := absent.Max(exact(resource.MustParse("-1"))); most.Amount.Value() != -1 {
		t.Error("an absent amount is greater than -1")
	}
	if zero := exact(resource.Quantity{}); !zero.Set || !absent.Plus(zero).Set {
		t.Error("zero is absent")
	}
}
