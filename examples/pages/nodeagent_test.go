package pages_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

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
	order := qos.EvictionOrder(pods, qos.MemoryPressure, usage, computeresources.Gates{})
	for _, e := range order {
		fmt.Println(pods[e.Index].Name, "exceeds its request by", e.Excess.String())
	}
	threshold, available := resource.MustParse("100Mi"), resource.MustParse("80Mi")
	first := pods[order[0].Index]
	fmt.Println(qos.EvictionMessage(first, qos.MemoryPressure, usage, &threshold, &available, computeresources.Gates{}))
	// Output:
	// web exceeds its request by 476Mi
	// batch exceeds its request by 256Mi
	// cache exceeds its request by -148Mi
	// The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container app was using 1500Mi, request is 1Gi, has larger consumption of memory.
}
