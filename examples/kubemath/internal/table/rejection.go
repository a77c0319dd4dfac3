package table

import (
	"fmt"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

func writeRejection(b *page, r *report.Rejection) {
	if r == nil {
		return
	}
	heading := "Rejected by the API server:"
	if r.Stored {
		heading = "Stored, but the API server rejects objects that are created for it:"
	}
	b.WriteString("  " + heading + "\n")
	for i := range r.Reasons {
		reason := &r.Reasons[i]
		words := reason.What
		if reason.Remedy != "" {
			words += ": " + reason.Remedy
		}
		writeWrapped(b, "    - ", wording.Printable(words))
		if reason.Server != reason.What {
			// The message is on one line, so a search finds it.
			fmt.Fprintf(b, "      server: %s\n", wording.Printable(reason.Server))
		}
	}
	b.WriteString("\n")
}
