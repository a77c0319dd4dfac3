package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The API server and LimitRanger change nothing of a pod with the amounts of RightSize, in each order of
// LimitRanges, and neither a LimitRange nor a quota rejects it.
func TestRightSize(t *testing.T) {
	sized, capped := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			n, m := checkRightSize(t)
			sized, capped = sized+n, capped+m
		}
	})
	if sized == 0 || capped == 0 {
		t.Error("nothing had a solution, or nothing was capped")
	}
	t.Log(sized, "sized,", capped, "of them capped")
}

func checkRightSize(t *rapid.T) (sized, capped int) {
	pod, ranges := sizedPod(t), sizedRanges(t)
	left := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{"requests.cpu", "limits.cpu", "memory", "limits.memory"} {
		if rapid.IntRange(0, 5).Draw(t, string(name)) == 0 {
			left[name] = sizedAmount(t, name, 9000)
		}
	}
	quota := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: left, Used: corev1.ResourceList{}}}
	for name := range left {
		quota.Status.Used[name] = resource.Quantity{}
	}
	in := solver.Input{LimitRanges: ranges, Quotas: []*corev1.ResourceQuota{quota}, Replicas: rapid.Int64Range(0, 3).Draw(t, "replicas"), Kubernetes: kubernetes}
	result, err := solver.RightSize(&pod.Spec, recommended(t, &pod.Spec), in)
	if err != nil {
		var conflict *solver.ConflictError
		if !errors.As(err, &conflict) {
			t.Fatal(err)
		}
		return 0, 0
	}
	testkit.OK(t, computeresources.ApplyChanges(&pod.Spec, result.Changes))
	for _, c := range computeresources.Containers(&pod.Spec) {
		for name, limit := range c.Resources.Limits {
			if request := c.Resources.Requests[name]; request.Cmp(limit) > 0 {
				t.Fatalf("%s requests more than its limit: %v", name, c.Resources)
			}
		}
	}
	server := pod.DeepCopy()
	v1.SetObjectDefaults_Pod(server)
	same(t, "the API server", pod, server, result.Changes)
	for order := range permutations(ranges) {
		checkLimitRanger(t, pod, server, order, result.Changes)
	}
	for range max(1, in.Replicas) {
		checkQuota(t, server, left)
		left = resourcelist.Subtract(left, quotaUsage(t, server, left))
	}
	return 1, min(1, len(result.Capped))
}

// checkLimitRanger lets LimitRanger and then the API server set their defaults, which changes nothing, and LimitRanger
// check its bounds.
func checkLimitRanger(t *rapid.T, pod, server *corev1.Pod, ranges []*corev1.LimitRange, changes []computeresources.Change) {
	internal := &core.Pod{}
	testkit.OK(t, v1.Convert_v1_Pod_To_core_Pod(server.DeepCopy(), internal, nil))
	for _, r := range ranges {
		testkit.OK(t, limitranger.PodMutateLimitFunc(r, internal))
	}
	applyUpstreamPodLevelDefaults(internal)
	mutated := &corev1.Pod{}
	testkit.OK(t, v1.Convert_core_Pod_To_v1_Pod(internal, mutated, nil))
	same(t, "the API server or LimitRanger", pod, mutated, changes)
	for _, r := range ranges {
		if err := oracle.PodViolations(r, internal, nil); err != nil {
			t.Fatalf("LimitRanger: %v\nafter %v\n%v", err, changes, resources(&pod.Spec))
		}
	}
}

// sizedAmount draws an amount of cpu in milli-units, or of anything else in a hundred bytes each, and
// a few more.
func sizedAmount(t *rapid.T, name corev1.ResourceName, most int64) resource.Quantity {
	n := rapid.OneOf(rapid.Int64Range(1, most), rapid.Map(rapid.Int64Range(1, most/100), func(n int64) int64 { return n * 100 })).Draw(t, string(name))
	if strings.HasSuffix(string(name), "cpu") {
		return *resource.NewMilliQuantity(n, resource.DecimalSI)
	}
	return *resource.NewQuantity(n*100+rapid.Int64Range(0, 99).Draw(t, "bytes"), resource.BinarySI)
}

// sizedList draws amounts of cpu and memory, each one time in so many.
func sizedList(t *rapid.T, rare int, least, most int64) corev1.ResourceList {
	list := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{"cpu", "memory"} {
		if rapid.IntRange(1, rare).Draw(t, string(name)) == 1 {
			q := sizedAmount(t, name, most)
			if name == "cpu" {
				q.Add(*resource.NewMilliQuantity(least, resource.DecimalSI))
			} else {
				q.Add(*resource.NewQuantity(100*least, resource.BinarySI))
			}
			list[name] = q
		}
	}
	return list
}

// sizedPod draws a pod whose containers mostly have requests and limits.
func sizedPod(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{}
	for i := range rapid.IntRange(1, 4).Draw(t, "containers") {
		c := corev1.Container{Name: fmt.Sprint("c-", i)}
		c.Resources.Requests = sizedList(t, 1, 0, 1000)
		c.Resources.Limits = resourcelist.Add(sizedList(t, 2, 0, 1000), nil)
		for name, limit := range c.Resources.Limits {
			limit.Add(c.Resources.Requests[name])
			c.Resources.Limits[name] = limit
		}
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
		case 1:
			sidecar := testkit.Sidecar(c.Name, c.Resources.Requests, c.Resources.Limits)
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, sidecar)
		default:
			pod.Spec.Containers = append(pod.Spec.Containers, c)
		}
	}
	return pod
}

// recommended draws recommendations for most containers, and policies for some.
func recommended(t *rapid.T, spec *corev1.PodSpec) (all []solver.Recommendation) {
	for ref := range computeresources.Containers(spec) {
		r := solver.Recommendation{Ref: ref, Requests: sizedList(t, 1, 0, 2000), KeepLimits: rapid.IntRange(0, 4).Draw(t, "keep limits") == 0}
		r.Min, r.Max = sizedList(t, 6, 0, 400), sizedList(t, 6, 400, 2000)
		if rapid.IntRange(0, 7).Draw(t, "recommended") > 0 {
			all = append(all, r)
		}
	}
	return all
}

// sizedRanges draws LimitRanges as the API server stores them.
func sizedRanges(t *rapid.T) (ranges []*corev1.LimitRange) {
	for i := range rapid.IntRange(0, 3).Draw(t, "ranges") {
		r := &corev1.LimitRange{}
		r.Name = fmt.Sprint("range-", i)
		for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
			item := corev1.LimitRangeItem{Type: kind, Min: sizedList(t, 4, 0, 300), Max: sizedList(t, 3, 500, 4000)}
			for name := range sizedList(t, 6, 0, 100) {
				item.MaxLimitRequestRatio = resourcelist.Add(item.MaxLimitRequestRatio, corev1.ResourceList{
					name: *resource.NewMilliQuantity(rapid.Int64Range(1000, 5000).Draw(t, "ratio"), resource.DecimalSI),
				})
			}
			if kind == corev1.LimitTypeContainer {
				item.Default, item.DefaultRequest = sizedList(t, 4, 300, 300), sizedList(t, 4, 0, 300)
			}
			r.Spec.Limits = append(r.Spec.Limits, item)
		}
		v1.SetObjectDefaults_LimitRange(r)
		ranges = append(ranges, r)
	}
	return ranges
}
