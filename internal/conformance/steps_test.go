package conformance

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	api "k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// bounds draws amounts of manifests, and some whose ratio floating point numbers round.
func bounds() *rapid.Generator[resource.Quantity] {
	odd := rapid.Map(rapid.SampledFrom([]string{"0", "1m", "40m", "161m", "333m", "334m", "1", "1001m", "2", "4025m", "1n", "1.5Gi"}), resource.MustParse)
	return rapid.OneOf(testkit.Ordinary(), odd, testkit.Bytes())
}

func aboveZero(list corev1.ResourceList) corev1.ResourceList {
	maps.DeleteFunc(list, func(_ corev1.ResourceName, q resource.Quantity) bool { return q.Sign() <= 0 })
	return list
}

// If Fit reports nothing as unmet, LimitRanger admits the pod and sets no defaults.
func TestFitPassesTheLimitRanger(t *testing.T) {
	fitted := 0
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(bounds()).Draw(t, "spec")
		list := func(label string) corev1.ResourceList {
			return testkit.ResourceList(bounds()).Draw(t, label)
		}
		item := corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Min: list("min"), Max: list("max"),
			DefaultRequest: aboveZero(list("default request")), Default: aboveZero(list("default")),
		}
		if rapid.Bool().Draw(t, "with ratio") {
			ratios := rapid.Map(rapid.SampledFrom([]string{"1", "1500m", "2", "4025m", "10", "1001m"}), resource.MustParse)
			item.MaxLimitRequestRatio = testkit.ResourceList(ratios).Draw(t, "ratio")
		}
		_, unmet := steps.Fit(spec, item, nil, division.Options{})
		for _, u := range unmet {
			for _, bounds := range []corev1.ResourceList{item.Min, item.Max, item.MaxLimitRequestRatio} {
				delete(bounds, u.Resource)
			}
		}
		changes, unmet := steps.Fit(spec, item, nil, division.Options{})
		if len(unmet) > 0 {
			t.Fatalf("unmet without bounds: %v", unmet)
		}
		fitted += len(changes)
		testkit.OK(t, computeresources.ApplyChanges(spec, changes))
		pod := &api.Pod{}
		testkit.OK(t, v1.Convert_v1_PodSpec_To_core_PodSpec(spec.DeepCopy(), &pod.Spec, nil))
		limitRange := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
		if err := oracle.PodViolations(limitRange.DeepCopy(), pod, nil); err != nil {
			t.Fatalf("after %v: %v", changes, err)
		}
		testkit.OK(t, limitranger.PodMutateLimitFunc(limitRange.DeepCopy(), pod))
		testkit.Equal(t, pod.Annotations["kubernetes.io/limit-ranger"], "", "after", changes)
	})
	if fitted == 0 {
		t.Error("nothing was ever changed")
	}
}
