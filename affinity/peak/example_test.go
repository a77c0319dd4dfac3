package peak_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
)

// amounts builds a list of cpu and memory.
func amounts(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

// release clones, tests in two ways, and builds an image.
func release() *affinity.Run {
	return &affinity.Run{
		Name: "release", UID: "8c4a4b5e",
		Tasks: []affinity.Task{
			{Name: "clone", Requests: amounts("200m", "256Mi")},
			{Name: "unit", Requests: amounts("2", "2Gi"), RunAfter: []string{"clone"}},
			{Name: "lint", Requests: amounts("1", "1.5Gi"), RunAfter: []string{"clone"}},
			{Name: "image", Requests: amounts("1", "6Gi"), RunAfter: []string{"unit", "lint"}},
		},
		Finally: []affinity.Task{{Name: "report", Requests: amounts("100m", "64Mi")}},
	}
}

func ExampleDemandOf() {
	demand, err := peak.DemandOf(release(), peak.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range demand {
		fmt.Printf("%s: %s by %v, by one task at most %s\n", p.Resource, p.Amount.String(), p.Tasks, p.Largest.String())
	}
	// Output:
	// cpu: 3 by [lint unit], by one task at most 2
	// memory: 6Gi by [image], by one task at most 6Gi
	// pods: 2 by [lint unit], by one task at most 1
}

func ExampleOptions() {
	run := release()
	run.Tasks[3].Retries = 2
	for _, opts := range []peak.Options{{}, {OverlapRetries: true}, {Only: []string{"unit", "image"}}} {
		demand, _ := peak.DemandOf(run, opts)
		fmt.Println(demand[1].Resource, demand[1].Amount.String(), demand[1].Tasks)
	}
	// Output:
	// memory 6Gi [image]
	// memory 12Gi [image]
	// memory 6Gi [image]
}

func ExamplePeak() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	memory := demand[1]
	fmt.Println(memory.Resource, memory.Amount.String(), memory.Tasks)
	// Output:
	// memory 6Gi [image]
}

func ExampleDemand() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	for _, p := range demand {
		if p.Resource == corev1.ResourcePods {
			fmt.Println(p.Amount.String(), "pods at once:", p.Tasks)
		}
	}
	// Output:
	// 2 pods at once: [lint unit]
}

// A placeholder that is sized to its run.
func ExampleDemand_Requests() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	plan, err := affinity.PlanFor(release(), affinity.Options{
		Behavior:    affinity.PerRun,
		Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10", Requests: demand.Requests()},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests := plan.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources.Requests
	fmt.Println(requests.Cpu(), requests.Memory())
	// Output:
	// 3 6Gi
}

func ExampleDemand_With() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	for _, p := range demand.With(amounts("50m", "100Mi")) {
		fmt.Println(p.Resource, p.Amount.String())
	}
	// Output:
	// cpu 3050m
	// memory 6244Mi
	// pods 3
}

func ExampleNodes() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	allocatable := func(cpu, memory, pods string) corev1.ResourceList {
		list := amounts(cpu, memory)
		list[corev1.ResourcePods] = resource.MustParse(pods)
		return list
	}
	verdicts := peak.Nodes(demand.With(amounts("50m", "100Mi")), []*peak.Candidate{
		{Name: "large", Allocatable: allocatable("8", "16Gi", "110"), Pods: []corev1.ResourceList{amounts("4", "8Gi")}},
		{Name: "small", Allocatable: allocatable("4", "4Gi", "110")},
		{Name: "crowded", Allocatable: allocatable("16", "64Gi", "2")},
	})
	for _, v := range verdicts {
		fmt.Println(v.Node, v.Room)
		for _, s := range v.Shortages {
			fmt.Println(" ", s.Error())
		}
	}
	// Output:
	// crowded waits
	//   pods: 3 wanted at once by lint, unit, 2 free
	// large holds
	// small never
	//   memory: 6244Mi wanted at once by image, 4Gi free
}

func ExampleCandidate() {
	node := &peak.Candidate{Name: "n", Allocatable: amounts("4", "8Gi"), Pods: []corev1.ResourceList{amounts("1", "1Gi"), nil}}
	fmt.Println(peak.Nodes(nil, []*peak.Candidate{node})[0].Room)
	// Output:
	// holds
}

func ExampleRoom() {
	fmt.Println(peak.Holds, peak.Waits, peak.Never)
	// Output:
	// holds waits never
}

func ExampleVerdict() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	v := peak.Nodes(demand, []*peak.Candidate{{Name: "empty"}})[0]
	fmt.Println(v.Node, v.Room, len(v.Shortages))
	// Output:
	// empty never 3
}

func ExampleShortage() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	for _, s := range peak.Nodes(demand, []*peak.Candidate{{Allocatable: amounts("4", "8Gi")}})[0].Shortages {
		fmt.Println(s.Resource, s.Wanted.String(), s.Free.String(), s.Room)
	}
	// Output:
	// pods 2 0 never
}

func ExampleShortages_Err() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	verdict := peak.Nodes(demand, []*peak.Candidate{{Name: "small", Allocatable: amounts("2", "4Gi")}})[0]
	fmt.Println(verdict.Shortages.Err())
	// Output:
	// [cpu: 3 wanted at once by lint, unit, 2 free, memory: 6Gi wanted at once by image, 4Gi free, pods: 2 wanted at once by lint, unit, 0 free]
}

// The placeholder of each claim gets the size of the tasks that use the claim.
func ExampleApplySizes() {
	run := release()
	run.Workspaces = []affinity.Workspace{{Name: "source", ClaimName: "sources"}, {Name: "images", ClaimName: "images"}}
	run.Tasks[1].Workspaces = []string{"source"}
	run.Tasks[2].Workspaces = []string{"source"}
	run.Tasks[3].Workspaces = []string{"images"}
	plan, err := affinity.PlanFor(run, affinity.Options{Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}})
	if err == nil {
		err = peak.ApplySizes(plan, run, peak.Options{})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, set := range plan.StatefulSets {
		pod := set.Spec.Template.Spec
		requests := pod.Containers[0].Resources.Requests
		fmt.Println(pod.Volumes[0].PersistentVolumeClaim.ClaimName, requests.Cpu(), requests.Memory())
	}
	// Output:
	// sources 3 3584Mi
	// images 1 6Gi
}
