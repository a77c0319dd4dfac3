package admit

import (
	"cmp"
	"slices"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/workload"
)

// mostDecisions is how many decisions Possible returns.
const mostDecisions = 64

// Order is an order in which the API server uses the LimitRanges and quotas of a namespace. For each
// request, it lists LimitRanges twice and quotas once, each time in an order that it draws anew.
// Each list has the names of those that come first. All others follow, by name.
type Order struct {
	Defaults []string `json:"defaults,omitempty"` // LimitRanges, to set defaults
	Bounds   []string `json:"bounds,omitempty"`   // LimitRanges, to check bounds
	Quotas   []string `json:"quotas,omitempty"`
}

// Outcomes are the decisions that the API server can make about a request.
type Outcomes struct {
	// Decisions are the possible decisions, each with its Order. No two of them have the same amounts
	// in the object and the same answer. The first is that of Create, Update or Resize. A decision
	// holds in every order if it is the only one.
	//
	// Decisions about objects with the same amounts share the Object, Changes and Refusals.
	Decisions []Decision `json:"decisions,omitempty"`

	// Incomplete reports that there are more decisions than the 64 in Decisions.
	Incomplete bool `json:"incomplete,omitempty"`

	// Always reports that the object is admitted in every order, Never that it is refused in every
	// order, and Depends that it depends on the order. One of them is set, unless this is not known
	// because there are too many orders: then, Incomplete is set as well.
	Always  bool `json:"always,omitempty"`
	Never   bool `json:"never,omitempty"`
	Depends bool `json:"depends,omitempty"`
}

// Possible returns all decisions that the API server can make about a request, because it uses
// LimitRanges and quotas in no fixed order: those of Create if old is nil, and otherwise of Update. Three things depend
// on the order:
//
//   - the defaults of a new or resized pod, if LimitRanges have different ones for an amount that it
//     lacks, and with them the object that is stored, its usage, and whether it is admitted at all;
//   - which LimitRange rejects the object, if several do, and so the message;
//   - which quota rejects it, if several do, and so the message.
//
// All orders are considered. A server may never use some of them in a namespace with three or more
// LimitRanges, because it ranges over a map. Decisions that differ only in which LimitRange has set
// equal amounts, or in the LimitRanger's annotation, are the same. So are those that differ only in
// the order of several violations of one LimitRange in a message. Amounts that are written differently
// are different.
//
// The pods of a workload are requests of their own: ask for a pod of its template. For their number, see Pods.Fit.
//
// Cost: that of Create or Update, for each set of defaults if LimitRanges have different defaults for an amount that
// the pod lacks.
//
// Source: LimitRanger.runLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger, and CheckRequest
// of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func (n *Namespace) Possible(old, obj APIObject, req Attributes) Outcomes {
	ask := func(ns *Namespace) Decision {
		if workload.IsNil(old) {
			return ns.Create(obj, req)
		}
		return ns.Update(old, obj, req)
	}
	first, ns := ask(n), n.orEmpty()
	orders, complete := ns.policy.Orders(first.Changes, mostDecisions)
	o := Outcomes{Decisions: make([]Decision, 0, len(orders)), Incomplete: !complete}
	admitted, refused := false, false
	for i, names := range orders {
		d := first
		if i > 0 {
			d = ask(ns.inOrder(names))
		}
		admitted, refused = admitted || d.Admitted(), refused || !d.Admitted()
		o.add(&d)
	}
	o.Depends = admitted && refused
	o.Always, o.Never = complete && !refused, complete && !admitted
	return o
}

// inOrder returns the namespace of a server that sets defaults with the LimitRanges in an order.
func (n *Namespace) inOrder(names []string) *Namespace {
	own := *n
	own.policy, own.order = n.policy.InOrder(names...), names
	return &own
}

// lastDefaults returns the defaults of the last LimitRange that has set any, in an order of names: those
// that the annotation is about. With no names, those of others may be among them: see limitrange.Annotation.
func lastDefaults(set []computeresources.Change, names []string) []computeresources.Change {
	if names == nil {
		return set
	}
	last := make([]computeresources.Change, 0, len(set))
	for _, d := range set {
		order := -1
		if len(last) > 0 {
			of := last[0].Source
			order = cmp.Or(cmp.Compare(ordering.Place(names, of.Name), ordering.Place(names, d.Source.Name)),
				cmp.Compare(of.Name, d.Source.Name))
		}
		if order < 0 {
			last = last[:0]
		}
		if order <= 0 {
			last = append(last, d)
		}
	}
	return last
}

// add adds a decision, once for each answer that the server can give to the object as it is.
func (o *Outcomes) add(d *Decision) {
	for _, order := range d.ordersOfAnswers() {
		if len(o.Decisions) == mostDecisions {
			o.Incomplete = true
			return
		}
		own := *d
		own.Order = order
		o.Decisions = append(o.Decisions, own)
	}
}

// ordersOfAnswers returns the orders of bounds and quotas in which the answer to the object differs, that
// by name first.
func (d *Decision) ordersOfAnswers() []Order {
	own := Order{Defaults: d.Order.Defaults}
	orders := []Order{own}
	if len(d.Refusals) < 2 {
		return orders
	}
	answers := map[string]bool{answer(d.Refusals, d.Subject, own).Error(): true}
	for _, source := range sourcesOf(d.Refusals) {
		order := own
		if source.Kind == "LimitRange" {
			order.Bounds = []string{source.Name}
		} else {
			order.Quotas = []string{source.Name}
		}
		if text := answer(d.Refusals, d.Subject, order).Error(); !answers[text] {
			answers[text] = true
			orders = append(orders, order)
		}
	}
	return orders
}

// sourcesOf returns the LimitRanges and quotas that refuse an object, each of them once, by name.
func sourcesOf(refusals []*Refusal) (sources []computeresources.Source) {
	for _, r := range refusals {
		if r.Violation != nil || r.Failure != nil && r.Source.Name != "" {
			source := r.Source
			source.Field = ""
			sources = append(sources, source)
		}
	}
	slices.SortFunc(sources, ordering.Sources)
	return slices.Compact(sources)
}
