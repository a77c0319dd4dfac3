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
