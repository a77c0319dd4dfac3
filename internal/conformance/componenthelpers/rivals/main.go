// Rivals measures what a pod asks for beside component-helpers, and writes the results
// as JSON. The program of the same name in the module above runs it and prints one
// table.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	upstream "k8s.io/component-helpers/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

const rival = "component-helpers v0.37.2"

// What the functions under measurement compute goes here, so that no compiler can
// leave the work out.
var (
	listSink corev1.ResourceList
	intSink  int64
)

func main() {
	rounds := flag.Int("rounds", 60, "how many `rounds` to measure")
	flag.Parse()
	if err := json.NewEncoder(os.Stdout).Encode(measure.Run(rows(), *rounds)); err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(1)
	}
}

func rows() []measure.Row {
	// Upstream writes into the pod that it is given: each side has its own.
	ours, theirs := testkit.StandardPod(false), testkit.StandardPod(false)
	spec := &ours.Spec
	ourList, theirList := corev1.ResourceList{}, corev1.ResourceList{}
	floor := func() { intSink = lookUps(spec) }
	return []measure.Row{
		{
			Kernel: "effective requests, fresh list", Rival: rival, AtLeast: 4, Aim: 6, Allocs: 2, Floor: floor,
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
			Kernel: "integer totals", Rival: rival, AtLeast: 12, Aim: 16, Floor: floor, FloorWithin: 1.5,
			Ours: func() {
				t := computeresources.SpecRequestTotals(spec, computeresources.Options{})
				intSink = t.MilliCPU + t.Memory
			},
			Theirs: func() {
				list := upstream.PodRequests(theirs, upstream.PodResourcesOptions{})
				intSink = list.Cpu().MilliValue() + list.Memory().Value()
			},
		},
	}
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
