package table

import (
	"strings"

	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// Rows returns a row for each workload, and for each other object that would be rejected.
func Rows(r *report.Report) *listing.List {
	var lists []report.Amounts
	for _, w := range r.Workloads {
		lists = append(lists, w.All.Requests, w.All.Limits)
	}
	l, names := &listing.List{Columns: []string{"NAMESPACE", "KIND", "NAME", "PODS"}}, resourcesOf(lists...)
	for _, name := range names {
		of := strings.ToUpper(string(name))
		l.Columns = append(l.Columns, of, of+"-LIMITS")
	}
	l.Columns = append(l.Columns, "CLASS", "VERDICT", "REASON")
	add := func(o *report.Object, w *report.Workload) {
		cells := []any{listing.Text(o.Namespace), o.Kind, o.Name}
		if w == nil {
			w = &report.Workload{}
			cells = append(cells, nil)
		} else {
			cells = append(cells, w.Pods)
		}
		for _, name := range names {
			cells = append(cells, listing.Amount(w.All.Requests, name), listing.Amount(w.All.Limits, name))
		}
		verdict, reason := "admitted", ""
		if o.Rejection != nil {
			verdict, reason = "rejected", o.Rejection.Reasons[0].What
			if o.Rejection.Blocked != "" {
				verdict, reason = "blocked", o.Rejection.Blocked
			}
		}
		l.Add(listing.NameOf(o.Kind, o.Name), append(cells, listing.Text(string(w.QoS.Class)), verdict, listing.Text(reason))...)
	}
	for _, w := range r.Workloads {
		add(&w.Object, w)
	}
	for _, o := range r.Objects {
		if o.Rejection != nil {
			add(o, nil)
		}
	}
	return l
}
