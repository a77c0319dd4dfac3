package admit_test

import (
	"encoding/json"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota"
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

// The stored form of a pod that sets nothing.
func ExampleNamespace_Create() {
	decision := shop().Create(web(nil), admit.Attributes{})
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

// The error that a client gets for a pod that requests too much, and what its author has to change.
func ExampleDecision_Err() {
	decision := shop().Create(web(amounts("3", "1Gi")), admit.Attributes{})
	fmt.Println(decision.Err())
	for _, problem := range decision.Refusals {
		fmt.Println(problem.Path, "-", problem)
	}
	// Output:
	// Pod "web" is invalid: spec.containers[0].resources.requests: Invalid value: "3": must be less than or equal to cpu limit of 2
	// spec.containers[0].resources.requests - container app: request cpu 3 is above the default limit 2 from LimitRange shop/bounds: set a limit or lower the request
	// spec.containers[0].resources.requests[cpu] - container app: request cpu 3 is above the maximum 2 of LimitRange shop/bounds: lower the request
	// spec - ResourceQuota shop/compute lacks requests.cpu=2: request less, or raise the quota
}

// How many such Jobs, each with its pods.
func ExampleNamespace_Replicas() {
	job, two := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}, int32(2)
	job.Spec.Parallelism, job.Spec.Template.Spec = &two, web(amounts("300m", "1Gi")).Spec
	req := admit.Attributes{PodName: "web-x2x9k"}
	fit := shop().Replicas([]admit.APIObject{job}, req)
	fmt.Println(fit.Replicas)
	fmt.Println(fit.Err())
	// Output:
	// 1
	// pods "web-x2x9k" is forbidden: exceeded quota: compute, requested: requests.cpu=300m, used: requests.cpu=1900m, limited: requests.cpu=2
}

// How many pods of one Job.
func ExamplePods() {
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	job.Spec.Template.Spec = web(amounts("300m", "1Gi")).Spec
	decision := shop().Create(job, admit.Attributes{PodName: "web-x2x9k"})
	fmt.Println(decision.Pods.Fit.Replicas)
	// Output:
	// 3
}

func ExampleCompile() {
	crossed := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "crossed"}}
	crossed.Spec.Limits = []corev1.LimitRangeItem{{
		Type: corev1.LimitTypeContainer, Max: amounts("2", "512Mi"), Default: amounts("2", "1Gi"), DefaultRequest: amounts("2", "512Mi"),
	}}
	_, err := admit.Compile([]*corev1.LimitRange{crossed}, nil, admit.Options{})
	fmt.Println(err)
	// Output: LimitRange shop/crossed: spec.limits[0].default[memory]: "512Mi": default value 1Gi is greater than max value 512Mi
}

// A quota of a manifest limits nothing before it has a status.
func ExampleCompile_manifest() {
	team := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}}
	team.Spec.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1")}
	large := web(amounts("4", "1Gi"))
	for range 2 {
		namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{team}, admit.Options{})
		if err != nil {
			panic(err)
		}
		fmt.Println(namespace.Create(large, admit.Attributes{}).Err())
		if team.Status, err = quota.CalculateUsage(nil, team); err != nil { // of the objects that exist
			panic(err)
		}
	}
	// Output:
	// <nil>
	// pods "web" is forbidden: exceeded quota: team, requested: requests.cpu=4, used: requests.cpu=0, limited: requests.cpu=1
}

// A claim that grows.
func ExampleNamespace_Update() {
	storage := func(amount string) *corev1.PersistentVolumeClaim {
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", ResourceVersion: "1"}}
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(amount)}
		return claim
	}
	bounds := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "storage"}}
	bounds.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypePersistentVolumeClaim, Max: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}}}
	namespace, _ := admit.Compile([]*corev1.LimitRange{bounds}, nil, admit.Options{})
	fmt.Println(namespace.Update(storage("8Gi"), storage("12Gi"), admit.Attributes{}).Err())
	// Output: persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 12Gi
}

// A pod that is resized in place.
func ExampleNamespace_Update_resize() {
	running := web(amounts("500m", "1Gi"))
	running.ResourceVersion = "1"
	running.Spec.Containers[0].Resources.Limits = amounts("2", "2Gi")
	larger := running.DeepCopy()
	larger.Spec.Containers[0].Resources.Requests = amounts("1600m", "1Gi")
	decision := shop().Update(running, larger, admit.Attributes{Subresource: "resize"})
	fmt.Println(decision.Err())
	// Output: pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=1100m, used: requests.cpu=1, limited: requests.cpu=2
}

// A pod of a StatefulSet, and the claim that is created before it.
func ExampleNamespace_Replicas_group() {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "data-web-0"}}
	claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}
	fit := shop().Replicas([]admit.APIObject{claim, web(nil)}, admit.Attributes{})
	fmt.Println(fit.Replicas)
	fmt.Println(fit.Err())
	// Output:
	// 4
	// pods "web" is forbidden: exceeded quota: compute, requested: requests.cpu=250m, used: requests.cpu=2, limited: requests.cpu=2
}

// Manifests that are applied in their order.
func ExampleNamespace_After() {
	namespace := shop()
	for _, manifest := range []admit.APIObject{web(amounts("600m", "1Gi")), web(amounts("500m", "1Gi")), web(amounts("400m", "1Gi"))} {
		decision := namespace.Create(manifest, admit.Attributes{})
		fmt.Println(decision.Admitted())
		namespace = namespace.After(decision)
	}
	// Output:
	// true
	// false
	// true
}

// What a linter prints.
func ExampleDecision_refusals() {
	refusals := shop().Create(web(amounts("1500m", "3Gi")), admit.Attributes{}).Refusals
	for _, r := range refusals {
		fmt.Printf("%s: %s\n", r.Path, r.What)
		fmt.Println("  ", r.Remedy)
	}
	// Output:
	// spec.containers[0].resources.requests: container app: request memory 3Gi is above the default limit 2Gi from LimitRange shop/bounds
	//    set a limit or lower the request
	// spec.containers[0].resources.requests[memory]: container app: request memory 3Gi is above the maximum 2Gi of LimitRange shop/bounds
	//    lower the request
	// spec: ResourceQuota shop/compute lacks requests.cpu=500m
	//    request less, or raise the quota
}

// Answers are also for programs: a webhook logs them, a CI check prints them.
func ExampleRefusal_json() {
	refusal := shop().Create(web(amounts("1500m", "1Gi")), admit.Attributes{}).Refusals[0]
	text, err := json.MarshalIndent(refusal, "", "  ")
	fmt.Println(string(text), err)
	// Output:
	// {
	//   "resource": "requests.cpu",
	//   "path": "spec",
	//   "source": {
	//     "kind": "ResourceQuota",
	//     "namespace": "shop",
	//     "name": "compute",
	//     "field": "spec.hard"
	//   },
	//   "what": "ResourceQuota shop/compute lacks requests.cpu=500m",
	//   "remedy": "request less, or raise the quota",
	//   "failure": {
	//     "cause": "ExceededQuota",
	//     "source": {
	//       "kind": "ResourceQuota",
	//       "namespace": "shop",
	//       "name": "compute",
	//       "field": "spec.hard"
	//     },
	//     "resources": [
	//       "requests.cpu"
	//     ],
	//     "requested": {
	//       "requests.cpu": "1500m"
	//     },
	//     "used": {
	//       "requests.cpu": "1"
	//     },
	//     "hard": {
	//       "requests.cpu": "2"
	//     }
	//   }
	// } <nil>
}

// Two LimitRanges have different defaults. The server uses either first, so some creations fail.
func ExampleNamespace_Possible() {
	limit := func(name, amount string) *corev1.LimitRange {
		cpu := corev1.ResourceList{"cpu": resource.MustParse(amount)}
		return &corev1.LimitRange{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: cpu}}},
		}
	}
	namespace, err := admit.Compile([]*corev1.LimitRange{limit("strict", "1"), limit("generous", "2")}, nil, admit.Options{})
	if err != nil {
		panic(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	outcomes := namespace.Possible(nil, pod, admit.Attributes{})
	fmt.Println("depends on the order:", outcomes.Depends)
	for _, d := range outcomes.Decisions {
		fmt.Println(d.Order.Defaults, d.Err())
	}
	// Output:
	// depends on the order: true
	// [] pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2
	// [strict] <nil>
}

// Of two defaults, the quota has room for ten pods with the smaller one, and for two with the larger one.
func ExampleReplicaCount() {
	request := func(name, amount string) *corev1.LimitRange {
		cpu := corev1.ResourceList{"cpu": resource.MustParse(amount)}
		return &corev1.LimitRange{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: cpu}}},
		}
	}
	hard := corev1.ResourceList{"requests.cpu": resource.MustParse("1")}
	quota := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"},
		Status:     corev1.ResourceQuotaStatus{Hard: hard, Used: corev1.ResourceList{"requests.cpu": resource.MustParse("0")}},
	}
	namespace, err := admit.Compile([]*corev1.LimitRange{request("large", "500m"), request("small", "100m")}, []*corev1.ResourceQuota{quota}, admit.Options{})
	if err != nil {
		panic(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	fit := namespace.Replicas([]admit.APIObject{pod}, admit.Attributes{})
	fmt.Printf("%d replicas, or from %d to %d\n", fit.Replicas, fit.Least, fit.Most)
	// Output: 2 replicas, or from 2 to 10
}

// A webhook reads what tenants write: here, a LimitRange with 5,000 items.
func ExampleMaxSize() {
	tenants := &corev1.LimitRange{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "bounds"},
		Spec:       corev1.LimitRangeSpec{Limits: make([]corev1.LimitRangeItem, 5000)},
	}
	most := admit.MaxSize{Objects: 100, Bytes: 50_000}
	_, err := admit.Compile([]*corev1.LimitRange{tenants}, nil, admit.Options{MaxSize: most})
	fmt.Println(err)
	// Output: LimitRange shop/bounds: 60069 bytes, at most 50000, of which spec.limits has 60001, in 5000 parts
}
