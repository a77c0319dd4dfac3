package resourcelist_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		list corev1.ResourceList
		want string
	}{
		{nil, ""},
		{list(), ""},
		{list("cpu", "500m"), "cpu=500m"},
		{list("pods", "0", "memory", "1.5Gi", "cpu", "1000m", "nvidia.com/gpu", "-1"), "cpu=1,memory=1536Mi,nvidia.com/gpu=-1,pods=0"},
	} {
		if got := resourcelist.String(test.list); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
