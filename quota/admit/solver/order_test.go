package solver_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// rivals draws two or three LimitRanges with defaults of the same resources, and bounds.
func rivals(t *rapid.T) (ranges []*corev1.LimitRange) {
	list := func(label string, often int, amounts ...string) corev1.ResourceList {
		drawn := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage"} {
			if rapid.IntRange(1, often).Draw(t, label) == 1 {
				drawn[name] = resource.MustParse(rapid.SampledFrom(amounts).Draw(t, string(name)))
			}
		}
		return drawn
	}
	for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(2, 3).Draw(t, "LimitRanges")] {
		lr := rangeOf(name, corev1.LimitRangeItem{
			Type: corev1.LimitTypeContainer, Default: list("default", 2, "1", "2", "3"), DefaultRequest: list("default request", 2, "500m", "1", "2"),
			Max: list("max", 3, "2", "3"), Min: list("min", 3, "500m", "1"), MaxLimitRequestRatio: list("ratio", 4, "1", "2"),
		})
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admit.Options{}); err == nil {
			lr.Spec.Limits[0] = limitrange.WithDefaults(lr.Spec.Limits[0])
			ranges = append(ranges, lr)
		}
	}
	return ranges
}

// A pod with the changes of Apply is admitted in every order of LimitRanges, although the pod as it was may be refused in
// some: every amount that a LimitRange has a default for is set.
func TestAppliedPodsAreAdmittedInEveryOrder(t *testing.T) {
	depends := 0
	rapid.Check(t, func(t *rapid.T) {
		ranges := rivals(t)
		always := corev1.ContainerRestartPolicyAlways
		pod := &corev1.Pod{Spec: corev1.PodSpec{
			Containers:     []corev1.Container{{Name: "app"}, {Name: "proxy"}},
			InitContainers: []corev1.Container{{Name: "setup"}, {Name: "log", RestartPolicy: &always}}[:rapid.IntRange(0, 2).Draw(t, "init containers")],
		}}
		pod.Name = "web"
		if rapid.Bool().Draw(t, "limited") {
			pod.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
		}
		if rapid.IntRange(0, 3).Draw(t, "pod level") == 0 {
			pod.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "8", "memory", "16")}
		}
		hard := testkit.List("requests.cpu", rapid.SampledFrom([]string{"2", "9"}).Draw(t, "hard"))
		q := quotaOf("requests.cpu", "0", "0")
		q.Status.Hard, q.Status.Used = hard, testkit.List("requests.cpu", "0")
		namespace, err := admit.Compile(ranges, []*corev1.ResourceQuota{q}, admit.Options{})
		if err != nil {
			t.Fatalf("%v", err)
		}
		before := namespace.Possible(nil, pod, admit.Attributes{})
		if _, err := solver.Apply(&pod.Spec, solver.Input{LimitRanges: ranges, Quotas: []*corev1.ResourceQuota{q}}); err != nil {
			return // no amounts are admitted
		}
		if before.Depends {
			depends++
		}
		o := namespace.Possible(nil, pod, admit.Attributes{})
		if !o.Always || len(o.Decisions) != 1 || len(o.Decisions[0].Changes) > 0 {
			t.Fatalf("%d decisions, admitted in every order %v, first %v, changes %v", len(o.Decisions), o.Always, o.Decisions[0].Err(), o.Decisions[0].Changes)
		}
	})
	if !testing.Short() && depends == 0 {
		t.Error("no pod depended on the order before")
	}
}
