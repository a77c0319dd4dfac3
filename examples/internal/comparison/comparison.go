// Package comparison says what happens if manifests are applied to a cluster: all at once, as kubemath diff shows it, or
// object by object.
//
// comparison.go asks package whatif, and describes the answer; usage.go says what quotas and nodes have before and
// afterwards; hooks.go runs the hooks of a chart apart from the others; remedy.go finds the changes that admit all;
// words.go says it in words.
package comparison

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Report is what happens, as -o json writes it. Amounts are canonical quantities.
type Report struct {
	// Objects are those that were applied, and then those that were deleted, in their order.
	Objects []Object `json:"objects"`
	// Others are workloads that were not, but whose pods came, went or could not be created.
	Others []Object `json:"others,omitempty"`
	// Pods are those that came or went, or got or lost a node.
	Pods []Pod `json:"pods,omitempty"`
	// Quotas have a row for each resource of a quota whose usage or limit changed, or what a namespace has of it.
	Quotas []Quota `json:"quotas,omitempty"`
	// Notes are what the input does not say: pods that are not in it, and quotas whose usage is not known.
	Notes []string `json:"notes,omitempty"`
	// Nodes are those whose pods or amounts changed, and Total is the sum over all nodes.
	Nodes []Node `json:"nodes,omitempty"`
	Total *Node  `json:"total,omitempty"`
	// Sums are the requests and the limits of all pods, if manifests are all that is known, without nodes, and
	// one of them changed.
	Sums []Node `json:"sums,omitempty"`
	// NotComputed are objects that limit others, or have pods, but from which nothing is computed.
	NotComputed []string `json:"notComputed,omitempty"`
	// Problems are what is invalid or doubtful in the objects to apply, and what of them could not be read. The first Invalid
	// ones are errors, and the others warnings.
	Problems []string `json:"problems,omitempty"`
	Invalid  int64    `json:"invalid,omitempty"`
}

// Object is what has become of an object, and of its pods.
type Object struct {
	Kind      string        `json:"kind"`
	Namespace string        `json:"namespace,omitempty"`
	Name      string        `json:"name"`
	Action    whatif.Action `json:"action"` // or NotInstalled
	// Error is why it is refused, as its client gets it.
	Error string `json:"error,omitempty"`
	// Wanted is how many pods a workload wants, Created how many there are, Placed how many of these have a node,
	// and Outdated how many of its former template are left: Kept of these stay, because it says so.
	Wanted   int64 `json:"wanted,omitempty"`
	Created  int64 `json:"pods,omitempty"`
	Placed   int64 `json:"placed,omitempty"`
	Outdated int64 `json:"outdated,omitempty"`
	Kept     int64 `json:"kept,omitempty"`
	// Missing is why its controller could not create the next pod, as its event says.
	Missing string `json:"missing,omitempty"`
	// Injected are the containers that its pods have beyond the template, as new ones do: a webhook adds them.
	Injected []string `json:"injected,omitempty"`
	// Unexplained is set if the object is unchanged and lacks pods, although nothing in the input refuses the next one.
	Unexplained bool `json:"unexplained,omitempty"`
	// Waiting are the pods that have no node, by message of the scheduler.
	Waiting []Waiting `json:"waiting,omitempty"`
	// Fix is the change of requests and limits with which all pods are admitted, if there is one.
	Fix []Change `json:"fix,omitempty"`
	// Remedies are other changes that do so. They are nil if there is none.
	Remedies *Remedies `json:"remedies,omitempty"`
	// NotConsidered are classes that its pods name and that are not known, such as PriorityClass "high", and fields of them that
	// the scheduler reads and that were not considered.
	NotConsidered []string `json:"notConsidered,omitempty"`
	// Depends is set if the API server may decide otherwise, because it uses LimitRanges in no fixed order.
	Depends bool `json:"depends,omitempty"`

	// Hook says when a hook of Helm or Argo CD runs; empty for all others.
	Hook string `json:"hook,omitempty"`

	On     []string `json:"-"` // the nodes that pods came to, one for each
	Coming int      `json:"-"` // how many pods are new, if no nodes are known
	Gone   string   `json:"-"` // pods, in words; empty if there are none

	unlocated bool // no nodes are known
}

func (o *Object) wait(message string) {
	i := slices.IndexFunc(o.Waiting, func(w Waiting) bool { return w.Message == message })
	if i < 0 {
		i, o.Waiting = len(o.Waiting), append(o.Waiting, Waiting{Message: message})
	}
	o.Waiting[i].Pods++
}

// Waiting is pods that wait for the same reason.
type Waiting struct {
	Pods    int    `json:"pods"`
	Message string `json:"message"`
}

// Change is an amount of a container, or of the pod level.
type Change struct {
	Container string                `json:"container"` // with its kind: init container db
	List      computeresources.List `json:"list"`
	Resource  corev1.ResourceName   `json:"resource"`
	From      string                `json:"from,omitempty"`
	To        string                `json:"to"`
	Ref       computeresources.Ref  `json:"-"`
}

// Pod is a pod that came or went, or got or lost a node.
type Pod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Before    string `json:"before,omitempty"` // its node
	Node      string `json:"node,omitempty"`   // now
	// Choice is among which nodes the scheduler has chosen the present one.
	Choice whatif.Choice `json:"choice,omitzero"`
	Gone   bool          `json:"gone,omitempty"`
	// Preempted is set if the scheduler made room for a pod of a higher priority, and Evicted if its node was drained,
	// deleted or tainted. Owner is the workload of such a pod.
	Preempted bool   `json:"preempted,omitempty"`
	Evicted   bool   `json:"evicted,omitempty"`
	Owner     string `json:"owner,omitempty"`
}

// Quota is a resource of a ResourceQuota, or of a quota that several namespaces share. That has a Kind, and no Namespace.
type Quota struct {
	Kind      string              `json:"kind,omitempty"`
	Namespace string              `json:"namespace,omitempty"`
	Name      string              `json:"name"`
	Resource  corev1.ResourceName `json:"resource"`
	Before    Usage               `json:"before"`
	After     Usage               `json:"after"`
	// Shares are what each namespace uses of a quota that they share afterwards.
	Shares map[string]string `json:"shares,omitempty"`
}

// Usage is what is used of a limit. Percent is rounded down.
type Usage struct {
	Used    string `json:"used,omitempty"`
	Hard    string `json:"hard,omitempty"` // empty if there is no limit
	Percent *int64 `json:"percent,omitempty"`
}

// Part returns the percentage, 0 without a limit.
func (u Usage) Part() int64 {
	if u.Percent == nil {
		return 0
	}
	return *u.Percent
}

// Node has what is requested of a node by resource. Its allocatable amounts are the limits.
type Node struct {
	Name   string                        `json:"name"`
	Before map[corev1.ResourceName]Usage `json:"before,omitempty"`
	After  map[corev1.ResourceName]Usage `json:"after,omitempty"`
}

// Options are those of a comparison.
type Options struct {
	whatif.Options
	OnCluster bool // the cluster is Input.Cluster alone; otherwise, what was applied before is in it
}

// ReportOf applies the manifests, and then deletes what is no longer among them.
func ReportOf(in *Input, o Options) (*Report, error) {
	before, err := whatif.Read(in.Cluster.Objects, o.Options)
	if err != nil {
		return nil, err
	}
	if len(in.Old.Objects) > 0 && !o.OnCluster {
		_, before = before.Apply(in.Old.Objects...)
	}
	hooks := hooksOf(in)
	before = hooks.run(before, hook.Before)
	applied, after := before.Apply(in.Change.Objects...)
	gone := in.Old.Without(&in.Change)
	slices.Reverse(gone) // the last ones first
	pruned, after := after.Delete(gone...)
	d := &Difference{In: in, Before: before, After: hooks.run(after, hook.After)}
	r := d.Report(applied, pruned)
	r.Objects = slices.Concat(hooks.before, r.Objects, hooks.after, hooks.never)
	r.Pods = append(r.Pods, hooks.lost...)
	r.NotComputed = inventory.NotComputed(&in.Change, &in.Old, &in.Cluster)
	r.Problems = in.Change.Graded(objects.Unreadable, objects.Invalid, objects.Failed)
	r.Invalid = int64(len(r.Problems))
	r.Problems = append(r.Problems, in.Change.Graded(objects.Warning)...)
	return r, nil
}

// Report describes what was applied, and then deleted.
func (d *Difference) Report(applied, pruned whatif.Result) *Report {
	d.AddPods(applied.Pods)
	d.AddPods(pruned.Pods)
	atFirst := applied
	applied, pruned = joined(applied, pruned)
	r := &Report{Pods: d.Pods(), Notes: d.Notes()}
	base, at, all := d.Before, 0, d.In.Change.Objects
	for i := range applied.Objects {
		o := d.Applied(&applied.Objects[i])
		if o.Fails() && !d.Unfixed {
			_, base = base.Apply(all[at:i]...)
			at = i
			first := d.Applied(&atFirst.Objects[i]) // remedies are tried without the deletions
			d.Remedy(&first, all[i], base, all[i+1:])
			o.Fix, o.Remedies = first.Fix, first.Remedies
		}
		r.Objects = append(r.Objects, o)
	}
	if d.advised > mostAdvised {
		r.Notes = append(r.Notes, fmt.Sprintf("advice is given about the first %d objects that fail", mostAdvised))
	}
	for i := range pruned.Objects {
		r.Objects = append(r.Objects, d.Object(&pruned.Objects[i]))
	}
	r.Others = d.Others(applied.Others, pruned.Others)
	r.Quotas = append(d.quotas(applied.Quotas, pruned.Quotas), d.sharedQuotas()...)
	r.Nodes, r.Total = d.nodes(slices.Concat(applied.Nodes, pruned.Nodes))
	r.Sums = d.sums()
	r.Notes = append(r.Notes, d.choices()...)
	return r
}

// joined returns the answers with one about each object. After the deletion, it is the last one about the pods of what was
// applied, and what was deleted is no other workload.
func joined(applied, pruned whatif.Result) (whatif.Result, whatif.Result) {
	at := make(map[computeresources.Source]int, len(applied.Objects))
	for i := range applied.Objects {
		at[applied.Objects[i].Source] = i
	}
	deleted := map[computeresources.Source]bool{}
	for i := range pruned.Objects {
		deleted[pruned.Objects[i].Source] = true
	}
	applied.Objects = slices.Clone(applied.Objects)
	applied.Others = slices.DeleteFunc(slices.Clone(applied.Others), func(o whatif.Object) bool { return deleted[o.Source] })
	pruned.Others = slices.DeleteFunc(slices.Clone(pruned.Others), func(o whatif.Object) bool {
		i, known := at[o.Source]
		if known {
			was := &applied.Objects[i]
			was.Wanted, was.Pods, was.Placed, was.Outdated, was.Kept, was.Missing = o.Wanted, o.Pods, o.Placed, o.Outdated, o.Kept, o.Missing
			was.Depends = was.Depends || o.Depends
		}
		return known
	})
	return applied, pruned
}

// Fails reports whether an object or a pod is refused, or a pod waits or is preempted.
func (r *Report) Fails() bool {
	return slices.ContainsFunc(slices.Concat(r.Objects, r.Others), func(o Object) bool { return o.Fails() }) ||
		slices.ContainsFunc(r.Pods, func(p Pod) bool { return p.Preempted })
}

// Fails reports whether an object or one of its pods is refused, one waits, or an update is not complete.
func (o *Object) Fails() bool {
	return o.Error != "" || o.Missing != "" || len(o.Waiting) > 0 || o.Outdated > o.Kept
}

// Difference is between two clusters.
type Difference struct {
	In            *Input
	Before, After *whatif.Cluster
	names         []types.NamespacedName // of pods, in the order in which they first changed
	byName        map[types.NamespacedName]whatif.Pod
	byOwner       map[computeresources.Source][]types.NamespacedName // of names; a pod without an owner is its own
	tried         int64                                              // how much was applied to find remedies
	advised       int                                                // about how many objects they were looked for
	Unfixed       bool                                               // none are looked for
	again         *whatif.Result                                     // of the change, applied once more; nil if not applied
	waiting       map[computeresources.Source][]string               // why pods have no node, by owner; nil if not looked up
}

// AddPods adds what has become of pods. The last answer about a pod counts, and where it was first.
func (d *Difference) AddPods(pods []whatif.Pod) {
	if d.byName == nil {
		d.byName, d.byOwner = map[types.NamespacedName]whatif.Pod{}, map[computeresources.Source][]types.NamespacedName{}
	}
	for _, p := range pods {
		name := types.NamespacedName{Namespace: p.Object.Namespace, Name: p.Object.Name}
		if earlier, known := d.byName[name]; known {
			p.Before, p.Preempted, p.Evicted = earlier.Before, p.Preempted || earlier.Preempted, p.Evicted || earlier.Evicted
		} else {
			d.names = append(d.names, name)
			owner := ownerOf(&p)
			d.byOwner[owner] = append(d.byOwner[owner], name)
		}
		d.byName[name] = p
	}
}

// Pods returns what has become of pods, by namespace and name.
func (d *Difference) Pods() (pods []Pod) {
	for _, name := range sorted(d.names) {
		p := d.byName[name]
		pod := Pod{Namespace: name.Namespace, Name: name.Name, Before: p.Before, Node: p.Node, Gone: p.Gone,
			Preempted: p.Preempted, Evicted: p.Evicted}
		if p.Node != p.Before {
			pod.Choice = p.Choice
		}
		if (p.Preempted || p.Evicted) && p.Owner.Kind != "" {
			pod.Owner = p.Owner.Kind + " " + p.Owner.Name
		}
		pods = append(pods, pod)
	}
	return pods
}

func sorted(names []types.NamespacedName) []types.NamespacedName {
	return slices.SortedFunc(slices.Values(names), func(a, b types.NamespacedName) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// Applied describes what has become of an object that was applied, with pods of it that waited before, if it is unchanged.
func (d *Difference) Applied(o *whatif.Object) Object {
	described := d.Object(o)
	if o.Action != whatif.Unchanged {
		return described
	}
	if d.waiting == nil {
		d.waiting = map[computeresources.Source][]string{}
		for _, p := range d.After.Pods("") {
			if p.Waits.Cause != "" {
				d.waiting[ownerOf(&p)] = append(d.waiting[ownerOf(&p)], p.Waits.Message)
			}
		}
	}
	described.Waiting = nil
	for _, message := range d.waiting[o.Source] {
		described.wait(message)
	}
	described.Unexplained = o.Pods+o.Kept < o.Wanted && o.Missing.Cause == "" && len(described.Waiting) == 0
	return described
}

// Object describes what has become of an object.
func (d *Difference) Object(o *whatif.Object) Object {
	described := Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Action: o.Action, Error: o.Reason.Message,
		Wanted: o.Wanted, Created: o.Pods, Placed: o.Placed, Outdated: o.Outdated, Kept: o.Kept, Missing: o.Missing.Message,
		Depends: o.Depends, Injected: o.Injected, unlocated: len(d.After.Nodes()) == 0}
	d.addTo(&described, o.Source, o.Decision.Unknown)
	return described
}

// addTo adds the pods of an object, and what could not be known of the object itself.
func (d *Difference) addTo(o *Object, source computeresources.Source, decided []string) {
	unknown := map[string]bool{}
	for _, class := range decided {
		unknown[class] = true
	}
	gone, preempted, evicted := 0, 0, 0
	for _, name := range sorted(d.byOwner[source]) {
		p := d.byName[name]
		if p.Preempted {
			preempted++
		}
		if p.Evicted {
			evicted++
		}
		switch {
		case p.Gone:
			gone++
		case p.Node != "" && p.Node != p.Before:
			o.On = append(o.On, p.Node)
		case p.Waits.Cause != "":
			o.wait(p.Waits.Message)
		case o.unlocated:
			if _, err := d.Before.Pod(name); err != nil {
				o.Coming++
			}
		}
		for _, field := range p.Unknown {
			isPlace, isOfJob := strings.HasPrefix(field, "spec."), strings.HasPrefix(field, "Job ")
			unknown[field] = unknown[field] || (!p.Gone || isOfJob) && !(isPlace && o.unlocated)
		}
	}
	o.Gone = goneText(gone, preempted, evicted)
	for _, field := range slices.Sorted(maps.Keys(unknown)) {
		if unknown[field] {
			o.NotConsidered = append(o.NotConsidered, field)
		}
	}
}

// Others describes the other workloads. The last answer about one counts.
func (d *Difference) Others(lists ...[]whatif.Object) (others []Object) {
	last := map[computeresources.Source]*whatif.Object{}
	for _, o := range slices.Concat(lists...) {
		last[o.Source] = &o
	}
	for _, o := range last {
		others = append(others, d.Object(o))
	}
	slices.SortFunc(others, func(a, b Object) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return others
}

// Samples has a folder with a cluster and one with a change.
//
//go:embed samples
var Samples embed.FS

// Input is a change, and the cluster that it is applied to.
type Input struct {
	Cluster inventory.List
	Old     inventory.List // what was applied before: what Change lacks of it is deleted
	Change  inventory.List
}
