package quota_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// AdmitAll is Admit and After for each object in turn.
func TestAdmitAllEqualsSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []quota.Object
		for range rapid.IntRange(0, 6).Draw(t, "objects") {
			list = append(list, objects(halves()).Draw(t, "object").object)
		}
		var names []corev1.ResourceName
		for _, o := range list {
			names = append(names, namesFor(o)...)
		}
		slices.Sort(names)
		var quotas []*corev1.ResourceQuota
		for _, name := range []string{"a", "b"}[:rapid.IntRange(0, 2).Draw(t, "quotas")] {
			quotas = append(quotas, testkit.ResourceQuota(name, append(slices.Compact(names), "pods"), halves()).Draw(t, "quota"))
		}
		decisions, after := quota.AdmitAll(list, quotas, quota.AdmitOptions{})
		current := quotas
		for i, object := range list {
			want := quota.Admit(quota.Object{}, object, current, quota.AdmitOptions{})
			testkit.NoDiff(t, decisions[i].Failures, want.Failures, "of object", i)
			testkit.NoDiff(t, decisions[i].Unenforced, want.Unenforced, "unenforced, of object", i)
			testkit.Equal(t, decisions[i].Applies, want.Applies, "applies, of object", i)
			if len(want.Failures) == 0 {
				current = want.After(current)
			}
		}
		testkit.Equal(t, len(decisions), len(list), "decisions")
		for i := range current {
			testkit.NoDiff(t, testkit.Texts(after[i].Status.Used), testkit.Texts(current[i].Status.Used), "used, of", after[i].Name)
		}
	})
}
