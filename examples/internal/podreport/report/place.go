package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
)

// mostPlaced is how many pods are placed on nodes, in addition to those that are on one.
const mostPlaced = 100_000

// placing places the pods of a report on nodes.
type placing struct {
	hosts   []host
	byName  map[string]int
	cluster noderesources.Cluster // the nodes that take pods
	placed  int
	report  *Report
	of      *cluster
}

// place places the pods on nodes: pods whose spec names a node are on that node, and the others, in the
// order of their priority, on the first node by name that has room. If there is only one node, all
// others are on it, even if it has no room.
func (r *Report) place(hosts []host, in *manifest.Input, c *cluster) {
	p := placing{hosts: hosts, byName: map[string]int{}, report: r, of: c}
	for i := range hosts {
		h := &hosts[i]
		p.byName[h.name()] = i
		if h.source != nil && !h.source.Cordoned {
			_ = p.cluster.AddNode(h.name(), h.allocatable) // names differ
		}
	}
	var pending []spot
	for i := range r.Workloads {
		w := &r.Workloads[i]
		rest := w.Admitted
		for _, v := range p.fixed(w, &in.Workloads[i]) {
			rest -= v.n
			if v.node == "" {
				pending = append(pending, v.spot)
			} else {
				p.put(v.node, v.spot)
			}
		}
		if rest <= 0 {
			continue
		}
		s := spot{w, w.Stored, w.request, rest}
		if w.Kind == "DaemonSet" && len(hosts) > 1 {
			p.putOnEach(s, in.Workloads[i].Selector)
		} else {
			pending = append(pending, s)
		}
	}
	slices.SortStableFunc(pending, func(a, b spot) int { return -cmp.Compare(priority(a.pod), priority(b.pod)) })
	for _, s := range pending {
		p.putAnywhere(s)
	}
}

func priority(pod *corev1.Pod) int32 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return *pod.Spec.Priority
}

// fixedPods are equal pods that exist, on one node or on none yet.
type fixedPods struct {
	spot
	node string
}

// fixed returns the pods of a workload that exist, or whose spec names a node.
func (p *placing) fixed(w *Workload, of *manifest.Workload) (list []fixedPods) {
	if of.Kind == "Pod" {
		if w.Admitted > 0 && of.Node != "" {
			list = append(list, fixedPods{spot{w, w.Stored, w.request, 1}, of.Node})
		}
		return list
	}
	type key struct {
		pod  *corev1.Pod
		node string
	}
	index := map[key]int{}
	for i := range of.Members {
		m := &of.Members[i]
		if m.Pod == nil || m.Ended {
			continue
		}
		k := key{m.Pod, m.Node}
		at, known := index[k]
		if !known {
			at = len(list)
			index[k] = at
			list = append(list, fixedPods{spot{w, m.Pod, noderesources.PodRequest(m.Pod, p.of.sums()), 0}, m.Node})
		}
		list[at].n++
	}
	return list
}

// put places pods on a node, which may be one that is not in the input.
func (p *placing) put(node string, s spot) {
	s.w.note(node, s.n)
	i, known := p.byName[node]
	if !known {
		return
	}
	p.hosts[i].add(s)
	for range min(s.n, mostPlaced) {
		p.placed++
		_ = p.cluster.AddPod(types.UID(fmt.Sprint(p.placed)), node, s.request) // it may be cordoned
	}
}

// add adds pods to those of a node.
func (h *host) add(s spot) {
	if last := len(h.spots) - 1; last >= 0 && h.spots[last].w == s.w && h.spots[last].pod == s.pod {
		h.spots[last].n += s.n
		return
	}
	h.spots = append(h.spots, s)
}

// note counts pods of a workload on a node.
func (w *Workload) note(node string, n int64) {
	if node == "" {
		return
	}
	i, found := slices.BinarySearchFunc(w.Nodes, node, func(on NodePods, name string) int { return cmp.Compare(on.Node, name) })
	if !found {
		w.Nodes = slices.Insert(w.Nodes, i, NodePods{Node: node})
	}
	w.Nodes[i].Pods += n
}

// putOnEach places a pod on each node that has the labels, until there are no more pods.
func (p *placing) putOnEach(s spot, selector map[string]string) {
	for i := range p.hosts {
		if h := &p.hosts[i]; s.n > 0 && h.source.Selected(selector) {
			p.put(h.name(), spot{s.w, s.pod, s.request, 1})
			s.n--
		}
	}
}

// putAnywhere places each pod on the first node that has room.
func (p *placing) putAnywhere(s spot) {
	if len(p.hosts) == 1 {
		h := &p.hosts[0]
		h.add(s)
		s.w.note(h.name(), s.n)
		return
	}
	// The pods are equal: each node that has room takes as many as fit, before the next one gets any.
	for _, name := range p.cluster.AppendFits(nil, s.request, p.of.fit()) {
		if s.n == 0 || p.placed == mostPlaced {
			break
		}
		node, err := p.cluster.Ledger(name)
		if err != nil {
			continue
		}
		fit, _ := node.Replicas(s.request, p.of.fit())
		for range min(fit, s.n, int64(mostPlaced-p.placed)) {
			p.put(name, spot{s.w, s.pod, s.request, 1})
			s.n--
		}
	}
	switch {
	case s.n == 0:
	case p.placed == mostPlaced:
		p.leave(s, fmt.Sprintf("more than %d pods are not placed", mostPlaced))
	default:
		p.leave(s, p.message(&s))
	}
}

// leave notes that no node has room for pods.
func (p *placing) leave(s spot, message string) {
	u := Unplaced{Kind: s.w.Kind, Namespace: s.w.Namespace, Name: s.w.Name, Pods: s.n, Message: message}
	p.report.Unplaced = append(p.report.Unplaced, u)
}

// message returns why a pod fits on no node, in the words of the scheduler.
func (p *placing) message(s *spot) string {
	cordoned, reasons := len(p.hosts)-len(p.cluster.Nodes()), []string(nil)
	if fit := (*noderesources.FitError)(nil); errors.As(p.cluster.CheckFit(s.request, p.of.fit()), &fit) {
		for _, r := range fit.Reasons {
			reasons = append(reasons, fmt.Sprintf("%d %v", r.Nodes, &noderesources.Shortage{Resource: r.Resource}))
		}
	}
	if cordoned > 0 {
		reasons = append(reasons, fmt.Sprintf("%d node(s) were unschedulable", cordoned))
	}
	slices.Sort(reasons)
	return fmt.Sprintf("0/%d nodes are available: %s.", len(p.hosts), strings.Join(reasons, ", "))
}
