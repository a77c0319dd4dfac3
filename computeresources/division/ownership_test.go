package division_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// bigWholes are amounts that are kept, whole or in parts, behind a pointer.
var bigWholes = map[corev1.ResourceName]string{
	"cpu":            "123456789012345678901234.0005",
	"memory":         "123456789012345678901236.5",
	"nvidia.com/gpu": "1.5Gi",
}

// Parts do not change with the whole, nor with another part.
func TestPartsOwnTheirMemory(t *testing.T) {
	for name, amount := range bigWholes {
		for _, opts := range []division.Options{exact, truncated, toEach} {
			whole := resource.MustParse(amount)
			list := corev1.ResourceList{name: resource.MustParse(amount)}
			parts, _ := division.Divide(name, whole, 7, opts)
			lists, _ := division.List(list, 7, opts)
			testkit.Scramble(&whole)
			testkit.Scramble(list)
			for i := range 7 {
				others := func() []string {
					rest := slices.Clone(parts[i+1:])
					for _, part := range lists[i+1:] {
						rest = append(rest, part[name])
					}
					return texts(rest)
				}
				before := others()
				testkit.Scramble(&parts[i])
				testkit.Scramble(lists[i])
				if after := others(); !slices.Equal(before, after) {
					t.Errorf("%s, after part %d: from %v to %v", name, i, before, after)
				}
			}
		}
	}
}

func TestWeightedPartsOwnTheirMemory(t *testing.T) {
	for name, amount := range bigWholes {
		for _, toEach := range []bool{false, true} {
			whole := resource.MustParse(amount)
			want := whole.AsDec().String()
			parts, _ := division.Weighted(name, whole, []int64{1, 2, 2}, division.Options{ToEach: toEach})
			for i := range parts {
				others := texts(parts[i+1:])
				testkit.Scramble(&parts[i])
				for j, text := range texts(parts[i+1:]) {
					if text != others[j] {
						t.Errorf("%s: part %d changed part %d", name, i, i+1+j)
					}
				}
			}
			if got := whole.AsDec().String(); got != want {
				t.Errorf("%s: the parts changed the whole from %s to %s", name, want, got)
			}
		}
	}
}
