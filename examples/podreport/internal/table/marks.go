package table

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

const (
	markOfServer = "*"
	markOfRanges = "^"
)

// mark tells an amount that the server fills in from one of the manifest.
func mark(w *report.Workload, p *report.Part, list string, name corev1.ResourceName) string {
	d := w.DefaultOf(p, list, name)
	switch {
	case d == nil:
		return ""
	case d.From == nil:
		return markOfServer
	default:
		return markOfRanges
	}
}
