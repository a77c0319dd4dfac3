package vectors

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// A Placement is a pod that the scheduler is to place on a node where other pods are.
type Placement struct {
	Allocatable Amounts `json:"allocatable"`
	Placed      []Pod   `json:"placed,omitempty"`
	Pod         Pod     `json:"pod"`
}

// A Fit is the answer of the scheduler about the node: the reasons why the pod does not fit, sorted, and
// the scores of NodeResourcesFit and NodeResourcesBalancedAllocation over cpu and memory, with equal
// weights.
type Fit struct {
	Reasons            []string `json:"reasons"`
	LeastAllocated     int64    `json:"leastAllocated"`
	MostAllocated      int64    `json:"mostAllocated"`
	BalancedAllocation int64    `json:"balancedAllocation"`
}

// Placements are pods on nodes.
func Placements() []Case[Placement, Fit] {
	var cases []Case[Placement, Fit]
	add := func(name, why string, allocatable corev1.ResourceList, asks corev1.PodSpec, placed ...corev1.PodSpec) {
		in := Placement{Allocatable: AmountsOf(allocatable), Pod: PodOf(asks)}
		for _, p := range placed {
			in.Placed = append(in.Placed, PodOf(p))
		}
		cases = append(cases, Case[Placement, Fit]{Name: name, Why: why, Input: in})
	}
	node := func() corev1.ResourceList {
		return testkit.List("cpu", "4", "memory", "8Gi", "ephemeral-storage", "100Gi", "pods", "10", "example.com/gpu", "2", "hugepages-2Mi", "128Mi")
	}
	asks := func(cpu, memory string) corev1.PodSpec {
		list := testkit.List("cpu", cpu, "memory", memory)
		return pod(testkit.Container("app", list, nil))
	}
	const scores = "Scores are integers from 0 to 100, rounded down for each resource, then for their mean; a pod that does not fit has some all the same."
	for _, there := range []string{"0", "500m", "1", "2", "3", "3900m", "4", "6"} {
		for _, cpu := range []string{"0", "1m", "100m", "1", "2", "4", "4001m"} {
			add(fmt.Sprintf("%s of 4 CPUs taken, %s asked for", there, cpu), "A pod fits if what it asks for is at most what is left; one that asks for nothing of a resource fits even where that is overcommitted. "+scores, node(), asks(cpu, "1Gi"), asks(there, "2Gi"))
		}
	}
	for _, there := range []string{"0", "1Gi", "4Gi", "7.5Gi", "8Gi", "12Gi"} {
		for _, memory := range []string{"0", "1", "512Mi", "1Gi", "4Gi", "8Gi", "8589934593"} {
			add(fmt.Sprintf("%s of 8Gi taken, %s asked for", there, memory), "Memory is compared to the byte. "+scores, node(), asks("500m", memory), asks("1", there))
		}
	}
	for _, cpu := range []string{"500m", "1", "1500m", "2", "3", "4"} {
		for _, memory := range []string{"512Mi", "1Gi", "2Gi", "4Gi", "6Gi"} {
			add(fmt.Sprintf("an empty node, %s and %s asked for", cpu, memory), "The two fractions of the node decide BalancedAllocation: the closer, the higher. "+scores, node(), asks(cpu, memory))
		}
	}
	nothing := pod(testkit.Container("app", nil, nil))
	for n := range 12 {
		placed := make([]corev1.PodSpec, n)
		for i := range placed {
			placed[i] = nothing
		}
		add(fmt.Sprintf("%d pods without requests", n), "For scores, a container without a request counts as 100m and 200MB (200 × 1024 × 1024 bytes); for the fit, as nothing. The number of pods is limited, too.", node(), nothing, placed...)
	}
	for _, c := range placementShapes() {
		for _, there := range []struct {
			words  string
			placed []corev1.PodSpec
		}{
			{"an empty node", nil},
			{"a node half full", []corev1.PodSpec{asks("2", "4Gi")}},
			{"a node almost full", []corev1.PodSpec{asks("2", "4Gi"), asks("1800m", "3584Mi")}},
			{"a node with such a pod", []corev1.PodSpec{c.spec}},
		} {
			add(c.name+" on "+there.words, c.why, node(), c.spec, there.placed...)
		}
	}
	for _, c := range []struct {
		name, why string
		list      corev1.ResourceList
	}{
		{"a node without anything", "What a node does not report, it has zero of, pods as well.", corev1.ResourceList{}},
		{"a node without memory", "A resource of which the node has nothing is left out of scores.", testkit.List("cpu", "4", "pods", "10")},
		{"a node without cpu", "A resource of which the node has nothing is left out of scores.", testkit.List("memory", "8Gi", "pods", "10")},
		{"a node of milli-units", "CPUs are counted in milli-units.", testkit.List("cpu", "3999m", "memory", "8Gi", "pods", "10")},
		{"a node with a fraction of a byte", "Bytes are rounded up.", testkit.List("cpu", "4", "memory", "8589934591.5", "pods", "10")},
	} {
		for _, p := range []struct {
			name string
			spec corev1.PodSpec
		}{{"nothing", nothing}, {"1 and 1Gi", asks("1", "1Gi")}, {"4 and 8Gi", asks("4", "8Gi")}, {"cpu alone", pod(testkit.Container("app", testkit.List("cpu", "1"), nil))}} {
			add(c.name+", "+p.name+" asked for", c.why, c.list, p.spec)
		}
	}
	return cases
}

// placementShapes are pods whose requests are not those of one container.
func placementShapes() []named {
	list := testkit.List("cpu", "500m", "memory", "1Gi")
	init := pod(testkit.Container("app", list, nil))
	init.InitContainers = []corev1.Container{testkit.Container("setup", testkit.List("cpu", "2", "memory", "256Mi"), nil)}
	side := pod(testkit.Container("app", list, nil))
	side.InitContainers = []corev1.Container{testkit.Sidecar("proxy", list, nil)}
	both := *side.DeepCopy()
	both.InitContainers = append(both.InitContainers, init.InitContainers...)
	overhead := pod(testkit.Container("app", list, nil))
	overhead.Overhead = testkit.List("cpu", "250m", "memory", "120Mi")
	return []named{
		{"a pod with a large init container", "The most of init and app containers counts, for each resource by itself.", init},
		{"a pod with a sidecar", "A sidecar counts beside the app.", side},
		{"a pod with an init container behind a sidecar", "The init container runs beside the sidecar.", both},
		{"a pod with overhead", "The overhead takes room, too.", overhead},
		{"a pod with limits alone", "The scheduler looks at requests; the API server would have filled them in.", pod(testkit.Container("app", nil, list))},
		{"a pod with a device", "Devices are counted in whole pieces.", pod(testkit.Container("app", testkit.List("cpu", "1", "example.com/gpu", "2"), testkit.List("example.com/gpu", "2")))},
		{"a pod with a device that the node does not have", "What a node does not report, it has zero of.", pod(testkit.Container("app", testkit.List("example.org/fpga", "1"), testkit.List("example.org/fpga", "1")))},
		{"a pod with huge pages", "Huge pages do not come out of memory.", pod(testkit.Container("app", testkit.List("cpu", "1", "memory", "64Mi", "hugepages-2Mi", "128Mi"), testkit.List("hugepages-2Mi", "128Mi")))},
		{"a pod with local storage", "Local storage is compared to the byte.", pod(testkit.Container("app", testkit.List("ephemeral-storage", "60Gi"), nil))},
		{"a pod of three containers", "Their requests are added; each without one counts for scores by itself.", pod(testkit.Container("a", list, nil), testkit.Container("b", list, nil), testkit.Container("c", nil, nil))},
	}
}
