package page

import (
	"fmt"

	"github.com/kubemath/kubemath/examples/internal/markup"
)

// The content of the document: its head, and a section for each kind of answer.

// writer writes what a document is made of.
type writer struct{ markup.Writer }

// write writes the content of the body.
func (d *document) write(w *writer) {
	w.Raw(`<a class="skip" href="#report">Skip to the report</a>` + "\n")
	d.writeHeader(w)
	w.Raw(`<main id="report">` + "\n")
	w.rejected(d.Rejected)
	w.findings(d.Findings)
	w.skipped(d.Skipped)
	w.namespaces(d.Namespaces)
	w.nodes(d.Nodes, d.Unplaced)
	w.holders(d.Holders)
	w.accounts("workloads", "Workloads", d.Workloads)
	w.accounts("objects", "Other objects", d.Objects)
	w.Raw("</main>\n")
	d.writeFooter(w)
}

func (d *document) writeHeader(w *writer) {
	w.Raw("<header>\n<h1>")
	w.words(d.Title)
	w.Raw("</h1>\n")
	w.files(d.Files)
	w.Raw("\n" + `<dl class="tiles">` + "\n")
	for i := range d.Tiles {
		w.tile(&d.Tiles[i])
	}
	w.Raw("</dl>\n")
	for _, s := range d.Scaled {
		w.line("<p>", s, "</p>\n")
	}
	d.writeNavigation(w)
	w.Raw("</header>\n")
}

// shownFiles is how many of the files are not folded.
const shownFiles = 6

func (w *writer) files(files []piece) {
	if len(files) == 0 {
		return
	}
	w.Raw(`<p class="files">Read from `)
	for i := range files {
		if i == shownFiles {
			w.Raw("</p>\n" + `<details class="files"><summary>and further files</summary><p>`)
		} else if i > 0 {
			w.Raw(", ")
		}
		w.piece(&files[i])
	}
	w.Raw("</p>")
	w.If(len(files) > shownFiles, "</details>")
}

func (w *writer) tile(t *tile) {
	w.Raw("<div")
	w.Attribute("class", t.Class)
	w.line("><dt>", t.Title, `</dt><dd class="main">`)
	w.number(&t.Main)
	w.Raw("</dd>")
	for _, line := range t.Below {
		w.line("<dd>", line, "</dd>")
	}
	w.Raw("</div>\n")
}

func (d *document) writeNavigation(w *writer) {
	w.Raw(`<nav aria-label="Sections">` + "\n<ul>\n")
	w.If(len(d.Rejected.First) > 0, `<li><a class="bad" href="#rejected">Rejected</a></li>`+"\n")
	for _, f := range d.Findings {
		if len(f.List) > 0 {
			w.Around(`<li><a href="#`, f.ID, `">`)
			w.Around("", f.Title, "</a></li>\n")
		}
	}
	w.If(len(d.Namespaces) > 0, `<li><a href="#namespaces">Namespaces</a></li>`+"\n")
	w.If(len(d.Nodes.First) > 0, `<li><a href="#nodes">Nodes</a></li>`+"\n")
	w.If(len(d.Holders.Most.Rows) > 0, `<li><a href="#holders">Largest owners</a></li>`+"\n")
	w.If(len(d.Workloads) > 0, `<li><a href="#workloads">Workloads</a></li>`+"\n")
	w.If(len(d.Objects) > 0, `<li><a href="#objects">Other objects</a></li>`+"\n")
	w.Raw("</ul>\n</nav>\n")
}

func (d *document) writeFooter(w *writer) {
	w.Raw("<footer>\n<p>Point at a rounded amount to see the exact one. OOM is the oom_score_adj on a node with ")
	w.number(&d.NodeMemory)
	w.Raw(" of memory: the container with the highest is killed first.</p>\n")
	w.If(d.Legend.Server, "<p><abbr>*</abbr> is not set in the manifest: the API server sets it when the pod is created.</p>\n")
	w.If(d.Legend.Ranges, "<p><abbr>^</abbr> is not set in the manifest: it is a default of a LimitRange.</p>\n")
	w.If(d.Legend.Node, `<p class="fixed">Shares (cgroup v1) and weight (cgroup v2) are those of one pod, set by the kubelet, and of its `+
		"containers, set by the container runtime (runc since 1.3.2, crun since 1.23). The CPU quota is in microseconds per "+
		"period of 100000. CPU under cgroup v1 and v2 is what each gets if all pods run on the node and use as much CPU as they "+
		"can get.</p>\n")
	w.Raw("<p>Written by podreport, which reads manifests only and accesses no cluster.</p>\n</footer>\n")
}

func (w *writer) rejected(list folded[verdict]) {
	if len(list.First) == 0 {
		return
	}
	w.Raw(`<section id="rejected">` + "\n<h2>Rejected</h2>\n")
	write(w, list, "", "", (*writer).refusal)
	w.Raw("</section>\n")
}

// write writes a list, of which the rest is folded, each part between markup.
func write[T any](w *writer, list folded[T], before, after markup.HTML, element func(*writer, *T)) {
	w.Raw(before)
	for i := range list.First {
		element(w, &list.First[i])
	}
	w.Raw(after)
	if len(list.Rest) == 0 {
		return
	}
	w.Raw("<details>\n<summary>The others</summary>\n" + before)
	for i := range list.Rest {
		element(w, &list.Rest[i])
	}
	w.Raw(after + "</details>\n")
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
	if v.Stored {
		w.Raw("Stored, but the API server rejects objects that are created for it</strong>")
	} else {
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
	w.Raw(`<p class="skipped">Skipped, because reports do not include these kinds: `)
	for i, s := range list {
		w.If(i > 0, ", ")
		w.words(s)
	}
	w.Raw(".</p>\n")
}

func (w *writer) namespaces(list []namespace) {
	if len(list) == 0 {
		return
	}
	w.Raw(`<section id="namespaces">` + "\n<h2>Namespaces</h2>\n" + `<p class="key">`)
	w.key("request", " requests ")
	w.key("limit", " limits, of the most that a namespace has; ")
	w.key("used", " used of a quota, ")
	w.key("added", " added by what was read")
	w.Raw("</p>\n" + `<div class="namespaces">` + "\n")
	for i := range list {
		w.namespace(&list[i])
	}
	w.Raw("</div>\n</section>\n")
}

// key explains the color of a bar.
func (w *writer) key(class string, meaning markup.HTML) {
	w.bar([]segment{{Class: class, Width: "100"}})
	w.Raw(meaning)
}

func (w *writer) namespace(n *namespace) {
	w.line("<article>\n<h3>", n.Name, "</h3>\n")
	w.line(`<p class="place">`, n.Held, "</p>\n")
	if len(n.Table.Rows) > 0 {
		w.table(&n.Table)
	}
	for i := range n.Quotas {
		q := &n.Quotas[i]
		w.line("<h4>ResourceQuota ", q.Name, "</h4>\n")
		w.If(q.AtLeast, `<p class="place">It has no status: this is the least that is used.</p>`+"\n")
		w.table(&q.Table)
	}
	for _, remark := range n.Remarks {
		w.line(`<p class="remark">`, remark, "</p>\n")
	}
	w.Raw("</article>\n")
}

func (w *writer) nodes(list folded[node], unplaced folded[words]) {
	if len(list.First) == 0 {
		return
	}
	w.Raw(`<section id="nodes">` + "\n<h2>Nodes</h2>\n")
	if len(unplaced.First) > 0 {
		w.Raw("<h3>Pods that no node has room for</h3>\n")
		write(w, unplaced, `<ul class="findings bad">`+"\n", "</ul>\n", func(w *writer, u *words) { w.line("<li>", *u, "</li>\n") })
	}
	write(w, list, `<ul class="nodes">`+"\n", "</ul>\n", (*writer).node)
	w.Raw("</section>\n")
}

func (w *writer) node(n *node) {
	w.Raw("<li")
	w.If(n.Short, ` class="short"`)
	w.line(">\n<h3>", n.Name, "</h3>\n")
	w.line(`<p class="place">`, n.Pods, "")
	if n.Remark != "" {
		w.Around(", ", n.Remark, "")
	}
	if len(n.Place) > 0 {
		w.line(", ", n.Place, "")
	}
	w.Raw("</p>\n")
	if n.Short {
		w.line(`<p><strong class="bad">Too little room: it lacks `, n.Missing, "</strong></p>\n")
	}
	w.Raw(`<dl class="rooms">` + "\n")
	for i := range n.Resources {
		w.room(&n.Resources[i])
	}
	w.Raw("</dl>\n</li>\n")
}

func (w *writer) room(r *room) {
	w.Raw(`<div class="room`)
	w.If(r.Short, " bad")
	w.If(r.Fullest && !r.Short, " fullest")
	w.line(`"><dt>`, r.Name, "")
	w.If(r.Short, ` <span class="tag">short</span>`)
	w.If(r.Fullest && !r.Short, ` <span class="tag">fullest</span>`)
	w.Raw("</dt><dd><span>")
	w.number(&r.Requested)
	w.Raw(" of ")
	if r.Allocatable.Path == "" {
		w.Raw("none")
	} else {
		w.number(&r.Allocatable)
	}
	w.Raw("</span>")
	w.bar(r.Bar)
	w.Raw("</dd></div>\n")
}

func (w *writer) holders(h holders) {
	if len(h.Most.Rows) == 0 {
		return
	}
	w.Raw(`<section id="holders">` + "\n<h2>Largest owners</h2>\n")
	w.table(&h.Most)
	if len(h.Rest.Rows) > 0 {
		w.Raw("<details>\n<summary>The others</summary>\n")
		w.table(&h.Rest)
		w.Raw("</details>\n")
	}
	w.Raw("</section>\n")
}

func (w *writer) accounts(id, title string, list []account) {
	if len(list) == 0 {
		return
	}
	w.Around(`<section id="`, id, `">`+"\n<h2>")
	w.Around("", title, "</h2>\n")
	for i := range list {
		w.account(&list[i])
	}
	w.Raw("</section>\n")
}

func (w *writer) account(a *account) {
	w.Raw(`<details class="account`)
	w.If(a.Rejected, " rejected")
	w.Around(`" id="`, a.ID, `">`+"\n")
	w.summary(a)
	w.line("\n"+`<p class="place">`, a.Place, "</p>\n")
	if a.Verdict != nil {
		w.verdict(a.Verdict)
	}
	for i := range a.Tables {
		w.table(&a.Tables[i])
	}
	w.Raw(`<dl class="facts">` + "\n")
	for _, f := range a.Facts {
		w.Around("<div><dt>", f.Name, "</dt><dd>")
		w.line("", f.Text, "</dd></div>\n")
	}
	if a.Class != "" {
		w.Around("<div><dt>QoS class</dt><dd>", a.Class, ": ")
		w.line("", a.Reason, "</dd></div>\n")
	}
	if len(a.Advice) > 0 {
		w.Raw("<div><dt>To be Guaranteed</dt><dd><ul>")
		for _, advice := range a.Advice {
			w.line("<li>", advice, "</li>")
		}
		w.Raw("</ul></dd></div>\n")
	}
	w.Raw("</dl>\n</details>\n")
}

func (w *writer) summary(a *account) {
	w.line(`<summary><span class="title">`, a.Title, "</span>")
	w.line(` <span class="scale">`, a.Scale, "</span>")
	for _, brief := range a.Brief {
		w.line(` <span class="brief">`, brief, "</span>")
	}
	if a.Class != "" {
		w.Around(` <span class="class `, a.Class, `">`)
		w.Around("", a.Class, "</span>")
	}
	w.If(a.Rejected, ` <span class="class bad">rejected</span>`)
	w.Raw("</summary>")
}

func (w *writer) table(t *table) {
	w.Around(`<div class="scroll" role="region" tabindex="0" aria-label="`, t.Caption, `"><table class="`)
	w.Around("", t.Class, `">`+"\n<caption>")
	w.Around("", t.Caption, "</caption>\n<thead>\n")
	if len(t.Groups) > 0 {
		w.Raw("<tr>")
		for _, g := range t.Groups {
			if len(g.Title) == 0 {
				w.Raw("<td></td>")
				continue
			}
			w.Around(`<th scope="colgroup" colspan="`, fmt.Sprint(g.Span), `">`)
			w.line("", g.Title, "</th>")
		}
		w.Raw("</tr>\n")
	}
	w.line(`<tr><th scope="col">`, t.Corner, "</th>")
	for _, c := range t.Columns {
		w.line(`<th scope="col">`, c, "</th>")
	}
	w.Raw("</tr>\n</thead>\n<tbody>\n")
	for i := range t.Rows {
		w.row(&t.Rows[i])
	}
	w.Raw("</tbody>\n</table></div>\n")
}

func (w *writer) row(r *row) {
	w.Raw("<tr")
	w.Attribute("class", r.Class)
	w.Raw(`><th scope="row">`)
	if r.Swatch != "" {
		w.Around(`<span class="swatch `, r.Swatch, `" aria-hidden="true"></span>`)
	}
	if r.Link != "" {
		w.Around(`<a href="#`, r.Link, `">`)
		w.line("", r.Label, "</a>")
	} else {
		w.words(r.Label)
	}
	w.Raw("</th>")
	for i := range r.Cells {
		w.cell(&r.Cells[i])
	}
	w.Raw("</tr>\n")
}

func (w *writer) cell(c *cell) {
	w.Raw("<td")
	w.Attribute("class", c.Class)
	w.Raw(">")
	switch {
	case c.Class != "" && c.Number.Path == "": // it has no number, and needs none
	case len(c.Words) > 0:
		w.words(c.Words)
	default:
		w.number(&c.Number)
	}
	if c.Mark != nil {
		w.Around(`<abbr title="`, c.Mark.Title, `">`)
		w.Around("", c.Mark.Text, "</abbr>")
	}
	if len(c.Bar) > 0 {
		w.bar(c.Bar)
	}
	w.Raw("</td>")
}

func (w *writer) bar(segments []segment) {
	w.Raw(`<span class="bar" aria-hidden="true">`)
	for i := range segments {
		s := &segments[i]
		w.Around(`<span class="`, s.Class, `" style="width: `)
		w.Around("", s.Width, `%"`)
		w.Attribute("title", s.Title)
		w.Raw("></span>")
	}
	w.Raw("</span>")
}

// line writes words between markup.
func (w *writer) line(before markup.HTML, text words, after markup.HTML) {
	w.Raw(before)
	w.words(text)
	w.Raw(after)
}

func (w *writer) words(text words) {
	for i := range text {
		w.piece(&text[i])
	}
}

func (w *writer) piece(p *piece) {
	switch {
	case p.Number != nil:
		w.number(p.Number)
	case p.Path != "":
		w.quoted("data-path", p.Path, p.Text)
	case p.Of != "":
		w.quoted("data-of", p.Of, p.Text)
	case p.Resource:
		w.Raw(`<span class="resource">`)
		for _, chunk := range p.Chunks() {
			w.Around("", chunk, "<wbr/>")
		}
		w.Raw("</span>")
	default:
		w.Text(p.Text)
	}
}

// quoted writes a text that the report has at a path.
func (w *writer) quoted(name markup.HTML, path at, text string) {
	w.Raw("<span")
	w.Attribute(name, string(path))
	w.Around(">", text, "</span>")
}

func (w *writer) number(n *number) {
	if n.Path == "" {
		w.Raw(`<span class="none">–</span>`)
		return
	}
	w.Around(`<data value="`, n.Value, `"`)
	w.Attribute("data-path", string(n.Path))
	w.Attribute("data-times", string(n.Times))
	if n.Rounded {
		w.Attribute("title", n.Value)
	}
	w.Around(">", n.Text, "</data>")
}
