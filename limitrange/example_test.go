package limitrange_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

func cpu(amount string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
}

func namespaceRange(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	return &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name}, Spec: corev1.LimitRangeSpec{Limits: items}}
}

func podOf(containers ...corev1.Container) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: containers}
}

// The two LimitRanges of "Compute Resources in Tekton". The document prints a minimum of 300m for the
// two; its rule, the largest minimum, gives 500m.
func ExampleAggregateOf() {
	a := limitrange.AggregateOf(
		[]*corev1.LimitRange{namespaceRange("limitrange-1", corev1.LimitRangeItem{Type: "Container", Default: cpu("2"), DefaultRequest: cpu("750m"), Max: cpu("3"), Min: cpu("500m")}),
			namespaceRange("limitrange-2", corev1.LimitRangeItem{Type: "Container", Default: cpu("1.5"), DefaultRequest: cpu("1"), Max: cpu("2.5"), Min: cpu("300m")})},
	)
	for _, v := range a.Values {
		fmt.Println(v)
	}
	// Output:
	// Container cpu min 500m of LimitRange team/limitrange-1
	// Container cpu max 2500m of LimitRange team/limitrange-2
	// Container cpu default 1500m of LimitRange team/limitrange-2
	// Container cpu defaultRequest 750m of LimitRange team/limitrange-1
}

func ExampleAggregate_Item() {
	item := limitrange.AggregateOf(
		[]*corev1.LimitRange{namespaceRange("defaults", corev1.LimitRangeItem{Type: "Container", DefaultRequest: cpu("100m")}),
			namespaceRange("bounds", corev1.LimitRangeItem{Type: "Container", Min: cpu("200m")})},
	).Item(corev1.LimitTypeContainer)
	fmt.Println("default request", item.DefaultRequest.Cpu(), "within the bounds")
	// Output: default request 200m within the bounds
}

func ExampleConflicts() {
	conflicts := limitrange.Conflicts([]*corev1.LimitRange{
		namespaceRange("a", corev1.LimitRangeItem{Type: "Container", Min: cpu("2")}),
		namespaceRange("b", corev1.LimitRangeItem{Type: "Container", Max: cpu("1"), Default: cpu("1")}),
	})
	for _, c := range conflicts {
		fmt.Println(c)
	}
	// Output:
	// Container cpu: min is above max: min 2 of LimitRange team/a, max 1 of LimitRange team/b
}

// Two teams of one namespace do not agree. Which default a pod gets depends on the order of the LimitRanges.
func ExampleAmbiguities() {
	ranges := []*corev1.LimitRange{
		namespaceRange("backend", corev1.LimitRangeItem{Type: "Container", Default: cpu("1"), DefaultRequest: cpu("100m")}),
		namespaceRange("frontend", corev1.LimitRangeItem{Type: "Container", Default: cpu("500m"), DefaultRequest: cpu("0.1")}),
	}
	app := corev1.Container{Name: "app"}
	proxy := corev1.Container{Name: "proxy", Resources: corev1.ResourceRequirements{Limits: cpu("1")}}
	for _, a := range limitrange.Ambiguities(ranges, &corev1.PodSpec{Containers: []corev1.Container{app, proxy}}) {
		fmt.Println(a)
		fmt.Println(a.Refs)
	}
	// Output:
	// Container cpu default: 1 of LimitRange team/backend, 500m of LimitRange team/frontend
	// [container app]
}

// The pod gets a CPU by default, or half of one if the LimitRange frontend is the first that the server uses.
func ExamplePolicy_Orders() {
	policy := limitrange.Compile([]*corev1.LimitRange{
		namespaceRange("backend", corev1.LimitRangeItem{Type: "Container", Default: cpu("1")}),
		namespaceRange("frontend", corev1.LimitRangeItem{Type: "Container", Default: cpu("500m")}),
	}, computeresources.Kubernetes{})
	pod := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}
	orders, complete := policy.Orders(policy.ApplyDefaults(pod.DeepCopy()), 10)
	fmt.Println(orders, complete)
	for _, names := range orders {
		fmt.Println(policy.InOrder(names...).ApplyDefaults(pod.DeepCopy()))
	}
	// Output:
	// [[] [frontend]] true
	// [container app: set the cpu limit to 1 (LimitRange team/backend)]
	// [container app: set the cpu limit to 500m (LimitRange team/frontend)]
}

func ExampleWithDefaults() {
	for _, item := range []corev1.LimitRangeItem{
		{Type: "Container", Min: cpu("100m"), Max: cpu("4"), Default: cpu("2")},
		{Type: "Container", Min: cpu("100m"), Max: cpu("4"), DefaultRequest: cpu("1")},
		{Type: "Container", Min: cpu("100m")},
	} {
		done := limitrange.WithDefaults(item)
		fmt.Printf("request %v, limit %v\n", done.DefaultRequest.Cpu(), done.Default.Cpu())
	}
	// Output:
	// request 2, limit 2
	// request 1, limit 4
	// request 100m, limit 0
}

func ExamplePolicy_ApplyDefaults() {
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("defaults", corev1.LimitRangeItem{Type: "Container", Default: cpu("1"), DefaultRequest: cpu("500m")})}, computeresources.Kubernetes{})
	spec := podOf(corev1.Container{Name: "app"})
	for _, d := range policy.ApplyDefaults(spec) {
		fmt.Println(d)
	}
	fmt.Println(spec.Containers[0].Resources.Requests.Cpu(), spec.Containers[0].Resources.Limits.Cpu())
	// Output:
	// container app: set the cpu request to 500m (LimitRange team/defaults)
	// container app: set the cpu limit to 1 (LimitRange team/defaults)
	// 500m 1
}

func ExampleAnnotation() {
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("defaults", corev1.LimitRangeItem{Type: "Container", Default: cpu("1")})}, computeresources.Kubernetes{})
	pod := &corev1.Pod{Spec: *podOf(corev1.Container{Name: "app"})}
	if set := policy.ApplyDefaults(&pod.Spec); set != nil {
		metav1.SetMetaDataAnnotation(&pod.ObjectMeta, limitrange.AnnotationKey, limitrange.Annotation(set))
	}
	fmt.Println(pod.Annotations)
	// Output: map[kubernetes.io/limit-ranger:LimitRanger plugin set: cpu limit for container app]
}

func ExamplePolicy_Validate() {
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("bounds",
		corev1.LimitRangeItem{Type: "Container", Min: cpu("100m"), MaxLimitRequestRatio: cpu("4")},
		corev1.LimitRangeItem{Type: "Pod", Max: cpu("3")},
	)}, computeresources.Kubernetes{})
	spec := podOf(
		corev1.Container{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("500m"), Limits: cpu("3")}},
		corev1.Container{Name: "log", Resources: corev1.ResourceRequirements{Requests: cpu("50m"), Limits: cpu("100m")}},
	)
	for _, v := range policy.Validate(nil, spec) {
		fmt.Println(v.Error()) // the message of the server
	}
	// Output:
	// cpu max limit to request ratio per Container is 4, but provided ratio is 6.000000
	// minimum cpu usage per Container is 100m, but request is 50m
	// maximum cpu usage per Pod is 3, but limit is 3100m
}

func ExamplePolicy_ValidateClaim() {
	storage := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(amount)}
	}
	policy := limitrange.Compile([]*corev1.LimitRange{namespaceRange("storage", corev1.LimitRangeItem{Type: "PersistentVolumeClaim", Min: storage("1Gi"), Max: storage("10Gi")})}, computeresources.Kubernetes{})
	for _, v := range policy.ValidateClaim(nil, &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: storage("20Gi")}}) {
		fmt.Println(v.Error())
	}
	// Output: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi
}

func ExampleValidateObject() {
	lr := namespaceRange("bounds", corev1.LimitRangeItem{Type: "Container", Min: cpu("2"), Max: cpu("1")})
	for _, err := range limitrange.ValidateObject(lr) {
		fmt.Println(err)
	}
	// Output: spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1
}
