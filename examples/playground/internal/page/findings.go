package page

import (
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The findings about the input: first the objects that would be rejected, and why.

// verdict is an object that would be rejected.
type verdict struct {
	Title   words
	Link    string
	Stored  bool  // the object itself is accepted
	Blocked words // why its pods are missing now, if it is of a cluster
	Partly  words // how much of it is admitted, if some is
	Place   words
	Reasons []reason
}

type reason struct {
	What, Remedy, Server words
}

// object is an object with its place in the report.
type object struct {
	*report.Object
	path at
}

func objectsOf(r *report.Report) (list []object) {
	for i, o := range r.Objects {
		list = append(list, object{o, at("/objects").to(i)})
	}
	return list
}

func (o *object) title() words { return identity(o.Kind, o.Namespace, o.Name, o.path) }

func verdictsOf(r *report.Report) (list []verdict) {
	for i, w := range r.Workloads {
		o := object{&w.Object, at("/workloads").to(i)}
		if w.Rejection == nil {
			continue
		}
		v := o.verdict()
		if w.Admitted > 0 && w.Admitted < w.Pods {
			v.Partly = words{figure(countOf(w.Admitted, o.path.to("admitted"))), say(" of ")}
			v.Partly = append(append(v.Partly, counted(w.Pods, "pod", o.path.to("pods"))...), say(" admitted"))
		}
		list = append(list, v)
	}
	for _, o := range objectsOf(r) {
		if o.Rejection != nil {
			list = append(list, o.verdict())
		}
	}
	return list
}

func (o *object) verdict() verdict {
	v := verdict{Title: o.title(), Link: anchor(o.path), Stored: o.Rejection.Stored, Place: lineOf(o.Source, o.Line, o.path)}
	if o.Rejection.Blocked != "" {
		v.Blocked = words{quote(o.Rejection.Blocked, o.path.to("rejection", "blocked"))}
	}
	for i := range o.Rejection.Reasons {
		r, path := &o.Rejection.Reasons[i], o.path.to("rejection", "reasons", i)
		shown := reason{What: words{quote(r.What, path.to("what"))}}
		if r.Remedy != "" {
			shown.Remedy = words{quote(r.Remedy, path.to("remedy"))}
		}
		if r.Server != r.What {
			shown.Server = words{quote(r.Server, path.to("server"))}
		}
		v.Reasons = append(v.Reasons, shown)
	}
	return v
}

// anchor returns what the address of an object ends with on the page: "workloads-3".
func anchor(path at) string {
	id := []byte(path[1:])
	for i, c := range id {
		if c == '/' {
			id[i] = '-'
		}
	}
	return string(id)
}

// finding is a message about a place in the input.
type finding struct {
	Place    words
	Object   words
	Text     words
	Rejected bool
}

// findings are those of one kind.
type findings struct {
	ID, Title, Class string
	Folded           bool
	list             []report.Finding
	path             at
	List             []finding
}

func findingsOf(r *report.Report) []findings {
	all := []findings{
		{ID: "errors", Title: "Errors", Class: "bad", list: r.Errors, path: "/errors"},
		{ID: "warnings", Title: "Warnings", Class: "odd", list: r.Warnings, path: "/warnings"},
		{ID: "not-computed", Title: "Not computed", Class: "odd", list: r.NotComputed, path: "/notComputed"},
		{ID: "notes", Title: "Notes", Folded: true, list: r.Notes, path: "/notes"},
	}
	for i := range all {
		for j := range all[i].list {
			all[i].List = append(all[i].List, findingOf(&all[i].list[j], all[i].path.to(j)))
		}
	}
	return all
}

func findingOf(f *report.Finding, path at) finding {
	shown := finding{Place: lineOf(f.Source, f.Line, path), Rejected: f.Rejected}
	if f.Object != "" {
		shown.Object = words{quote(f.Object, path.to("object"))}
	}
	if f.Field != "" {
		shown.Text = append(shown.Text, quote(f.Field, path.to("field")), say(": "))
	}
	shown.Text = append(shown.Text, quote(f.Text, path.to("text")))
	return shown
}

func skippedOf(r *report.Report) (list []words) {
	for i := range r.Skipped {
		s, path := &r.Skipped[i], at("/skipped").to(i)
		list = append(list, words{figure(countOf(s.Count, path.to("count"))), say(" "), quote(s.Kind, path.to("kind"))})
	}
	return list
}

func (w *writer) findings(all []findings) {
	for i := range all {
		f := &all[i]
		if len(f.List) == 0 {
			continue
		}
		w.Around(`<section id="`, f.ID, `">`+"\n<h2>")
		w.Around("", f.Title, "</h2>\n")
		w.If(f.Folded, "<details>\n<summary>Objects in the input that do not count, and why</summary>\n")
		w.Around(`<ul class="findings `, f.Class, `">`+"\n")
		for i := range f.List {
			w.finding(&f.List[i])
		}
		w.Raw("</ul>\n")
		w.If(f.Folded, "</details>\n")
		w.Raw("</section>\n")
	}
}

func (w *writer) finding(f *finding) {
	w.Raw("<li>")
	if len(f.Object) > 0 {
		w.line("<strong>", f.Object, "</strong> ")
	}
	w.If(f.Rejected, `<span class="bad">rejected</span> `)
	w.words(f.Text)
	w.line(`<span class="place">`, f.Place, "</span></li>\n")
}

func (w *writer) skipped(list []words) {
	if len(list) == 0 {
		return
	}
	w.Raw(`<p class="skipped">Skipped, because no quota counts them: `)
	for i, s := range list {
		w.If(i > 0, ", ")
		w.words(s)
	}
	w.Raw(".</p>\n")
}
