package quotaplan_test

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
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

// web is a pod that requests 500m CPU and is limited to one.
func web() quota.Object {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app", Resources: corev1.ResourceRequirements{Requests: amounts("cpu", "500m"), Limits: amounts("cpu", "1")},
	}}}}
	return quota.Pod(pod, time.Now(), quota.PodOptions{})
}

// compute is a quota with 3.5 CPUs remaining.
func compute() *corev1.ResourceQuota {
	return &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "compute"},
		Status:     corev1.ResourceQuotaStatus{Hard: amounts("limits.cpu", "10", "pods", "20"), Used: amounts("limits.cpu", "6500m", "pods", "11")},
	}
}

func ExampleRemaining() {
	q := compute()
	show(quotaplan.Remaining(q))
	// Output:
	// limits.cpu: 3500m
	// pods: 9
}

func ExampleReplicas() {
	fit := quotaplan.Replicas(web(), []*corev1.ResourceQuota{compute()}, quota.AdmitOptions{})
	fmt.Println(fit.Replicas, "more")
	for _, failure := range fit.Next {
		fmt.Println(failure)
		show(failure.Shortfall())
	}
	// Output:
	// 3 more
	// exceeded quota: compute, requested: limits.cpu=1, used: limits.cpu=9500m, limited: limits.cpu=10
	// limits.cpu: 500m
}

func ExampleReplicaFit() {
	fit := quotaplan.Replicas(web(), nil, quota.AdmitOptions{})
	fmt.Println(fit.Unbounded, min(fit.Replicas, 100))
	// Output: true 100
}

func ExampleFirstFit() {
	workloads := []quotaplan.Workload{{Object: web(), Replicas: 2}, {Object: web(), Replicas: 2}, {Object: web(), Replicas: 1}}
	outcomes, after, err := quotaplan.FirstFit(workloads, []*corev1.ResourceQuota{compute()}, quota.AdmitOptions{})
	for _, p := range outcomes {
		fmt.Println(p.Admitted)
	}
	show(after[0].Status.Used)
	fmt.Println(err)
	// Output:
	// true
	// false
	// true
	// limits.cpu: 9500m
	// pods: 14
	// <nil>
}

func ExampleWorkload() {
	w := quotaplan.Workload{Object: web(), Replicas: 3}
	show(resourcelist.Mask(resourcelist.Multiply(w.Object.Usage(), w.Replicas), []corev1.ResourceName{"limits.cpu"}))
	// Output: limits.cpu: 3
}

func ExampleOutcome() {
	outcomes, _, _ := quotaplan.FirstFit([]quotaplan.Workload{{Object: web(), Replicas: 5}}, []*corev1.ResourceQuota{compute()}, quota.AdmitOptions{})
	fmt.Println(outcomes[0].Admitted, outcomes[0].Fit.Replicas)
	// Output: false 3
}

// A rolling update of 8 replicas to a template with another half CPU.
func ExampleRollout() {
	usage, err := quotaplan.Rollout(amounts("requests.cpu", "1"), amounts("requests.cpu", "1500m"), 8, appsv1.DeploymentStrategy{})
	fmt.Println(usage.Surge, usage.Unavailable, err)
	show(usage.Peak)
	show(usage.Extra)
	// Output:
	// 2 2 <nil>
	// requests.cpu: 14
	// requests.cpu: 6
}

func ExampleRolloutUsage() {
	usage, _ := quotaplan.Rollout(amounts("pods", "1"), amounts("pods", "1"), 4, appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType})
	show(usage.Extra)
	// Output: pods: 0
}

// twenty is a pod of 20 steps, each limited to one CPU, and a sidecar.
func twenty() *corev1.Pod {
	pod := &corev1.Pod{}
	for i := range 20 {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{
			Name: fmt.Sprintf("step-%d", i), Resources: corev1.ResourceRequirements{Limits: amounts("cpu", "1")},
		})
	}
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "sidecar", Resources: corev1.ResourceRequirements{Limits: amounts("cpu", "250m")}})
	return pod
}

// A quota of 10 CPUs refuses 20 steps that are limited to one CPU each, although only one runs at a
// time.
func ExampleSequential() {
	pod := twenty()
	q := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "ci"},
		Status:     corev1.ResourceQuotaStatus{Hard: amounts("limits.cpu", "10"), Used: amounts("limits.cpu", "0")},
	}
	failures := quota.Admit(quota.Object{}, quota.Pod(pod, time.Now(), quota.PodOptions{}), []*corev1.ResourceQuota{q}, quota.AdmitOptions{}).Failures
	fmt.Println(failures[0])
	peak := quotaplan.Sequential(pod, steps.TektonStep, quota.PodOptions{}).Peak[corev1.ResourceLimitsCPU]
	fmt.Println("at its peak:", peak.String())
	// Output:
	// exceeded quota: ci, requested: limits.cpu=20250m, used: limits.cpu=0, limited: limits.cpu=10
	// at its peak: 1250m
}

func ExampleSequentialUsage() {
	usage := quotaplan.Sequential(twenty(), steps.TektonStep, quota.PodOptions{})
	show(resourcelist.RemoveZeros(resourcelist.Subtract(usage.Counted, usage.Peak)))
	// Output: limits.cpu: 19
}
