package page

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The head of the page: the input and the totals.

// tile is a number that is shown large.
type tile struct {
	Title words
	Main  number
	Below []words
	Class string
}

func tilesOf(r *report.Report) []tile {
	t := &r.Totals
	path := at("/totals")
	workloads := tile{Title: words{say("workloads")}, Main: countOf(t.Workloads, path.to("workloads"))}
	if t.Partly > 0 {
		workloads.Below = append(workloads.Below, words{figure(countOf(t.Partly, path.to("partly"))), say(" partly admitted")})
	}
	if t.Rejected > 0 {
		workloads.Below = append(workloads.Below, words{say("and "), figure(countOf(t.Rejected, path.to("rejected"))), say(" rejected")})
		workloads.Class = "bad"
	}
	pods := tile{Title: words{say("pods")}, Main: countOf(t.Pods, path.to("pods"))}
	if t.PerNode {
		pods.Below = append(pods.Below, words{say("one for each DaemonSet")})
	}
	for _, class := range []corev1.PodQOSClass{corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort} {
		if n := t.PodsByClass[class]; n > 0 {
			pods.Below = append(pods.Below, words{figure(countOf(n, path.to("podsByClass", class))), say(" " + string(class))})
		}
	}
	tiles := []tile{workloads, pods}
	requests, limits := amounts{t.Requests, path.to("requests")}, amounts{t.Limits, path.to("limits")}
	for _, name := range resourcesOf(t.Requests, t.Limits) {
		a := tile{Title: words{resourceName(name), say(" requested")}, Main: requests.of(name)}
		limit := words{say("no limit")}
		if _, has := t.Limits[name]; has {
			limit = words{say("limit "), figure(limits.of(name))}
		}
		if _, has := t.Limits[name]; has && slices.Contains(t.Unbounded, name) {
			limit = append(limit, say(", not for all containers"))
		}
		a.Below = append(a.Below, limit)
		tiles = append(tiles, a)
	}
	return tiles
}

// scaledOf describes the totals with the replicas of autoscalers.
func scaledOf(r *report.Report) (list []words) {
	for _, s := range []struct {
		when   string
		scaled *report.Scaled
		path   at
	}{{"at least", r.Totals.AtMin, "/totals/atMin"}, {"at most", r.Totals.AtMax, "/totals/atMax"}} {
		if s.scaled == nil {
			continue
		}
		w := words{say("Autoscalers run " + s.when + " ")}
		w = append(w, counted(s.scaled.Pods, "pod", s.path.to("pods"))...)
		if sum := (amounts{s.scaled.Requests, s.path.to("requests")}).inWords(); len(sum) > 0 {
			w = append(append(w, say(", which request ")), sum...)
		}
		list = append(list, append(w, say(".")))
	}
	return list
}

// filesOf returns the files of the objects in the report, in the order of the report.
func filesOf(r *report.Report) (files []piece) {
	seen := map[string]bool{}
	add := func(s *objects.Source, path at) {
		if s != nil && !seen[s.File] {
			seen[s.File] = true
			files = append(files, quote(s.File, path.to("source", "file")))
		}
	}
	for i := range r.Nodes {
		add(r.Nodes[i].Source, at("/nodes").to(i))
	}
	for i := range r.Namespaces {
		n, path := &r.Namespaces[i], at("/namespaces").to(i)
		for j := range n.LimitRanges {
			add(&n.LimitRanges[j].Source, path.to("limitRanges", j))
		}
		for j := range n.ResourceQuotas {
			add(&n.ResourceQuotas[j].Source, path.to("resourceQuotas", j))
		}
	}
	for i := range r.Workloads {
		w, path := &r.Workloads[i], at("/workloads").to(i)
		add(&w.Source, path)
		for j := range w.Members {
			add(&w.Members[j].Source, path.to("members", j))
		}
	}
	for _, o := range objectsOf(r) {
		add(&o.Source, o.path)
	}
	for _, f := range findingsOf(r) {
		for i := range f.list {
			add(&f.list[i].Source, f.path.to(i))
		}
	}
	slices.SortStableFunc(files, func(a, b piece) int { return compareNames(a.Text, b.Text) })
	return files
}

// memoryOf returns the memory of the node that OOM scores are for.
func memoryOf(r *report.Report) number {
	const path = at("/nodeMemory")
	q, err := resource.ParseQuantity(r.NodeMemory)
	if err != nil {
		return settingOf(r.NodeMemory, path)
	}
	return quantityOf(q, path)
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
