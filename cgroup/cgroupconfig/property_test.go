package cgroupconfig_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func options() *rapid.Generator[cgroupconfig.Options] {
	return rapid.Custom(func(t *rapid.T) cgroupconfig.Options {
		o := cgroupconfig.Options{
			Period: rapid.SampledFrom([]int64{0, 0, 100000, 1000, 5000, 1000000, -1, 1}).Draw(t, "period"),
			Kubernetes: computeresources.Kubernetes{
				Release:           rapid.SampledFrom([]string{"", "1.33", "1.36", "1.37", "1.38"}).Draw(t, "release"),
				PodLevelResources: testkit.OffIf(rapid.Bool().Draw(t, "ignore the pod level")),
				MemoryQoS:         rapid.SampledFrom([]*bool{nil, testkit.On(), testkit.Off()}).Draw(t, "memory QoS"),
			},
			IgnoreCPULimits:      rapid.Bool().Draw(t, "ignore CPU limits"),
			ExclusiveCPUs:        rapid.Bool().Draw(t, "exclusive CPUs"),
			TieredReservation:    rapid.Bool().Draw(t, "tiered reservation"),
			ThrottlingFactor:     rapid.SampledFrom([]*float64{nil, factor(0), factor(0.9), factor(0.8), factor(1), factor(1.1), factor(-1), factor(0.1234)}).Draw(t, "factor"),
			LimitedSwap:          rapid.Bool().Draw(t, "limited swap"),
			SwapUnavailable:      rapid.Bool().Draw(t, "no swap controller"),
			SingleProcessOOMKill: rapid.Bool().Draw(t, "single process"),
			NodeMemory: cgroupconfig.NodeMemory{
				Capacity:      rapid.Int64Range(-1, 1<<40).Draw(t, "memory"),
				Allocatable:   rapid.Int64Range(-1, 1<<40).Draw(t, "allocatable"),
				Swap:          rapid.Int64Range(-1, 1<<40).Draw(t, "swap"),
				PageSize:      rapid.SampledFrom([]int64{0, 4096, 65536, -1, 1}).Draw(t, "page"),
				HugePageSizes: rapid.SliceOf(rapid.SampledFrom([]int64{2 << 20, 1 << 30, 64 << 10})).Draw(t, "sizes"),
			},
		}
		if rapid.Bool().Draw(t, "reserve") {
			percent := rapid.Int64Range(-10, 110).Draw(t, "percent")
			o.ReservedPercent = &percent
		}
		return o
	})
}

// limitedAsAWhole draws pods with a pod-level limit of memory.
func limitedAsAWhole() *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := testkit.PodWith(testkit.Ordinary()).Draw(t, "pod")
		amount := rapid.SampledFrom([]string{"0", "1Gi", "1.5Gi", "2Gi"})
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: list("memory", amount.Draw(t, "request")), Limits: list("memory", amount.Draw(t, "limit"))}
		return pod
	})
}

func factor(f float64) *float64 { return &f }

func TestForPodEqualsSlow(t *testing.T) {
	quantities := map[string]*rapid.Generator[*corev1.Pod]{
		"any quantity":        testkit.Pod(),
		"ordinary quantities": testkit.PodWith(testkit.Ordinary()),
		"bytes":               testkit.PodWith(testkit.Bytes()),
		"limits everywhere":   testkit.LimitedPod(),
		"memory of the pod":   limitedAsAWhole(),
	}
	for name, pods := range quantities {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pod, opts := pods.Draw(t, "pod"), options().Draw(t, "options")
				if rapid.Bool().Draw(t, "plain") { // for which there is a fast path
					pod.Spec.Resources, pod.Spec.Overhead, pod.Status = nil, nil, corev1.PodStatus{}
					for _, c := range computeresources.Containers(&pod.Spec) {
						for _, name := range []corev1.ResourceName{"hugepages-2Mi", "hugepages-1Gi", "example.com/gpu"} {
							delete(c.Resources.Requests, name)
						}
					}
				}
				testkit.NoDiff(t, cgroupconfig.ForPod(pod, opts), slowPod(pod.DeepCopy(), opts))
			})
		})
	}
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods, opts := rapid.SliceOfN(testkit.Pod(), 1, 2).Draw(t, "pods"), options().Draw(t, "options")
		testkit.Contract(t, func() any {
			var all []any
			for _, pod := range slices.Concat(pods, []*corev1.Pod{nil}) {
				c := cgroupconfig.ForPod(pod, opts)
				sandbox := cgroupconfig.ForSandbox(pod, opts)
				all = append(all, &sandbox)
				if pod != nil {
					renamed := opts
					renamed.CPUName, renamed.MemoryName = "example.com/gpu", "ephemeral-storage"
					batch := cgroupconfig.ForPod(pod, renamed)
					all = append(all, &batch, opts.NodeMemory.SwapShare(opts.NodeMemory.Allocatable))
				}
				all = append(all, &c, c.V1(), c.V2(cgroup.SharesToLinearWeight), c.SystemdV2(cgroup.SharesToLogarithmicWeight))
				if pod != nil {
					for _, container := range computeresources.Containers(&pod.Spec) {
						c := cgroupconfig.ForContainer(pod, container, opts)
						all = append(all, &c, c.Cgroup.V2(cgroup.SharesToLinearWeight))
					}
					c := cgroupconfig.ForAllocatable(pod.Spec.Overhead)
					all = append(all, &c)
				}
			}
			tiers := cgroupconfig.ForTiers(pods, opts)
			return append(all, &tiers)
		}, pods, opts)
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type input struct {
			Pods []*corev1.Pod
			Opts cgroupconfig.Options
		}
		testkit.EmptyIsNil(t, input{rapid.SliceOfN(testkit.Pod(), 0, 2).Draw(t, "pods"), options().Draw(t, "options")}, func(in input) any {
			answers := []any{cgroupconfig.ForTiers(in.Pods, in.Opts)}
			for _, pod := range in.Pods {
				answers = append(answers, cgroupconfig.ForPod(pod, in.Opts), cgroupconfig.ForAllocatable(pod.Spec.Overhead))
				for _, c := range computeresources.Containers(&pod.Spec) {
					answers = append(answers, cgroupconfig.ForContainer(pod, c, in.Opts))
				}
			}
			return answers
		})
	})
}
