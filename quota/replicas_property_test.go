package quota_test

import (
	"math"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// drawQuotas draws quotas that name what an object uses.
func drawQuotas(t *rapid.T, object quota.Object, quantities *rapid.Generator[resource.Quantity]) (quotas []*corev1.ResourceQuota) {
	usage := object.Usage()
	names := append(resourcelist.ResourceNames(usage), "services", "cpu")
	replicas := rapid.SampledFrom([]int64{1, 2, 2}).Draw(t, "replicas")
	for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(0, 3).Draw(t, "quotas")] {
		q := testkit.ResourceQuota(name, names, quantities).Draw(t, "quota")
		if rapid.Bool().Draw(t, "for these replicas") {
			for name, used := range q.Status.Used {
				q.Status.Hard[name] = resourcelist.Sum(corev1.ResourceList{name: used}, resourcelist.Mask(resourcelist.Multiply(usage, replicas), []corev1.ResourceName{name}))[name]
			}
		}
		quotas = append(quotas, q)
	}
	return quotas
}

// halves draws few amounts, so that a few replicas fit.
func halves() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.IntRange(0, 12), func(n int) resource.Quantity { return *resource.NewMilliQuantity(int64(n)*500, resource.DecimalSI) })
}

// withReplicas returns copies of quotas with n equal objects in their usage.
func withReplicas(quotas []*corev1.ResourceQuota, object quota.Object, n int64) (after []*corev1.ResourceQuota) {
	for _, q := range quotas {
		own := q.DeepCopy()
		if matched, err := object.Matches(q); matched && err == nil {
			for name, one := range object.Usage() {
				if used, known := own.Status.Used[name]; known {
					all := resourcelist.Multiply(corev1.ResourceList{name: one}, n)
					own.Status.Used[name] = resourcelist.Add(corev1.ResourceList{name: used}, all)[name]
				}
			}
		}
		after = append(after, own)
	}
	return after
}

// Exactly the reported number of replicas is admitted, one after the other.
func TestReplicasAreAdmitted(t *testing.T) {
	small := halves()
	rapid.Check(t, func(t *rapid.T) {
		pod := &corev1.Pod{Spec: *testkit.SpecWith(small).Draw(t, "spec")}
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, small)
		fit := quota.Replicas(object, quotas, quota.AdmitOptions{})
		current := quotas
		for n := int64(0); n < 40; n++ {
			after, failures := admit(quota.Object{}, object, current, quota.AdmitOptions{})
			if admitted := len(failures) == 0; admitted != (n+1 <= fit.Replicas) {
				t.Fatalf("replica %d admitted: %v, but %d fit", n+1, admitted, fit.Replicas)
			} else if !admitted {
				testkit.NoDiff(t, fit.Next, failures, "what stops it")
				return
			}
			current = after
		}
		if fit.Unbounded != (fit.Replicas == math.MaxInt64) {
			t.Fatalf("%+v", fit)
		}
	})
}

// The peak is the most of all mixes that a rollout may have, tried one by one.
func TestPeakEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lists := testkit.ResourceList(testkit.Positive())
		old, new := lists.Draw(t, "old"), lists.Draw(t, "new")
		replicas := rapid.Int32Range(0, 6).Draw(t, "replicas")
		strategy := rolling(rapid.IntRange(0, 8).Draw(t, "surge"), rapid.IntRange(0, 3).Draw(t, "unavailable"))
		got, err := quota.Rollout(old, new, replicas, strategy)
		testkit.OK(t, err)
		peak := corev1.ResourceList{}
		for o := int32(0); o <= replicas; o++ {
			for n := int32(0); n <= replicas && o+n <= replicas+got.Surge; n++ {
				peak = resourcelist.Max(peak, resourcelist.Add(resourcelist.Multiply(old, int64(o)), resourcelist.Multiply(new, int64(n))))
			}
		}
		if !resourcelist.Equals(peak, got.Peak) {
			t.Fatalf("peak %v, want %v", got.Peak, peak)
		}
	})
}

func TestPlanContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.QuotaPod(testkit.Quantity()).Draw(t, "pod")
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, testkit.Quantity())
		usage := testkit.ResourceList(testkit.Quantity()).Draw(t, "usage")
		strategy := rolling(1, "20%")
		for i := range quotas {
			testkit.Contract(t, func() any { return quota.Remaining(quotas[i]) }, quotas)
		}
		testkit.Contract(t, func() any { return quota.Replicas(object, quotas, quota.AdmitOptions{}) }, pod, quotas)
		testkit.Contract(t, func() any { c, err := quota.Rollout(usage, usage, 3, strategy); return []any{c, err} }, usage, strategy)
		testkit.Contract(t, func() any {
			c, err := quota.Rollout(usage, nil, 3, appsv1.DeploymentStrategy{Type: "Recreate"})
			return []any{c, err}
		}, usage)
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestPlanEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.QuotaPod(testkit.Ordinary()).Draw(t, "pod")
		type input struct {
			Pod    *corev1.Pod
			Quotas []*corev1.ResourceQuota
		}
		testkit.EmptyIsNil(t, input{pod, drawQuotas(t, quota.Pod(pod, testkit.Now(), quota.PodOptions{}), testkit.Ordinary())}, func(in input) any {
			object := quota.Pod(in.Pod, testkit.Now(), quota.PodOptions{})
			answers := []any{quota.Replicas(object, in.Quotas, quota.AdmitOptions{})}
			for i := range in.Quotas {
				answers = append(answers, quota.Remaining(in.Quotas[i]))
			}
			return answers
		})
	})
}
