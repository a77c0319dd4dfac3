package pages_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// webDeployment returns a Deployment whose pods request 300m of CPU each, and a quota of 1 CPU.
func webDeployment() (*appsv1.Deployment, *corev1.ResourceQuota) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("300m")},
	}}}
	compute := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"}}
	compute.Spec.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1")}
	compute.Status.Hard = compute.Spec.Hard
	compute.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("0")}
	return deployment, compute
}

func Example_controllerRequests() {
	deployment, _ := webDeployment()

	template := deployment.Spec.Template.Spec.DeepCopy() // objects of an informer are shared
	computeresources.ApplyRequestDefaults(template, computeresources.Kubernetes{})
	each := computeresources.SpecRequests(template, computeresources.Options{})
	fmt.Println(resourcelist.String(each), resourcelist.String(resourcelist.Multiply(each, 5)))
	// Output:
	// cpu=300m cpu=1500m
}

func Example_controllerReplicas() {
	deployment, compute := webDeployment()

	namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{compute}, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := namespace.Create(deployment, admit.Attributes{PodName: "web-0"}).Pods.Fit
	fmt.Println(fit.Replicas, fit.Err())
	// Output:
	// 3 pods "web-0" is forbidden: exceeded quota: compute, requested: requests.cpu=300m, used: requests.cpu=900m, limited: requests.cpu=1
}

func Example_controllerUsage() {
	deployment, compute := webDeployment()
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0"}, Spec: deployment.Spec.Template.Spec}

	used := corev1.ResourceList{}
	counted := map[quota.Key]corev1.ResourceList{} // what each object uses of the quota

	// On an event of an informer that adds or updates an object. On one that deletes it, usage is nil.
	object := quota.Pod(pod, time.Now(), quota.PodOptions{})
	usage, err := object.UsageIn(compute)
	if err != nil {
		fmt.Println(err)
		return
	}
	used = resourcelist.Subtract(resourcelist.Add(used, usage), counted[object.Key()])
	counted[object.Key()] = usage

	fmt.Println(resourcelist.String(used))
	// Output:
	// requests.cpu=300m
}
