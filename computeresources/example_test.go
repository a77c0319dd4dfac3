package computeresources_test

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
)

// exampleSpec is a web server with a proxy as a sidecar, which starts before the set-up.
func exampleSpec() *corev1.PodSpec {
	always := corev1.ContainerRestartPolicyAlways
	amounts := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse(cpu),
			corev1.ResourceMemory: resource.MustParse(memory),
		}
	}
	return &corev1.PodSpec{
		InitContainers: []corev1.Container{
			{Name: "proxy", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: amounts("100m", "64Mi")}},
			{Name: "setup", Resources: corev1.ResourceRequirements{Requests: amounts("1", "256Mi"), Limits: amounts("2", "256Mi")}},
		},
		Containers: []corev1.Container{
			{Name: "web", Resources: corev1.ResourceRequirements{Requests: amounts("500m", "1Gi"), Limits: amounts("1", "1.5Gi")}},
		},
	}
}

func printList(list corev1.ResourceList) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		q := list[name]
		fmt.Println(name, q.String())
	}
}

func ExampleSpecRequests() {
	// While the set-up runs, with the proxy, the pod needs 1100m CPU: more than
	// afterwards. Of memory it needs more afterwards.
	printList(computeresources.SpecRequests(exampleSpec(), computeresources.Options{}))
	// Output:
	// cpu 1100m
	// memory 1088Mi
}

func ExampleSpecRequestsInto() {
	var list corev1.ResourceList
	for range 3 { // the list is allocated once
		list = computeresources.SpecRequestsInto(list, exampleSpec(), computeresources.Options{})
	}
	printList(list)
	// Output:
	// cpu 1100m
	// memory 1088Mi
}

func ExampleSpecLimits() {
	// The sum of the API passes over the proxy, which has no limits.
	printList(computeresources.SpecLimits(exampleSpec(), computeresources.Options{}))
	// Output:
	// cpu 2
	// memory 1536Mi
}

func ExampleBindingLimits() {
	spec := exampleSpec()
	fmt.Println(len(computeresources.BindingLimits(spec, computeresources.Options{})), "limits while the proxy has none")

	proxy := &spec.InitContainers[0].Resources
	proxy.Limits = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}
	printList(computeresources.BindingLimits(spec, computeresources.Options{}))
	// Output:
	// 0 limits while the proxy has none
	// memory 1600Mi
}

func ExampleSpecTotals() {
	t := computeresources.SpecTotals(exampleSpec(), computeresources.Requests, computeresources.Options{})
	fmt.Printf("%dm CPU, %d bytes of memory\n", t.MilliCPU, t.Memory)
	fmt.Printf("every container requests cpu: %v; ephemeral-storage: %v\n", t.AllSet.CPU, t.AllSet.EphemeralStorage)
	// Output:
	// 1100m CPU, 1140850688 bytes of memory
	// every container requests cpu: true; ephemeral-storage: false
}

// growingPod is a pod that grows from 1 to 3 CPU in place.
func growingPod() *corev1.Pod {
	amount := func(cpu string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	return &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "web", Resources: corev1.ResourceRequirements{Requests: amount("3"), Limits: amount("6")}},
		}},
		Status: corev1.PodStatus{
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "web", AllocatedResources: amount("1"),
				Resources: &corev1.ResourceRequirements{Requests: amount("1"), Limits: amount("2")},
			}},
		},
	}
}

func ExamplePodRequests() {
	// While the node may still grant 3 CPU, they are reserved. Then the node refuses.
	pod := growingPod()
	printList(computeresources.PodRequests(pod, computeresources.Options{}))
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: corev1.PodReasonInfeasible}}
	printList(computeresources.PodRequests(pod, computeresources.Options{}))
	// Output:
	// cpu 3
	// cpu 1
}

func ExamplePodRequestsInto() {
	pods := []*corev1.Pod{growingPod(), growingPod()}
	var list corev1.ResourceList
	for _, pod := range pods { // the list is allocated once
		list = computeresources.PodRequestsInto(list, pod, computeresources.Options{})
		printList(list)
	}
	// Output:
	// cpu 3
	// cpu 3
}

func ExamplePodLimits() {
	printList(computeresources.PodLimits(growingPod(), computeresources.Options{}))
	// Output:
	// cpu 6
}

func ExamplePodLimitsInto() {
	list := corev1.ResourceList{"example.com/left-over": resource.MustParse("1")}
	printList(computeresources.PodLimitsInto(list, growingPod(), computeresources.Options{}))
	// Output:
	// cpu 6
}

func ExamplePodTotals() {
	fmt.Println(computeresources.PodTotals(growingPod(), computeresources.Requests, computeresources.Options{}).MilliCPU)
	// Output:
	// 3000
}

func ExampleOptions() {
	// What the containers of a web server with a proxy set, without the pod's overhead.
	spec := exampleSpec()
	spec.Overhead = corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("100Mi")}
	printList(computeresources.SpecRequests(spec, computeresources.Options{}))
	printList(computeresources.SpecRequests(spec, computeresources.Options{ExcludeOverhead: true}))
	// Output:
	// cpu 1100m
	// memory 1188Mi
	// cpu 1100m
	// memory 1088Mi
}

func ExampleGates() {
	// The pod-level status has 2 CPU. Without the feature gate, it is ignored.
	two := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	pod := &corev1.Pod{Status: corev1.PodStatus{AllocatedResources: two, Resources: &corev1.ResourceRequirements{Requests: two}}}
	off := false
	for _, gates := range []computeresources.Gates{{}, {PodLevelStatus: &off}} {
		fmt.Println(len(computeresources.PodRequests(pod, computeresources.Options{Gates: gates})))
	}
	// Output:
	// 1
	// 0
}

func ExampleTotals_All() {
	price := map[corev1.ResourceName]int64{corev1.ResourceCPU: 3, "example.com/gpu": 2000}
	pod := computeresources.Totals{MilliCPU: 500, ScalarResources: map[corev1.ResourceName]int64{"example.com/gpu": 1}}
	var sum int64
	for name, amount := range pod.All() {
		sum += amount * price[name]
	}
	fmt.Println(sum)
	// Output:
	// 3500
}

func ExampleTotals_Add() {
	gpus := func(n string) *corev1.PodSpec {
		amounts := corev1.ResourceList{"example.com/gpu": resource.MustParse(n)}
		return &corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: amounts}}}}
	}
	var node computeresources.Totals
	for _, spec := range []*corev1.PodSpec{exampleSpec(), gpus("1"), gpus("2")} {
		node.Add(computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}))
	}
	fmt.Println(node.MilliCPU, node.ScalarResources)
	// Output:
	// 1100 map[example.com/gpu:3]
}

func ExampleTotals_Sub() {
	pod := computeresources.Totals{MilliCPU: 500, ScalarResources: map[corev1.ResourceName]int64{"example.com/gpu": 1}}
	node := computeresources.Totals{MilliCPU: 2000}
	node.Add(pod)
	node.Sub(pod)
	fmt.Println(node.MilliCPU, node.ScalarResources)
	// Output:
	// 2000 map[]
}

func ExampleApplyRequestDefaults() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "web",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")},
			Limits: corev1.ResourceList{
				corev1.ResourceCPU:    resource.MustParse("1"),
				corev1.ResourceMemory: resource.MustParse("1Gi"),
			},
		},
	}}}
	for _, d := range computeresources.ApplyRequestDefaults(spec, computeresources.Gates{}) {
		fmt.Println(d)
	}
	printList(computeresources.SpecRequests(spec, computeresources.Options{}))
	// Output:
	// container web: set the memory request to 1Gi
	// cpu 100m
	// memory 1Gi
}

func ExampleGates_ignorePodLevel() {
	limits := corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}
	for _, opts := range []computeresources.Gates{{}, {IgnorePodLevel: true}} {
		spec := &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: limits}}
		fmt.Println(computeresources.ApplyRequestDefaults(spec, opts))
	}
	// Output:
	// [pod: set the memory request to 1Gi]
	// []
}

func ExampleContainers() {
	for ref, c := range computeresources.Containers(exampleSpec()) {
		q := c.Resources.Requests[corev1.ResourceCPU]
		fmt.Printf("%v (%v): cpu %s\n", ref, ref.Path(nil), q.String())
	}
	// Output:
	// sidecar proxy (spec.initContainers[0]): cpu 100m
	// init container setup (spec.initContainers[1]): cpu 1
	// container web (spec.containers[0]): cpu 500m
}

func ExampleRef() {
	ref := computeresources.Ref{Kind: computeresources.Init, Index: 2, Name: "setup"}
	fmt.Printf("%v at %v\n", ref, ref.Path(field.NewPath("spec", "template", "spec")))
	// Output:
	// init container setup at spec.template.spec.initContainers[2]
}

func ExampleRef_Resources() {
	spec := exampleSpec()
	web := computeresources.Ref{Kind: computeresources.App, Name: "web"}
	printList(web.Resources(spec).Limits)
	// Output:
	// cpu 1
	// memory 1536Mi
}

func ExampleRef_Path() {
	ref := computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "web"}
	fmt.Println(ref.Path(nil).Child("resources", "limits").Key("cpu"))
	// Output:
	// spec.containers[1].resources.limits[cpu]
}

func ExampleKind() {
	for _, kind := range []computeresources.Kind{computeresources.App, computeresources.Init, computeresources.Sidecar, computeresources.Pod} {
		fmt.Println(kind)
	}
	// Output:
	// container
	// init container
	// sidecar
	// pod
}

func ExampleList() {
	web := exampleSpec().Containers[0].Resources
	for _, list := range []computeresources.List{computeresources.Requests, computeresources.Limits} {
		q := list.Of(&web)[corev1.ResourceCPU]
		fmt.Println("cpu", list, q.String())
	}
	// Output:
	// cpu request 500m
	// cpu limit 1
}

func ExampleList_Of() {
	printList(computeresources.Limits.Of(&exampleSpec().Containers[0].Resources))
	// Output:
	// cpu 1
	// memory 1536Mi
}

func ExampleSource() {
	fmt.Println(computeresources.Source{Kind: "LimitRange", Namespace: "team", Name: "defaults", Field: "spec.limits[0]"})
	fmt.Println(computeresources.Source{})
	// Output:
	// LimitRange team/defaults
	// pod
}

func ExampleChange() {
	amount := resource.MustParse("500m")
	fmt.Println(computeresources.Change{
		Ref:      computeresources.Ref{Kind: computeresources.App, Name: "web"},
		List:     computeresources.Requests,
		Resource: corev1.ResourceCPU,
		To:       &amount,
		Source:   computeresources.Source{Kind: "LimitRange", Namespace: "team", Name: "defaults"},
	})
	// Output:
	// container web: set the cpu request to 500m (LimitRange team/defaults)
}

func ExampleApplyChanges() {
	spec := exampleSpec()
	amount := resource.MustParse("64Mi")
	err := computeresources.ApplyChanges(spec, []computeresources.Change{{
		Ref:  computeresources.Ref{Kind: computeresources.Sidecar, Name: "proxy"},
		List: computeresources.Limits, Resource: corev1.ResourceMemory, To: &amount,
	}})
	printList(spec.InitContainers[0].Resources.Limits)
	fmt.Println(err)
	// Output:
	// memory 64Mi
	// <nil>
}

func ExampleTotals() {
	spec := &corev1.PodSpec{}
	for range 2 { // of half a milli-CPU and a bit: rounded up once, after the sum
		spec.Containers = append(spec.Containers, corev1.Container{Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500001n")},
		}})
	}
	fmt.Println(computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}).MilliCPU)
	// Output:
	// 2
}

func ExampleAllSet() {
	allSet := computeresources.SpecTotals(exampleSpec(), computeresources.Limits, computeresources.Options{}).AllSet
	fmt.Printf("%+v\n", allSet) // the proxy has no limits
	// Output:
	// {CPU:false Memory:false EphemeralStorage:false}
}

func ExampleValidate() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), "example.com/gpu": resource.MustParse("1")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		},
	}}}
	for _, invalid := range computeresources.Validate(nil, spec, computeresources.Gates{}) {
		fmt.Printf("%v, %s: %v\n", invalid.Ref, invalid.Resource, invalid.Cause)
	}
	// Output:
	// container app, cpu: request above limit
	// container app, example.com/gpu: limit missing
}

func ExampleInvalidCause() {
	for _, invalid := range exampleInvalid() {
		if invalid.Cause == computeresources.Negative {
			fmt.Println("below zero:", invalid.Ref, invalid.Resource, invalid.Amount)
		}
	}
	// Output:
	// below zero: container worker memory -1Gi
}

// exampleInvalid has an amount below zero.
func exampleInvalid() computeresources.Problems[*computeresources.InvalidResource] {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}, {
		Name:      "worker",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("-1Gi")}},
	}}}
	return computeresources.Validate(nil, spec, computeresources.Gates{})
}

func ExampleProblem() {
	// Why objects of all kinds are refused has a message and a field.
	var problems []computeresources.Problem
	for _, invalid := range exampleInvalid() {
		problems = append(problems, invalid)
	}
	fmt.Println(problems[0].Field(nil).Type, "at", problems[0].Field(nil).Field)
	// Output:
	// Invalid value at spec.containers[1].resources.requests[memory]
}

func ExampleProblems_Err() {
	fmt.Println(exampleInvalid().Err())
	// Output:
	// spec.containers[1].resources.requests[memory]: Invalid value: "-1Gi": must be greater than or equal to 0
}

func ExampleProblems_ErrorList() {
	for _, err := range exampleInvalid().ErrorList(field.NewPath("spec", "template", "spec")) {
		fmt.Println(err)
	}
	// Output:
	// spec.template.spec.containers[1].resources.requests[memory]: Invalid value: "-1Gi": must be greater than or equal to 0
}

func ExampleInvalidResource_Field() {
	invalid := exampleInvalid()[0]
	fmt.Println(invalid.Cause, "at", invalid.Field(nil).Field)
	// Output:
	// negative at spec.containers[1].resources.requests[memory]
}

func ExampleDownwardValue() {
	// What GOMAXPROCS is set from: the limit of the container in whole CPUs.
	field := corev1.ResourceFieldSelector{ContainerName: "setup", Resource: "limits.cpu"}
	fmt.Println(computeresources.DownwardValue(exampleSpec(), field, computeresources.DownwardOptions{}))
	field.Divisor = resource.MustParse("1m")
	fmt.Println(computeresources.DownwardValue(exampleSpec(), field, computeresources.DownwardOptions{}))
	// Output:
	// 2 <nil>
	// 2000 <nil>
}

func ExampleDownwardOptions() {
	// The proxy has no limit, and so shows what the node has.
	opts := computeresources.DownwardOptions{NodeAllocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("16")}}
	field := corev1.ResourceFieldSelector{ContainerName: "proxy", Resource: "limits.cpu"}
	fmt.Println(computeresources.DownwardValue(exampleSpec(), field, opts))
	// Output:
	// 16 <nil>
}

func ExamplePendingResize() {
	pod := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonDeferred,
	}}}}
	state := computeresources.PendingResize(pod)
	fmt.Println(state, state == computeresources.ResizeInfeasible)
	// Output:
	// Deferred false
}

func ExampleValidateRequirements() {
	requirements := &corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")},
		Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
	}
	invalid := computeresources.ValidateRequirements(requirements)
	fmt.Println(invalid.ErrorList(field.NewPath("spec", "stepTemplate", "computeResources")).ToAggregate())
	// Output:
	// spec.stepTemplate.computeResources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
}

func ExampleOptions_renamed() {
	// Koordinator has replaced cpu and memory by resources for what remains of them on the node.
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "batch", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{"kubernetes.io/batch-cpu": resource.MustParse("1500"), "kubernetes.io/batch-memory": resource.MustParse("1Gi")},
	}}}}
	opts := computeresources.Options{CPUName: "kubernetes.io/batch-cpu", MemoryName: "kubernetes.io/batch-memory"}
	printList(computeresources.SpecRequests(spec, opts))
	// Output:
	// cpu 1500m
	// memory 1Gi
}
