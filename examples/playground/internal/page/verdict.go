package page

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The effect of quotas and a node on a workload.

// addQuotas shows the quotas that limit an object, and how much of it fits.
func (a *account) addQuotas(o *report.Object, path at) {
	for j := range o.Quotas {
		a.Tables = append(a.Tables, useTable(&o.Quotas[j], path.to("quotas", j)))
		if u := o.Quotas[j].Unknown; u != "" {
			a.Facts = append(a.Facts, fact{"unknown", words{quote(u, path.to("quotas", j, "unknown"))}})
		}
	}
	if o.Fit != nil {
		a.Facts = append(a.Facts, fact{strings.ToUpper(o.Fit.Unit[:1]) + o.Fit.Unit[1:] + "s that fit", fitWords(o.Fit, path.to("fit"))})
	}
}

func useTable(u *report.QuotaUse, path at) table {
	t := table{Caption: cmp.Or(u.Kind, "ResourceQuota"), Class: "use", Corner: words{quote(u.Name, path.to("name"))}, Columns: columns("used", "this", "hard", "left")}
	used, asked, hard, left := amounts{u.Used, path.to("used")}, amounts{u.Asked, path.to("asked")}, amounts{u.Hard, path.to("hard")}, amounts{u.Left, path.to("left")}
	for _, name := range slices.Sorted(maps.Keys(u.Hard)) {
		line := row{Label: words{resourceName(name)}, Cells: cellsOf(used.of(name), asked.of(name), hard.of(name), left.of(name))}
		for _, unknown := range []int{0, 3} {
			if line.Cells[unknown].Number.Path == "" {
				line.Cells[unknown].Words = words{say("unknown")}
			}
		}
		if q, has := u.Left[name]; has && q.Sign() < 0 {
			line.Class = "bad"
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func fitWords(f *report.Fit, path at) words {
	if f.Replicas == nil {
		return words{say("any number")}
	}
	all := words{figure(countOf(*f.Replicas, path.to("replicas")))}
	if f.AtMost {
		all = slices.Insert(all, 0, say("at most "))
	}
	if *f.Replicas < f.Wanted && !f.Exist {
		all = append(all, say(" of "), figure(countOf(f.Wanted, path.to("wanted"))))
	}
	for i := range f.Stops {
		if i == 0 {
			all = append(all, say("; the next does not: "))
		} else {
			all = append(all, say("; "))
		}
		all = append(all, sentence(f.Stops[i].What, path.to("stops", i)))
	}
	return all
}

// addRoom shows how many such pods fit on the node.
func (a *account) addRoom(n *report.Room, path at) {
	fit := words{figure(countOf(n.Fit, path.to("fit")))}
	if n.Node != "" {
		fit = append(fit, say(" on "), quote(n.Node, path.to("node")))
	}
	if len(n.Stops) > 0 {
		fit = append(append(fit, say("; the next lacks ")), amounts{n.Stops, path.to("stops")}.inWords()...)
	}
	a.Facts = append(a.Facts, fact{"Fit on the empty node", fit})
}

func fractionOf(part, whole resource.Quantity) float64 {
	fraction, _ := resourcelist.Fraction(part, whole)
	return fraction
}

func (w *writer) rejected(list folded[verdict]) {
	if len(list.First) == 0 {
		return
	}
	w.Raw(`<section id="rejected">` + "\n<h2>Rejected</h2>\n")
	write(w, list, "", "", (*writer).refusal)
	w.Raw("</section>\n")
}

func (w *writer) refusal(v *verdict) {
	w.Around(`<article class="verdict">`+"\n"+`<h3><a href="#`, v.Link, `">`)
	w.words(v.Title)
	w.line("</a></h3>\n"+`<p class="place">`, v.Place, "</p>\n")
	w.verdict(v)
	w.Raw("</article>\n")
}

func (w *writer) verdict(v *verdict) {
	w.Raw(`<p><strong class="bad">`)
	switch {
	case len(v.Blocked) > 0:
		w.line("Blocked now</strong>, because ", v.Blocked, "")
	case v.Stored:
		w.Raw("Stored, but the API server rejects objects that are created for it</strong>")
	default:
		w.Raw("Rejected by the API server</strong>")
	}
	if len(v.Partly) > 0 {
		w.line(": ", v.Partly, "")
	}
	w.Raw("</p>\n" + `<ul class="reasons">` + "\n")
	for _, r := range v.Reasons {
		w.line("<li>", r.What, "")
		if len(r.Remedy) > 0 {
			w.line(`<span class="remedy">`, r.Remedy, "</span>")
		}
		if len(r.Server) > 0 {
			w.line("<code>", r.Server, "</code>")
		}
		w.Raw("</li>\n")
	}
	w.Raw("</ul>\n")
}
