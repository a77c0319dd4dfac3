package report_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func TestNamesOfAmounts(t *testing.T) {
	amounts := report.Amounts{}
	for _, name := range []corev1.ResourceName{"z", "pods", "a.b/c", "memory", "cpu", "hugepages-2Mi"} {
		amounts[name] = resource.MustParse("0")
	}
	want := []corev1.ResourceName{"cpu", "memory", "pods", "a.b/c", "hugepages-2Mi", "z"}
	if got := amounts.Names(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
