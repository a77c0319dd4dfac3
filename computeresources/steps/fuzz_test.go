package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For any bounds and amounts of two containers: if Fit reports no conflict, the LimitRanger
// admits the result, and neither Fit nor Fill changes anything afterwards.
func FuzzFit(f *testing.F) {
	f.Add("cpu", "1", "2", "300m", "3", "", "200m", "2", "1", "4")
	f.Add("memory", "1.5Gi", "-1", "1n", "1E", "4025m", "", "0", "40m", "161m")
	f.Add("nvidia.com/gpu", "1", "1", "0", "2", "1", "", "", "2", "1")
	f.Add("hugepages-2Mi", "", "", "2", "1", "0", "1", "", "", "1")
	f.Fuzz(func(t *testing.T, name, defaultRequest, defaultLimit, least, most, ratio, requestA, limitA, requestB, limitB string) {
		resource := corev1.ResourceName(name)
		list := func(amount string) corev1.ResourceList {
			if q, ok := testkit.Parse(amount); ok {
				return corev1.ResourceList{resource: q}
			}
			return nil
		}
		item := bounded(list(defaultRequest), list(defaultLimit), list(least), list(most), list(ratio))
		newSpec := func() *corev1.PodSpec {
			return pod(testkit.Container("step-a", list(requestA), list(limitA)), testkit.Container("b", list(requestB), list(limitB)), testkit.Container("step-c", nil, nil))
		}
		spec := newSpec()
		changes, conflicts := steps.Fit(spec, item, steps.TektonStep, steps.Options{})
		if err := computeresources.ApplyChanges(spec, changes); err != nil {
			t.Fatal(err)
		}
		failed := map[computeresources.Ref]bool{}
		for _, u := range conflicts {
			failed[u.Ref] = true
		}
		for ref, c := range computeresources.Containers(spec) {
			if found := rejections(c, item, resource); !failed[ref] && len(found) > 0 {
				t.Errorf("%v is rejected by %q after %v", ref, found, sentences(changes))
			}
		}
		if more, _ := steps.Fit(spec, item, steps.TektonStep, steps.Options{}); len(more) > 0 {
			t.Errorf("%v, and then %v", sentences(changes), sentences(more))
		}
		spec = newSpec()
		changes, _ = steps.Fill(spec, item, steps.TektonStep, steps.Options{})
		if err := computeresources.ApplyChanges(spec, changes); err != nil {
			t.Fatal(err)
		}
		if more, _ := steps.Fill(spec, item, steps.TektonStep, steps.Options{}); len(more) > 0 {
			t.Errorf("%v, and then %v", sentences(changes), sentences(more))
		}
		for _, c := range changes {
			to, limit := testkit.Exact(*c.To), exact(spec.Containers[c.Ref.Index].Resources.Limits, resource)
			if limit.Sign() > 0 && to.Cmp(limit) > 0 {
				t.Errorf("%v, which is above the limit %v", c, limit)
			}
		}
	})
}
