package quotaplan_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

func goldClaim() *resourcev1.ResourceClaim {
	request := resourcev1.DeviceRequest{Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gold", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 1}}
	return &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{request}}}}
}

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

// Exactly the reported number of replicas is admitted, one after the other.
func TestReplicasAreAdmitted(t *testing.T) {
	small := halves()
	rapid.Check(t, func(t *rapid.T) {
		pod := &corev1.Pod{Spec: *testkit.SpecWith(small).Draw(t, "spec")}
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, small)
		fit := quotaplan.Replicas(object, quotas, quota.AdmitOptions{})
		current := quotas
		for n := int64(0); n < 40; n++ {
			v := quota.Admit(quota.Object{}, object, current, quota.AdmitOptions{})
			after, failures := v.After(current), v.Failures
			if admitted := len(failures) == 0; admitted != (n+1 <= fit.Replicas) {
				t.Fatalf("replica %d admitted: %v, but %d fit", n+1, admitted, fit.Replicas)
			} else if !admitted {
				if diff := cmp.Diff(failures, fit.Next); diff != "" {
					t.Fatalf("what stops it (-admission +plan):\n%s", diff)
				}
				return
			}
			current = after
		}
		if fit.Unbounded != (fit.Replicas == math.MaxInt64) {
			t.Fatalf("%+v", fit)
		}
	})
}

// At any magnitude, the last replica that fits is admitted after the others, and the next
// one is not.
func TestLastReplica(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := &corev1.Pod{Spec: *testkit.Spec().Draw(t, "spec")}
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, testkit.Quantity())
		fit := quotaplan.Replicas(object, quotas, quota.AdmitOptions{})
		if fit.Unbounded || fit.Replicas == math.MaxInt64 {
			if len(fit.Next) > 0 && fit.Unbounded {
				t.Fatalf("no end, but %v", fit.Next)
			}
			return
		}
		if len(fit.Next) == 0 {
			t.Fatalf("%d fit, and nothing stops the next", fit.Replicas)
		}
		for _, test := range []struct {
			n       int64
			further bool
		}{{fit.Replicas - 1, true}, {fit.Replicas, false}} {
			if test.n < 0 {
				continue
			}
			workloads := []quotaplan.Workload{{Object: object, Replicas: test.n}, {Object: object, Replicas: 1}}
			outcomes, _, err := quotaplan.FirstFit(workloads, quotas, quota.AdmitOptions{})
			if err != nil || !outcomes[0].Admitted || outcomes[1].Admitted != test.further {
				t.Fatalf("%d of %d, and one more: %+v, %v", test.n, fit.Replicas, outcomes, err)
			}
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
		got, err := quotaplan.Rollout(old, new, replicas, strategy)
		if err != nil {
			t.Fatal(err)
		}
		peak := corev1.ResourceList{}
		for o := int32(0); o <= replicas; o++ {
			for n := int32(0); n <= replicas && int(o+n) <= int(replicas)+got.Surge; n++ {
				peak = resourcelist.Max(peak, resourcelist.Add(resourcelist.Multiply(old, int64(o)), resourcelist.Multiply(new, int64(n))))
			}
		}
		if !resourcelist.Equals(peak, got.Peak) {
			t.Fatalf("peak %v, want %v", got.Peak, peak)
		}
	})
}

// The peak of sequential steps is at most what quotas count, and at least that of each step on its own.
func TestSequentialIsBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := &corev1.Pod{Spec: *testkit.SpecWith(testkit.Ordinary()).Draw(t, "spec")}
		var names []string
		for i := range pod.Spec.Containers {
			c := &pod.Spec.Containers[i]
			if c.Name = string(rune('a' + i)); rapid.Bool().Draw(t, "step") {
				names = append(names, c.Name)
			}
		}
		got := quotaplan.Sequential(pod, named(names...), quota.PodOptions{})
		if within, over := resourcelist.LessThanOrEqual(got.Peak, got.Counted); !within {
			t.Fatalf("%v: peak %v, counted %v", over, got.Peak, got.Counted)
		}
		for _, step := range names {
			alone := &corev1.Pod{Spec: pod.Spec}
			alone.Spec.Containers = nil
			for _, c := range pod.Spec.Containers {
				if c.Name == step || !slices.Contains(names, c.Name) {
					alone.Spec.Containers = append(alone.Spec.Containers, c)
				}
			}
			usage := quota.Pod(alone, testkit.Now(), quota.PodOptions{}).Usage()
			if within, over := resourcelist.LessThanOrEqual(usage, got.Peak); !within {
				t.Fatalf("%v: %v with %s alone, peak %v", over, usage, step, got.Peak)
			}
		}
	})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.QuotaPod(testkit.Quantity()).Draw(t, "pod")
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{})
		quotas := drawQuotas(t, object, testkit.Quantity())
		usage := testkit.ResourceList(testkit.Quantity()).Draw(t, "usage")
		strategy := rolling(1, "20%")
		workloads := []quotaplan.Workload{{Object: object, Replicas: rapid.Int64Range(-1, 3).Draw(t, "replicas")}}
		for i := range quotas {
			testkit.Contract(t, func() any { return quotaplan.Remaining(quotas[i]) }, quotas)
		}
		testkit.Contract(t, func() any { return quotaplan.Replicas(object, quotas, quota.AdmitOptions{}) }, pod, quotas)
		testkit.Contract(t, func() any {
			outcomes, after, err := quotaplan.FirstFit(workloads, quotas, quota.AdmitOptions{})
			return []any{outcomes, after, err}
		}, pod, quotas)
		testkit.Contract(t, func() any { c, err := quotaplan.Rollout(usage, usage, 3, strategy); return []any{c, err} }, usage, strategy)
		testkit.Contract(t, func() any { return quotaplan.Sequential(pod, named("c-0", "c-1"), quota.PodOptions{}) }, pod)
		testkit.Contract(t, func() any {
			c, err := quotaplan.Rollout(usage, nil, 3, appsv1.DeploymentStrategy{Type: "Recreate"})
			return []any{c, err}
		}, usage)
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.QuotaPod(testkit.Ordinary()).Draw(t, "pod")
		type input struct {
			Pod    *corev1.Pod
			Quotas []*corev1.ResourceQuota
		}
		testkit.EmptyIsNil(t, input{pod, drawQuotas(t, quota.Pod(pod, testkit.Now(), quota.PodOptions{}), testkit.Ordinary())}, func(in input) any {
			object := quota.Pod(in.Pod, testkit.Now(), quota.PodOptions{})
			outcomes, after, err := quotaplan.FirstFit([]quotaplan.Workload{{Object: object, Replicas: 2}}, in.Quotas, quota.AdmitOptions{})
			answers := []any{outcomes, after, fmt.Sprint(err), quotaplan.Replicas(object, in.Quotas, quota.AdmitOptions{}), quotaplan.Sequential(in.Pod, named("c-0"), quota.PodOptions{})}
			for i := range in.Quotas {
				answers = append(answers, quotaplan.Remaining(in.Quotas[i]))
			}
			return answers
		})
	})
}
