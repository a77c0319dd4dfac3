package nodes

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// short returns an amount for people, "-" for nothing.
func short(a report.Amounts, name corev1.ResourceName) string {
	q := a[name]
	switch {
	case q.IsZero():
		return "-"
	case name == corev1.ResourceCPU:
		return a.Text(name)
	default:
		return resourcelist.Short(q)
	}
}

// inWords returns "cpu 500m, memory 2Gi", or "nothing".
func inWords(a report.Amounts) string {
	var words []string
	for _, name := range a.Names() {
		words = append(words, wording.Printable(string(name))+" "+short(a, name))
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}
