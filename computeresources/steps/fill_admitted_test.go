package steps_test

import (
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// If the API server stores a pod unchanged in a namespace, it also stores the pod after Fill,
// with all its validation and any order of the LimitRanges.
func TestFillIsAdmittedWhereUntouchedWas(t *testing.T) {
	admitted, several := 0, 0 // cases, and the most LimitRanges of one
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(ascending))), 1, 4, rapid.ID).Draw(t, "resources")
		slices.Sort(names)
		ranges, spec, isStep := ordinaryRanges(names).Draw(t, "ranges"), ordinarySpecs(names).Draw(t, "spec"), predicates(t)
		opts := steps.Options{
			Division: divisions(t), StepsOnly: rapid.Bool().Draw(t, "steps only"),
			SingleRange: len(ranges) == 1 && rapid.Bool().Draw(t, "single"),
		}
		changes, conflicts := steps.Fill(spec, limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer), isStep, opts)
		filled := apply(t, spec, changes)
		for _, order := range orders(ranges) {
			namespace, err := admit.Compile(order, nil, admit.Options{})
			if err != nil {
				continue // the API server stores no such LimitRange
			}
			if !namespace.Create(podOf(spec), admit.Attributes{}).Admitted() {
				continue
			}
			if after := namespace.Create(podOf(filled), admit.Attributes{}); !after.Admitted() {
				t.Fatalf("rejected after %v, with %v conflicts: %v", sentences(changes), sentences(conflicts), after.Err())
			}
			if len(changes) > 0 {
				admitted++
				several = max(several, len(ranges))
			}
		}
	})
	if !testing.Short() && (admitted == 0 || several < 2) {
		t.Errorf("%d pods were filled in and admitted, at most under %d LimitRanges", admitted, several)
	}
}

func podOf(spec *corev1.PodSpec) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ci", Name: "build"}, Spec: *spec}
}
