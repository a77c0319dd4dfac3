// Package play plays a change of a cluster object by object, as the page shows it.
package play

import (
	"cmp"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Play applies a change object by object. It keeps what it has computed: of the next change, only what comes after the
// first object that differs is applied again. Its zero value has an empty cluster and nothing to apply.
type Play struct {
	in      comparison.Input
	of      computeresources.Kubernetes
	before  *whatif.Cluster
	results []whatif.Result   // of the objects that were applied, in their order
	after   []*whatif.Cluster // each of them; many are nil, because they are not kept
	titles  []Title           // of them
	summary string            // of all of them; empty if it is not known
}

// apart is how many objects there are between two clusters that are kept, of changes of more than so many objects.
const (
	apart    = 16
	mostKept = 256
)

// Set sets the cluster, its release and the change. Objects that are the same, by pointer, as before and as all before them are not
// applied again. Old must be empty.
func (p *Play) Set(in comparison.Input, of computeresources.Kubernetes) error {
	if p.before == nil || p.of != of || !slices.Equal(p.in.Cluster.Objects, in.Cluster.Objects) {
		before, err := whatif.Read(in.Cluster.Objects, whatif.Options{Admission: admit.Options{Kubernetes: of}})
		if err != nil {
			*p = Play{}
			return err
		}
		p.before, p.of, p.results, p.after, p.summary = before, of, nil, nil, ""
	}
	same := 0
	for same < len(p.results) && same < len(in.Change.Objects) && p.in.Change.Objects[same] == in.Change.Objects[same] {
		same++
	}
	if same < len(p.results) || len(in.Change.Objects) > same {
		p.summary = ""
	}
	for same > 0 && p.after[same-1] == nil {
		same--
	}
	p.in, p.results, p.after, p.titles = in, p.results[:same], p.after[:same], p.titles[:same]
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
	result, after := p.cluster(n).Apply(p.in.Change.Objects[n])
	p.results, p.after = append(p.results, result), append(p.after, after)
	p.titles = append(p.titles, titleOf(&result))
	p.summary = ""
	if n > 0 && p.Len() > mostKept && n%apart != 0 {
		p.after[n-1] = nil
	}
	return n+1 < p.Len()
}

// cluster returns the cluster after the first n objects, which are applied.
func (p *Play) cluster(n int) *whatif.Cluster {
	from := n
	for from > 0 && p.after[from-1] == nil {
		from--
	}
	c := p.before
	if from > 0 {
		c = p.after[from-1]
	}
	_, c = c.Apply(p.in.Change.Objects[from:n]...)
	return c
}

// Report returns what kubemath diff says of the objects that are applied.
func (p *Play) Report() *comparison.Report {
	d := p.difference(0, p.Played())
	return d.Report(p.merged(0, p.Played()), whatif.Result{})
}

// Summary returns what has become of the objects that are applied, in a line.
func (p *Play) Summary() string {
	if p.summary == "" {
		d := p.difference(0, p.Played())
		d.Unfixed = true
		p.summary = d.Report(p.merged(0, p.Played()), whatif.Result{}).Summary()
	}
	return p.summary
}

// Refusal returns why the object of a step, counted from 1, or a pod is refused in the step, empty if none is.
func (p *Play) Refusal(step int) string {
	r := &p.results[step-1]
	for _, o := range slices.Concat(r.Objects, r.Others) {
		if why := cmp.Or(o.Reason.Message, o.Missing.Message); why != "" {
			return wording.Printable(why)
		}
	}
	return ""
}

func (p *Play) difference(from, to int) *comparison.Difference {
	return &comparison.Difference{In: &p.in, Before: p.cluster(from), After: p.cluster(to)}
}

// merged returns the results from one number of objects to another as one.
func (p *Play) merged(from, to int) (all whatif.Result) {
	before, after := p.cluster(from), p.cluster(to)
	m := merger{objects: map[computeresources.Source]whatif.Object{}, pods: map[types.NamespacedName]whatif.Pod{},
		nodes: map[string]bool{}}
	for i := range p.results[from:to] {
		r := &p.results[from+i]
		m.add(r)
		all.Quotas = append(all.Quotas, r.Quotas...)
	}
	for i := range p.results[from:to] {
		applied := &p.results[from+i].Objects[0]
		o := m.objects[applied.Source]
		o.Action, o.Reason, o.Decision = applied.Action, applied.Reason, applied.Decision
		if o.Action == whatif.Unchanged {
			again, _ := after.Apply(p.in.Change.Objects[from+i]) // what blocks it in the end
			o.Missing = again.Objects[0].Missing
		}
		all.Objects = append(all.Objects, o)
		if o.Kind == "Node" && o.Action != whatif.Unchanged {
			m.nodes[o.Name] = true
		}
	}
	owners := map[computeresources.Source]bool{}
	for _, name := range m.names {
		pod := m.pods[name]
		_, missing := before.Pod(name)
		was := missing == nil
		if pod.Gone && !was {
			continue // it came and went
		}
		pod.Preempted, pod.Evicted = pod.Preempted && was, pod.Evicted && was
		if pod.Waits.Cause != "" {
			now, _ := after.Pod(name)
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
		if owners[source] || o.Missing.Cause != "" {
			o.Action = whatif.Unchanged
			all.Others = append(all.Others, o)
		}
	}
	delete(m.nodes, "")
	all.Nodes = slices.DeleteFunc(slices.Sorted(maps.Keys(m.nodes)), func(name string) bool {
		_, err := after.Ledger(name)
		return err != nil
	})
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
			pod.Before, pod.Preempted, pod.Evicted = earlier.Before, pod.Preempted || earlier.Preempted, pod.Evicted || earlier.Evicted
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
	Waits   Outcome = "waits"   // and pods wait for nodes, or have lost theirs
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
func (p *Play) Named(i int) string { return wording.Printable(p.in.Change.Places[i].Named) }

func titleOf(r *whatif.Result) Title {
	now := &r.Objects[0]
	t := Title{Object: wording.Printable(now.Kind + " " + wording.Qualified(now.Namespace, now.Name)),
		Action: string(now.Action), Outcome: Stored}
	if now.Outdated > now.Kept || slices.ContainsFunc(r.Pods, func(p whatif.Pod) bool { return p.Waits.Cause != "" || p.Preempted || p.Evicted }) {
		t.Outcome = Waits
	}
	if now.Reason.Cause != "" || slices.ContainsFunc(slices.Concat(r.Objects, r.Others),
		func(o whatif.Object) bool { return o.Missing.Cause != "" }) {
		t.Outcome = Refused
	}
	return t
}
