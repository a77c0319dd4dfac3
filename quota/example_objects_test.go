package quota_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

// listOf makes a list of names and amounts.
func listOf(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// printList prints a list by name.
func printList(list corev1.ResourceList) {
	for _, name := range resourcelist.ResourceNames(list) {
		q := list[name]
		fmt.Printf("%s: %s\n", name, q.String())
	}
}

// webPod is a pod of one container.
func webPod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Resources: corev1.ResourceRequirements{Requests: listOf("cpu", "500m"), Limits: listOf("cpu", "1")},
		}}},
	}
}

// computeQuota is a quota that has room for half a CPU.
func computeQuota() *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"},
		Spec:       corev1.ResourceQuotaSpec{Hard: listOf("limits.cpu", "10", "pods", "20")},
		Status: corev1.ResourceQuotaStatus{
			Hard: listOf("limits.cpu", "10", "pods", "20"),
			Used: listOf("limits.cpu", "9500m", "pods", "11"),
		},
	}
}

func ExamplePod() {
	printList(quota.Pod(webPod(), time.Now(), quota.PodOptions{}).Usage())
	// Output:
	// count/pods: 1
	// cpu: 500m
	// limits.cpu: 1
	// pods: 1
	// requests.cpu: 500m
}

// During an in-place resize, the largest of the desired, allocated and actuated amounts counts.
func ExamplePodOptions() {
	pod := webPod()
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "app", AllocatedResources: listOf("cpu", "2"), Resources: &corev1.ResourceRequirements{Requests: listOf("cpu", "2")},
	}}
	for _, opts := range []quota.PodOptions{{}, {IgnoreStatus: true}} {
		cpu := quota.Pod(pod, time.Now(), opts).Usage()[corev1.ResourceRequestsCPU]
		fmt.Println(cpu.String())
	}
	// Output:
	// 2
	// 500m
}

// The usage of one quota by a pod: services do not concern it, and it has no memory limit.
func ExampleObject_UsageIn() {
	compute := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: listOf("pods", "10", "limits.cpu", "4", "limits.memory", "8Gi", "services", "2")}}
	usage, err := quota.Pod(webPod(), time.Now(), quota.PodOptions{}).UsageIn(compute)
	printList(usage)
	fmt.Println(err)
	// Output:
	// limits.cpu: 1
	// limits.memory: 0
	// pods: 1
	// <nil>
}

func ExamplePersistentVolumeClaim() {
	gold := "gold"
	claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		StorageClassName: &gold, Resources: corev1.VolumeResourceRequirements{Requests: listOf("storage", "1.5Gi")},
	}}
	printList(quota.PersistentVolumeClaim(claim).Usage())
	// Output:
	// count/persistentvolumeclaims: 1
	// gold.storageclass.storage.k8s.io/persistentvolumeclaims: 1
	// gold.storageclass.storage.k8s.io/requests.storage: 1536Mi
	// persistentvolumeclaims: 1
	// requests.storage: 1536Mi
}

func ExampleService() {
	service := &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, Ports: []corev1.ServicePort{{Port: 80}, {Port: 443}}}}
	printList(quota.Service(service).Usage())
	// Output:
	// count/services: 1
	// services: 1
	// services.loadbalancers: 1
	// services.nodeports: 2
}

func gpus(n int64) *resourcev1.ResourceClaim {
	request := resourcev1.DeviceRequest{Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gpu", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: n}}
	return &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{request}}}}
}

func ExampleResourceClaim() {
	printList(quota.ResourceClaim(gpus(2), quota.ResourceClaimOptions{}).Usage())
	// Output:
	// count/resourceclaims.resource.k8s.io: 1
	// gpu.deviceclass.resource.k8s.io/devices: 2
	// requests.deviceclass.resource.kubernetes.io/gpu: 2
}

// The device class also answers to the name of an extended resource.
func ExampleResourceClaimOptions() {
	opts := quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gpu": "example.com/gpu"}}
	usage := quota.ResourceClaim(gpus(2), opts).Usage()["requests.example.com/gpu"]
	fmt.Println(usage.String())
	// Output: 2
}

func ExampleCounted() {
	printList(quota.Counted(schema.GroupResource{Group: "apps", Resource: "deployments"}, nil).Usage())
	// Output: count/deployments.apps: 1
}

func ExampleObject() {
	objects := []quota.Object{quota.Pod(webPod(), time.Now(), quota.PodOptions{}), quota.Service(&corev1.Service{})}
	for _, object := range objects {
		fmt.Println(object.Key().Resource, len(object.Usage()))
	}
	// Output:
	// pods 5
	// services 4
}

func ExampleObject_Usage() {
	printList(quota.Service(&corev1.Service{}).Usage())
	// Output:
	// count/services: 1
	// services: 1
	// services.loadbalancers: 0
	// services.nodeports: 0
}

func ExampleObject_UsageInto() {
	usage := corev1.ResourceList{}
	for range 3 {
		usage = quota.Pod(webPod(), time.Now(), quota.PodOptions{}).UsageInto(usage)
	}
	fmt.Println(len(usage))
	// Output: 5
}

func ExampleObject_Matches() {
	q := computeQuota()
	q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	fmt.Println(quota.Pod(webPod(), time.Now(), quota.PodOptions{}).Matches(q))
	// Output: false <nil>
}

func ExampleObject_InScope() {
	scope := corev1.ScopedResourceSelectorRequirement{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpDoesNotExist}
	fmt.Println(quota.Pod(webPod(), time.Now(), quota.PodOptions{}).InScope(scope))
	// Output: true <nil>
}

func ExampleObject_MissingRequired() {
	pod := quota.Pod(webPod(), time.Now(), quota.PodOptions{})
	fmt.Println(pod.MissingRequired([]corev1.ResourceName{"cpu", "limits.memory", "pods"}))
	// Output: [{limits.memory [app]}]
}

func ExampleMissingResource() {
	for _, u := range quota.Pod(webPod(), time.Now(), quota.PodOptions{}).MissingRequired([]corev1.ResourceName{"memory"}) {
		fmt.Println(u.Resource, u.Containers)
	}
	// Output: memory [app]
}

func ExampleObject_Key() {
	key := quota.Pod(webPod(), time.Now(), quota.PodOptions{}).Key()
	fmt.Println(key.Resource, key.Namespace, key.Name)
	// Output: pods shop web
}

func ExampleKey() {
	key := quota.Key{Resource: schema.GroupResource{Group: "apps", Resource: "deployments"}, Namespace: "shop", Name: "web"}
	fmt.Println(key.Resource, key.Namespace+"/"+key.Name)
	// Output: deployments.apps shop/web
}

func ExampleExtendedResources() {
	name := "example.com/gpu"
	class := &resourcev1.DeviceClass{Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: &name}}
	class.Name = "gpu"
	fmt.Println(quota.ExtendedResources([]*resourcev1.DeviceClass{class}))
	// Output: map[gpu:example.com/gpu]
}
