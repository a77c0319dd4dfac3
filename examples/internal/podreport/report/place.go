package report

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

// mostPlaced is how many pods are placed on nodes, in addition to those that are on one.
const mostPlaced = 100_000

// group are equal pods of a workload: on a node, or yet to be placed.
type group struct {
	w       *Workload
	pod     *corev1.Pod
	request noderesources.Request
	node    string
	n       int64
}

// placing places the pods of a report on nodes.
type placing struct {
	hosts   []host
	byName  map[string]int
	nodes   noderesources.Cluster // those that take pods
	placed  int
	report  *Report
	cluster *cluster
}

// place places the pods on nodes: pods whose spec names a node are on that node, and the others, in the
// order of their priority, on the first node by name that has room. If there is only one node, all
// others are on it, even if it has no room.
func (r *Report) place(in *manifest.Input, size Size, c *cluster, between func()) {
	p := placing{hosts: hostsOf(in.Nodes, size), byName: map[string]int{}, report: r, cluster: c}
	for i := range p.hosts {
		h := &p.hosts[i]
		p.byName[h.name] = i
		if h.source != nil && !h.source.Cordoned {
			_ = p.nodes.AddNode(h.name, h.allocatable) // names differ
		}
	}
	var pending []group
	for i := range r.Workloads {
		for _, g := range p.groupsOf(&r.Workloads[i], &in.Workloads[i]) {
			if g.node != "" {
				p.put(g)
			} else if g.n > 0 {
				pending = append(pending, g)
			}
		}
	}
	priority := func(pod *corev1.Pod) int32 {
		if pod.Spec.Priority == nil {
			return 0
		}
		return *pod.Spec.Priority
	}
	slices.SortStableFunc(pending, func(a, b group) int { return -cmp.Compare(priority(a.pod), priority(b.pod)) })
	for _, g := range pending {
		between()
		p.putAnywhere(g)
	}
	for i := 0; i < len(r.Workloads) && len(p.hosts) > 0; i++ {
		w := &r.Workloads[i]
		h := cmp.Or(w.host, &p.hosts[0])
		if w.Room = h.room(w.request, c.fit()); len(p.hosts) > 1 {
			w.Room.Node = h.name
		}
	}
	for i := range p.hosts {
		r.Nodes = append(r.Nodes, p.hosts[i].describe())
	}
}

// groupsOf returns the admitted pods of a workload: those that exist, or whose spec names a node; one of a DaemonSet on
// each node that it selects; and all others, which have no node yet.
func (p *placing) groupsOf(w *Workload, of *manifest.Workload) (groups []group) {
	type key struct {
		pod  *corev1.Pod
		node string
	}
	rest, index := w.Admitted, map[key]int{}
	add := func(pod *corev1.Pod, node string) {
		i, known := index[key{pod, node}]
		if !known {
			request := w.request
			if pod != w.Stored {
				request = noderesources.PodRequest(pod, p.cluster.sums())
			}
			i, groups = len(groups), append(groups, group{w, pod, request, node, 0})
			index[key{pod, node}] = i
		}
		groups[i].n++
		rest--
	}
	if of.Node != "" && rest > 0 {
		add(w.Stored, of.Node)
	}
	for _, m := range of.Members {
		if m.Pod != nil && !m.Ended {
			add(m.Pod, m.Node)
		}
	}
	for i := 0; i < len(p.hosts) && len(p.hosts) > 1 && w.Kind == "DaemonSet" && rest > 0; i++ {
		if p.hosts[i].source.Selected(of.Selector) {
			add(w.Stored, p.hosts[i].name)
		}
	}
	return append(groups, group{w, w.Stored, w.request, "", rest})
}

// put places pods on a node, which may be one that is not in the input.
func (p *placing) put(g group) {
	byName := func(on NodePods, name string) int { return cmp.Compare(on.Node, name) }
	if i, found := slices.BinarySearchFunc(g.w.Nodes, g.node, byName); found {
		g.w.Nodes[i].Pods += g.n
	} else if g.node != "" {
		g.w.Nodes = slices.Insert(g.w.Nodes, i, NodePods{g.node, g.n})
	}
	i, known := p.byName[g.node]
	if !known {
		return
	}
	p.hosts[i].add(g)
	for i := int64(0); i < min(g.n, mostPlaced) && len(p.hosts) > 1; i++ {
		p.placed++
		_ = p.nodes.AddPod(types.UID(fmt.Sprint(p.placed)), g.node, g.request) // it may be cordoned
	}
}

// putAnywhere places each pod on the first node that has room.
func (p *placing) putAnywhere(g group) {
	if len(p.hosts) < 2 {
		for i := range p.hosts {
			g.node = p.hosts[i].name
			p.put(g)
		}
		return
	}
	n := max(0, min(g.n, int64(mostPlaced-p.placed)))
	placements := p.nodes.FirstFit(slices.Repeat([]noderesources.Request{g.request}, int(n)), p.cluster.fit())
	for i, node := range placements.Nodes { // equal pods fill one node after the other
		if last := i + 1; node != "" && (last == len(placements.Nodes) || placements.Nodes[last] != node) {
			count := int64(last - slices.Index(placements.Nodes, node))
			p.put(group{g.w, g.pod, g.request, node, count})
			g.n -= count
		}
	}
	if g.n == 0 {
		return
	}
	message := fmt.Sprintf("more than %d pods are not placed", mostPlaced)
	if err := p.nodes.CheckFit(g.request, p.cluster.fit()); err != nil {
		message = err.Error()
		if cordoned := len(p.hosts) - len(p.nodes.Nodes()); cordoned > 0 {
			message += fmt.Sprintf(" %d more cordoned.", cordoned)
		}
	}
	p.report.Unplaced = append(p.report.Unplaced, Unplaced{g.w.Kind, g.w.Namespace, g.w.Name, g.n, message})
}
