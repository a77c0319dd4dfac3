package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// schedulerPod draws pods as the scheduler gets them: with amounts as in manifests, and with resizes in
// progress that multiply every amount of the pod's containers. For other resizes, component-helpers 0.36,
// which this module requires, differs from 0.37: it adds up the maximum of each container, and 0.37 takes
// the maximum of three sums.
//
// Pod-level amounts are not held as decimals: component-helpers adds the overhead to these in the pod
// itself, and its callers call it twice (TestDivergenceOverheadOnDecimals).
func schedulerPod(t *rapid.T, name string) *corev1.Pod {
	pod := testkit.PodWith(testkit.Ordinary()).Draw(t, name)
	pod.Status = corev1.PodStatus{}
	if rapid.Bool().Draw(t, "has statuses") {
		pod.Status = resized(pod, rapid.IntRange(1, 3).Draw(t, "allocated"), rapid.IntRange(1, 3).Draw(t, "actuated"))
		if rapid.Bool().Draw(t, "infeasible") {
			pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: corev1.PodReasonInfeasible}}
		}
	}
	pod.Name, pod.UID = name, types.UID(name)
	if pod.Spec.Resources != nil {
		for _, list := range []corev1.ResourceList{pod.Spec.Resources.Requests, pod.Spec.Resources.Limits} {
			for name, q := range list {
				milli := resource.NewMilliQuantity(q.MilliValue(), q.Format)
				if compare := q.DeepCopy(); compare.Cmp(*milli) != 0 {
					pod.Spec.Overhead = nil
				} else {
					list[name] = *milli
				}
			}
		}
	}
	return pod
}

// pendingPod draws a pod that is still to be placed, so that it has no statuses.
func pendingPod(t *rapid.T) *corev1.Pod {
	pod := schedulerPod(t, "new")
	pod.Status = corev1.PodStatus{}
	return pod
}

// resized names the containers of a pod, and returns a status in which each container and sidecar
// has the multiples of its amounts that are given as allocated and as actuated, and each init
// container its own.
func resized(pod *corev1.Pod, allocated, actuated int) (status corev1.PodStatus) {
	times := func(list corev1.ResourceList, n int) corev1.ResourceList {
		product := corev1.ResourceList{}
		for name, q := range list {
			sum := resource.Quantity{Format: q.Format}
			for range n {
				sum.Add(q)
			}
			product[name] = sum
		}
		return product
	}
	statusOf := func(c *corev1.Container, allocated, actuated int) corev1.ContainerStatus {
		// Statuses are found by name, and upstream takes the last of two with the same name.
		c.Name = fmt.Sprint("c-", len(status.ContainerStatuses)+len(status.InitContainerStatuses))
		return corev1.ContainerStatus{
			Name:               c.Name,
			AllocatedResources: times(c.Resources.Requests, allocated),
			Resources: &corev1.ResourceRequirements{
				Requests: times(c.Resources.Requests, actuated), Limits: times(c.Resources.Limits, actuated),
			},
		}
	}
	for i := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, statusOf(&pod.Spec.Containers[i], allocated, actuated))
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			status.InitContainerStatuses = append(status.InitContainerStatuses, statusOf(c, allocated, actuated))
		} else {
			status.InitContainerStatuses = append(status.InitContainerStatuses, statusOf(c, 1, 1))
		}
	}
	return status
}

// Up to 1.37, component-helpers adds the overhead to pod-level requests that are held as decimals, in the pod
// itself. NodeInfo computes the requests of a pod a second time if a container requests no cpu or memory,
// so scores count the overhead twice; later events count it again.
// See docs/decisions/computeresources.md#results-own-their-memory.
func TestDivergenceOverheadOnDecimals(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Overhead:  testkit.List("memory", "1Gi"),
		Resources: &corev1.ResourceRequirements{Requests: testkit.List("memory", "1.5Gi")},
	}}
	ours := noderesources.PodRequest(pod, computeresources.Options{Kubernetes: kubernetes})
	info := framework.NewNodeInfo(pod)
	testkit.Equal(t, ours.NonZero("memory"), int64(2560<<20), "ours")
	want := int64(3584 << 20)
	if oracle.Release >= "1.38" {
		want = ours.NonZero("memory")
	}
	testkit.Equal(t, info.NonZeroRequested.Memory, want, "theirs")
}

// schedulerNode draws a node with pods, as the scheduler and as a ledger hold it.
func schedulerNode(t *rapid.T) (*framework.NodeInfo, *noderesources.Ledger) {
	node := &corev1.Node{}
	node.Name = "n"
	node.Status.Allocatable = testkit.ResourceList(testkit.Ordinary()).Draw(t, "allocatable")
	if node.Status.Allocatable != nil {
		node.Status.Allocatable["pods"] = testkit.List("pods", fmt.Sprint(rapid.IntRange(0, 8).Draw(t, "pods")))["pods"]
	}
	info := framework.NewNodeInfo()
	info.SetNode(node.DeepCopy())
	ledger := noderesources.NewLedger(node.Status.Allocatable)
	for i := range rapid.IntRange(0, 4).Draw(t, "pods there") {
		pod := schedulerPod(t, fmt.Sprint("p-", i))
		info.AddPod(pod.DeepCopy())
		testkit.OK(t, ledger.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{Kubernetes: kubernetes})))
	}
	return info, ledger
}

func TestNodeInfo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		info, ledger := schedulerNode(t)
		for name, want := range map[corev1.ResourceName][2]int64{
			"cpu":               {info.Requested.MilliCPU, info.Allocatable.MilliCPU},
			"memory":            {info.Requested.Memory, info.Allocatable.Memory},
			"ephemeral-storage": {info.Requested.EphemeralStorage, info.Allocatable.EphemeralStorage},
			"hugepages-2Mi":     {info.Requested.ScalarResources["hugepages-2Mi"], info.Allocatable.ScalarResources["hugepages-2Mi"]},
			"example.com/gpu":   {info.Requested.ScalarResources["example.com/gpu"], info.Allocatable.ScalarResources["example.com/gpu"]},
			"pods":              {int64(len(info.Pods)), int64(info.Allocatable.AllowedPodNumber)},
		} {
			got := [2]int64{resourcelist.Integer(name, ledger.Requested()[name]), resourcelist.Integer(name, ledger.Allocatable()[name])}
			testkit.Equal(t, got, want, name)
		}
	})
}

// The amounts of a placed pod that scores count.
func TestNonZeroRequested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := schedulerPod(t, "p")
		info := framework.NewNodeInfo(pod.DeepCopy())
		r := noderesources.PodRequest(pod, computeresources.Options{Kubernetes: kubernetes})
		got := [2]int64{r.NonZero("cpu"), r.NonZero("memory")}
		testkit.Equal(t, got, [2]int64{info.NonZeroRequested.MilliCPU, info.NonZeroRequested.Memory})
	})
}

func TestNodeResourcesFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		info, ledger := schedulerNode(t)
		pod := pendingPod(t)
		var want noderesources.Shortages
		for _, s := range upstream.Fits(pod.DeepCopy(), info, nil, upstream.ResourceRequestsOptions{EnablePodLevelResources: true}) {
			want = append(want, noderesources.Shortage{Resource: s.ResourceName, Requested: s.Requested, Used: s.Used, Capacity: s.Capacity, Unresolvable: s.Unresolvable})
			if got := want[len(want)-1]; got.Error() != s.Reason {
				t.Fatalf("%q, want %q", got.Error(), s.Reason)
			}
		}
		first := []corev1.ResourceName{"pods", "cpu", "memory", "ephemeral-storage"}
		rank := func(name corev1.ResourceName) int {
			return (slices.Index(first, name) + len(first) + 1) % (len(first) + 1)
		}
		slices.SortFunc(want, func(a, b noderesources.Shortage) int {
			if x, y := rank(a.Resource), rank(b.Resource); x != y && (x < len(first) || y < len(first)) {
				return x - y
			}
			return strings.Compare(string(a.Resource), string(b.Resource))
		})
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
		testkit.NoDiff(t, ledger.Shortages(request, noderesources.FitOptions{}), want)
		if fits := ledger.Fits(request, noderesources.FitOptions{}); fits != (len(want) == 0) {
			t.Fatalf("Fits = %v, want %v", fits, !fits)
		}
	})
}

// The plugin with ignored resources and groups: its reasons, and whether preemption cannot help.
func TestNodeResourcesFilter(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		info, ledger := schedulerNode(t)
		pod := pendingPod(t)
		var opts noderesources.FitOptions
		args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.LeastAllocated}}
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"example.com/gpu", "example.com/other"}), 0, 1).Draw(t, "ignored") {
			opts.IgnoredResources = append(opts.IgnoredResources, corev1.ResourceName(name))
			args.IgnoredResources = append(args.IgnoredResources, name)
		}
		opts.IgnoredGroups = rapid.SliceOfN(rapid.SampledFrom([]string{"example.com", "example.org"}), 0, 1).Draw(t, "ignored groups")
		args.IgnoredResourceGroups = opts.IgnoredGroups
		plugin, err := upstream.NewFit(ctx, args, nil, oracle.SchedulerFeatures())
		testkit.OK(t, err)
		state := framework.NewCycleState()
		if _, status := plugin.(*upstream.Fit).PreFilter(ctx, state, pod.DeepCopy(), nil); status != nil {
			t.Fatal(status)
		}
		status := plugin.(*upstream.Fit).Filter(ctx, state, pod.DeepCopy(), info)
		var got []string
		shortages := ledger.Shortages(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), opts)
		for _, s := range shortages {
			got = append(got, s.Error())
		}
		var want []string
		if status != nil {
			want = slices.Clone(status.Reasons())
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
		if unresolvable := status.Code().String() == "UnschedulableAndUnresolvable"; shortages.Unresolvable() != unresolvable {
			t.Fatalf("unresolvable: %v, want %v", !unresolvable, unresolvable)
		}
	})
}

func TestNodeResourcesScores(t *testing.T) {
	ctx := context.Background()
	handle, err := runtime.NewFramework(ctx, nil, nil)
	testkit.OK(t, err)
	gates := oracle.SchedulerFeatures()
	rapid.Check(t, func(t *rapid.T) {
		info, ledger := schedulerNode(t)
		pod := pendingPod(t)
		strategy := rapid.SampledFrom([]noderesources.Strategy{
			noderesources.LeastAllocated, noderesources.MostAllocated, noderesources.RequestedToCapacityRatio, noderesources.BalancedAllocation,
		}).Draw(t, "strategy")
		// NodeResourcesFit scores without pod-level requests up to 1.37: see the divergence below.
		ignorePodLevel := strategy != noderesources.BalancedAllocation && oracle.Release < "1.38"
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release, PodLevelResources: testkit.OffIf(ignorePodLevel)}})
		opts := noderesources.ScoreOptions{Strategy: strategy}
		var resources []config.ResourceSpec
		for _, name := range []corev1.ResourceName{"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu"} {
			weight := rapid.Int64Range(0, 5).Draw(t, "weight")
			if strategy == noderesources.BalancedAllocation {
				weight = min(weight, 1)
			}
			if weight > 0 {
				opts.Resources = append(opts.Resources, noderesources.ResourceWeight{Name: name, Weight: weight})
				resources = append(resources, config.ResourceSpec{Name: string(name), Weight: weight})
			}
		}
		if len(resources) == 0 {
			return
		}
		args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.ScoringStrategyType(strategy), Resources: resources}}
		if strategy == noderesources.RequestedToCapacityRatio {
			args.ScoringStrategy.RequestedToCapacityRatio = &config.RequestedToCapacityRatioParam{}
			for _, utilization := range []int32{0, 30, 31, 80, 100}[rapid.IntRange(0, 4).Draw(t, "first point"):] {
				p := noderesources.UtilizationShapePoint{Utilization: utilization, Score: rapid.Int32Range(0, 10).Draw(t, "score")}
				opts.Shape = append(opts.Shape, p)
				args.ScoringStrategy.RequestedToCapacityRatio.Shape = append(args.ScoringStrategy.RequestedToCapacityRatio.Shape,
					config.UtilizationShapePoint{Utilization: p.Utilization, Score: p.Score})
			}
		}
		scorer, err := noderesources.NewScorer(opts)
		testkit.OK(t, err)
		var want int64
		if strategy == noderesources.BalancedAllocation {
			plugin, err := upstream.NewBalancedAllocation(ctx, &config.NodeResourcesBalancedAllocationArgs{Resources: resources}, handle, gates)
			testkit.OK(t, err)
			want, _ = plugin.(*upstream.BalancedAllocation).Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
		} else {
			plugin, err := upstream.NewFit(ctx, args, handle, gates)
			testkit.OK(t, err)
			want, _ = plugin.(*upstream.Fit).Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
		}
		testkit.Equal(t, ledger.Score(request, noderesources.Profile{{Scorer: scorer}}), want, strategy)
	})
}

// Up to 1.37, NewFit does not hand the gate PodLevelResources to its scorer, so that it scores a pod
// that requests at pod level as if it did not; NodeResourcesBalancedAllocation, NodeInfo and
// Filter count these requests. Ours does wherever they count.
// See docs/decisions/computeresources.md#pod-level-requests-in-scores.
func TestDivergenceScoreOfPodLevelRequests(t *testing.T) {
	ctx := context.Background()
	handle, err := runtime.NewFramework(ctx, nil, nil)
	testkit.OK(t, err)
	list := testkit.List("cpu", "4", "pods", "9")
	info := framework.NewNodeInfo()
	info.SetNode(&corev1.Node{Status: corev1.NodeStatus{Allocatable: list}})
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("c", testkit.List("cpu", "1"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "2")},
	}}
	plugin, err := upstream.NewFit(ctx, &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{
		Type: config.LeastAllocated, Resources: []config.ResourceSpec{{Name: "cpu", Weight: 1}},
	}}, handle, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	theirs, _ := plugin.(*upstream.Fit).Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}}})
	testkit.OK(t, err)
	ours := noderesources.NewLedger(list).Score(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), noderesources.Profile{{Scorer: scorer}})
	want := int64(75)
	if oracle.Release >= "1.38" {
		want = ours
	}
	if theirs != want || ours != 50 {
		t.Errorf("theirs %d, want %d; ours %d, want 50", theirs, want, ours)
	}
}
