// Package room is the subcommand room: how many more pods fit, as package whatif says.
package room

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/schedulerconfig"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	scheduler whatif.Options
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "room", "How many more pods of each workload of -f fit, where, and what stops the next.",
		"some input could not be read, or there was none", "no pod of a workload fits", stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	flags.Func("scheduler", "a KubeSchedulerConfiguration: a `FILE`", schedulerconfig.Into(&o.scheduler))
	o.Apply("the workloads whose pods are to fit")
	err = o.Parse(args, nil)
	return o, err
}

// Report is how many more pods fit, as -o json writes it.
type Report struct {
	Workloads []Workload `json:"workloads"`
	// Problems are what is left out of the cluster, and what is invalid or doubtful in the input.
	Problems []string `json:"problems,omitempty"`
}

// Workload is how many more pods of a workload fit.
type Workload struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Pods is how many more are admitted and placed, one after the other. It is nil if nothing stops them: no nodes are
	// known, and no quota limits them.
	Pods *int64 `json:"pods"`
	// On is how many of them each node gets. It is nil for more than 1,000 pods, without nodes, and for Jobs and DaemonSets.
	On map[string]int64 `json:"on,omitempty"`
	// Next is why one more does not fit.
	Next string `json:"next,omitempty"`
	// NotConsidered are fields of the pods that the scheduler reads and that were not considered.
	NotConsidered []string `json:"notConsidered,omitempty"`
	// Depends is set if the API server may decide otherwise, because it uses LimitRanges in no fixed order.
	Depends bool `json:"depends,omitempty"`
}

func answer(o options, s *command.Session) {
	change, cluster := origin.Change(&o.Common, s.Stdin, samples)
	inventory.Complain(s, change, cluster)
	if cluster.IsLost() {
		s.Exit(command.Unread)
		return
	}
	opts := o.scheduler
	if o.Cluster && len(cluster.Problems) == 0 {
		opts.Admission = inventory.Admission(nil, true)
	}
	r := &Report{Problems: inventory.NotComputed(change, cluster)}
	for _, l := range []*inventory.List{change, cluster} {
		r.Problems = append(r.Problems, l.Graded(objects.Invalid, objects.Warning)...)
	}
	opts.Admission.Kubernetes = origin.Kubernetes(&o.Common, cluster.Kubelets(), func(guess string) { r.Problems = append(r.Problems, guess) })
	before, err := whatif.Read(cluster.Objects, opts)
	if err != nil {
		s.Say(command.Unread, "%v", err)
		return
	}
	q := question{before, podsOf(before)}
	for i, object := range change.Objects {
		if inventory.PodSpec(object) == nil {
			continue
		}
		kind, _, _ := strings.Cut(change.Places[i].Named, " ")
		w := q.workload(kind, object)
		if w.Pods != nil && *w.Pods == 0 {
			s.Exit(command.Rejected)
		}
		r.Workloads = append(r.Workloads, w)
	}
	if len(r.Workloads) == 0 {
		s.Say(command.Unread, "there is no workload in the input")
		return
	}
	s.Answer(&o.Common, r, r.rows, func() { r.write(s) })
}

// question asks a cluster about workloads, with the number of pods of those that are there.
type question struct {
	*whatif.Cluster
	pods map[computeresources.Source]int64
}

func podsOf(c *whatif.Cluster) map[computeresources.Source]int64 {
	pods := map[computeresources.Source]int64{}
	for _, node := range append(c.Nodes(), "") {
		for _, p := range c.Pods(node) {
			pods[p.Owner]++
		}
	}
	return pods
}

func (q *question) workload(kind string, object admit.APIObject) Workload {
	room := q.Room(object)
	w := Workload{Kind: kind, Namespace: object.GetNamespace(), Name: object.GetName(),
		Next: room.Next.Message, NotConsidered: room.Unknown, Depends: room.Depends}
	if room.Replicas == math.MaxInt64 {
		return w
	}
	w.Pods = &room.Replicas
	if room.Replicas > 0 {
		w.On = q.places(object, w)
	}
	return w
}

// mostPlaced is how many pods are placed to say where they are.
const mostPlaced = 1000

func (q *question) places(object admit.APIObject, w Workload) map[string]int64 {
	replicas := *w.Pods + q.pods[computeresources.Source{Kind: w.Kind, Namespace: w.Namespace, Name: w.Name}]
	if replicas > mostPlaced {
		return nil
	}
	result, _ := q.Apply(scaled(object, replicas)...)
	on, n := map[string]int64{}, int64(0)
	for _, p := range result.Pods {
		if p.Node != "" && !p.Gone {
			on[p.Node]++
			n++
		}
	}
	if n != *w.Pods { // no nodes are known, a changed template replaces pods, or others that waited get nodes
		return nil
	}
	return on
}

// scaled returns a workload with so many replicas, or so many copies of a pod; nil for other objects.
func scaled(object admit.APIObject, replicas int64) (all []admit.APIObject) {
	if pod, isPod := object.(*corev1.Pod); isPod {
		for i := range replicas {
			like := pod.DeepCopy()
			like.Name = fmt.Sprintf("%s-%d", pod.Name, i)
			all = append(all, like)
		}
		return all
	}
	like := object.DeepCopyObject().(admit.APIObject) // as of every object
	if of := inventory.Replicas(like); of != nil {
		n := int32(replicas)
		*of = &n
		all = append(all, like)
	}
	return all
}

// mostNodes is how many nodes of a workload are named.
const mostNodes = 10

func (r *Report) write(s *command.Session) {
	for i := range r.Workloads {
		r.Workloads[i].write(s)
	}
	for _, problem := range r.Problems {
		s.Wrap("note: ", problem)
	}
}

func (r *Report) rows() *listing.List {
	l := &listing.List{Columns: []string{"NAMESPACE", "KIND", "NAME", "ROOM", "NODES", "NEXT"}}
	for i := range r.Workloads {
		w, room := &r.Workloads[i], any("unlimited")
		if w.Pods != nil {
			room = *w.Pods
		}
		l.Add(listing.NameOf(w.Kind, w.Name), w.Namespace, w.Kind, w.Name, room, len(w.On), listing.Text(w.Next))
	}
	return l
}

func (w *Workload) write(s *command.Session) {
	more := "any number of pods: no nodes are known, and no quota limits them"
	if w.Pods != nil {
		more = wording.Count(*w.Pods, "more pod")
	}
	s.Wrap(w.Kind+" "+wording.Printable(w.Namespace+"/"+w.Name)+": ", more)
	if len(w.On) > 0 {
		s.Wrap("  on ", w.nodes())
	}
	if w.Next != "" {
		s.Wrap("  the next: ", wording.Printable(w.Next))
	}
	if w.Depends {
		s.Wrap("  ", "the API server may decide otherwise, because it uses LimitRanges in no fixed order")
	}
	if len(w.NotConsidered) > 0 {
		s.Wrap("  not considered: ", wording.Printable(strings.Join(w.NotConsidered, ", ")))
	}
	s.Line("")
}

// nodes returns the nodes with their pods, those with the most pods first.
func (w *Workload) nodes() string {
	names := slices.Sorted(maps.Keys(w.On))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(w.On[b], w.On[a]) })
	var parts []string
	for _, name := range names[:min(len(names), mostNodes)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", wording.Printable(name), w.On[name]))
	}
	if more := len(names) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}
