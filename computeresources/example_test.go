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

// exampleSpec is a web server with a proxy beside it, which runs before the set-up.
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

func ExamplePodRequests() {
	// While the set-up runs, with the proxy, the pod needs 1100m CPU: more than
	// afterwards. Of memory it needs more afterwards.
	printList(computeresources.PodRequests(exampleSpec(), computeresources.Options{}))
	// Output:
	// cpu 1100m
	// memory 1088Mi
}

func ExamplePodRequestsInto() {
	var list corev1.ResourceList
	for range 3 { // the list is allocated once
		list = computeresources.PodRequestsInto(list, exampleSpec(), computeresources.Options{})
	}
	printList(list)
	// Output:
	// cpu 1100m
	// memory 1088Mi
}

func ExamplePodLimits() {
	// The sum of the API passes over the proxy, which has no limits.
	printList(computeresources.PodLimits(exampleSpec(), computeresources.Options{}))
	// Output:
	// cpu 2
	// memory 1536Mi
}

func ExamplePodLimitsInto() {
	list := corev1.ResourceList{"example.com/left-over": resource.MustParse("1")}
	printList(computeresources.PodLimitsInto(list, exampleSpec(), computeresources.Options{}))
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

func ExamplePodRequestTotals() {
	t := computeresources.PodRequestTotals(exampleSpec(), computeresources.Options{})
	fmt.Printf("%dm CPU, %d bytes of memory\n", t.MilliCPU, t.Memory)
	fmt.Printf("every container requests cpu: %v; ephemeral-storage: %v\n", t.Complete.CPU, t.Complete.EphemeralStorage)
	// Output:
	// 1100m CPU, 1140850688 bytes of memory
	// every container requests cpu: true; ephemeral-storage: false
}

func ExamplePodLimitTotals() {
	t := computeresources.PodLimitTotals(exampleSpec(), computeresources.Options{})
	fmt.Printf("%dm CPU, which hold the pod back: %v\n", t.MilliCPU, t.Complete.CPU)
	// Output:
	// 2000m CPU, which hold the pod back: false
}

func ExampleOptions() {
	// A pod is to grow from 1 to 3 CPU in place. The node refuses.
	amount := func(cpu string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}
	}
	pod := &corev1.Pod{
		Spec: corev1.PodSpec{Containers: []corev1.Container{
			{Name: "web", Resources: corev1.ResourceRequirements{Requests: amount("3")}},
		}},
		Status: corev1.PodStatus{
			ContainerStatuses: []corev1.ContainerStatus{{Name: "web", AllocatedResources: amount("1")}},
		},
	}
	running := computeresources.Options{Status: &pod.Status}
	printList(computeresources.PodRequests(&pod.Spec, running))

	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Reason: corev1.PodReasonInfeasible}}
	printList(computeresources.PodRequests(&pod.Spec, running))
	// Output:
	// cpu 3
	// cpu 1
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
	for _, d := range computeresources.ApplyRequestDefaults(spec) {
		fmt.Println(d)
	}
	printList(computeresources.PodRequests(spec, computeresources.Options{}))
	// Output:
	// container web: request memory 1Gi
	// cpu 100m
	// memory 1Gi
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

func ExamplePodLevel() {
	fmt.Println(computeresources.PodLevel("memory"), computeresources.PodLevel("hugepages-2Mi"), computeresources.PodLevel("ephemeral-storage"))
	// Output:
	// true true false
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

func ExampleDefault() {
	d := computeresources.Default{
		Ref:      computeresources.Ref{Kind: computeresources.App, Name: "web"},
		Resource: corev1.ResourceCPU,
		Amount:   resource.MustParse("500m"),
	}
	fmt.Println(d)
	// Output:
	// container web: request cpu 500m
}

func ExampleTotals() {
	spec := &corev1.PodSpec{}
	for range 2 { // of half a milli-CPU and a bit: rounded up once, after the sum
		spec.Containers = append(spec.Containers, corev1.Container{Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500001n")},
		}})
	}
	fmt.Println(computeresources.PodRequestTotals(spec, computeresources.Options{}).MilliCPU)
	// Output:
	// 2
}

func ExampleComplete() {
	complete := computeresources.PodLimitTotals(exampleSpec(), computeresources.Options{}).Complete
	fmt.Printf("%+v\n", complete) // the proxy has no limits
	// Output:
	// {CPU:false Memory:false EphemeralStorage:false}
}

func ExampleValidateParts() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}, {
		Name:      "worker",
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("-1Gi")}},
	}}}
	for ref, err := range computeresources.ValidateParts(spec, nil) {
		fmt.Printf("%v: %v\n", ref, err.ErrorBody())
	}
	// Output:
	// container worker: Invalid value: "-1Gi": must be greater than or equal to 0
}

func ExampleValidate() {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app",
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), "example.com/gpu": resource.MustParse("1")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		},
	}}}
	for _, err := range computeresources.Validate(spec, nil) {
		fmt.Println(err)
	}
	// Output:
	// spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1
	// spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources
}
