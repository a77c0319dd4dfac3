package page

import "github.com/kubemath/kubemath/examples/playground/internal/markup"

// writer writes the document. Its methods for a section, or for a part of one, are in the file that
// says what is in it.
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
	w.If(len(d.Holders.Most.Rows) > 0, `<li><a href="#holders">Largest workloads</a></li>`+"\n")
	w.If(len(d.Workloads) > 0, `<li><a href="#workloads">Workloads</a></li>`+"\n")
	w.If(len(d.Objects) > 0, `<li><a href="#objects">Other objects</a></li>`+"\n")
	w.Raw("</ul>\n</nav>\n")
}

func (d *document) writeFooter(w *writer) {
	w.Raw("<footer>\n<p>Point at a rounded amount to see the exact one.</p>\n")
	w.Raw("<p><abbr>+</abbr> is the sum of limits, which quotas count; a container has none, and may use whatever the node has.</p>\n")
	w.If(d.Legend.Server, "<p><abbr>*</abbr> is not set in the manifest: the API server sets it when the pod is created.</p>\n")
	w.If(d.Legend.Ranges, "<p><abbr>^</abbr> is not set in the manifest: it is a default of a LimitRange.</p>\n")
	w.Raw("<p>Computed from the manifests alone: no cluster is asked.</p>\n</footer>\n")
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
