package page

import (
	"cmp"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// The nodes, the fullest first: for each a bar of each resource, with a segment for each workload that has pods there.

type node struct {
	Name      words
	Remark    string
	Pods      words
	Short     bool
	Missing   words
	Resources []room

	fullness float64 // the largest requested fraction of a resource
}

// room is how much of a resource of a node is requested.
type room struct {
	Name        words
	Requested   number
	Allocatable number
	Short       bool
	Fullest     bool
	Bar         []segment
}

func nodesOf(r *report.Report) (list []node) {
	ranks := ranksOf(r)
	for i, n := range r.Nodes {
		path := at("/nodes").to(i)
		shown := node{Name: words{say("the node of the arguments")}, Pods: counted(n.Pods, "pod", path.to("pods")), Short: len(n.Missing) > 0}
		if n.Name != "" {
			shown.Name = words{quote(n.Name, path.to("name"))}
		}
		if n.Cordoned {
			shown.Remark = "cordoned"
		}
		if shown.Short {
			shown.Missing = amounts{n.Missing, path.to("missing")}.inWords()
		}
		shown.Resources, shown.fullness = roomsOf(r, n, path, ranks)
		if shown.Short {
			shown.fullness = math.Inf(1)
		}
		list = append(list, shown)
	}
	slices.SortStableFunc(list, func(a, b node) int { return cmp.Compare(b.fullness, a.fullness) })
	return list
}

func roomsOf(r *report.Report, n *report.Node, path at, ranks map[int]int) (rooms []room, fullness float64) {
	requested, allocatable := amounts{n.Requested, path.to("requested")}, amounts{n.Allocatable, path.to("allocatable")}
	fullest, fraction := -1, 0.0
	for _, name := range resourcesOf(n.Allocatable, n.Requested) {
		got := requested.of(name)
		if got.Path == "" && name != corev1.ResourceCPU && name != corev1.ResourceMemory && name != corev1.ResourcePods {
			continue // nothing requests it
		}
		_, short := n.Missing[name]
		a := room{Name: words{resourceName(name)}, Requested: got, Allocatable: allocatable.of(name), Short: short}
		a.Bar = packed(r, n, name, ranks, most(corev1.ResourceList(n.Requested), corev1.ResourceList(n.Allocatable))[name])
		if _, known := n.Allocatable[name]; short && known {
			end := share("end", n.Allocatable[name], n.Requested[name])
			a.Bar = append(a.Bar, end)
		}
		if f := fractionOf(n.Requested[name], n.Allocatable[name]); f > fraction {
			fullest, fraction = len(rooms), f
		}
		rooms = append(rooms, a)
	}
	if fullest >= 0 {
		rooms[fullest].Fullest = true
	}
	return rooms, fraction
}

// packed returns the segments of a bar that stands for all of a resource of a node: one for each
// workload that has pods there and requests the resource.
func packed(r *report.Report, n *report.Node, name corev1.ResourceName, ranks map[int]int, whole resource.Quantity) (bar []segment) {
	for i, w := range r.Workloads {
		pods := podsOn(r, n, w)
		if pods == 0 {
			continue
		}
		q := w.Pod.Requests[name].DeepCopy()
		if name == corev1.ResourcePods {
			q = *resource.NewQuantity(1, resource.DecimalSI)
		}
		q.Mul(pods)
		if q.Sign() <= 0 {
			continue
		}
		s := share(color(ranks[i]), q, whole)
		s.Title = textOf(identity(w.Kind, w.Namespace, w.Name, ""))
		bar = append(bar, s)
	}
	return bar
}

// podsOn returns how many pods of a workload are on a node. If the arguments define the node, all are
// on it.
func podsOn(r *report.Report, n *report.Node, w *report.Workload) (pods int64) {
	for _, on := range w.Nodes {
		if on.Node == n.Name {
			pods += on.Pods
		}
	}
	if len(r.Nodes) == 1 && len(w.Nodes) == 0 {
		return w.Admitted
	}
	return pods
}

// unplacedOf returns the pods for which no node has room.
func unplacedOf(r *report.Report) (list []words) {
	for i := range r.Unplaced {
		u, path := &r.Unplaced[i], at("/unplaced").to(i)
		w := append(identity(u.Kind, u.Namespace, u.Name, path), say(": "))
		w = append(append(w, counted(u.Pods, "pod", path.to("pods"))...), say(": "), quote(u.Message, path.to("message")))
		list = append(list, w)
	}
	return list
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
