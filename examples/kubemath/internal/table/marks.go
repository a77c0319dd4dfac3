package table

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

const (
	markOfServer = "*"
	markOfRanges = "^"
)

// mark distinguishes an amount that the server sets from one in the manifest.
func mark(w *report.Workload, p *report.Part, list computeresources.List, name corev1.ResourceName) string {
	d := w.DefaultOf(p.Ref, list, name)
	switch {
	case d == nil:
		return ""
	case d.Source == (computeresources.Source{}):
		return markOfServer
	default:
		return markOfRanges
	}
}
