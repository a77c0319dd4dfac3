package pages_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// shopObjects returns the LimitRange and the ResourceQuota of a namespace, and a pod in it with this
// CPU request.
func shopObjects(request string) ([]*corev1.LimitRange, []*corev1.ResourceQuota, *corev1.Pod) {
	cpu := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
	}
	defaults := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "defaults"}}
	defaults.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: cpu("2"), Default: cpu("1"), DefaultRequest: cpu("250m")}}
	compute := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"}}
	compute.Status.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("4")}
	compute.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("3500m")}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7"}}
	pod.Spec.Containers = []corev1.Container{{Name: "app"}}
	if request != "" {
		pod.Spec.Containers[0].Resources.Requests = cpu(request)
	}
	return []*corev1.LimitRange{defaults}, []*corev1.ResourceQuota{compute}, pod
}

func Example_webhookValidate() {
	limitRanges, quotas, pod := shopObjects("600m")

	namespace, err := admit.Compile(limitRanges, quotas, admit.Options{}) // whenever one of them changes
	if err != nil {
		fmt.Println(err) // an invalid LimitRange or ResourceQuota
		return
	}
	decision := namespace.Create(pod, admit.Attributes{})
	fmt.Println(decision.Err()) // the *StatusError of the API server, or nil
	for _, refusal := range decision.Refusals {
		fmt.Printf("%s: %s (%s)\n", refusal.Path, refusal.What, refusal.Remedy)
	}
	// Output:
	// pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=600m, used: requests.cpu=3500m, limited: requests.cpu=4
	// spec: ResourceQuota shop/compute lacks requests.cpu=100m (request less, or raise the quota)
}

func Example_webhookDefaults() {
	limitRanges, quotas, pod := shopObjects("")
	namespace, err := admit.Compile(limitRanges, quotas, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	decision := namespace.Create(pod, admit.Attributes{})
	for _, change := range decision.Changes {
		fmt.Println(change)
	}
	stored := decision.Object.(*corev1.Pod)
	fmt.Println(resourcelist.String(stored.Spec.Containers[0].Resources.Limits), stored.Status.QOSClass)
	// Output:
	// container app: set the cpu request to 250m (LimitRange shop/defaults)
	// container app: set the cpu limit to 1 (LimitRange shop/defaults)
	// cpu=1 Burstable
}

func Example_webhookMutate() {
	limitRanges, quotas, pod := shopObjects("")

	floor := solver.Floor{
		Ref:      computeresources.Ref{Name: "app"},
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("300m")},
		Source:   computeresources.Source{Kind: "usage"},
	}
	changes, err := solver.Apply(&pod.Spec, solver.Input{LimitRanges: limitRanges, Quotas: quotas, Floors: []solver.Floor{floor}})
	if err != nil {
		fmt.Println(err) // the smallest set of constraints that contradict each other
		return
	}
	for _, change := range changes {
		fmt.Println(change)
	}
	// Output:
	// container app: set the cpu request to 300m
	// container app: set the cpu limit to 300m
}

func Example_webhookPatch() {
	limitRanges, quotas, pod := shopObjects("")
	namespace, err := admit.Compile(limitRanges, quotas, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	decision := namespace.Create(pod, admit.Attributes{})
	patch, err := computeresources.JSONPatch(&pod.Spec, decision.Changes, nil)
	fmt.Println(string(patch), err)
	// Output:
	// [{"op":"add","path":"/spec/containers/0/resources","value":{"limits":{"cpu":"1"},"requests":{"cpu":"250m"}}}] <nil>
}

func Example_webhookResize() {
	limitRanges, quotas, pod := shopObjects("500m")
	pod.Spec.Containers[0].Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
	resized := pod.DeepCopy()
	resized.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("1500m")
	namespace, err := admit.Compile(limitRanges, quotas, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	decision := namespace.Update(pod, resized, admit.Attributes{Subresource: "resize", Now: time.Now()})
	fmt.Println(decision.Err())
	// Output:
	// pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=1, used: requests.cpu=3500m, limited: requests.cpu=4
}
