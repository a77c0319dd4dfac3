package play

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Step is the cluster after an object, and what differs from the step before.
type Step struct {
	// Objects are the applied object and the other workloads whose pods changed. They are empty for the cluster before.
	Objects      []Told
	OtherObjects int // of many, those that are stored, and are not among them
	// Namespaces are those with quotas, and Nodes those of the cluster, both sorted. Of many, they are those that the
	// change concerns.
	Namespaces      []NamespaceState
	OtherNamespaces int // that are not among them
	Nodes           []NodeState
	OtherNodes      int
	// Pending are the pods that wait for a node.
	Pending []Pending
}

// Told is an object, in words.
type Told struct {
	Head    string              `json:"head"`
	Notes   []string            `json:"notes"`
	Outcome Outcome             `json:"outcome"`
	Step    int                 `json:"step"` // that of the object, counted from 1; 0 if it is not one of the change
	Fixed   bool                `json:"fixed"`
	Fix     []comparison.Change `json:"-"`
}

// NamespaceState is a namespace with its quotas.
type NamespaceState struct {
	Name   string
	Quotas []QuotaState
}

// QuotaState is a resource of a quota. Usage and limits are empty if there was no limit before, or is none now.
type QuotaState struct {
	comparison.Quota
	// Wanted is what would be used if all pods that are refused in the step were admitted, empty if none are for this
	// quota.
	Wanted        string
	WantedPercent int64
}

// NodeState is a node with its pods.
type NodeState struct {
	comparison.Node
	Owners []OwnerPods
}

// OwnerPods are the pods of a workload on a node.
type OwnerPods struct {
	Owner string
	Stay  []string
	Came  []string
	Gone  []string
}

// Pending are pods of a workload that wait for a node for the same reason.
type Pending struct {
	Owner  string
	Pods   int
	Came   int // of these, in this step
	Reason string
}

// mostTold is how many objects a step describes.
const mostTold = 60

// mostShown is how many nodes and namespaces a step has.
const mostShown = 40

// Step returns a step: 0 is the cluster before, n is what the nth object changes, and the number after the last object is
// what all of them change. All objects up to it must be applied.
func (p *Play) Step(n int) Step {
	from, to := max(n-1, 0), n
	if n > p.Len() {
		from, to = 0, p.Len()
	}
	d, r := p.difference(from, to), p.merged(from, to)
	s := Step{}
	if to > from {
		s.Objects = p.told(from, to, &r)
		if n := len(s.Objects); n > mostTold {
			s.Objects = slices.DeleteFunc(s.Objects, func(t Told) bool { return t.Outcome == Stored })
			s.Objects = s.Objects[:min(len(s.Objects), mostTold)]
			s.OtherObjects = n - len(s.Objects)
		}
	}
	states(d, p.concerned(), &r, p.in.Change.Objects[from:to], &s)
	return s
}

// told describes the objects between two numbers. Only those of the whole change have a fix.
func (p *Play) told(from, to int, r *whatif.Result) (told []Told) {
	d := p.difference(from, to)
	d.AddPods(r.Pods)
	whole := p.Played() == p.Len()
	final := d
	if whole && to < p.Len() {
		final = &comparison.Difference{In: &p.in, Before: p.before, After: p.cluster(p.Len())}
	}
	for i := range r.Objects {
		o := d.Applied(&r.Objects[i])
		if whole && o.Fails() {
			final.Remedy(&o, p.in.Change.Objects[from+i], p.cluster(from+i), p.in.Change.Objects[from+i+1:])
		}
		told = append(told, toldOf(&o, from+i+1))
	}
	for _, o := range d.Others(r.Others) {
		told = append(told, toldOf(&o, 0))
	}
	if to-from == p.Len() {
		for _, note := range d.Notes() {
			told = append(told, Told{Head: note, Outcome: Stored})
		}
	}
	for _, line := range comparison.Lost(d.Pods()) {
		told = append(told, Told{Head: line, Outcome: Waits})
	}
	return told
}

func toldOf(o *comparison.Object, step int) Told {
	t := Told{Head: o.Head(), Notes: o.Notes(), Outcome: Stored, Step: step, Fix: o.Fix, Fixed: len(o.Fix) > 0}
	switch {
	case o.Error != "" || o.Missing != "":
		t.Outcome = Refused
	case len(o.Waiting) > 0 || o.Outdated > o.Kept:
		t.Outcome = Waits
	}
	return t
}

// concerned returns the names of namespaces and nodes that the change, as far as it is applied, concerns.
func (p *Play) concerned() (names map[computeresources.Source]bool) {
	names = map[computeresources.Source]bool{}
	for i := range p.results {
		r := &p.results[i]
		for _, o := range r.Objects {
			names[computeresources.Source{Kind: "Namespace", Name: o.Namespace}] = true
		}
		for _, q := range r.Quotas {
			names[computeresources.Source{Kind: "Namespace", Name: q.Namespace}] = true
		}
		for _, node := range r.Nodes {
			names[computeresources.Source{Kind: "Node", Name: node}] = true
		}
	}
	return names
}

// chosen returns the first names that are concerned, and further ones up to mostShown, sorted, and how many are left out.
func chosen(names []string, kind string, concerned map[computeresources.Source]bool) (some []string, others int) {
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int {
		first := func(name string) int {
			if concerned[computeresources.Source{Kind: kind, Name: name}] {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a, b))
	})
	some = names[:min(len(names), mostShown)]
	slices.Sort(some)
	return some, len(names) - len(some)
}

// states adds the namespaces, the nodes and the pods that wait.
func states(d *comparison.Difference, concerned map[computeresources.Source]bool, r *whatif.Result, applied []admit.APIObject,
	s *Step) {
	namespaces := map[string]bool{}
	for _, l := range []*inventory.List{&d.In.Cluster, &d.In.Change} {
		for _, o := range l.Objects {
			if q, is := o.(*corev1.ResourceQuota); is {
				namespaces[q.Namespace] = len(d.After.Namespace(q.Namespace).Quotas()) > 0
			}
		}
	}
	for _, q := range d.After.ClusterQuotas() {
		for name := range q.Namespaces {
			namespaces[name] = true
		}
	}
	maps.DeleteFunc(namespaces, func(_ string, has bool) bool { return !has })
	var names []string
	names, s.OtherNamespaces = chosen(slices.Sorted(maps.Keys(namespaces)), "Namespace", concerned)
	wanted := wantedBy(d, r, applied)
	for _, name := range names {
		s.Namespaces = append(s.Namespaces, namespaceState(d, name, wanted))
	}
	came, gone := map[types.NamespacedName]bool{}, map[string][]whatif.Pod{}
	for _, p := range r.Pods {
		if !p.Gone && p.Node != p.Before || p.Waits.Cause != "" {
			came[types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}] = true
		}
		if p.Before != "" && (p.Gone || p.Node != p.Before) {
			gone[p.Before] = append(gone[p.Before], p)
		}
	}
	names, s.OtherNodes = chosen(d.After.Nodes(), "Node", concerned)
	for _, name := range names {
		n := NodeState{Node: comparison.Node{Name: wording.Printable(name), Before: comparison.LoadOf(d.Before, name),
			After: comparison.LoadOf(d.After, name)}}
		n.Owners = podsOn(d.After.Pods(name), gone[name], came)
		s.Nodes = append(s.Nodes, n)
	}
	s.Pending = pendingOf(d.After.Pods(""), came)
}

func namespaceState(d *comparison.Difference, name string,
	wanted map[computeresources.Source]corev1.ResourceList) NamespaceState {
	n := NamespaceState{Name: wording.Printable(name)}
	for _, is := range d.After.Namespace(name).Quotas() {
		was, source := d.QuotaBefore(is), quota.SourceOf(is, "")
		wanted := wanted[source]
		for _, resource := range slices.Sorted(maps.Keys(is.Status.Hard)) {
			q := QuotaState{Quota: comparison.Quota{Kind: source.Kind, Namespace: n.Name, Name: wording.Printable(is.Name),
				Resource: corev1.ResourceName(wording.Printable(string(resource))),
				Before:   comparison.UsageOf(was.Status.Used, was.Status.Hard, resource),
				After:    comparison.UsageOf(is.Status.Used, is.Status.Hard, resource)}}
			if amount, has := wanted[resource]; has {
				q.Wanted = quantity.Canonical(amount)
				q.WantedPercent, _ = resourcelist.Percent(amount, is.Status.Hard[resource])
			}
			n.Quotas = append(n.Quotas, q)
		}
	}
	return n
}

// wantedBy returns what quotas that refuse pods or objects of a step would have used with all of them.
func wantedBy(d *comparison.Difference, r *whatif.Result,
	applied []admit.APIObject) map[computeresources.Source]corev1.ResourceList {
	wanted := map[computeresources.Source]corev1.ResourceList{}
	add := func(refusals computeresources.Problems[*admit.Refusal], times int64) {
		for _, refusal := range refusals {
			f := refusal.Failure
			if f == nil || f.Cause != quota.ExceededQuota {
				continue
			}
			q := f.Source
			q.Field = ""
			if wanted[q] == nil {
				wanted[q] = f.Used
			}
			wanted[q] = resourcelist.Add(wanted[q], resourcelist.Multiply(f.Requested, times))
		}
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		if o.Reason.Cause != "" {
			add(o.Decision.Refusals, 1)
		}
		if spec := inventory.PodSpec(applied[i]); spec != nil && o.Missing.Cause != "" {
			pod := &corev1.Pod{Spec: *spec}
			pod.Name, pod.Namespace = o.Name, o.Namespace
			decision := d.After.Namespace(o.Namespace).Create(pod, admit.Attributes{})
			add(decision.Refusals, max(o.Wanted-o.Pods, 1))
		}
	}
	return wanted
}

// podsOn groups the pods that are on a node, and those that are no longer, by their workload.
func podsOn(now, gone []whatif.Pod, came map[types.NamespacedName]bool) (groups []OwnerPods) {
	at := map[string]int{}
	group := func(p *whatif.Pod) *OwnerPods {
		name := ownerOf(p)
		if _, known := at[name]; !known {
			at[name] = len(groups)
			groups = append(groups, OwnerPods{Owner: name, Stay: []string{}, Came: []string{}, Gone: []string{}})
		}
		return &groups[at[name]]
	}
	for i := range now {
		p, name := &now[i], wording.Printable(now[i].Object.Name)
		if g := group(p); came[types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}] {
			g.Came = append(g.Came, name)
		} else {
			g.Stay = append(g.Stay, name)
		}
	}
	for i := range gone {
		g := group(&gone[i])
		g.Gone = append(g.Gone, wording.Printable(gone[i].Object.Name))
	}
	slices.SortFunc(groups, func(a, b OwnerPods) int { return cmp.Compare(a.Owner, b.Owner) })
	return groups
}

// ownerOf returns the namespace and name of the workload of a pod, or its own.
func ownerOf(p *whatif.Pod) string {
	name := p.Owner.Name
	if name == "" {
		name = p.Object.Name
	}
	return wording.Printable(wording.Qualified(p.Object.Namespace, name))
}

func pendingOf(waiting []whatif.Pod, came map[types.NamespacedName]bool) []Pending {
	pending, at := []Pending{}, map[[2]string]int{}
	for i := range waiting {
		p := &waiting[i]
		if p.Waits.Cause == "" {
			continue
		}
		k := [2]string{ownerOf(p), wording.Printable(p.Waits.Message)}
		if _, known := at[k]; !known {
			at[k] = len(pending)
			pending = append(pending, Pending{Owner: k[0], Reason: k[1]})
		}
		group := &pending[at[k]]
		group.Pods++
		if came[types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}] {
			group.Came++
		}
	}
	return pending
}
