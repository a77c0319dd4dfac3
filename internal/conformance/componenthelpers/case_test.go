package componenthelpers

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// testCase is a pod with options, for us and for upstream.
type testCase struct {
	pod       *corev1.Pod
	useStatus bool // about the pod with its status, not its spec
	opts      computeresources.Options
	claims    []corev1.NodeAllocatableResourceClaimStatus // upstream's form of ClaimedFromNode
}

func drawCase(t *rapid.T) testCase {
	quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Ordinary()}).Draw(t, "quantities")
	if release >= "1.38" {
		quantities = testkit.Ordinary() // of more than 29 orders of magnitude, upstream rounds the smaller amount
	}
	c := testCase{pod: testkit.PodWith(quantities).Draw(t, "pod")}
	c.opts.Kubernetes.Release = release
	c.useStatus = rapid.Bool().Draw(t, "use status")
	c.opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling = rapid.SampledFrom([]*bool{nil, testkit.On(), testkit.Off()}).Draw(t, "pod-level status")
	c.opts.IgnorePodLevel = rapid.IntRange(0, 3).Draw(t, "ignore pod level") == 0
	c.opts.IgnoreContainers = rapid.IntRange(0, 7).Draw(t, "ignore containers") == 0
	c.opts.ExcludeOverhead = rapid.IntRange(0, 3).Draw(t, "exclude overhead") == 0
	if rapid.IntRange(0, 3).Draw(t, "missing") == 0 {
		c.opts.MissingRequests = testkit.ResourceList(quantities).Draw(t, "missing requests")
	}
	if rapid.IntRange(0, 3).Draw(t, "claimed") == 0 {
		c.drawClaims(t)
	}
	return c
}

// drawClaims draws claims as upstream finds them in the status of a pod, and adds up their amounts:
// mappings, and overhead per pod and per container that uses them.
func (c *testCase) drawClaims(t *rapid.T) {
	total := corev1.ResourceList{}
	add := func(name corev1.ResourceName, q resource.Quantity, times int) {
		sum := total[name]
		for range times {
			sum.Add(q)
		}
		total[name] = sum
	}
	for range rapid.IntRange(1, 3).Draw(t, "claims") {
		var claim corev1.NodeAllocatableResourceClaimStatus
		for i := range rapid.IntRange(0, len(c.pod.Spec.Containers)).Draw(t, "users") {
			claim.Containers = append(claim.Containers, c.pod.Spec.Containers[i].Name)
		}
		for name, q := range testkit.ResourceList(testkit.Ordinary()).Draw(t, "mapped") {
			claim.Mapping = append(claim.Mapping, corev1.NodeAllocatableMappedResources{Name: name, Quantity: &q})
			add(name, q, 1)
		}
		for name, q := range testkit.ResourceList(testkit.Ordinary()).Draw(t, "overhead") {
			overhead, times := corev1.NodeAllocatableOverheadResources{Name: name, PerPod: &q}, 1
			if release < "1.38" { // since then, it counts while its container runs
				overhead.PerContainer = &q
				times += len(claim.Containers)
			}
			claim.Overhead = append(claim.Overhead, overhead)
			add(name, q, times)
		}
		c.claims = append(c.claims, claim)
	}
	c.opts.ClaimedFromNode = total
}

// upstreamPod returns a copy of the pod, because upstream modifies its argument.
func (c *testCase) upstreamPod() *corev1.Pod {
	pod := c.pod.DeepCopy()
	pod.Status.NodeAllocatableResourceClaimStatuses = c.claims
	return pod.DeepCopy()
}

func (c *testCase) upstreamOptions() upstream.PodResourcesOptions {
	return upstream.PodResourcesOptions{
		UseStatusResources: c.useStatus,
		InPlacePodLevelResourcesVerticalScalingEnabled: c.opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling == nil || *c.opts.Kubernetes.InPlacePodLevelResourcesVerticalScaling,
		SkipPodLevelResources:                          c.opts.IgnorePodLevel,
		SkipContainerLevelResources:                    c.opts.IgnoreContainers,
		ExcludeOverhead:                                c.opts.ExcludeOverhead,
		NonMissingContainerRequests:                    c.opts.MissingRequests.DeepCopy(),
		UseDRANodeAllocatableResourceClaimStatus:       true,
	}
}

// tester is what *testing.T and *rapid.T have in common here.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
}

// compare wants the same resources with the same values, printed in the same way.
func compare(t tester, got, want corev1.ResourceList) {
	t.Helper()
	compareAs(t, got, want, func(g, w resource.Quantity) bool { return g.Cmp(w) == 0 && g.String() == w.String() })
}

// compare is like the function compare, but with claims only the values have to be equal. A sum
// that is zero takes the format of what is added next, and upstream adds the claims one by one
// where ours gets their total, so intermediate sums may be zero at different points.
func (c *testCase) compare(t tester, got, want corev1.ResourceList) {
	t.Helper()
	if len(c.claims) == 0 {
		compare(t, got, want)
		return
	}
	compareAs(t, got, want, func(g, w resource.Quantity) bool { return g.Cmp(w) == 0 })
}

func compareAs(t tester, got, want corev1.ResourceList, equal func(g, w resource.Quantity) bool) {
	t.Helper()
	for name, w := range want {
		g, ok := got[name]
		switch {
		case !ok:
			t.Errorf("%s is missing, want %s", name, w.String())
		case !equal(g, w):
			t.Errorf("%s = %s (%s), want %s (%s)", name, g.String(), g.Format, w.String(), w.Format)
		}
	}
	for name, g := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s = %s, want none", name, g.String())
		}
	}
}

// compareTotals wants the list in integers, as arbitrary precision gives them.
func compareTotals(t tester, got computeresources.Totals, want corev1.ResourceList) {
	t.Helper()
	for _, c := range []struct {
		name        corev1.ResourceName
		unitsPerOne int64
		got         int64
	}{
		{corev1.ResourceCPU, 1000, got.MilliCPU},
		{corev1.ResourceMemory, 1, got.Memory},
		{corev1.ResourceEphemeralStorage, 1, got.EphemeralStorage},
	} {
		if w := testkit.RoundedAway(testkit.Exact(want[c.name]), c.unitsPerOne); c.got != w {
			q := want[c.name]
			t.Errorf("total of %s = %d, want %d (%s)", c.name, c.got, w, q.String())
		}
	}
	scalars := map[corev1.ResourceName]int64{}
	for name, q := range want {
		switch name {
		case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
			continue
		}
		if w := testkit.RoundedAway(testkit.Exact(q), 1); w != 0 {
			scalars[name] = w
		}
	}
	if !maps.Equal(got.ScalarResources, scalars) {
		t.Errorf("scalar resources %v, want %v", got.ScalarResources, scalars)
	}
}
