package resourcelist_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

// binary are the functions of two lists: fresh, into a list, and in fractions.
var binary = map[string]struct {
	fresh func(a, b corev1.ResourceList) corev1.ResourceList
	into  func(dst, a, b corev1.ResourceList) corev1.ResourceList // or nil
	slow  func(a, b *big.Rat) *big.Rat                            // of a and b; both may be nil
}{
	"Add": {resourcelist.Add, resourcelist.AddInto, func(a, b *big.Rat) *big.Rat {
		return new(big.Rat).Add(orZero(a), orZero(b))
	}},
	"Subtract": {resourcelist.Subtract, resourcelist.SubtractInto, func(a, b *big.Rat) *big.Rat {
		return new(big.Rat).Sub(orZero(a), orZero(b))
	}},
	"SubtractWithNonNegativeResult": {resourcelist.SubtractWithNonNegativeResult, nil, func(a, b *big.Rat) *big.Rat {
		if difference := new(big.Rat).Sub(orZero(a), orZero(b)); a != nil && difference.Sign() > 0 {
			return difference
		}
		return new(big.Rat)
	}},
	"Max": {func(a, b corev1.ResourceList) corev1.ResourceList { return resourcelist.Max(a, b) }, resourcelist.MaxInto, func(a, b *big.Rat) *big.Rat {
		if a == nil || b != nil && b.Cmp(a) > 0 {
			return b
		}
		return a
	}},
	"Min": {func(a, b corev1.ResourceList) corev1.ResourceList { return resourcelist.Min(a, b) }, nil, func(a, b *big.Rat) *big.Rat {
		switch {
		case a == nil || b == nil:
			return nil
		case b.Cmp(a) < 0:
			return b
		}
		return a
	}},
	"Overlay": {resourcelist.Overlay, nil, func(a, b *big.Rat) *big.Rat {
		if a == nil {
			return b
		}
		return a
	}},
	"Sum": {func(a, b corev1.ResourceList) corev1.ResourceList { return resourcelist.Sum(a, b, a) },
		nil,
		func(a, b *big.Rat) *big.Rat {
			return new(big.Rat).Add(new(big.Rat).Add(orZero(a), orZero(a)), orZero(b))
		}},
	"Mask": {maskByList, nil, func(a, b *big.Rat) *big.Rat {
		if b == nil {
			return nil
		}
		return a
	}},
	"SubtractKeepNames": {resourcelist.SubtractKeepNames, nil, func(a, b *big.Rat) *big.Rat {
		if a == nil {
			return nil
		}
		return new(big.Rat).Sub(a, orZero(b))
	}},
	"Restrict": {func(a, b corev1.ResourceList) corev1.ResourceList {
		return resourcelist.Restrict(a, resourcelist.ResourceNames(b))
	}, nil, func(a, b *big.Rat) *big.Rat {
		if b == nil {
			return nil
		}
		return orZero(a)
	}},
	"RemoveZeros": {func(a, _ corev1.ResourceList) corev1.ResourceList { return resourcelist.RemoveZeros(a) },
		nil,
		func(a, _ *big.Rat) *big.Rat {
			if a != nil && a.Sign() == 0 {
				return nil
			}
			return a
		}},
}

func maskByList(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Mask(a, resourcelist.ResourceNames(b))
}

func orZero(r *big.Rat) *big.Rat {
	if r == nil {
		return new(big.Rat)
	}
	return r
}

func rats(list corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
	m := map[corev1.ResourceName]*big.Rat{}
	for name, q := range list {
		m[name] = testkit.Exact(q)
	}
	return m
}

var exactly = cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })

func lists() *rapid.Generator[corev1.ResourceList] { return testkit.ResourceList(testkit.Quantity()) }

func TestBinaryEqualSlow(t *testing.T) {
	for name, f := range binary {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := lists().Draw(t, "a"), lists().Draw(t, "b")
				testkit.Contract(t, func() any { return f.fresh(a, b) }, a, b)
				x, y := rats(a), rats(b)
				want := map[corev1.ResourceName]*big.Rat{}
				for _, name := range testkit.ResourceNames {
					if r := f.slow(x[name], y[name]); r != nil && (x[name] != nil || y[name] != nil) {
						want[name] = r
					}
				}
				check := func(what string, got corev1.ResourceList) {
					if got == nil {
						t.Fatalf("%s: nil", what)
					}
					testkit.NoDiff(t, rats(got), want, exactly, what)
				}
				check("fresh", f.fresh(a, b))
				if f.into == nil {
					return
				}
				check("into nil", f.into(nil, a, b))
				used := testkit.List("cpu", "7", "memory", "1.5Gi", "left", "1")
				check("into a used list", f.into(used, a, b))
				check("in the used list", used)
				if a != nil {
					into := a.DeepCopy()
					check("into a", f.into(into, into, b))
				}
				if b != nil {
					into := b.DeepCopy()
					check("into b", f.into(into, a, into))
				}
			})
		})
	}
}

// A list that is both arguments and the destination.
func TestIntoItself(t *testing.T) {
	one := list("cpu", "1.5", "memory", "1.5Gi")
	wantList(t, "Add", resourcelist.AddInto(one, one, one), list("cpu", "3", "memory", "3Gi"))
	wantList(t, "Subtract", resourcelist.SubtractInto(one, one, one), list("cpu", "0", "memory", "0"))
}

func TestComparisonsKeepTheContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := lists().Draw(t, "a"), lists().Draw(t, "b")
		x, y := resourcelist.ResourceNames(a), resourcelist.ResourceNames(b)
		testkit.Contract(t, func() any {
			_, exceeded := resourcelist.LessThanOrEqual(a, b)
			return []any{
				resourcelist.Equals(a, b), exceeded, resourcelist.IsZero(a), resourcelist.IsNegative(a), resourcelist.ResourceNames(a),
				resourcelist.Fits(a, b), resourcelist.Insufficient(a, b), resourcename.AnyPodLevel(a), resourcename.PodLevelNames(), resourcelist.String(a),
			}
		}, a, b, x, y)
		exceeding, below, isZero := names{}, names{}, true
		for _, name := range x {
			amount, limit := rats(a)[name], rats(b)[name]
			isZero = isZero && amount.Sign() == 0
			if amount.Sign() < 0 {
				below = append(below, name)
			}
			if limit != nil && amount.Cmp(limit) > 0 {
				exceeding = append(exceeding, name)
			}
		}
		if within, exceeded := resourcelist.LessThanOrEqual(a, b); within != (len(exceeding) == 0) || !slices.Equal(exceeded, exceeding) {
			t.Fatalf("LessThanOrEqual = %v, %v, want %v", within, exceeded, exceeding)
		}
		if negative := resourcelist.IsNegative(a); !slices.Equal(negative, below) || resourcelist.IsZero(a) != isZero {
			t.Fatalf("IsNegative = %v, want %v; IsZero = %v", negative, below, resourcelist.IsZero(a))
		}
		if resourcelist.Equals(a, b) != cmp.Equal(rats(a), rats(b), exactly) {
			t.Fatalf("Equals = %v", resourcelist.Equals(a, b))
		}
	})
}
