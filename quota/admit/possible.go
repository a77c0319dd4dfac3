package admit

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
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

// Possible returns all decisions that the API server can make about the same request, because it uses
// LimitRanges and quotas in no fixed order. Three things depend on it:
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
// The pods of a workload are requests of their own: see Pods.First, and Pods.Fit().Range for their
// number.
//
// Possible reads Object and Changes of the decision, so call it before you change them. It returns the
// same for each of its decisions.
//
// Cost: little if no LimitRanges have different defaults for an amount that the pod lacks; otherwise,
// that of Create for each set of defaults.
//
// Source: LimitRanger.runLimitFunc of k8s.io/kubernetes/plugin/pkg/admission/limitranger, and CheckRequest
// of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func (d Decision) Possible() Outcomes {
	orders, complete := d.ordersOfDefaults()
	o := Outcomes{Decisions: make([]Decision, 0, len(orders)), Incomplete: !complete}
	admitted, refused := false, false
	for _, names := range orders {
		again := d.inOrder(names)
		admitted, refused = admitted || again.Admitted(), refused || !again.Admitted()
		o.add(&again)
	}
	o.Depends = admitted && refused
	o.Always, o.Never = complete && !refused, complete && !admitted
	return o
}

// ordersOfDefaults returns orders of LimitRanges in which the object gets different defaults, that by name
// first, and whether they are all.
func (d *Decision) ordersOfDefaults() (orders [][]string, complete bool) {
	ns := d.namespace.orEmpty()
	return ns.policy.Orders(d.Changes, mostDecisions)
}

// inOrder returns the decision on the same request with the LimitRanges in an order, for their defaults.
func (d *Decision) inOrder(names []string) Decision {
	if slices.Equal(names, d.Order.Defaults) {
		return *d
	}
	again, _ := d.decideAgain(names)
	again.applyReadDefaults()
	return again
}

// decideAgain makes the decision on a new or resized pod with the LimitRanges in an order, up to the
// write to the store: all that LimitRanges have set, and what followed from that, is set again. It also
// returns the object as quotas count it.
func (d *Decision) decideAgain(names []string) (again Decision, counted quota.Object) {
	ns := d.namespace.orEmpty()
	ns.policy = ns.policy.InOrder(names...)
	again = Decision{Order: Order{Defaults: names}, subject: d.subject, place: d.place, namespace: d.namespace}
	// What follows from limits stays. The amounts that it was added up of are rounded now.
	first := slices.IndexFunc(d.Changes, func(c computeresources.Change) bool {
		return c.Source != computeresources.Source{}
	})
	for _, c := range d.Changes[:max(first, 0)] {
		c.To = quantity.Clone(c.To)
		again.Changes = append(again.Changes, c)
	}
	own := d.Changes[len(again.Changes):]
	if d.resized != nil {
		r := *d.resized
		r.sent = r.sent.DeepCopy()
		unset(&r.sent.Spec, own)
		again.decideResize(&ns, &r)
		again.resized = &r
		return again, counted
	}
	pod := d.Object.(*corev1.Pod)
	sent := &corev1.Pod{TypeMeta: pod.TypeMeta}
	pod.ObjectMeta.DeepCopyInto(&sent.ObjectMeta)
	pod.Spec.DeepCopyInto(&sent.Spec)
	unset(&sent.Spec, own)
	again.createPod(&ns, sent)
	again.Classes = slices.Clone(d.Classes) // which the pod names by now
	counted = ns.quotaObject(again.Object, &Attributes{})
	again.admit(quota.Object{}, counted, "")
	if last := lastDefaults(again.Changes, names); names != nil && len(last) > 0 {
		metav1.SetMetaDataAnnotation(&again.Object.(*corev1.Pod).ObjectMeta, limitrange.AnnotationKey,
			limitrange.Annotation(last))
	}
	return again, counted
}

// unset removes amounts that were set in a spec, which shares no memory.
func unset(spec *corev1.PodSpec, set []computeresources.Change) {
	for i := range set {
		r := set[i].Ref.Resources(spec)
		switch {
		case r == nil: // the caller has removed the container
		case set[i].List == computeresources.Limits:
			delete(r.Limits, set[i].Resource)
		default:
			delete(r.Requests, set[i].Resource)
		}
	}
}

// lastDefaults returns the defaults of the last LimitRange that has set any, in an order of names: those
// that the annotation is about.
func lastDefaults(set []computeresources.Change, names []string) []computeresources.Change {
	last := make([]computeresources.Change, 0, len(set))
	for _, d := range set {
		if d.Source == (computeresources.Source{}) {
			continue
		}
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
	answers := map[string]bool{answer(d.Refusals, &d.subject, own).Error(): true}
	for _, source := range sourcesOf(d.Refusals) {
		order := own
		if source.Kind == "LimitRange" {
			order.Bounds = []string{source.Name}
		} else {
			order.Quotas = []string{source.Name}
		}
		if text := answer(d.Refusals, &d.subject, order).Error(); !answers[text] {
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
