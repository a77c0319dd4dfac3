package quotatracker_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotatracker"
)

func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// compute tracks a quota of the namespace shop.
func compute() *quotatracker.Tracker {
	tracker, err := quotatracker.New([]*corev1.ResourceQuota{{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "compute"},
		Spec:       corev1.ResourceQuotaSpec{Hard: amounts("pods", "2", "requests.cpu", "4")},
	}})
	if err != nil {
		panic(err)
	}
	return tracker
}

func pod(name, cpu string) quota.Object {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: amounts("cpu", cpu)},
	}}}}
	return quota.Pod(pod, time.Now(), quota.PodOptions{})
}

func printUsed(tracker *quotatracker.Tracker) {
	status, _ := tracker.Status("shop", "compute")
	pods, cpu := status.Used[corev1.ResourcePods], status.Used[corev1.ResourceRequestsCPU]
	fmt.Println(pods.String(), "pods", cpu.String(), "CPU")
}

func Example() {
	tracker := compute()
	fmt.Println(tracker.Add(pod("a", "1500m")), tracker.Add(pod("b", "1")))
	printUsed(tracker)
	fmt.Println(tracker.Update(pod("b", "2")))
	printUsed(tracker)
	fmt.Println(tracker.Remove(pod("a", "1").Key()))
	printUsed(tracker)
	// Output:
	// <nil> <nil>
	// 2 pods 2500m CPU
	// <nil>
	// 2 pods 3500m CPU
	// <nil>
	// 1 pods 2 CPU
}

func ExampleNew() {
	_, err := quotatracker.New([]*corev1.ResourceQuota{{}, {}})
	fmt.Println(err)
	// Output: quotatracker: quota /: already tracked
}

// The statuses that a Tracker keeps are what admission takes.
func ExampleTracker() {
	tracker := compute()
	for _, name := range []string{"a", "b", "c"} {
		failures := quota.Admit(quota.Object{}, pod(name, "1"), tracker.Quotas(), quota.AdmitOptions{}).Failures
		if len(failures) > 0 {
			fmt.Println(name, failures[0].Error())
			continue
		}
		fmt.Println(name, tracker.Add(pod(name, "1")))
	}
	// Output:
	// a <nil>
	// b <nil>
	// c exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2
}

func ExampleTracker_Add() {
	tracker := compute()
	fmt.Println(tracker.Add(pod("a", "1")))
	err := tracker.Add(pod("a", "1"))
	fmt.Println(err)
	// Output:
	// <nil>
	// quotatracker: pods shop/a: already tracked
}

func ExampleTracker_Update() {
	err := compute().Update(pod("a", "1"))
	fmt.Println(err)
	// Output: quotatracker: pods shop/a: not tracked
}

func ExampleTracker_Remove() {
	tracker := compute()
	fmt.Println(tracker.Add(pod("a", "1")))
	fmt.Println(tracker.Remove(pod("a", "1").Key()))
	fmt.Println(tracker.Remove(pod("a", "1").Key()))
	// Output:
	// <nil>
	// <nil>
	// quotatracker: pods shop/a: not tracked
}

func ExampleTracker_Has() {
	tracker := compute()
	fmt.Println(tracker.Add(pod("a", "1")), tracker.Has(pod("a", "2").Key()), tracker.Has(pod("b", "1").Key()))
	// Output: <nil> true false
}

// Usage knows what no quota limits.
func ExampleTracker_Usage() {
	tracker := compute()
	fmt.Println(tracker.Add(pod("a", "1")))
	cpu := tracker.Usage("shop")[corev1.ResourceCPU]
	fmt.Println(cpu.String())
	// Output:
	// <nil>
	// 1
}

func ExampleTracker_Status() {
	status, ok := compute().Status("shop", "compute")
	pods := status.Used[corev1.ResourcePods]
	fmt.Println(pods.String(), ok)
	// Output: 0 true
}

func ExampleTracker_Quotas() {
	for _, q := range compute().Quotas() {
		fmt.Println(q.Name, len(q.Status.Used))
	}
	// Output: compute 2
}
