package quota_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// requesting returns a pod that requests an amount of cpu.
func requesting(cpu string) quota.Object {
	return podOf(testkit.Container("app", testkit.List("cpu", cpu), nil))
}

func TestAdmitAll(t *testing.T) {
	q := &corev1.ResourceQuota{}
	q.Name = "compute"
	q.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("requests.cpu", "4", "pods", "9"), Used: testkit.List("requests.cpu", "1", "pods", "7")}
	decisions, after := quota.AdmitAll([]quota.Object{requesting("2"), requesting("2"), {}, requesting("1"), requesting("1m")}, []*corev1.ResourceQuota{nil, q}, quota.AdmitOptions{})
	var errors []string
	for _, d := range decisions {
		text := ""
		if err := d.Failures.Err(); err != nil {
			text = err.Error()
		}
		errors = append(errors, text)
	}
	testkit.NoDiff(t, errors, []string{
		"",
		"exceeded quota: compute, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=4",
		"", // no object
		"", // a smaller one fits
		"exceeded quota: compute, requested: pods=1,requests.cpu=1m, used: pods=9,requests.cpu=4, limited: pods=9,requests.cpu=4",
	})
	if after[0] != nil {
		t.Errorf("a nil quota has become %v", after[0])
	}
	testkit.NoDiff(t, after[1].Status.Used, testkit.List("requests.cpu", "4", "pods", "9"))
	testkit.NoDiff(t, q.Status.Used, testkit.List("requests.cpu", "1", "pods", "7"), "the quota has changed")

	decisions, after = quota.AdmitAll(nil, []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	if len(decisions) != 0 || after[0] == q {
		t.Errorf("%v of no objects; the same quota: %v", decisions, after[0] == q)
	}
	testkit.NoDiff(t, after, []*corev1.ResourceQuota{q})
}

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

// Of equal objects, as many are admitted as Replicas says, the first of them.
func TestAdmitAllOfEqualObjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := requesting(rapid.SampledFrom([]string{"500m", "1", "3"}).Draw(t, "cpu"))
		quotas := drawQuotas(t, object, halves())
		n := rapid.IntRange(0, 9).Draw(t, "objects")
		decisions, _ := quota.AdmitAll(slices.Repeat([]quota.Object{object}, n), quotas, quota.AdmitOptions{})
		admitted := 0
		for i, d := range decisions {
			if len(d.Failures) == 0 {
				testkit.Equal(t, admitted, i, "objects that are admitted before")
				admitted++
			}
		}
		testkit.Equal(t, int64(admitted), min(int64(n), quota.Replicas(object, quotas, quota.AdmitOptions{}).Replicas), "admitted")
	})
}
