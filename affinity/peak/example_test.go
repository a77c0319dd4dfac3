package peak_test

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
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
	for _, p := range demand.Peaks {
		fmt.Printf("%s: %s by %v, by one task at most %s\n", p.Resource, p.Amount.String(), p.Tasks, p.Largest.String())
	}
	// Output:
	// cpu: 3 by [lint unit], by one task at most 2
	// memory: 6Gi by [image], by one task at most 6Gi
	// pods: 2 by [lint unit], by one task at most 1
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

func ExampleNodes() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	allocatable := func(cpu, memory, pods string) corev1.ResourceList {
		list := amounts(cpu, memory)
		list[corev1.ResourcePods] = resource.MustParse(pods)
		return list
	}
	demand = demand.With(amounts("50m", "100Mi"), amounts("50m", "100Mi")) // the placeholder
	verdicts := peak.Nodes(demand, map[string]*noderesources.Ledger{
		"large":   noderesources.NewLedger(allocatable("8", "16Gi", "110")),
		"small":   noderesources.NewLedger(allocatable("4", "4Gi", "110")),
		"crowded": noderesources.NewLedger(allocatable("16", "64Gi", "2")),
	})
	for _, v := range verdicts {
		fmt.Println(v.Node, v.Room)
		for _, s := range v.Shortages {
			p, _ := demand.Peak(s.Resource)
			fmt.Printf("  %v: %v wanted at once by %s\n", &s, &p.Amount, strings.Join(p.Tasks, ", "))
		}
	}
	// Output:
	// crowded Waits
	//   Too many pods: 3 wanted at once by lint, unit
	// large Holds
	// small Never
	//   Insufficient memory: 6244Mi wanted at once by image
}

// The placeholder of each claim gets the size of the tasks that use the claim, or the most that a LimitRange admits.
func ExampleApplySizes() {
	run := release()
	run.Workspaces = []affinity.Workspace{{Name: "source", ClaimName: "sources"}, {Name: "images", ClaimName: "images"}}
	run.Tasks[1].Workspaces = []string{"source"}
	run.Tasks[2].Workspaces = []string{"source"}
	run.Tasks[3].Workspaces = []string{"images"}
	plan, err := affinity.PlanFor(run, affinity.Options{Placeholder: affinity.Placeholder{Image: "registry.k8s.io/pause:3.10"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	most := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, Max: corev1.ResourceList{"memory": resource.MustParse("4Gi")}},
	}}}
	most.Name = "most"
	sizes, err := peak.ApplySizes(plan, run, peak.Options{LimitRanges: []*corev1.LimitRange{most}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range sizes {
		fmt.Println(s.Assistant, s.Size.Cpu(), s.Size.Memory())
		for _, r := range s.Refusals {
			fmt.Println("  no more:", r.What)
		}
	}
	// Output:
	// affinity-assistant-2ff8a674d2 3 3584Mi
	// affinity-assistant-e4ce7b4e42 1 4Gi
	//   no more: container affinity-assistant: limit memory 6Gi is above the maximum 4Gi of LimitRange most
}

// Two jobs of a workflow that is not a PipelineRun. The second one fans out.
func ExampleDemandOf_workflow() {
	workflow := affinity.Run{Tasks: []affinity.Task{
		{Name: "plan", Requests: amounts("1", "1Gi")},
		{Name: "shard", RunAfter: []string{"plan"}, Requests: amounts("500m", "256Mi"), FanOut: 4},
	}}
	demand, err := peak.DemandOf(&workflow, peak.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range demand.Peaks {
		fmt.Println(p.Resource, p.Amount.String(), p.Tasks)
	}
	// Output:
	// cpu 2 [shard]
	// memory 1Gi [plan]
	// pods 4 [shard]
}

// A placeholder that was sized to 3 CPU makes way for the pod of a task that requests 2.
func ExampleShrink() {
	size, least := amounts("3", "6Gi"), amounts("50m", "100Mi")
	placeholder := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "affinity-assistant", Resources: corev1.ResourceRequirements{Requests: size, Limits: size},
	}}}
	for _, c := range peak.Shrink(placeholder, size, least, []corev1.ResourceList{amounts("2", "2Gi")}) {
		fmt.Println(c)
	}
	// Output:
	// container affinity-assistant: change the cpu request from 3 to 1
	// container affinity-assistant: change the cpu limit from 3 to 1
	// container affinity-assistant: change the memory request from 6Gi to 4Gi
	// container affinity-assistant: change the memory limit from 6Gi to 4Gi
}

// A node of 4 CPU holds a run of 3 if the placeholder makes way for it.
func ExampleDemand_With() {
	demand, _ := peak.DemandOf(release(), peak.Options{})
	size, least := amounts("3", "6Gi"), amounts("50m", "100Mi")
	allocatable := amounts("4", "8Gi")
	allocatable[corev1.ResourcePods] = resource.MustParse("110")
	nodes := map[string]*noderesources.Ledger{"only": noderesources.NewLedger(allocatable)}
	for _, d := range []peak.Demand{demand.With(size, size), demand.With(size, least)} {
		cpu, _ := d.Peak(corev1.ResourceCPU)
		fmt.Println(cpu.Amount.String(), peak.Nodes(d, nodes)[0].Room)
	}
	// Output:
	// 6 Never
	// 3050m Holds
}

// A task waits for a node that is at its cap on pods.
func ExampleFullNodes() {
	const assistant = "affinity-assistant-0b79942a50"
	placeholder := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "node-1"}}
	placeholder.Name = assistant + "-0"
	placeholder.Labels = map[string]string{"app.kubernetes.io/component": "affinity-assistant", "app.kubernetes.io/instance": assistant}
	task := &corev1.Pod{Spec: corev1.PodSpec{Affinity: affinity.TaskAffinity(nil, assistant)}}
	task.Name = "unit-pod"

	node := noderesources.NewLedger(corev1.ResourceList{corev1.ResourcePods: resource.MustParse("1")})
	if err := node.Add("1", noderesources.PodRequest(placeholder, computeresources.Options{})); err != nil {
		fmt.Println(err)
	}
	nodes := map[string]*noderesources.Ledger{"node-1": node}
	for _, full := range peak.FullNodes([]*corev1.Pod{placeholder, task}, nodes, noderesources.FitOptions{}) {
		fmt.Println(full.Placeholder.Name, "is no place for", full.Waiting.Name+":", full.Shortages.Err())
	}
	// Output:
	// affinity-assistant-0b79942a50-0 is no place for unit-pod: Too many pods
}

// Three tasks of 2 CPU that may run at the same time, in a quota of 4: one waits until another one has ended.
func ExamplePlay() {
	cpu := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{"requests.cpu": resource.MustParse(amount)}
	}
	run := &affinity.Run{Name: "matrix", Tasks: []affinity.Task{{Name: "test", FanOut: 3}}}
	step := corev1.Container{Name: "step-test"}
	step.Resources.Requests = corev1.ResourceList{"cpu": resource.MustParse("2")}
	quota := &corev1.ResourceQuota{Status: corev1.ResourceQuotaStatus{Hard: cpu("4"), Used: cpu("0")}}
	quota.Name = "team"

	timeline, err := peak.Play(run, peak.Scene{
		Pods: map[string]*corev1.PodSpec{"test": {Containers: []corev1.Container{step}}},
	}, peak.Options{Quotas: []*corev1.ResourceQuota{quota}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range timeline.Moments {
		fmt.Println(m.Running, m.Requests.Cpu(), len(m.Held))
	}
	fmt.Println(timeline.Moments[0].Held[0].Message)
	// Output:
	// [test test] 4 1
	// [test] 2 0
	// pods "matrix-test-2-pod" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=4, limited: requests.cpu=4
}
