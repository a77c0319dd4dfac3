package quota_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

// amounts makes a list of names and amounts.
func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// show prints a list by name.
func show(list corev1.ResourceList) {
	for _, name := range resourcelist.ResourceNames(list) {
		q := list[name]
		fmt.Printf("%s: %s\n", name, q.String())
	}
}

// web is a pod of one container.
func web() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", ResourceVersion: "7"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Resources: corev1.ResourceRequirements{Requests: amounts("cpu", "500m"), Limits: amounts("cpu", "1")},
		}}},
	}
}

// compute is a quota that has room for half a CPU.
func compute() *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"},
		Spec:       corev1.ResourceQuotaSpec{Hard: amounts("limits.cpu", "10", "pods", "20")},
		Status: corev1.ResourceQuotaStatus{
			Hard: amounts("limits.cpu", "10", "pods", "20"),
			Used: amounts("limits.cpu", "9500m", "pods", "11"),
		},
	}
}

func ExamplePod() {
	show(quota.Pod(web(), time.Now(), quota.PodOptions{}).Usage())
	// Output:
	// count/pods: 1
	// cpu: 500m
	// limits.cpu: 1
	// pods: 1
	// requests.cpu: 500m
}

// The usage of one quota by a pod: services do not concern it, and it has no memory limit.
func ExampleObject_UsageIn() {
	compute := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: amounts("pods", "10", "limits.cpu", "4", "limits.memory", "8Gi", "services", "2")}}
	usage, err := quota.Pod(web(), time.Now(), quota.PodOptions{}).UsageIn(compute)
	show(usage)
	fmt.Println(err)
	// Output:
	// limits.cpu: 1
	// limits.memory: 0
	// pods: 1
	// <nil>
}

func ExampleObject_Usage() {
	gold := "gold"
	claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
		StorageClassName: &gold, Resources: corev1.VolumeResourceRequirements{Requests: amounts("storage", "1.5Gi")},
	}}
	show(quota.PersistentVolumeClaim(claim).Usage())
	// Output:
	// count/persistentvolumeclaims: 1
	// gold.storageclass.storage.k8s.io/persistentvolumeclaims: 1
	// gold.storageclass.storage.k8s.io/requests.storage: 1536Mi
	// persistentvolumeclaims: 1
	// requests.storage: 1536Mi
}

// The scope Terminating is of pods with a deadline, such as those of many Jobs, and not of pods that are being deleted.
func ExampleObject_MatchingScopes() {
	deadline, deleted := web(), web()
	seconds, now := int64(600), metav1.Now()
	deadline.Spec.ActiveDeadlineSeconds, deleted.DeletionTimestamp = &seconds, &now
	for _, pod := range []*corev1.Pod{deadline, deleted} {
		scopes := []corev1.ScopedResourceSelectorRequirement{
			{ScopeName: corev1.ResourceQuotaScopeTerminating, Operator: corev1.ScopeSelectorOpExists},
			{ScopeName: corev1.ResourceQuotaScopeBestEffort, Operator: corev1.ScopeSelectorOpExists},
			{ScopeName: corev1.ResourceQuotaScopeNotBestEffort, Operator: corev1.ScopeSelectorOpExists},
		}
		fmt.Println(quota.Pod(pod, time.Now(), quota.PodOptions{}).MatchingScopes(scopes))
	}
	// Output:
	// [{Terminating Exists []} {NotBestEffort Exists []}] <nil>
	// [{NotBestEffort Exists []}] <nil>
}

func ExampleAdmit() {
	object := quota.Pod(web(), time.Now(), quota.PodOptions{})
	failures := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{compute()}, quota.AdmitOptions{}).Failures
	for _, failure := range failures {
		fmt.Println(failure.Error())
		show(failure.Shortfall())
	}
	// Output:
	// exceeded quota: compute, requested: limits.cpu=1, used: limits.cpu=9500m, limited: limits.cpu=10
	// limits.cpu: 500m
}

// The API server's configuration: pods of a priority class are only for namespaces that
// have a quota for them.
func ExampleLimitedResource() {
	limited := quota.LimitedResource{Resource: "pods", MatchScopes: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"cluster-services"}},
	}}
	pod := web()
	pod.Spec.PriorityClassName = "cluster-services"
	failures := quota.Admit(quota.Object{}, quota.Pod(pod, time.Now(), quota.PodOptions{}), nil, quota.AdmitOptions{Limited: []quota.LimitedResource{limited}}).Failures
	fmt.Println(failures[0].Error())
	// Output: insufficient quota to match these scopes: [{PriorityClass In [cluster-services]}]
}

func ExampleFailure() {
	q := compute()
	q.Status.Hard["memory"], q.Status.Used["memory"] = resource.MustParse("8Gi"), resource.MustParse("1Gi")
	failures := quota.Admit(quota.Object{}, quota.Pod(web(), time.Now(), quota.PodOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
	for _, failure := range failures {
		switch failure.Cause {
		case quota.MustSpecify:
			fmt.Println("set", failure.Resources, "in", failure.MissingRequired[0].Containers)
		case quota.ExceededQuota:
			fmt.Println("raise", failure.Source.Field, "of", failure.Source, "for", failure.Resources)
		case quota.InvalidScope, quota.StatusUnknown, quota.NegativeUsage, quota.UncoveredResources, quota.UncoveredScopes:
			fmt.Println(failure.Error())
		}
	}
	// Output:
	// set [memory] in [app]
	// raise spec.hard of ResourceQuota shop/compute for [limits.cpu]
}

// A pod that runs a virtual machine is charged by the machine.
func ExampleObject_WithUsage() {
	launcher := quota.Pod(web(), time.Now(), quota.PodOptions{}).WithUsage(amounts("cpu/vmi", "4"))
	q := compute()
	q.Status.Hard, q.Status.Used = amounts("cpu/vmi", "6"), amounts("cpu/vmi", "3")
	fmt.Println(quota.Admit(quota.Object{}, launcher, []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures.Err())
	// Output:
	// exceeded quota: compute, requested: cpu/vmi=4, used: cpu/vmi=3, limited: cpu/vmi=6
}

func ExampleWithinHard() {
	hard, used := amounts("limits.cpu", "10", "limits.memory", "8Gi"), amounts("limits.cpu", "9", "limits.memory", "1.5Gi")
	fmt.Println(quota.WithinHard(amounts("limits.cpu", "1", "limits.memory", "6.5Gi"), used, hard))
	fmt.Println(quota.WithinHard(amounts("limits.cpu", "1001m"), used, hard))
	// Output:
	// true
	// false
}

// The status of a quota that a manifest has no status for.
func ExampleCalculateUsage() {
	q := compute()
	pod := quota.Pod(web(), time.Now(), quota.PodOptions{})
	status, err := quota.CalculateUsage([]quota.Object{pod, pod, quota.Service(&corev1.Service{})}, q)
	show(status.Used)
	fmt.Println(err)
	// Output:
	// limits.cpu: 2
	// pods: 2
	// <nil>
}

// A resize is an update: only the increase counts.
func ExampleAssessment() {
	quotas := []*corev1.ResourceQuota{compute()}
	old, resized := web(), web()
	resized.Spec.Containers[0].Resources.Limits = amounts("cpu", "1500m")
	assessment := quota.Admit(quota.Pod(old, time.Now(), quota.PodOptions{}), quota.Pod(resized, time.Now(), quota.PodOptions{}), quotas, quota.AdmitOptions{Subresource: "resize"})
	fmt.Println(assessment.Applies, len(assessment.Failures), "failures")
	show(assessment.Increases[0].Usage)
	show(assessment.After(quotas, 1)[0].Status.Used)
	// Output:
	// true 0 failures
	// limits.cpu: 500m
	// limits.cpu: 10
	// pods: 11
}

func ExampleRemaining() {
	show(quota.Remaining(compute()))
	// Output:
	// limits.cpu: 500m
	// pods: 9
}

func ExampleReplicas() {
	q := compute()
	q.Status.Used = amounts("limits.cpu", "6500m", "pods", "11")
	fit := quota.Replicas(quota.Pod(web(), time.Now(), quota.PodOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	fmt.Println(fit.Replicas, "more")
	for _, failure := range fit.Next {
		fmt.Println(failure.Error())
		show(failure.Shortfall())
	}
	// Output:
	// 3 more
	// exceeded quota: compute, requested: limits.cpu=1, used: limits.cpu=9500m, limited: limits.cpu=10
	// limits.cpu: 500m
}

// A rolling update of 8 replicas to a template with another half CPU.
func ExampleRollout() {
	usage, err := quota.Rollout(amounts("requests.cpu", "1"), amounts("requests.cpu", "1500m"), 8, appsv1.DeploymentStrategy{})
	fmt.Println(usage.Surge, usage.Unavailable, err)
	show(usage.Peak)
	show(usage.Extra)
	// Output:
	// 2 2 <nil>
	// requests.cpu: 14
	// requests.cpu: 6
}

// A quota of 10 CPUs refuses 20 steps that are limited to one CPU each, although only one runs at a
// time. What it would have to allow is the usage of a pod of one container with the peak.
func ExamplePod_steps() {
	pod := &corev1.Pod{}
	for i := range 20 {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{
			Name: fmt.Sprintf("step-%d", i), Resources: corev1.ResourceRequirements{Limits: amounts("cpu", "1")},
		})
	}
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "sidecar", Resources: corev1.ResourceRequirements{Limits: amounts("cpu", "250m")}})
	q := &corev1.ResourceQuota{}
	q.Name = "ci"
	q.Status.Hard, q.Status.Used = amounts("limits.cpu", "10"), amounts("limits.cpu", "0")
	assessment := quota.Admit(quota.Object{}, quota.Pod(pod, time.Now(), quota.PodOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{})
	fmt.Println(assessment.Failures.Err())

	peak := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{
		Requests: steps.PeakRequests(&pod.Spec, steps.TektonStep, computeresources.Options{}),
		Limits:   steps.PeakLimits(&pod.Spec, steps.TektonStep, computeresources.Options{}),
	}}}}}
	usage := quota.Pod(peak, time.Now(), quota.PodOptions{}).Usage()["limits.cpu"]
	fmt.Println("at its peak:", usage.String())
	// Output:
	// exceeded quota: ci, requested: limits.cpu=20250m, used: limits.cpu=0, limited: limits.cpu=10
	// at its peak: 1250m
}

// Two namespaces share ten CPUs: what one of them gives back is written before the other gets it, and only once it is
// no longer used.
func ExampleWriteOrder() {
	share := func(namespace, hard, used string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{}
		q.Namespace, q.Name = namespace, "pool"
		q.Spec.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse(hard)}
		q.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse(used)}
		return q
	}
	total := corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("10")}
	wanted := []*corev1.ResourceQuota{share("blog", "6", "0"), share("shop", "4", "0")}
	for _, used := range []string{"8", "3"} {
		present := []*corev1.ResourceQuota{share("blog", "0", "0"), share("shop", "10", used)}
		writes, waiting := quota.WriteOrder(total, present, wanted)
		for _, q := range writes {
			hard := q.Spec.Hard[corev1.ResourceRequestsCPU]
			fmt.Println(q.Namespace, hard.String())
		}
		fmt.Println(len(waiting), "waiting")
	}
	// Output:
	// shop 4
	// 1 waiting
	// shop 4
	// blog 6
	// 0 waiting
}
