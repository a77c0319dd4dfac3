package quota_test

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

func ExampleClusterQuotasOf() {
	object := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(`{"apiVersion": "quota.openshift.io/v1", "kind": "ClusterResourceQuota",
		"metadata": {"name": "team"},
		"spec": {"selector": {"labels": {"matchLabels": {"team": "a"}}}, "quota": {"hard": {"pods": "10"}}},
		"status": {"total": {"hard": {"pods": "10"}, "used": {"pods": "7"}}}}`), object); err != nil {
		fmt.Println(err)
		return
	}
	all, err := quota.ClusterQuotasOf(object)
	fmt.Println(all[0].Kind, all[0].Name, resourcelist.String(quota.Remaining(all[0].In("shop"))), err)
	// Output: ClusterResourceQuota team pods=3 <nil>
}

func ExampleClusterQuota_Selects() {
	team := &quota.ClusterQuota{Selectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"team": "a"}}}}
	for _, label := range []string{"a", "b"} {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"team": label}}}
		fmt.Println(team.Selects(namespace))
	}
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleClusterQuota_In() {
	pods := func(n int64) corev1.ResourceList {
		return corev1.ResourceList{"pods": *resource.NewQuantity(n, resource.DecimalSI)}
	}
	team := &quota.ClusterQuota{Name: "team", Status: corev1.ResourceQuotaStatus{Hard: pods(10), Used: pods(10)}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	object := quota.Pod(pod, time.Now(), quota.PodOptions{})
	assessment := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{team.In("shop")}, quota.AdmitOptions{})
	fmt.Println(assessment.Failures[0])
	// Output: exceeded quota: team, requested: pods=1, used: pods=10, limited: pods=10
}

func ExampleClusterQuota_SetUsed() {
	pods := func(n int64) corev1.ResourceList {
		return corev1.ResourceList{"pods": *resource.NewQuantity(n, resource.DecimalSI)}
	}
	team := &quota.ClusterQuota{Name: "team", Status: corev1.ResourceQuotaStatus{Hard: pods(10)}}
	team.SetUsed("shop", pods(3))
	team.SetUsed("shop-dev", pods(4))
	team.SetUsed("shop", pods(5))
	fmt.Println(resourcelist.String(team.Status.Used))
	team.SetUsed("shop-dev", nil) // it is not selected any more
	fmt.Println(resourcelist.String(team.Status.Used))
	// Output:
	// pods=9
	// pods=5
}
