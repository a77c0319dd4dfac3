// Rivals measures the requests of a pod with kubemath and with component-helpers, and writes the results
// as JSON. The program of the same name in the module above runs it and prints one table.
package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	upstream "k8s.io/component-helpers/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	rival    = "component-helpers v0.37.2"
	matching = "statuses are matched to containers by name, and of three amounts the largest counts, unless the resize is infeasible"
)

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	listSink corev1.ResourceList
	intSink  int64
)

func main() {
	measure.Main(func(func(string) bool) ([]measure.Row, error) { return rows(), nil })
}

func rows() []measure.Row {
	// Upstream modifies its pod, so each side has its own.
	ours, theirs := testkit.StandardPod(false), testkit.StandardPod(false)
	spec := &ours.Spec
	ourList, theirList := corev1.ResourceList{}, corev1.ResourceList{}
	floor := func() { intSink = lookUps(spec) }
	rows := []measure.Row{
		{
			Kernel: "effective requests, fresh list", Rival: rival, AtLeast: 4, Aim: 6, Allocs: 2,
			Floor:  func() { intSink, listSink = lookUps(spec), freshList() },
			Ours:   func() { listSink = computeresources.SpecRequests(spec, computeresources.Options{}) },
			Theirs: func() { listSink = upstream.PodRequests(theirs, upstream.PodResourcesOptions{}) },
		},
		{
			Kernel: "effective requests, reused list", Rival: rival + ", Reuse", AtLeast: 6, Aim: 9, Floor: floor,
			Ours: func() {
				listSink = computeresources.SpecRequestsInto(ourList, spec, computeresources.Options{})
			},
			Theirs: func() {
				listSink = upstream.PodRequests(theirs, upstream.PodResourcesOptions{Reuse: theirList})
			},
		},
		{
			Kernel: "integer totals", Rival: rival, AtLeast: 12, Aim: 16, Floor: floor, FloorWithin: 1.8,
			Ours: func() {
				t := computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{})
				intSink = t.MilliCPU + t.Memory
			},
			Theirs: func() {
				list := upstream.PodRequests(theirs, upstream.PodResourcesOptions{})
				intSink = list.Cpu().MilliValue() + list.Memory().Value()
			},
		},
	}
	return append(rows, runningRows()...)
}

// runningRows are about a pod with its status that is not being resized, compared with what the
// scheduler computes.
func runningRows() []measure.Row {
	ours, theirs := testkit.RunningPod(false), testkit.RunningPod(false)
	ourTotal, theirTotal := testkit.RunningPod(true), testkit.RunningPod(true)
	ourList, theirList := corev1.ResourceList{}, corev1.ResourceList{}
	options := upstream.PodResourcesOptions{UseStatusResources: true, InPlacePodLevelResourcesVerticalScalingEnabled: true}
	reusing := options
	reusing.Reuse = theirList
	const withStatus = rival + ", UseStatusResources"
	return []measure.Row{
		{
			Kernel: "requests of a running pod, fresh list", Rival: withStatus, AtLeast: 6, Aim: 10, Allocs: 2,
			Floor:  func() { intSink, listSink = statusLookUps(ours), freshList() },
			Ours:   func() { listSink = computeresources.PodRequests(ours, computeresources.Options{}) },
			Theirs: func() { listSink = upstream.PodRequests(theirs, options) },
		},
		{
			Kernel: "requests of a running pod, reused list", Rival: withStatus + ", Reuse", AtLeast: 7, Aim: 10,
			Above:  matching,
			Floor:  func() { intSink = statusLookUps(ours) },
			Ours:   func() { listSink = computeresources.PodRequestsInto(ourList, ours, computeresources.Options{}) },
			Theirs: func() { listSink = upstream.PodRequests(theirs, reusing) },
		},
		{
			Kernel: "requests of a running pod, reused list, with pod-level status", Rival: withStatus + ", Reuse", AtLeast: 7, Aim: 10,
			Above:  matching,
			Floor:  func() { intSink = podStatusLookUps(ourTotal) },
			Ours:   func() { listSink = computeresources.PodRequestsInto(ourList, ourTotal, computeresources.Options{}) },
			Theirs: func() { listSink = upstream.PodRequests(theirTotal, reusing) },
		},
		{
			Kernel: "limits of a running pod, reused list", Rival: withStatus + ", Reuse", AtLeast: 7, Aim: 10,
			Floor:  func() { intSink = limitLookUps(ours) },
			Ours:   func() { listSink = computeresources.PodLimitsInto(ourList, ours, computeresources.Options{}) },
			Theirs: func() { listSink = upstream.PodLimits(theirs, reusing) },
		},
	}
}

// freshList is the least that returns the amounts of two resources: a map with both.
func freshList() corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: {Format: resource.DecimalSI}, corev1.ResourceMemory: {Format: resource.BinarySI}}
}

// statusLookUps is the least that any implementation has to do with a running pod: one look-up
// per container and resource in its spec and in both lists of its status.
func statusLookUps(pod *corev1.Pod) int64 {
	sum := lookUps(&pod.Spec)
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			sum += lookUp(statuses[i].AllocatedResources) + lookUp(statuses[i].Resources.Requests)
		}
	}
	return sum
}

// limitLookUps is that of limits, of which the status has one list.
func limitLookUps(pod *corev1.Pod) (sum int64) {
	for _, containers := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range containers {
			sum += lookUp(containers[i].Resources.Limits)
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			sum += lookUp(statuses[i].Resources.Limits)
		}
	}
	return sum
}

// podStatusLookUps is that of a pod whose status has the totals.
func podStatusLookUps(pod *corev1.Pod) int64 {
	return lookUps(&pod.Spec) + lookUp(pod.Status.AllocatedResources) + lookUp(pod.Status.Resources.Requests)
}

// lookUps is the least that any implementation has to do: one look-up per container
// and resource, added up as integers.
func lookUps(spec *corev1.PodSpec) (sum int64) {
	for i := range spec.Containers {
		sum += lookUp(spec.Containers[i].Resources.Requests)
	}
	for i := range spec.InitContainers {
		sum += lookUp(spec.InitContainers[i].Resources.Requests)
	}
	return sum
}

func lookUp(list corev1.ResourceList) int64 {
	cpu := list[corev1.ResourceCPU]
	memory := list[corev1.ResourceMemory]
	return cpu.MilliValue() + memory.Value()
}
