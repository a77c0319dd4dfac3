package noderesources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// onNode returns a pod whose node has allocated the requests of its only container.
func onNode(name string, requests corev1.ResourceList) *corev1.Pod {
	return resizing(name, requests, requests)
}

// resizing returns a pod that is resized from allocated to desired requests.
func resizing(name string, allocated, desired corev1.ResourceList) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name, pod.UID = name, types.UID(name)
	pod.Spec.Containers = []corev1.Container{testkit.Container("app", desired, nil)}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "app", AllocatedResources: allocated, Resources: &corev1.ResourceRequirements{Requests: allocated},
	}}
	return pod
}

func withPriority(pod *corev1.Pod, priority int32) *corev1.Pod {
	pod.Spec.Priority = &priority
	return pod
}

// newPod returns a pod with one container, and with no status.
func newPod(pairs ...string) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", testkit.List(pairs...), nil)}}}
}

const critical = 2_000_000_000

// claimed returns a pod whose second container requests devices that a resource claim provides.
func claimed(name corev1.ResourceName, container string) *corev1.Pod {
	pod := newPod("cpu", "1")
	pod.Spec.InitContainers = []corev1.Container{testkit.Container("init", testkit.List(string(name), "2"), nil)}
	pod.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{RequestMappings: []corev1.ContainerExtendedResourceRequest{
		{ContainerName: "app", ResourceName: string(name)}, {ContainerName: container, ResourceName: string(name)},
		{ContainerName: "init", ResourceName: "example.com/other"},
	}}
	return pod
}

func TestAdmitPod(t *testing.T) {
	allocatable := testkit.List("cpu", "2", "memory", "2Gi", "ephemeral-storage", "1Gi", "pods", "3",
		"hugepages-2Mi", "64Mi", "example.com/gpu", "1", "example.com/broken", "0")
	oneCPU := onNode("b", testkit.List("cpu", "1500m"))
	ended := onNode("ended", testkit.List("cpu", "2"))
	ended.Status.Phase = corev1.PodFailed
	deferred := resizing("b", testkit.List("cpu", "500m"), testkit.List("cpu", "8"))
	shrinking := resizing("b", testkit.List("cpu", "500m"), testkit.List("cpu", "500m"))
	shrinking.Status.ContainerStatuses[0].Resources.Requests = testkit.List("cpu", "1500m")
	unnamed := resizing("", testkit.List("cpu", "1500m"), testkit.List("cpu", "1600m"))
	namesake, terminating, before := oneCPU.DeepCopy(), oneCPU.DeepCopy(), oneCPU.DeepCopy()
	namesake.UID, terminating.DeletionTimestamp, before.Status.Phase = "other", &metav1.Time{}, corev1.PodFailed
	unreported := onNode("b", testkit.List("cpu", "1500m"))
	unreported.Status.ContainerStatuses[0] = corev1.ContainerStatus{Name: "app"}
	podLevel := onNode("b", nil)
	podLevel.Spec.Overhead = testkit.List("cpu", "500m")
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8")}
	podLevel.Status.AllocatedResources, podLevel.Status.Resources = testkit.List("cpu", "1"), &corev1.ResourceRequirements{}
	overhead := newPod("cpu", "1500m")
	overhead.Spec.Overhead = testkit.List("cpu", "501m", "example.com/absent", "1")
	static := newPod("cpu", "3")
	static.Annotations = map[string]string{"kubernetes.io/config.source": "file"}
	restarted := resizing("new", testkit.List("cpu", "1"), testkit.List("cpu", "4"))
	initResize := newPod()
	initResize.Spec.InitContainers = []corev1.Container{testkit.Container("init", testkit.List("cpu", "4"), nil)}
	initResize.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", AllocatedResources: testkit.List("cpu", "1")}}
	sidecarResize := initResize.DeepCopy()
	sidecarResize.Spec.InitContainers[0] = testkit.Sidecar("init", testkit.List("cpu", "4"), nil)

	tests := []struct {
		name    string
		pod     *corev1.Pod
		there   []*corev1.Pod
		opts    noderesources.KubeletOptions
		reason  string
		message string
		victims int
	}{
		{name: "a nil pod", pod: nil},
		{name: "all of the node", pod: newPod("cpu", "2", "memory", "2Gi", "example.com/gpu", "1")},
		{"too much cpu", newPod("cpu", "1"), []*corev1.Pod{oneCPU}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		{"memory in bytes, after cpu", newPod("memory", "3Gi", "ephemeral-storage", "2Gi"), nil, noderesources.KubeletOptions{}, "OutOfmemory",
			"Node didn't have enough resource: memory, requested: 3221225472, used: 0, capacity: 2147483648", 0},
		{"storage", newPod("ephemeral-storage", "2Gi"), nil, noderesources.KubeletOptions{}, "OutOfephemeral-storage",
			"Node didn't have enough resource: ephemeral-storage, requested: 2147483648, used: 0, capacity: 1073741824", 0},
		{"the number of pods comes first", newPod("cpu", "3"), []*corev1.Pod{onNode("a", nil), onNode("b", nil), onNode("c", nil)}, noderesources.KubeletOptions{}, "OutOfpods",
			"Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3", 0},
		{"hugepages", newPod("hugepages-2Mi", "128Mi"), nil, noderesources.KubeletOptions{}, "OutOfhugepages-2Mi",
			"Node didn't have enough resource: hugepages-2Mi, requested: 134217728, used: 0, capacity: 67108864", 0},
		{"hugepages of a size that the node does not have", newPod("hugepages-1Gi", "1Gi"), nil, noderesources.KubeletOptions{}, "OutOfhugepages-1Gi",
			"Node didn't have enough resource: hugepages-1Gi, requested: 1073741824, used: 0, capacity: 0", 0},
		{"the first scalar resource by name", newPod("example.com/gpu", "2", "example.com/broken", "1"), nil, noderesources.KubeletOptions{}, "OutOfexample.com/broken",
			"Node didn't have enough resource: example.com/broken, requested: 1, used: 0, capacity: 0", 0},
		{name: "an extended resource that the node does not list", pod: newPod("example.com/absent", "1")},
		{"only as overhead", overhead, nil, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 2001, used: 0, capacity: 2000", 0},
		{name: "devices of a claim", pod: claimed("example.com/gpu", "init")},
		{name: "devices of a class", pod: claimed("deviceclass.resource.kubernetes.io/gold", "init")},
		{"devices of a claim for another container", claimed("example.com/gpu", "other"), nil, noderesources.KubeletOptions{}, "OutOfexample.com/gpu",
			"Node didn't have enough resource: example.com/gpu, requested: 2, used: 0, capacity: 1", 0},
		{"a claim for what is no device", claimed("memory", "init"), []*corev1.Pod{onNode("b", testkit.List("memory", "2Gi"))}, noderesources.KubeletOptions{}, "OutOfmemory",
			"Node didn't have enough resource: memory, requested: 2, used: 2147483648, capacity: 2147483648", 0},
		{name: "a deferred resize of another pod", pod: newPod("cpu", "1500m"), there: []*corev1.Pod{deferred}},
		{"a resize that is not in effect yet", newPod("cpu", "1"), []*corev1.Pod{shrinking}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		{"another pod before its node reports resources", newPod("cpu", "1"), []*corev1.Pod{unreported}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		// The node has allocated 500m and the overhead, which PodRequests adds again to its status of 1.
		{"pod-level resources of another pod", newPod("cpu", "1"), []*corev1.Pod{podLevel}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		{"pod-level resources without a status", newPod("cpu", "1"), []*corev1.Pod{podLevel},
			noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{InPlacePodLevelResourcesVerticalScaling: testkit.Off()}}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 8500, capacity: 2000", 0},
		{name: "pod-level resources that do not count", pod: newPod("cpu", "1500m"), there: []*corev1.Pod{podLevel},
			opts: noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}},
		{name: "a pod that was admitted before, with a pending resize", pod: restarted},
		{name: "a sidecar can be resized if init containers cannot", pod: sidecarResize, opts: noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{InPlacePodVerticalScalingInitContainers: testkit.Off()}}},
		{name: "an init container with a pending resize", pod: initResize},
		{name: "the same, said expressly", pod: initResize, opts: noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{InPlacePodVerticalScalingInitContainers: testkit.On()}}},
		{"an init container that cannot be resized", initResize, nil, noderesources.KubeletOptions{Kubernetes: computeresources.Kubernetes{InPlacePodVerticalScalingInitContainers: testkit.Off()}}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 4000, used: 0, capacity: 2000", 0},
		{name: "ended and nil pods, and the pod itself", pod: oneCPU, there: []*corev1.Pod{ended, nil, oneCPU}},
		{name: "the pod itself, without a UID", pod: unnamed, there: []*corev1.Pod{unnamed}},
		{"a pod of another UID with its name", oneCPU, []*corev1.Pod{namesake}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1500, used: 1500, capacity: 2000", 0},
		{"a pod that has not ended, after one with its UID that has", newPod("cpu", "1"), []*corev1.Pod{before, terminating}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		{"two pods with one UID", newPod("cpu", "1"), []*corev1.Pod{oneCPU, oneCPU}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000", 0},
		{"two pods without UID", newPod("cpu", "1"), []*corev1.Pod{newPod("cpu", "1"), newPod("cpu", "1")}, noderesources.KubeletOptions{}, "OutOfcpu",
			"Node didn't have enough resource: cpu, requested: 1000, used: 2000, capacity: 2000", 0},
		{name: "a critical pod", pod: withPriority(newPod("cpu", "1"), critical), there: []*corev1.Pod{onNode("a", testkit.List("cpu", "500m")), oneCPU}, victims: 1},
		{"a critical pod among critical ones", withPriority(newPod("cpu", "1"), critical), []*corev1.Pod{withPriority(onNode("b", testkit.List("cpu", "2")), critical)}, noderesources.KubeletOptions{}, "UnexpectedAdmissionError",
			"Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]", 0},
		{"a static pod that is larger than the node", static, []*corev1.Pod{oneCPU}, noderesources.KubeletOptions{}, "UnexpectedAdmissionError",
			"Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]", 0},
		{name: "a pod with little less priority", pod: withPriority(newPod("cpu", "1"), critical-1), there: []*corev1.Pod{oneCPU}, reason: "OutOfcpu",
			message: "Node didn't have enough resource: cpu, requested: 1000, used: 1500, capacity: 2000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := noderesources.AdmitPod(test.pod, allocatable, test.there, test.opts)
			testkit.Equal(t, a.Reason, test.reason, "Reason")
			testkit.Equal(t, a.Message, test.message, "Message")
			testkit.Equal(t, len(a.Victims), test.victims, "Victims")
			testkit.Equal(t, len(a.Shortages) > 0, test.reason != "" || test.victims > 0, "Shortages")
		})
	}
	testkit.Equal(t, noderesources.AdmitPod(nil, nil, nil, noderesources.KubeletOptions{}).Reason, "OutOfpods", "on a node without allocatable resources")
}
