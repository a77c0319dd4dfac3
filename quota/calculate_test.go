package quota_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestCalculateUsage(t *testing.T) {
	pod := func(namespace, class, cpu string) quota.Object {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace}, Spec: corev1.PodSpec{PriorityClassName: class, Containers: []corev1.Container{container("a", list("cpu", cpu), nil)}}}
		return quota.Pod(p, time.Time{}, quota.PodOptions{})
	}
	objects := []quota.Object{
		pod("shop", "", "1.5"), pod("shop", "high", "1500m"), pod("other", "", "7"), {},
		quota.Service(&corev1.Service{}), quota.Counted(schema.GroupResource{Resource: "secrets"}, nil),
	}
	hard := list("pods", "0", "requests.cpu", "1", "services", "5", "secrets", "1", "count/other", "1", "persistentvolumeclaims", "1", "gold.deviceclass.resource.k8s.io/devices", "1", "misspelled", "1", "limits.example.com/gpu", "1")
	q := withStatus("q", hard, list("pods", "77", "misspelled", "7"))
	got, err := quota.CalculateUsage(objects, q)
	want := corev1.ResourceQuotaStatus{Hard: hard, Used: list(
		"pods", "2", "requests.cpu", "3", "services", "1", "secrets", "1", "count/other", "0", "persistentvolumeclaims", "0", "gold.deviceclass.resource.k8s.io/devices", "0",
	)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}

	testkit.Equal(t, got.Used["persistentvolumeclaims"], resource.Quantity{Format: resource.DecimalSI}, "zero")

	ofClass := selecting(q, scope{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}})
	got, err = quota.CalculateUsage(objects, ofClass)
	used := list("pods", "1", "requests.cpu", "1500m", "services", "0", "secrets", "0", "count/other", "0", "persistentvolumeclaims", "0", "gold.deviceclass.resource.k8s.io/devices", "0")
	if diff := cmp.Diff(used, got.Used); diff != "" || err != nil {
		t.Errorf("of a class: %v, -want +got:\n%s", err, diff)
	}

	// The status of the quota is ignored: both its names and its usage.
	stale := withStatus("q", hard, list("pods", "77"))
	stale.Status.Hard = list("pods", "5", "other", "1")
	got, err = quota.CalculateUsage(objects, stale)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("with a stale status: %v, -want +got:\n%s", err, diff)
	}

	got, err = quota.CalculateUsage(objects, nil)
	if diff := cmp.Diff(corev1.ResourceQuotaStatus{}, got); diff != "" || err != nil {
		t.Errorf("nil: %v, %v", got, err)
	}
	for name := range map[corev1.ResourceName]bool{"configmaps": true, "secrets": true, "resourcequotas": true, "replicationcontrollers": true} {
		fresh := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{name: hard["pods"]}}}
		if got, _ := quota.CalculateUsage(nil, fresh); len(got.Used) != 1 {
			t.Errorf("%s has no usage", name)
		}
	}
}

// An object for which the selector is invalid does not hide the others.
func TestCalculateUsageWithInvalidScope(t *testing.T) {
	q := selecting(withStatus("q", list("pods", "0", "persistentvolumeclaims", "0"), nil), scope{ScopeName: "VolumeAttributesClass", Operator: "Near"})
	claim := quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	status, err := quota.CalculateUsage([]quota.Object{claim, claim}, q)
	if err == nil || err.Error() != `error on matching scope {VolumeAttributesClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator` {
		t.Errorf("error %v", err)
	}
	wantList(t, status.Used, list("pods", "0", "persistentvolumeclaims", "0"))

	q = selecting(q, scope{ScopeName: "VolumeAttributesClass", Operator: "Near"}, scope{ScopeName: "PriorityClass", Operator: "Near"})
	pod := podOf(container("app", nil, nil))
	for first, objects := range map[string][]quota.Object{"VolumeAttributesClass": {claim, pod}, "PriorityClass": {pod, claim}} {
		if _, err := quota.CalculateUsage(objects, q); err == nil || !strings.Contains(err.Error(), "matching scope {"+first+" Near") {
			t.Errorf("error %v, want that of %s", err, first)
		}
	}
}
