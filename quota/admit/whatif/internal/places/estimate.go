package places

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// estimate is an estimate of how many nodes pods need.
type estimate struct {
	*Places  // the nodes so far, and an empty one if no pod may be on it that was tried
	shapes   []*Shape
	template *corev1.Node
	daemons  []*corev1.Pod  // on each node
	refused  map[int]string // why no node is added for a pod
}

// Estimate is noderesources.EstimateNodes for pods of these shapes, and nodes like the template with the same pods on
// each. A node accepts a pod if no filter refuses it. Of pods that are not placed for this reason, refused has the
// message. The places must have no nodes, and must not be used afterwards.
func (p *Places) Estimate(
	shapes []*Shape, template *corev1.Node, daemons []*corev1.Pod,
) (e noderesources.Estimate, refused map[int]string) {
	b := &estimate{p, shapes, template, daemons, map[int]string{}}
	requests, sums := make([]noderesources.Request, len(shapes)), computeresources.Options{Kubernetes: p.opts.Kubernetes}
	for i, s := range shapes {
		requests[i] = s.request
	}
	ledger := noderesources.NewLedger(template.Status.Allocatable)
	for _, daemon := range daemons {
		_ = ledger.Add("", noderesources.SpecRequest(&daemon.Spec, sums))
	}
	opts := noderesources.EstimateOptions{FitOptions: p.opts.Fit, Filter: b.place}
	e = noderesources.EstimateNodes(requests, ledger, opts)
	for pod := range e.Unplaced { // also those that are too large
		if s := shapes[pod]; b.refused[pod] == "" && s.pod.Refusal(b.node(0)) != "" {
			b.refused[pod] = s.pod.Refusal(b.node(0))
		}
	}
	return e, b.refused
}

// place puts a pod on a node if that accepts it. The node after the last one is added.
func (b *estimate) place(pod, node int) bool {
	if node == len(b.nodes) {
		b.grow()
	}
	s := b.shapes[pod]
	if b.stateOf(s).Accepts(node) {
		delete(b.refused, pod)
		b.put(s, node)
		return true
	}
	if node == len(b.nodes)-1 {
		b.refused[pod] = b.refusal(s, node)
	}
	return false
}

// refusal returns why a node refuses a pod, whatever its resources.
func (b *estimate) refusal(s *Shape, node int) string {
	f := b.filterOf(s)
	before, _ := f.BeforeResources(node)
	after, _ := f.AfterResources(node)
	return cmp.Or(s.pod.Invalid(), before, strings.Join(after, ", "))
}

// node returns a node like the template.
func (b *estimate) node(number int) *corev1.Node {
	own := *b.template
	own.Name, own.Labels = fmt.Sprintf("new-%09d", number), maps.Clone(own.Labels)
	if own.Labels == nil {
		own.Labels = map[string]string{}
	}
	own.Labels[corev1.LabelHostname] = own.Name
	return &own
}

// grow adds a node.
func (b *estimate) grow() {
	row := len(b.nodes)
	b.SetNode(b.node(row))
	for _, daemon := range b.daemons {
		object := *daemon
		n := b.own(row)
		n.pods = append(n.pods, &Pod{Object: &object})
		b.noteMove(move{node: row, pod: &object})
	}
}
