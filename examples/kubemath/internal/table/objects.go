package table

import (
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// writeObjects writes objects that run no pods.
func writeObjects(b *page, what string, list []report.Object) {
	for i := range list {
		o := &list[i]
		writeHeading(b, o)
		writeRejection(b, o.Rejection)
		if o.Fit != nil {
			writeQuotaTable(b, what, o.Quotas)
			writeFit(b, o.Fit)
			b.WriteString("\n")
		}
	}
}

func titleOf(o *report.Object) string {
	return wording.Printable(o.Kind + " " + wording.Qualified(o.Namespace, o.Name))
}
