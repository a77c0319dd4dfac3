package conformance

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	quotav1 "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/v1"
	quotacore "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The API server and LimitRanger set no further defaults in a pod that the solver has written, and
// no LimitRange or quota rejects it.
func TestSolver(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			solved := 0
			rapid.Check(t, func(t *rapid.T) { solved += checkSolver(t, summable(quantities)) })
			if solved == 0 {
				t.Error("nothing had a solution")
			}
			t.Log(solved, "solved")
		})
	}
}

// summable leaves out what LimitRanger itself adds up wrongly.
func summable(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[resource.Quantity] {
	return quantities.Filter(func(q resource.Quantity) bool { return math.Abs(q.AsApproximateFloat64()) < 1e16 })
}

func checkSolver(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) (solved int) {
	pod := solverPod(t, quantities)
	ranges := limitRanges(t, quantities)
	left := quotaLeft(t, quantities)
	compute := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: left, Used: corev1.ResourceList{}}}
	for name := range left {
		compute.Status.Used[name] = resource.Quantity{}
	}
	changes, err := solver.Apply(&pod.Spec, solver.Input{LimitRanges: ranges, Quotas: []*corev1.ResourceQuota{compute}, Kubernetes: kubernetes})
	if err != nil {
		var unsolvable *solver.ConflictError
		if !errors.As(err, &unsolvable) {
			t.Fatal(err)
		}
		return 0
	}
	server := pod.DeepCopy()
	v1.SetObjectDefaults_Pod(server)
	same(t, "the API server", pod, server, changes)
	for _, r := range ranges {
		v1.SetObjectDefaults_LimitRange(r)
	}
	checkLimitRanger(t, pod, server, ranges, changes)
	checkQuota(t, server, left)
	return 1
}

func same(t *rapid.T, who string, pod, after *corev1.Pod, changes []computeresources.Change) {
	if diff := cmp.Diff(resources(&pod.Spec), resources(&after.Spec), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s changes the pod:\n%s\nafter %v", who, diff, changes)
	}
}

// checkQuota is what the quota plugin does with a new pod: a usage of zero fits.
func checkQuota(t *rapid.T, pod *corev1.Pod, left corev1.ResourceList) {
	left = left.DeepCopy()
	v1.SetDefaults_ResourceList(&left)
	evaluator := quotacore.NewPodEvaluator(nil, clock.RealClock{})
	if err := evaluator.Constraints(quotav1.ResourceNames(left), pod); err != nil {
		t.Fatalf("quota: %v", err)
	}
	charged := quotav1.RemoveZeros(quotaUsage(t, pod, left))
	if fits, exceeded := quotav1.LessThanOrEqual(charged, quotav1.Mask(left, quotav1.ResourceNames(charged))); !fits {
		t.Fatalf("exceeded quota: %v of %v, %v are left", exceeded, charged, left)
	}
}

// quotaUsage returns what a pod uses of a quota.
func quotaUsage(t *rapid.T, pod *corev1.Pod, left corev1.ResourceList) corev1.ResourceList {
	usage, err := quotacore.NewPodEvaluator(nil, clock.RealClock{}).Usage(pod)
	testkit.OK(t, err)
	return quotav1.Mask(usage, quotav1.ResourceNames(left))
}

// solverPod draws a pod with few amounts, whose containers mostly keep to their limits.
func solverPod(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) *corev1.Pod {
	pod := testkit.PodWith(quantities).Draw(t, "pod")
	pod.Status = corev1.PodStatus{}
	keep := func(label string, list corev1.ResourceList) {
		for _, name := range testkit.ResourceNames {
			if rapid.IntRange(0, 3).Draw(t, label) > 0 {
				delete(list, name)
			}
		}
	}
	for i := range pod.Spec.Containers {
		keep("request", pod.Spec.Containers[i].Resources.Requests)
		keep("limit", pod.Spec.Containers[i].Resources.Limits)
	}
	for i := range pod.Spec.InitContainers {
		keep("request", pod.Spec.InitContainers[i].Resources.Requests)
		keep("limit", pod.Spec.InitContainers[i].Resources.Limits)
	}
	return pod
}

// limitRanges draws the LimitRanges of a namespace.
func limitRanges(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) []*corev1.LimitRange {
	var ranges []*corev1.LimitRange
	some := func(label string, amounts *rapid.Generator[resource.Quantity]) corev1.ResourceList {
		list := corev1.ResourceList{}
		for _, name := range testkit.ResourceNames {
			if rapid.IntRange(0, 7).Draw(t, label) == 0 {
				list[name] = amounts.Draw(t, string(name))
			}
		}
		return list
	}
	large := rapid.Map(rapid.Int64Range(1, 8), func(n int64) resource.Quantity { return *resource.NewScaledQuantity(n, 12) })
	ratios := rapid.Map(rapid.Int64Range(1000, 4000), func(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) })
	for i := range rapid.IntRange(0, 2).Draw(t, "ranges") {
		r := &corev1.LimitRange{}
		r.Name = fmt.Sprint("range-", i)
		for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
			item := corev1.LimitRangeItem{Type: kind, Min: some("min", quantities), Max: some("max", rapid.OneOf(large, large, quantities)), MaxLimitRequestRatio: some("ratio", ratios)}
			if kind == corev1.LimitTypeContainer {
				item.Default, item.DefaultRequest = some("default", quantities), some("default request", quantities)
			}
			r.Spec.Limits = append(r.Spec.Limits, item)
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// quotaLeft draws the remaining amount of a quota.
func quotaLeft(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) corev1.ResourceList {
	left := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{
		"cpu", "requests.cpu", "limits.cpu", "memory", "requests.memory", "limits.memory", "requests.ephemeral-storage",
		"limits.ephemeral-storage", "hugepages-2Mi", "requests.example.com/gpu", "pods", "count/pods", "services",
	} {
		if rapid.IntRange(0, 5).Draw(t, string(name)) == 0 {
			left[name] = quantities.Draw(t, "left")
		}
	}
	return left
}

// LimitRanger treats a container without a limit as one with a limit of zero, and so admits a pod
// under a Pod ratio below one. No API server stores such a LimitRange: ours reports that the ratio
// contradicts itself, for every pod.
// See docs/decisions/quota.md#pod-ratio-below-one.
func TestDivergencePodRatioBelowOne(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("unlimited", testkit.List("cpu", "10"), nil),
		testkit.Container("app", testkit.List("cpu", "1"), testkit.List("cpu", "1")),
	}}}
	r := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "range"}, Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypePod, MaxLimitRequestRatio: testkit.List("cpu", "0.5")},
	}}}
	internal := &core.Pod{}
	testkit.OK(t, v1.Convert_v1_Pod_To_core_Pod(pod, internal, nil))
	if err := oracle.PodViolations(r, internal, nil); err != nil {
		t.Errorf("LimitRanger: %v: it no longer differs", err)
	}
	_, err := solver.Solve(&pod.Spec, solver.Input{LimitRanges: []*corev1.LimitRange{r}, Kubernetes: kubernetes})
	if want := "cpu: no amount satisfies all of: Pod cpu maxLimitRequestRatio 500m of LimitRange range"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
