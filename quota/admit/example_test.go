package admit_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

func amounts(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

// shop has a LimitRange with defaults and bounds, and a quota with little left.
func shop() *admit.Namespace {
	bounds := &corev1.LimitRange{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "bounds"},
		Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer, Max: amounts("2", "2Gi"), DefaultRequest: amounts("250m", "256Mi"),
		}}},
	}
	hard := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("10")}
	used := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1"), corev1.ResourcePods: resource.MustParse("4")}
	compute := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"},
		Spec:       corev1.ResourceQuotaSpec{Hard: hard},
		Status:     corev1.ResourceQuotaStatus{Hard: hard, Used: used},
	}
	namespace, err := admit.Compile([]*corev1.LimitRange{bounds}, []*corev1.ResourceQuota{compute}, admit.Options{})
	if err != nil {
		panic(err)
	}
	return namespace
}

func web(requests corev1.ResourceList) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Resources: corev1.ResourceRequirements{Requests: requests},
		}}},
	}
}

// What is stored of a pod that sets nothing.
func ExampleNamespace_Create() {
	decision := shop().Create(web(nil), admit.Request{})
	fmt.Println(decision.Err())
	for _, change := range decision.Changes {
		fmt.Println(change)
	}
	// Output:
	// <nil>
	// container app: set the cpu request to 250m (LimitRange shop/bounds)
	// container app: set the memory request to 256Mi (LimitRange shop/bounds)
	// container app: set the cpu limit to 2 (LimitRange shop/bounds)
	// container app: set the memory limit to 2Gi (LimitRange shop/bounds)
}

// What a client gets for a pod that asks for too much, and what its author has to change.
func ExampleDecision_Err() {
	decision := shop().Create(web(amounts("3", "1Gi")), admit.Request{})
	fmt.Println(decision.Err())
	for _, problem := range decision.Problems {
		fmt.Println(problem.Path, "-", problem)
	}
	// Output:
	// Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2
	// spec.containers[0].resources.requests - container app: request cpu 3 is above the default limit 2 from LimitRange shop/bounds: set a limit or lower the request
	// spec.containers[0].resources.requests[cpu] - container app: request cpu 3 is above the maximum 2 of LimitRange shop/bounds: lower the request
	// spec - ResourceQuota shop/compute has too little left: it lacks requests.cpu=2: ask for less, remove other objects, or raise the quota
}

// A Deployment, and the pods that follow.
func ExampleNamespace_Replicas() {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	deployment.Spec.Template.Spec = web(amounts("300m", "1Gi")).Spec
	fit := shop().Replicas(deployment, admit.Request{PodName: "web-5d9c7-x2x9k"})
	fmt.Println(fit.Replicas)
	fmt.Println(fit.Err())
	// Output:
	// 3
	// pods "web-5d9c7-x2x9k" is forbidden: exceeded quota: compute, requested: requests.cpu=300m, used: requests.cpu=1900m, limited: requests.cpu=2
}
