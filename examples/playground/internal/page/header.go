package page

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

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
	if t.Rejected > 0 {
		workloads.Below = append(workloads.Below, words{say("and "), figure(countOf(t.Rejected, path.to("rejected"))), say(" rejected")})
		workloads.Class = "bad"
	}
	pods := tile{Title: words{say("pods")}, Main: countOf(t.Pods, path.to("pods"))}
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

func (d *document) writeHeader(w *writer) {
	w.Raw("<header>\n<h1>")
	w.words(d.Title)
	w.Raw("</h1>\n")
	w.Raw(`<dl class="tiles">` + "\n")
	for i := range d.Tiles {
		w.tile(&d.Tiles[i])
	}
	w.Raw("</dl>\n")
	d.writeNavigation(w)
	w.Raw("</header>\n")
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
