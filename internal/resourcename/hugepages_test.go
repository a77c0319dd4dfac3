package resourcename_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

func TestHugePageSize(t *testing.T) {
	tests := []struct {
		name corev1.ResourceName
		want string // "" means no size
	}{
		{"hugepages-2Mi", "2Mi"},
		{"hugepages-1Gi", "1Gi"},
		{"hugepages-64Ki", "64Ki"},
		{"hugepages-1000", "1k"},
		{"hugepages-1.5", "1500m"},
		{"hugepages-1n", "1n"},
		{"hugepages-10P", "10P"},
		{"hugepages-100000P", "100E"},
		{"hugepages-1E", "1E"},
		{"hugepages-1Ei", "1Ei"},
		{"hugepages-1e3", "1e3"},
		{"hugepages-1E3", "1E3"},
		{"hugepages-1e-3", "1e-3"},
		{"hugepages-1e999", "1e999"},
		{"hugepages-1e1000", ""},
		{"hugepages-1e1000000000", ""},
		{"hugepages-1e-1000000000", ""},
		{"hugepages-e", ""},
		{"hugepages-0", ""},
		{"hugepages--2Mi", ""},
		{"hugepages-", ""},
		{"hugepages-two", ""},
		{"hugepages", ""},
		{"xhugepages-2Mi", ""},
		{"requests.hugepages-2Mi", ""},
		{"2Mi", ""},
		{"", ""},
	}
	for _, test := range tests {
		t.Run(string(test.name), func(t *testing.T) {
			if got, ok := resourcename.HugePageSize(test.name); ok != (test.want != "") || ok && got.String() != test.want {
				t.Errorf("HugePageSize %s, %v, want %q", got.String(), ok, test.want)
			}
		})
	}
}
