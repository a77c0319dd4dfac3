package answer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/playground/internal/markup"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
)

// Step is a step of a change: what it says of the objects, and HTML of the cluster.
type Step struct {
	Objects      []play.Told `json:"objects"`
	OtherObjects int         `json:"otherObjects"`
	Quotas       string      `json:"quotas"`
	Pending      string      `json:"pending"`
	Nodes        string      `json:"nodes"`
}

// stepOf returns a step as the page shows it.
func stepOf(s *play.Step) Step {
	var quotas, pending, nodes writer
	quotas.namespaces(s)
	pending.pending(s)
	nodes.nodes(s)
	return Step{s.Objects, s.OtherObjects, quotas.String(), pending.String(), nodes.String()}
}

func (w *writer) namespaces(s *play.Step) {
	if len(s.Namespaces) == 0 {
		return
	}
	w.Raw("<h3>Namespaces and their quotas</h3>\n")
	for i := range s.Namespaces {
		n := &s.Namespaces[i]
		w.Around(`<section class="box" aria-label="Namespace `, n.Name, `">`)
		w.Around("<h4>", n.Name, "</h4>\n")
		for _, q := range n.Quotas {
			w.Around(`<p class="quota" title="`, q.Kind+" "+q.Name, `">`)
			w.limit(q.Resource, q.Before, q.After, q.WantedPercent)
			if q.Wanted != "" {
				w.Around(`<span class="wanted">`, q.Wanted, " with all pods that are wanted</span>")
			}
			w.Raw("</p>\n")
		}
		w.Raw("</section>\n")
	}
	w.others(s.OtherNamespaces, "other namespace")
}

func (w *writer) others(n int, what string) {
	if n > 0 {
		w.Around(`<p class="hint">and `, wording.Count(int64(n), what), "</p>\n")
	}
}

// limit writes what is used of a limit, as a bar and as numbers. Wanted is the share that would be used if all pods that are
// wanted were admitted.
func (w *writer) limit(name corev1.ResourceName, before, after comparison.Usage, wanted int64) {
	w.Around(`<span class="what">`, string(name), "</span>")
	w.bar(percentOf(before), percentOf(after), wanted)
	w.Raw(`<span class="numbers`)
	w.If(before.Used != after.Used || before.Hard != after.Hard, " changed")
	w.Around(`"><b>`, difference(before.Used, after.Used), "</b> of ")
	w.Around("", difference(before.Hard, after.Hard), "</span>")
}

func percentOf(u comparison.Usage) int64 {
	if u.Percent == nil {
		return 0
	}
	return *u.Percent
}

// difference returns "3500m → 4500m", or one amount if nothing has changed.
func difference(before, after string) string {
	if before == after || before == "" {
		return after
	}
	return before + " → " + after
}

// bar writes a bar of a limit: what was used, what came or went, and what is above it, in percent of the limit.
func (w *writer) bar(before, after, wanted int64) {
	whole := max(100, before, after, wanted)
	share := func(percent int64) string { return fmt.Sprintf("%.2f%%", float64(percent)/float64(whole)*100) }
	w.Raw(`<span class="amount`)
	w.If(whole > 100, " full")
	w.Around(`" aria-hidden="true" style="--limit: `, share(100), `">`)
	for _, part := range []struct {
		class   string
		percent int64
	}{{"used", min(before, after)}, {"added", after - before}, {"freed", before - after}, {"over", wanted - after}} {
		if part.percent > 0 {
			w.Around(`<span class="`, part.class, `" style="--share: `)
			w.Around("", share(part.percent), `"></span>`)
		}
	}
	w.Raw("</span>")
}

func (w *writer) nodes(s *play.Step) {
	if len(s.Nodes) == 0 {
		w.Raw(`<p class="hint">The cluster has no nodes: where pods go is not known.</p>`)
		return
	}
	w.Raw("<h3>Nodes and their pods</h3>\n<div class=\"boxes\">\n")
	for i := range s.Nodes {
		w.node(&s.Nodes[i])
	}
	w.Raw("</div>\n")
	w.others(s.OtherNodes, "other node")
}

func (w *writer) node(n *play.NodeState) {
	changed := slices.ContainsFunc(n.Owners, func(o play.OwnerPods) bool { return len(o.Came)+len(o.Gone) > 0 })
	w.box("section", changed)
	w.Attribute("aria-label", "Node "+n.Name)
	w.Around("><h4>", n.Name, "</h4>\n")
	for _, name := range slices.Sorted(maps.Keys(n.After)) {
		if is := n.After[name]; name == "cpu" || name == "memory" || is.Used != "0" && name != "pods" {
			w.Raw(`<p class="quota">`)
			w.limit(name, n.Before[name], is, 0)
			w.Raw("</p>\n")
		}
	}
	w.Raw(`<ul class="owners">` + "\n")
	for i := range n.Owners {
		w.owner(&n.Owners[i])
	}
	w.Raw("</ul></section>\n")
}

// box writes the beginning of an element in a frame, which differs if it has changed.
func (w *writer) box(element markup.HTML, changed bool) {
	w.Raw("<" + element + ` class="box`)
	w.If(changed, " changed")
	w.Raw(`"`)
}

// squares is the number of pods of a workload on a node that have a square each: the last ones.
const squares = 30

func (w *writer) owner(o *play.OwnerPods) {
	w.Around(`<li><span class="owner">`, o.Owner, `</span><span class="pods" aria-hidden="true">`)
	skip := len(o.Stay) + len(o.Came) + len(o.Gone) - squares
	for _, part := range []struct {
		class markup.HTML
		pods  []string
	}{{"pod", o.Stay}, {"pod came", o.Came}, {"pod gone", o.Gone}} {
		for _, name := range part.pods {
			skip--
			if skip < 0 {
				w.Around(`<span class="`+part.class+`" title="`, name, `"></span>`)
			}
		}
	}
	var differs []string
	if n := len(o.Came); n > 0 {
		differs = append(differs, fmt.Sprintf("+%d", n))
	}
	if n := len(o.Gone); n > 0 {
		differs = append(differs, fmt.Sprintf("−%d", n))
	}
	w.Around(`</span><span class="count">`, strconv.Itoa(len(o.Stay)+len(o.Came)), "")
	if len(differs) > 0 {
		w.Around(" (", strings.Join(differs, " "), ")")
	}
	w.Raw("</span></li>\n")
}

func (w *writer) pending(s *play.Step) {
	if len(s.Pending) == 0 {
		return
	}
	w.Raw("<h3>Pods that wait for a node</h3>\n<ul class=\"waiting\">\n")
	for _, p := range s.Pending {
		w.box("li", p.Came > 0)
		w.Around("><b>", p.Owner+": "+wording.Count(int64(p.Pods), "pod"), "</b> ")
		w.Around("", p.Reason, "</li>\n")
	}
	w.Raw("</ul>\n")
}
