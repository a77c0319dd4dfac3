//go:build kubernetes136

package conformance

import (
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The sums of component-helpers v0.36, of pods that are being resized, with all options.
func TestMaxPerContainer(t *testing.T) {
	pods := []*rapid.Generator[*corev1.Pod]{testkit.PodWith(testkit.Ordinary()), testkit.PodWith(wholeMilli()), testkit.Pod()}
	options := sumOptions()
	cases := 21000
	if testing.Short() {
		cases = 1500
	}
	counted, differs := 0, 0
	for seed := 0; counted < cases; seed++ {
		pod := pods[seed%len(pods)].Example(seed)
		if len(pod.Status.ContainerStatuses)+len(pod.Status.InitContainerStatuses) == 0 {
			continue // is not being resized
		}
		counted++
		opts := options.Example(seed)
		theirs := upstream.PodResourcesOptions{
			UseStatusResources: true,
			InPlacePodLevelResourcesVerticalScalingEnabled: opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling == nil || *opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling,
			SkipPodLevelResources:                          opts.IgnorePodLevel,
			SkipContainerLevelResources:                    opts.IgnoreContainers,
			ExcludeOverhead:                                opts.ExcludeOverhead,
			NonMissingContainerRequests:                    opts.MissingRequests.DeepCopy(),
			UseDRANodeAllocatableResourceClaimStatus:       true,
		}
		given := pod.DeepCopy()
		if opts.ClaimedFromNode != nil {
			given.Status.NodeAllocatableResourceClaimStatuses = []corev1.NodeAllocatableResourceClaimStatus{{Resources: opts.ClaimedFromNode.DeepCopy()}}
		}
		want := upstream.PodRequests(given.DeepCopy(), theirs)
		got := computeresources.PodRequests(pod, opts)
		if !sameAmounts(got, want) || !sameTotals(computeresources.PodTotals(pod, computeresources.Requests, opts), want) {
			t.Fatalf("seed %d: requests %v, upstream has %v", seed, got, want)
		}
		today := opts
		today.Kubernetes.Release = ""
		if !sameAmounts(computeresources.PodRequests(pod, today), want) {
			differs++
		}
		opts.IgnoreContainers = false // theirs ignores it
		want = upstream.PodLimits(given.DeepCopy(), theirs)
		got = computeresources.PodLimits(pod, opts)
		if !sameAmounts(got, want) || !sameTotals(computeresources.PodTotals(pod, computeresources.Limits, opts), want) {
			t.Fatalf("seed %d: limits %v, upstream has %v", seed, got, want)
		}
	}
	t.Logf("%d pods, of which %d have other requests without the gate", counted, differs)
	if differs < cases/10 {
		t.Errorf("without the gate, only %d of %d requests differ", differs, counted)
	}
}

// wholeMilli draws amounts as people write them.
func wholeMilli() *rapid.Generator[apiresource.Quantity] {
	return rapid.Custom(func(t *rapid.T) apiresource.Quantity {
		return *apiresource.NewQuantity(rapid.Int64Range(0, 8).Draw(t, "amount"), apiresource.DecimalSI)
	})
}

func sumOptions() *rapid.Generator[computeresources.Options] {
	return rapid.Custom(func(t *rapid.T) (opts computeresources.Options) {
		opts.Kubernetes.Release = "1.36"
		opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling = rapid.SampledFrom([]*bool{nil, testkit.On(), testkit.Off()}).Draw(t, "pod-level status")
		opts.IgnorePodLevel = rapid.IntRange(0, 3).Draw(t, "ignore pod level") == 0
		opts.IgnoreContainers = rapid.IntRange(0, 7).Draw(t, "ignore containers") == 0
		opts.ExcludeOverhead = rapid.IntRange(0, 3).Draw(t, "exclude overhead") == 0
		if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
			opts.MissingRequests = testkit.ResourceList(testkit.Ordinary()).Draw(t, "missing requests")
		}
		if rapid.IntRange(0, 3).Draw(t, "claimed") == 0 && !opts.IgnoreContainers {
			opts.ClaimedFromNode = testkit.ResourceList(testkit.Ordinary()).Draw(t, "claimed")
		}
		return opts
	})
}

func sameAmounts(got, want corev1.ResourceList) bool {
	return maps.EqualFunc(got, want, func(g, w apiresource.Quantity) bool { return g.Cmp(w) == 0 })
}

func sameTotals(got computeresources.Totals, want corev1.ResourceList) bool {
	scalars := map[corev1.ResourceName]int64{}
	native := map[corev1.ResourceName]int64{}
	for name, q := range want {
		switch name {
		case corev1.ResourceCPU:
			native[name] = testkit.RoundedAway(testkit.Exact(q), 1000)
		case corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
			native[name] = testkit.RoundedAway(testkit.Exact(q), 1)
		default:
			if n := testkit.RoundedAway(testkit.Exact(q), 1); n != 0 {
				scalars[name] = n
			}
		}
	}
	return got.MilliCPU == native[corev1.ResourceCPU] && got.Memory == native[corev1.ResourceMemory] &&
		got.EphemeralStorage == native[corev1.ResourceEphemeralStorage] && maps.Equal(got.ScalarResources, scalars)
}
