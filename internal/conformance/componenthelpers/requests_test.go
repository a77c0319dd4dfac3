package componenthelpers

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/component-helpers/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPodRequests(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCase(t)
		want := upstream.PodRequests(c.upstreamPod(), c.upstreamOptions())
		reused := testkit.List("cpu", "7", "example.com/left-over", "1.5Gi")
		if c.useStatus {
			c.compare(t, computeresources.PodRequests(c.pod, c.opts), want)
			c.compare(t, computeresources.PodRequestsInto(reused, c.pod, c.opts), want)
			compareTotals(t, computeresources.PodTotals(c.pod, computeresources.Requests, c.opts), want)
		} else {
			c.compare(t, computeresources.SpecRequests(&c.pod.Spec, c.opts), want)
			c.compare(t, computeresources.SpecRequestsInto(reused, &c.pod.Spec, c.opts), want)
			compareTotals(t, computeresources.SpecTotals(&c.pod.Spec, computeresources.Requests, c.opts), want)
		}
	})
}

func TestPodLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCase(t)
		// Upstream's limits cannot leave the containers out: see
		// TestDivergenceLimitsWithoutContainers.
		c.opts.IgnoreContainers = false
		want := upstream.PodLimits(c.upstreamPod(), c.upstreamOptions())
		reused := testkit.List("cpu", "7", "example.com/left-over", "1.5Gi")
		if c.useStatus {
			c.compare(t, computeresources.PodLimits(c.pod, c.opts), want)
			c.compare(t, computeresources.PodLimitsInto(reused, c.pod, c.opts), want)
			compareTotals(t, computeresources.PodTotals(c.pod, computeresources.Limits, c.opts), want)
		} else {
			c.compare(t, computeresources.SpecLimits(&c.pod.Spec, c.opts), want)
			compareTotals(t, computeresources.SpecTotals(&c.pod.Spec, computeresources.Limits, c.opts), want)
		}
	})
}

// Pods that are not being resized, as the kubelet writes their status.
func TestRunningPods(t *testing.T) {
	asScheduler := upstream.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true}
	for name, pod := range map[string]*corev1.Pod{"container statuses": testkit.RunningPod(false), "pod-level status": testkit.RunningPod(true)} {
		compare(t, computeresources.PodRequests(pod, computeresources.Options{}), testkit.List("cpu", "400m", "memory", "512Mi"))
		compare(t, upstream.PodRequests(pod.DeepCopy(), asScheduler), testkit.List("cpu", "400m", "memory", "512Mi"))
		compare(t, computeresources.PodLimits(pod, computeresources.Options{}), upstream.PodLimits(pod.DeepCopy(), asScheduler))
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// The kubelet of 1.36 writes status.allocatedResources including the overhead, and the scheduler adds the
// overhead again. PodRequests returns what the scheduler reserves, so it counts the overhead twice as
// well.
func TestOverheadInAllocatedStatusCountsTwice(t *testing.T) {
	pod := testkit.RunningPod(true)
	pod.Spec.Overhead = testkit.List("cpu", "100m", "memory", "100Mi")
	pod.Status.AllocatedResources = testkit.List("cpu", "500m", "memory", "612Mi") // as of the kubelet
	want := testkit.List("cpu", "600m", "memory", "712Mi")
	compare(t, computeresources.PodRequests(pod, computeresources.Options{}), want)
	theirs := upstream.PodRequests(pod.DeepCopy(), upstream.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true})
	compare(t, theirs, want)

	once := testkit.List("cpu", "500m", "memory", "612Mi")
	compare(t, computeresources.SpecRequests(&pod.Spec, computeresources.Options{}), once)
	compare(t, computeresources.PodRequests(pod, computeresources.Options{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}), once)
}

func TestPodLevel(t *testing.T) {
	for _, name := range append(testkit.ResourceNames, "", "hugepages", "hugepages-", "requests.cpu", "pods") {
		if got, want := resourcelist.IsPodLevel(name), upstream.IsSupportedPodLevelResource(name); got != want {
			t.Errorf("PodLevel(%q) = %v, upstream says %v", name, got, want)
		}
	}
}

// Upstream ignores SkipContainerLevelResources when it computes limits. Ours treats requests and limits
// equally: only the pod level counts.
// See docs/decisions/computeresources.md#limits-without-containers.
func TestDivergenceLimitsWithoutContainers(t *testing.T) {
	pod := testkit.StandardPod(false)
	pod.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("cpu", "4")}
	got := computeresources.SpecLimits(&pod.Spec, computeresources.Options{IgnoreContainers: true})
	compare(t, got, testkit.List("cpu", "4"))
	theirs := upstream.PodLimits(pod, upstream.PodResourcesOptions{SkipContainerLevelResources: true})
	compare(t, theirs, testkit.List("cpu", "4", "memory", "1Gi"))
}

// Up to 0.37, upstream returns the pod's own decimals and then adds to them, so three equal calls give three
// answers (kubernetes/kubernetes 141241). Ours gives one.
// See docs/decisions/computeresources.md#results-own-their-memory.
func TestDivergenceThreeCallsOneAnswer(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		Containers: []corev1.Container{testkit.Container("app", nil, nil)},
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("memory", "1.5Gi")},
		Overhead:   testkit.List("memory", "128Mi"),
	}}
	for range 3 {
		compare(t, computeresources.SpecRequests(&pod.Spec, computeresources.Options{}), testkit.List("memory", "1664Mi"))
	}
	want := []string{"1664Mi", "1792Mi", "1920Mi"}
	if release >= "1.38" {
		want = []string{"1664Mi", "1664Mi", "1664Mi"}
	}
	for _, want := range want {
		compare(t, upstream.PodRequests(pod, upstream.PodResourcesOptions{}), testkit.List("memory", want))
	}
}

// Up to 0.37, MilliValue, which every user of upstream's list calls, wraps around. Ours saturates.
// See docs/decisions/computeresources.md#totals-saturate.
func TestDivergenceTotalsSaturate(t *testing.T) {
	for _, cpu := range []string{"1E", "10P", "9223372036854775807"} {
		spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", testkit.List("cpu", cpu), nil)}}
		if got := computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}).MilliCPU; got != 1<<63-1 {
			t.Errorf("MilliCPU of %s = %d, want it saturated", cpu, got)
		}
		q := resource.MustParse(cpu)
		if theirs := q.MilliValue(); (theirs > 0) != (release >= "1.38") {
			t.Errorf("upstream's MilliValue of %s is %d in %s", cpu, theirs, release)
		}
	}
}
