package quota_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

func ExampleValidateObject() {
	rq := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "compute", Namespace: "team"}}
	rq.Spec.Hard = corev1.ResourceList{"cpus": resource.MustParse("2"), corev1.ResourcePods: resource.MustParse("1.5")}
	for _, err := range quota.ValidateObject(nil, rq, computeresources.Kubernetes{}) {
		fmt.Println(err)
	}
	// Output:
	// spec.hard[cpus]: Invalid value: "cpus": must be a standard resource type or fully qualified
	// spec.hard[cpus]: Invalid value: "cpus": must be a standard resource for quota
	// spec.hard[pods]: Invalid value: "1500m": must be an integer
}

func ExampleValidateObject_update() {
	old := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "compute", Namespace: "team", ResourceVersion: "1"}}
	updated := old.DeepCopy()
	updated.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	for _, err := range quota.ValidateObject(old, updated, computeresources.Kubernetes{}) {
		fmt.Println(err)
	}
	// Output:
	// spec.scopes: Invalid value: ["BestEffort"]: field is immutable
}

func ExampleUnevaluated() {
	rq := &corev1.ResourceQuota{}
	rq.Spec.Hard = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("2"), corev1.ResourceServices: resource.MustParse("2"), "nvidia.com/gpu": resource.MustParse("2")}
	pod := quota.Pod(&corev1.Pod{}, time.Now(), quota.PodOptions{})
	fmt.Println(quota.Unevaluated(rq, []quota.Object{pod}), quota.Unevaluated(rq, nil))
	// Output:
	// [nvidia.com/gpu services] [nvidia.com/gpu]
}

func ExampleFailuresOf() {
	hard := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("4")}
	used := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("3500m")}
	requested := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1")}
	fmt.Println(quota.FailuresOf(requested, used, hard, "compute").Err())
	// Output:
	// exceeded quota: compute, requested: requests.cpu=1, used: requests.cpu=3500m, limited: requests.cpu=4
}
