package recipes_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// runningPod returns a pod whose requests are allocated and actuated.
const runningPod = `
metadata: {namespace: shop, name: web, uid: 7f3c, resourceVersion: "1"}
spec:
  containers: [{name: app, resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {cpu: 1}}}]
  overhead: {cpu: 100m, memory: 64Mi}
status:
  containerStatuses:
  - name: app
    allocatedResources: {cpu: 500m, memory: 512Mi}
    resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {cpu: 1}}`

// Example_resizePlanner resizes a pod in place, from 500m to 1500m of cpu and from 512Mi to 256Mi
// of memory: whether the API server allows it, what quotas charge on the way, whether the node has
// room, and what the cgroups are set to.
func Example_resizePlanner() {
	pod := &corev1.Pod{}
	if err := yaml.UnmarshalStrict([]byte(runningPod), pod); err != nil {
		panic(err)
	}
	resized := pod.DeepCopy()
	app := computeresources.Ref{Name: "app"}
	cpu, memory, limit := resource.MustParse("1500m"), resource.MustParse("256Mi"), resource.MustParse("2")
	if err := computeresources.ApplyChanges(&resized.Spec, []computeresources.Change{
		{Ref: app, List: computeresources.Requests, Resource: corev1.ResourceCPU, To: &cpu},
		{Ref: app, List: computeresources.Requests, Resource: corev1.ResourceMemory, To: &memory},
		{Ref: app, List: computeresources.Limits, Resource: corev1.ResourceCPU, To: &limit},
	}); err != nil {
		panic(err)
	}
	infeasible := resized.DeepCopy()
	infeasible.Status.Conditions = []corev1.PodCondition{{
		Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonInfeasible,
	}}
	actuated := resized.DeepCopy()
	status := &actuated.Status.ContainerStatuses[0]
	status.AllocatedResources = resized.Spec.Containers[0].Resources.Requests
	status.Resources = &resized.Spec.Containers[0].Resources
	for _, stage := range []struct {
		name string
		pod  *corev1.Pod
	}{{"before", pod}, {"desired", resized}, {"infeasible", infeasible}, {"actuated", actuated}} {
		usage := quota.Pod(stage.pod, time.Now(), quota.PodOptions{}).Usage()
		fmt.Printf("%-10s requests.cpu=%v requests.memory=%v\n", stage.name, usage.Name(corev1.ResourceRequestsCPU, ""), usage.Name(corev1.ResourceRequestsMemory, ""))
	}

	compute := &corev1.ResourceQuota{}
	compute.Name = "compute"
	compute.Status.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1500m")}
	compute.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("600m")}
	namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{compute}, admit.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(namespace.Update(pod, resized, admit.Attributes{Subresource: "resize", Now: time.Now()}).Err())

	printRoom(pod, resized, "2")
	printRoom(pod, resized, "1500m")
	printCgroups(pod)
	printCgroups(resized)
	// Output:
	// before     requests.cpu=600m requests.memory=576Mi
	// desired    requests.cpu=1600m requests.memory=576Mi
	// infeasible requests.cpu=600m requests.memory=576Mi
	// actuated   requests.cpu=1600m requests.memory=320Mi
	// pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=1, used: requests.cpu=600m, limited: requests.cpu=1500m
	// node of 2: 400m remain
	// node of 1500m: Insufficient cpu
	// pod [{cpu.max 110000 100000} {cpu.weight 24}]
	// app [{cpu.max 100000 100000} {cpu.weight 59} {memory.low 0} {memory.min 0} {memory.oom.group 1} {memory.swap.max 0}]
	// pod [{cpu.max 210000 100000} {cpu.weight 63}]
	// app [{cpu.max 200000 100000} {cpu.weight 138} {memory.low 0} {memory.min 0} {memory.oom.group 1} {memory.swap.max 0}]
}

// printRoom prints what an otherwise empty node has left once its pod is resized, or why that does
// not fit.
func printRoom(pod, resized *corev1.Pod, cpus string) {
	node := noderesources.NewLedger(corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpus), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("110"),
	})
	if shortages := node.Shortages(noderesources.PodRequest(resized, computeresources.Options{}), noderesources.FitOptions{}); len(shortages) > 0 {
		fmt.Printf("node of %s: %v\n", cpus, shortages.Err())
		return
	}
	if err := node.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
		panic(err)
	}
	if err := node.Update(pod.UID, noderesources.PodRequest(resized, computeresources.Options{})); err != nil {
		panic(err)
	}
	free := node.Free()
	fmt.Printf("node of %s: %v remain\n", cpus, free.Cpu())
}

// printCgroups prints what the kubelet sets for a pod, and a current runtime for its container.
func printCgroups(pod *corev1.Pod) {
	opts := cgroupconfig.Options{}
	fmt.Println("pod", cgroupconfig.ForPod(pod, opts).V2(cgroup.SharesToLinearWeight))
	app := &pod.Spec.Containers[0]
	fmt.Println(app.Name, cgroupconfig.ForContainer(pod, app, opts).Cgroup.V2(cgroup.SharesToLogarithmicWeight))
}
