package page

import (
	"strconv"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// Overview returns the content of the body of a report on many workloads: of each workload, only the summary is there.
// The number of a workload in the report is in the attribute data-workload of its element, which is empty otherwise.
func Overview(r *report.Report) string {
	d := outlineOf(r)
	var accounts []account
	for i, w := range r.Workloads {
		accounts = append(accounts, briefOf(w, at("/workloads").to(i)))
	}
	var w writer
	w.Raw(`<a class="skip" href="#report">Skip to the report</a>` + "\n")
	d.writeHeader(&w)
	w.Raw(`<main id="report">` + "\n")
	w.rejected(d.Rejected)
	w.findings(d.Findings)
	w.namespaces(d.Namespaces)
	w.nodes(d.Nodes, d.Unplaced)
	w.holders(d.Holders)
	w.Raw(`<section id="workloads">` + "\n<h2>Workloads</h2>\n")
	for i := range accounts {
		a := &accounts[i]
		w.Raw(`<details class="account`)
		w.If(a.Rejected, " rejected")
		w.Around(`" id="`, a.ID, `"`)
		w.Attribute("data-workload", strconv.Itoa(i))
		w.Raw(">\n")
		w.summary(a)
		w.Raw("\n</details>\n")
	}
	w.Raw("</section>\n")
	w.accounts("objects", "Other objects", d.Objects)
	w.Raw("</main>\n")
	d.writeFooter(&w)
	return w.String()
}

// Account returns the element of one workload, as it is in the whole document. It is empty if there is none.
func Account(r *report.Report, workload int) string {
	if workload < 0 || workload >= len(r.Workloads) {
		return ""
	}
	a := accountOf(r, r.Workloads[workload], at("/workloads").to(workload))
	var w writer
	w.account(&a)
	return w.String()
}
