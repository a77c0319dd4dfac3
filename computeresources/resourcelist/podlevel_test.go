package resourcelist_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPodLevel(t *testing.T) {
	for name, want := range map[corev1.ResourceName]bool{
		"cpu": true, "memory": true, "hugepages-2Mi": true, "hugepages-": true,
		"ephemeral-storage": false, "storage": false, "pods": false, "example.com/gpu": false, "requests.cpu": false,
		"requests.hugepages-2Mi": false, "CPU": false, "": false,
	} {
		if got := resourcelist.IsPodLevel(name); got != want {
			t.Errorf("IsPodLevel(%q) = %v, want %v", name, got, want)
		}
	}
	tests := []struct {
		name string
		list corev1.ResourceList
		want bool
	}{
		{"nil", nil, false},
		{"empty", corev1.ResourceList{}, false},
		{"no resource that can be set at pod level", testkit.List("ephemeral-storage", "1", "example.com/gpu", "1"), false},
		{"one among others", testkit.List("ephemeral-storage", "1", "hugepages-1Gi", "1Gi"), true},
		{"zero", testkit.List("cpu", "0"), true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := resourcename.AnyPodLevel(test.list); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
