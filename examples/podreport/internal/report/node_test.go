package report_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

func TestNamesOfAmounts(t *testing.T) {
	amounts := report.Amounts{"z": "1", "pods": "1", "a.b/c": "1", "memory": "1", "cpu": "1", "hugepages-2Mi": "1"}
	want := []corev1.ResourceName{"cpu", "memory", "pods", "a.b/c", "hugepages-2Mi", "z"}
	if got := amounts.Names(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
