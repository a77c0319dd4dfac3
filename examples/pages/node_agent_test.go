package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/qos"
)

// agentNode returns a node with 4 CPUs, and running pods: one of 2 CPUs, and two that are resized from 500m to 1 and
// to 2 CPUs.
func agentNode() (*corev1.Node, []*corev1.Pod) {
	node := &corev1.Node{}
	node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourcePods: resource.MustParse("110")}
	cpus := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
	}
	running := func(name, allocated, desired string) *corev1.Pod {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpus(desired)}}}
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: cpus(allocated), Resources: &corev1.ResourceRequirements{Requests: cpus(allocated)}}}
		return pod
	}
	return node, []*corev1.Pod{running("db", "2", "2"), running("web-1", "500m", "2"), running("web-2", "500m", "1")}
}

func Example_nodeAgentStart() {
	node, pods := agentNode()
	pod := &corev1.Pod{}
	pod.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m")},
	}}}

	admission := noderesources.AdmitPod(pod, node.Status.Allocatable, pods, noderesources.KubeletOptions{})
	if admission.Reason != "" {
		fmt.Println(admission.Reason)
		fmt.Println(admission.Message)
	}
	for _, i := range admission.Victims {
		fmt.Println("evicts", pods[i].Name)
	}

	priority := int32(2_000_000_000) // system-cluster-critical
	pod.Spec.Priority = &priority
	admission = noderesources.AdmitPod(pod, node.Status.Allocatable, pods, noderesources.KubeletOptions{})
	for _, i := range admission.Victims {
		fmt.Println("evicts", pods[i].Name)
	}
	// Output:
	// OutOfcpu
	// Node didn't have enough resource: cpu, requested: 1500, used: 3000, capacity: 4000
	// evicts web-1
}

func Example_nodeAgentResize() {
	node, pods := agentNode()

	for _, resize := range noderesources.PendingResizes(pods, node.Status.Allocatable, noderesources.KubeletOptions{}) {
		pod := pods[resize.Pod]
		if resize.State == "" {
			fmt.Println(pod.Name, "is resized now")
			continue
		}
		fmt.Println(pod.Name, resize.State+":", resize.Message)
		for _, s := range resize.Shortages {
			fmt.Println("waits for", s.Requested+s.Used-s.Capacity, "more of", s.Resource)
		}
	}
	// Output:
	// web-1 Deferred: Node didn't have enough resource: cpu, requested: 2000, used: 2500, capacity: 4000
	// waits for 500 more of cpu
	// web-2 is resized now
}

func Example_nodeAgentEviction() {
	var pods []*corev1.Pod
	for name, request := range map[string]string{"web": "1Gi", "batch": "256Mi", "cache": "2Gi"} {
		pods = append(pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse(request)},
			}}}},
		})
	}

	usage := map[types.UID]qos.PodUsage{ // by UID, of the kubelet's summary
		"web":   {Amount: 1500 << 20, Containers: map[string]int64{"app": 1500 << 20}},
		"batch": {Amount: 512 << 20, Containers: map[string]int64{"app": 512 << 20}},
		"cache": {Amount: 1900 << 20, Containers: map[string]int64{"app": 1900 << 20}},
	}
	threshold, available := resource.MustParse("100Mi"), resource.MustParse("80Mi")
	node := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: usage, Threshold: &threshold, Available: &available}
	order, err := qos.EvictionOrder(pods, node, computeresources.Kubernetes{})
	if err != nil {
		panic(err)
	}
	for _, e := range order {
		fmt.Println(pods[e.Index].Name, "exceeds its request by", e.Excess.String())
	}
	message, err := qos.EvictionMessage(pods[order[0].Index], node, computeresources.Kubernetes{})
	if err != nil {
		panic(err)
	}
	fmt.Println(message)
	// Output:
	// web exceeds its request by 476Mi
	// batch exceeds its request by 256Mi
	// cache exceeds its request by -148Mi
	// The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container app was using 1500Mi, request is 1Gi, has larger consumption of memory.
}

func Example_nodeAgentCgroup() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: "7b6c-d1"}}
	pod.Spec.Containers = []corev1.Container{
		{Name: "app", Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m")},
			Limits:   corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")},
		}},
		{Name: "logs"},
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", ContainerID: "containerd://0f3a"}}
	pods := []*corev1.Pod{pod}
	path := "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7b6c_d1.slice/cri-containerd-0f3a.scope"

	id, err := cgroupname.Parse(path) // below /sys/fs/cgroup, or of /proc/PID/cgroup
	if err != nil {
		fmt.Println(err) // not of a pod
		return
	}
	for _, pod := range pods {
		if cgroupname.UIDOf(pod) != id.UID { // not pod.UID, because of static pods
			continue
		}
		fmt.Println(pod.Name, qos.PodClass(pod, computeresources.Kubernetes{}), cgroupconfig.ForPod(pod, cgroupconfig.Options{}).Shares)
		which, _ := computeresources.ContainerByID(pod, id.Container)
		for ref, container := range computeresources.Containers(&pod.Spec) {
			if ref == which {
				fmt.Println(ref, cgroupconfig.ForContainer(pod, container, cgroupconfig.Options{}).Cgroup.V2(cgroup.SharesToLogarithmicWeight)) // of runc since 1.3.2
			}
		}
	}
	// Output:
	// web Burstable 256
	// container app [{cpu.max 100000 100000} {cpu.weight 35} {memory.low 0} {memory.min 0} {memory.oom.group 1} {memory.swap.max 0}]
}
