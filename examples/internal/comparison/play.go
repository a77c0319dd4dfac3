package comparison

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Play applies a change object by object. It keeps what it has computed: of the next change, only what comes after the
// first object that differs is applied again. Its zero value has an empty cluster and nothing to apply.
type Play struct {
	in      Input
	before  *whatif.Cluster
	results []whatif.Result // of the objects that were applied, in their order; many without their cluster
	titles  []Title         // of them
	summary string          // of all of them; empty if it is not known
}

// apart is how many objects there are between two clusters that are kept, of changes of more than so many objects.
const (
	apart    = 16
	mostKept = 256
)

// Set sets the cluster and the change. Objects that are the same, by pointer, as before and as all before them are not
// applied again. Old must be empty.
func (p *Play) Set(in Input) error {
	if p.before == nil || !slices.Equal(p.in.Cluster.Objects, in.Cluster.Objects) {
		before, err := whatif.Read(in.Cluster.Objects, whatif.Options{})
		if err != nil {
			*p = Play{}
			return err
		}
		p.before, p.results, p.summary = before, nil, ""
	}
	same := 0
	for same < len(p.results) && same < len(in.Change.Objects) && p.in.Change.Objects[same] == in.Change.Objects[same] {
		same++
	}
	if same < len(p.results) || len(in.Change.Objects) > same {
		p.summary = ""
	}
	p.in, p.results = in, p.results[:same]
	for len(p.results) > 0 && p.results[len(p.results)-1].After == nil {
		p.results = p.results[:len(p.results)-1]
	}
	p.titles = p.titles[:len(p.results)]
	return nil
}

// Len returns how many objects the change has.
func (p *Play) Len() int { return len(p.in.Change.Objects) }

// Played returns how many of them are applied.
func (p *Play) Played() int { return len(p.results) }

// Next applies the next object, if there is one, and reports whether there are further ones.
func (p *Play) Next() bool {
	n := len(p.results)
	if n == p.Len() {
		return false
	}
	p.results = append(p.results, p.cluster(n).Apply(p.in.Change.Objects[n]))
	p.titles = append(p.titles, titleOf(&p.results[n]))
	p.summary = ""
	if n > 0 && p.Len() > mostKept && n%apart != 0 {
		p.results[n-1].After = nil
	}
	return n+1 < p.Len()
}

// cluster returns the cluster after the first n objects, which are applied.
func (p *Play) cluster(n int) *whatif.Cluster {
	from := n
	for from > 0 && p.results[from-1].After == nil {
		from--
	}
	c := p.before
	if from > 0 {
		c = p.results[from-1].After
	}
	return c.Apply(p.in.Change.Objects[from:n]...).After
}

// Report returns what kubemath diff says of the objects that are applied.
func (p *Play) Report() *Report {
	d := p.difference(0, p.Played())
	return d.report(p.merged(0, p.Played()), whatif.Result{})
}

// Summary returns what has become of the objects that are applied, in a line.
func (p *Play) Summary() string {
	if p.summary == "" {
		d := p.difference(0, p.Played())
		d.unfixed = true
		p.summary = d.report(p.merged(0, p.Played()), whatif.Result{}).Summary()
	}
	return p.summary
}

// Refusal returns why the object of a step, counted from 1, or a pod is refused in the step, empty if none is.
func (p *Play) Refusal(step int) string {
	r := &p.results[step-1]
	for _, o := range slices.Concat(r.Objects, r.Others) {
		for _, err := range []error{o.Err, o.Missing} {
			if err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

func (p *Play) difference(from, to int) *difference {
	return &difference{in: &p.in, before: p.cluster(from), after: p.cluster(to)}
}

// merged returns the results from one number of objects to another as one. The cluster is not set.
func (p *Play) merged(from, to int) (all whatif.Result) {
	before, after := p.cluster(from), p.cluster(to)
	m := merger{objects: map[computeresources.Source]whatif.Object{}, pods: map[types.NamespacedName]whatif.Pod{}, nodes: map[string]bool{}}
	for i := range p.results[from:to] {
		r := &p.results[from+i]
		m.add(r)
		all.Quotas = append(all.Quotas, r.Quotas...)
	}
	for i := range p.results[from:to] {
		source := p.results[from+i].Objects[0].Source
		o := m.objects[source]
		o.Action, o.Err, o.Decision = p.results[from+i].Objects[0].Action, p.results[from+i].Objects[0].Err, p.results[from+i].Objects[0].Decision
		all.Objects = append(all.Objects, o)
		if o.Kind == "Node" && o.Action != whatif.Unchanged {
			m.nodes[o.Name] = true
		}
	}
	owners := map[computeresources.Source]bool{}
	for _, name := range m.names {
		pod := m.pods[name]
		_, was := before.Pod(name.Namespace, name.Name)
		if pod.Gone && !was {
			continue // it came and went
		}
		pod.Preempted = pod.Preempted && was
		if pod.Waits != nil {
			now, _ := after.Pod(name.Namespace, name.Name)
			pod.Waits, pod.Depends = now.Waits, now.Depends
		}
		if pod.Before != pod.Node || pod.Gone {
			m.nodes[pod.Before], m.nodes[pod.Node] = true, true
		}
		owners[pod.Owner] = true
		all.Pods = append(all.Pods, pod)
	}
	for _, o := range all.Objects {
		delete(m.objects, o.Source)
	}
	for source, o := range m.objects {
		if owners[source] || o.Missing != nil {
			o.Action = whatif.Unchanged
			all.Others = append(all.Others, o)
		}
	}
	delete(m.nodes, "")
	all.Nodes = slices.DeleteFunc(slices.Sorted(maps.Keys(m.nodes)), func(name string) bool { return after.Ledger(name) == nil })
	return all
}

// merger has the last answer about each object and pod.
type merger struct {
	objects map[computeresources.Source]whatif.Object
	names   []types.NamespacedName // of pods, in the order in which they first changed
	pods    map[types.NamespacedName]whatif.Pod
	nodes   map[string]bool // those that changed
}

func (m *merger) add(r *whatif.Result) {
	for _, o := range slices.Concat(r.Objects, r.Others) {
		m.objects[o.Source] = o
	}
	for _, pod := range r.Pods {
		name := types.NamespacedName{Namespace: pod.Object.Namespace, Name: pod.Object.Name}
		if earlier, known := m.pods[name]; known {
			pod.Before, pod.Preempted = earlier.Before, pod.Preempted || earlier.Preempted
		} else {
			m.names = append(m.names, name)
		}
		m.pods[name] = pod
	}
}

// Outcome is what has become of an object, in short.
type Outcome string

const (
	Stored  Outcome = "stored"
	Waits   Outcome = "waits"   // and pods wait for nodes
	Refused Outcome = "refused" // it, or one of its pods
)

// Title is an object of the change.
type Title struct {
	Object  string  `json:"object"` // its kind, namespace and name
	Action  string  `json:"action"` // empty if it is not applied yet
	Outcome Outcome `json:"outcome"`
}

// Titles returns the objects of the change that are applied, in their order.
func (p *Play) Titles() []Title { return p.titles }

// Named returns an object of the change, applied or not, as its manifest names it.
func (p *Play) Named(i int) string { return wording.Printable(p.in.Change.Places[i].Named()) }

func titleOf(r *whatif.Result) Title {
	now := &r.Objects[0]
	t := Title{Object: wording.Printable(now.Kind + " " + wording.Qualified(now.Namespace, now.Name)), Action: string(now.Action), Outcome: Stored}
	if now.Outdated > 0 || slices.ContainsFunc(r.Pods, func(p whatif.Pod) bool { return isWaiting(p.Waits) }) {
		t.Outcome = Waits
	}
	if now.Err != nil || slices.ContainsFunc(slices.Concat(r.Objects, r.Others), func(o whatif.Object) bool { return o.Missing != nil }) {
		t.Outcome = Refused
	}
	return t
}

// isWaiting reports whether a pod waits for a node. Without nodes, nothing is known of them.
func isWaiting(why error) bool {
	fit := (*whatif.FitError)(nil)
	return why != nil && (!errors.As(why, &fit) || fit.Nodes > 0)
}

// Step is the cluster after an object, and what differs from the step before.
type Step struct {
	// Objects are the applied object and the other workloads whose pods changed. They are empty for the cluster before.
	Objects      []Told `json:"objects"`
	OtherObjects int    `json:"otherObjects"` // of many, those that are stored, and are not among them
	// Namespaces are those with quotas, and Nodes those of the cluster, both sorted. Of many, they are those that the
	// change concerns.
	Namespaces      []NamespaceState `json:"namespaces"`
	OtherNamespaces int              `json:"otherNamespaces"` // that are not among them
	Nodes           []NodeState      `json:"nodes"`
	OtherNodes      int              `json:"otherNodes"`
	// Pending are the pods that wait for a node.
	Pending []Pending `json:"pending"`
}

// Told is an object, in words.
type Told struct {
	Head    string   `json:"head"`
	Notes   []string `json:"notes"`
	Outcome Outcome  `json:"outcome"`
	Step    int      `json:"step"` // that of the object, counted from 1; 0 if it is not one of the change
	Fixed   bool     `json:"fixed"`
	Fix     []Change `json:"-"`
}

// NamespaceState is a namespace with its quotas.
type NamespaceState struct {
	Name   string       `json:"name"`
	Quotas []QuotaState `json:"quotas"`
}

// QuotaState is a resource of a quota. Usage and limits are empty if there was no limit before, or is none now.
type QuotaState struct {
	Quota
	// Wanted is what would be used if all pods that are refused in the step were admitted, empty if none are for this
	// quota.
	Wanted        string `json:"wanted"`
	WantedPercent int64  `json:"wantedPercent"`
}

// NodeState is a node with its pods.
type NodeState struct {
	Node
	Owners []OwnerPods `json:"owners"`
}

// OwnerPods are the pods of a workload on a node.
type OwnerPods struct {
	Owner string   `json:"owner"`
	Stay  []string `json:"stay"`
	Came  []string `json:"came"`
	Gone  []string `json:"gone"`
}

// Pending are pods of a workload that wait for a node for the same reason.
type Pending struct {
	Owner  string `json:"owner"`
	Pods   int    `json:"pods"`
	Came   int    `json:"came"` // of these, in this step
	Reason string `json:"reason"`
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
	d.states(p.concerned(), &r, p.in.Change.Objects[from:to], &s)
	return s
}

// told describes the objects between two numbers. Only those of the whole change have a fix.
func (p *Play) told(from, to int, r *whatif.Result) (told []Told) {
	d := p.difference(from, to)
	d.addPods(r.Pods)
	whole := p.Played() == p.Len()
	final := d
	if whole && to < p.Len() {
		final = &difference{in: &p.in, before: p.before, after: p.cluster(p.Len())}
	}
	for i := range r.Objects {
		o := d.object(&r.Objects[i], nil)
		if whole && (o.Error != "" || o.Missing != "") {
			if d.fixes += max(o.Wanted, 1); d.fixes <= mostFixes {
				o.Fix = final.fix(p.in.Change.Objects[from+i], max(o.Wanted, 1))
			}
		}
		told = append(told, o.told(from+i+1))
	}
	for _, o := range d.others(r.Others) {
		told = append(told, o.told(0))
	}
	return told
}

func (o *Object) told(step int) Told {
	t := Told{Head: o.Head(), Notes: o.Notes(), Outcome: Stored, Step: step, Fix: o.Fix, Fixed: len(o.Fix) > 0}
	switch {
	case o.Error != "" || o.Missing != "":
		t.Outcome = Refused
	case len(o.Waiting) > 0 || o.Outdated > 0:
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
func (d *difference) states(concerned map[computeresources.Source]bool, r *whatif.Result, applied []admit.APIObject, s *Step) {
	namespaces := map[string]bool{}
	for _, l := range []*List{&d.in.Cluster, &d.in.Change} {
		for _, o := range l.Objects {
			if q, is := o.(*corev1.ResourceQuota); is {
				namespaces[q.Namespace] = len(d.after.Namespace(q.Namespace).Quotas()) > 0
			}
		}
	}
	maps.DeleteFunc(namespaces, func(_ string, has bool) bool { return !has })
	var names []string
	names, s.OtherNamespaces = chosen(slices.Sorted(maps.Keys(namespaces)), "Namespace", concerned)
	wanted := d.wanted(r, applied)
	for _, name := range names {
		s.Namespaces = append(s.Namespaces, d.namespaceState(name, wanted))
	}
	came, gone := map[types.NamespacedName]bool{}, map[string][]whatif.Pod{}
	for _, p := range r.Pods {
		if !p.Gone && p.Node != p.Before || p.Waits != nil {
			came[types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}] = true
		}
		if p.Before != "" && (p.Gone || p.Node != p.Before) {
			gone[p.Before] = append(gone[p.Before], p)
		}
	}
	names, s.OtherNodes = chosen(d.after.Nodes(), "Node", concerned)
	for _, name := range names {
		n := NodeState{Node: Node{Name: wording.Printable(name), Before: loadOf(d.before, name), After: loadOf(d.after, name)}}
		n.Owners = podsOn(d.after.Pods(name), gone[name], came)
		s.Nodes = append(s.Nodes, n)
	}
	s.Pending = pendingOf(d.after.Pods(""), came)
}

func (d *difference) namespaceState(name string, wanted map[computeresources.Source]corev1.ResourceList) NamespaceState {
	n := NamespaceState{Name: wording.Printable(name)}
	for _, is := range d.after.Namespace(name).Quotas() {
		was := &corev1.ResourceQuota{}
		for _, q := range d.before.Namespace(name).Quotas() {
			if q.Name == is.Name {
				was = q
			}
		}
		for _, resource := range slices.Sorted(maps.Keys(is.Status.Hard)) {
			q := QuotaState{Quota: Quota{Namespace: n.Name, Name: wording.Printable(is.Name), Resource: corev1.ResourceName(wording.Printable(string(resource))),
				Before: usageOf(was.Status.Used, was.Status.Hard, resource), After: usageOf(is.Status.Used, is.Status.Hard, resource)}}
			if amount, is := wanted[computeresources.Source{Kind: "ResourceQuota", Namespace: name, Name: is.Name}][resource]; is {
				q.Wanted = quantity.Canonical(amount)
			}
			if percent, ok := resourcelist.Percent(wanted[computeresources.Source{Kind: "ResourceQuota", Namespace: name, Name: is.Name}][resource], is.Status.Hard[resource]); ok {
				q.WantedPercent = percent
			}
			n.Quotas = append(n.Quotas, q)
		}
	}
	return n
}

// wanted returns what quotas that refuse pods or objects of a step would have used with all of them.
func (d *difference) wanted(r *whatif.Result, applied []admit.APIObject) map[computeresources.Source]corev1.ResourceList {
	wanted := map[computeresources.Source]corev1.ResourceList{}
	add := func(refusals computeresources.Problems[*admit.Refusal], times int64) {
		for _, refusal := range refusals {
			f := refusal.Failure
			if f == nil || f.Cause != quota.ExceededQuota {
				continue
			}
			q := computeresources.Source{Kind: "ResourceQuota", Namespace: f.Source.Namespace, Name: f.Source.Name}
			if wanted[q] == nil {
				wanted[q] = f.Used
			}
			wanted[q] = resourcelist.Add(wanted[q], resourcelist.Multiply(f.Requested, times))
		}
	}
	for i := range r.Objects {
		o := &r.Objects[i]
		if o.Err != nil {
			add(o.Decision.Refusals, 1)
		}
		if spec := specOf(applied[i]); spec != nil && o.Missing != nil {
			pod := &corev1.Pod{Spec: *spec}
			pod.Name, pod.Namespace = o.Name, o.Namespace
			decision := d.after.Namespace(o.Namespace).Create(pod, admit.Attributes{})
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
		if !isWaiting(p.Waits) {
			continue
		}
		k := [2]string{ownerOf(p), wording.Printable(p.Waits.Error())}
		if _, known := at[k]; !known {
			at[k] = len(pending)
			pending = append(pending, Pending{Owner: k[0], Reason: k[1]})
		}
		group := &pending[at[k]]
		if group.Pods++; came[types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}] {
			group.Came++
		}
	}
	return pending
}
