package computeresources_test

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

func ExamplePodTotals() {
	var node computeresources.Totals
	for range 1000 {
		node.Add(computeresources.PodTotals(growingPod(), computeresources.Requests, computeresources.Options{}))
	}
	for name, amount := range node.All() {
		fmt.Println(name, amount)
	}
	// Output:
	// cpu 3000000
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
	for _, d := range computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{}) {
		fmt.Println(d)
	}
	printList(computeresources.SpecRequests(spec, computeresources.Options{}))
	// Output:
	// container web: set the memory request to 1Gi
	// cpu 100m
	// memory 1Gi
}

func ExampleApplyPodLevelDefaults() {
	both := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{{Name: "web", Resources: corev1.ResourceRequirements{Requests: both, Limits: both}}},
		Resources:  &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
	}
	for _, d := range computeresources.ApplyPodLevelDefaults(spec, computeresources.Kubernetes{}) {
		fmt.Println(d)
	}
	// Output:
	// pod: set the memory request to 1Gi
	// pod: set the cpu limit to 2
	// pod: set the memory limit to 1Gi
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

func ExampleValidate() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), "example.com/gpu": resource.MustParse("1")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		},
	}}}
	for _, invalid := range computeresources.Validate(nil, spec, computeresources.Kubernetes{}) {
		fmt.Printf("%v, %s: %v\n", invalid.Ref, invalid.Resource, invalid.Cause)
		fmt.Println(invalid.Field(nil)) // the message of the server
	}
	// Output:
	// container app, cpu: RequestAboveLimit
	// spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
	// container app, example.com/gpu: LimitMissing
	// spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources
}

func ExamplePendingResize() {
	pod := &corev1.Pod{Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{
		Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonDeferred,
	}}}}
	reason := computeresources.PendingResize(pod)
	fmt.Println(reason, reason == corev1.PodReasonInfeasible)
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

func ExampleJSONPatch() {
	template := corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("2")},
	}}}}
	to := resource.MustParse("4")
	patch, err := computeresources.JSONPatch(&template, []computeresources.Change{
		{Ref: computeresources.Ref{Kind: computeresources.App, Name: "app"}, List: computeresources.Limits, Resource: "nvidia.com/gpu", To: &to},
	}, field.NewPath("spec", "template", "spec"))
	fmt.Println(string(patch), err)
	// Output: [{"op":"replace","path":"/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu","value":"4"}] <nil>
}

func ExampleHasEnded() {
	var node computeresources.Totals
	for _, phase := range []corev1.PodPhase{corev1.PodRunning, corev1.PodSucceeded, corev1.PodPending} {
		pod := &corev1.Pod{Spec: *exampleSpec(), Status: corev1.PodStatus{Phase: phase}}
		if !computeresources.HasEnded(pod) {
			node.Add(computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{}))
		}
	}
	fmt.Println(node.MilliCPU)
	// Output:
	// 2200
}

func ExampleContainerByID() {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}, {Name: "log"}}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", ContainerID: "containerd://4f2c"}, {Name: "log", ContainerID: "containerd://91d0"}}
	ref, found := computeresources.ContainerByID(pod, "91d0")
	fmt.Println(ref, ref.Path(nil), found)
	// Output: container log spec.containers[1] true
}

// exampleResize is a Burstable pod, and an update that gives it requests as large as its limits.
func exampleResize() (old, updated *corev1.Pod) {
	old = &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m"), corev1.ResourceMemory: resource.MustParse("1Gi")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: resource.MustParse("1Gi")},
		},
	}}}}
	updated = old.DeepCopy()
	app := &updated.Spec.Containers[0].Resources
	app.Requests[corev1.ResourceCPU] = resource.MustParse("1")
	return old, updated
}

func ExampleValidateResize() {
	old, updated := exampleResize()
	computeresources.ApplyRequestDefaults(&updated.Spec, computeresources.Kubernetes{})
	fmt.Println(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}).Err())

	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("900m")
	fmt.Println(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{}).Err())
	// Output:
	// spec: Invalid value: "": Pod QOS Class may not change as a result of resizing
	// <nil>
}

// The pod shall have 6 CPUs, on a node of 4.
func ExampleValidateResizeOnNode() {
	old, _ := exampleResize()
	old.Spec.NodeName = "node-1"
	updated := old.DeepCopy()
	updated.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("6")
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16Gi")}
	for _, problem := range computeresources.ValidateResizeOnNode(old, updated, node, computeresources.ResizeOptions{}) {
		fmt.Println(problem.Cause, problem.Node, problem.Requested.Cpu(), "of", problem.Allocatable.Cpu())
	}
	// Output:
	// NodeIsTooSmall node-1 6 of 4
}

func ExampleSpecWarnings() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name:      "app",
		Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("512m")}},
	}}}
	for _, path := range []*field.Path{nil, field.NewPath("spec", "template", "spec")} { // of a Pod, and of a Deployment
		fmt.Println(computeresources.SpecWarnings(spec, path)[0])
	}
	// Output:
	// spec.containers[0].resources.limits[memory]: fractional byte value "512m" is invalid, must be an integer
	// spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "512m" is invalid, must be an integer
}

func ExampleParseRelease() {
	release, err := computeresources.ParseRelease("v1.36.3-gke.100") // as kubectl version has it
	fmt.Println(release, err)
	_, err = computeresources.ParseRelease("1.20")
	fmt.Println(err)
	// Output:
	// 1.36 <nil>
	// unknown release of Kubernetes "1.20": must be one of 1.33, 1.34, 1.35, 1.36, 1.37, 1.38
}
