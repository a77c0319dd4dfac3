// Package explain is the subcommand explain: what the amounts of a pod come to, for the scheduler, the kubelet and the kernel.
//
// main.go asks the library about a pod, and says the answer in words; downward.go is what its containers read about themselves.
package explain

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/examples/internal/top"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples/*.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	usage string
	all   bool
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "explain", "What the amounts of a pod come to: class, cgroups, eviction, what it reads.",
		"some input could not be read, or there was no pod", "the kubelet would not start a pod on its node", stdout, stderr,
		"text", "json", "yaml")
	flags.StringVar(&o.usage, "usage", "", "what is used, from a `FILE` of kubectl top; top runs it")
	flags.BoolVar(&o.all, "all", false, "all pods; -l and -field-selector metadata.name=... choose one")
	err = o.Parse(args, func() error {
		o.Measured = o.usage == top.FromTop
		return nil
	})
	return o, err
}

// Pod is what the amounts of a pod come to.
type Pod struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Node      string `json:"node,omitempty"`
	// Class is its QoS class, and Reason why it has that.
	Class  corev1.PodQOSClass `json:"class"`
	Reason string             `json:"reason"`
	// Requests and Limits are the effective amounts, and Binding those limits that bind the pod as a whole.
	Requests report.Amounts `json:"requests"`
	Limits   report.Amounts `json:"limits"`
	Binding  report.Amounts `json:"bindingLimits"`
	// Defaults are what the API server sets of them, and from which LimitRange; not for a pod that is stored.
	Defaults []computeresources.Change `json:"defaults,omitempty"`
	// Cgroup are the files of the cgroup v2 of the pod.
	Cgroup     []cgroupconfig.Setting `json:"cgroup"`
	Containers []Container            `json:"containers"`
	// Allocatable is that of its node, and Refused why its kubelet would not start the pod there beside the others.
	Allocatable report.Amounts           `json:"allocatable,omitempty"`
	Refused     *noderesources.Admission `json:"refused,omitempty"`
	// Eviction is when the kubelet evicts it under memory pressure; nil without a node, and for pods that it never evicts or refuses.
	Eviction *Eviction `json:"eviction,omitempty"`
}

// Eviction is the place of a pod in the order of eviction.
type Eviction struct {
	Rank int `json:"rank"` // from 1
	Of   int `json:"of"`
	qos.Eviction
}

// Container is what the amounts of a container come to.
type Container struct {
	Name     string         `json:"name"` // with its kind
	Requests report.Amounts `json:"requests"`
	Limits   report.Amounts `json:"limits"`
	// OOMScoreAdj is nil if it depends on the memory of a node that is not known.
	OOMScoreAdj   *int                   `json:"oomScoreAdj,omitempty"`
	ExclusiveCPUs int64                  `json:"exclusiveCPUs,omitempty"` // under the static policy of the CPU manager
	Cgroup        []cgroupconfig.Setting `json:"cgroup"`
	// Downward are the amounts that it reads from the downward API.
	Downward []Downward `json:"downward,omitempty"`
}

func answer(o options, s *command.Session) {
	l := &inventory.List{Home: cmp.Or(o.Namespace, corev1.NamespaceDefault)}
	reader := objects.Reader{Kinds: inventory.Kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	l.ReadDump(origin.Objects(reader, o.WholeCluster(), samples, "pods", "nodes", "limitranges"))
	command.LimitGarbage()
	e, opts := explainer{Kubernetes: origin.Kubernetes(&o.Common, l.Kubelets(), o.Say)}, whatif.Options{}
	opts.Admission.Kubernetes = e.Kubernetes
	var err error
	e.used, err = top.Read(&o.Common, o.usage)
	if err == nil {
		e.Cluster, err = whatif.Read(l.Objects, opts)
	}
	if err != nil {
		s.Say(command.Unread, "%v", err)
		return
	}
	shown := e.pods(l)
	if len(e.defaults) > 0 { // what is created now is placed with its defaults
		e.Cluster, err = whatif.Read(l.Objects, opts)
		if err != nil {
			s.Say(command.Unread, "%v", err)
			return
		}
	}
	inventory.Complain(s, l)
	r := &Report{Pods: []Pod{}}
	for _, pod := range shown {
		switch {
		case !o.Rows.Selects(pod) || !o.ShowsNamespace(pod.Namespace):
		case o.Format == "text" && !o.all && len(r.Pods) == mostPods: // a cluster has very many
			r.more++
		default:
			r.Pods = append(r.Pods, e.explain(pod))
		}
	}
	if len(r.Pods) == 0 {
		s.Say(command.Unread, "there is no such pod in the input")
		return
	}
	if slices.ContainsFunc(r.Pods, func(p Pod) bool { return p.Refused != nil }) {
		s.Exit(command.Rejected)
	}
	s.Answer(&o.Common, r, nil, func() { r.write(s) })
}

// Report is the output of -o json.
type Report struct {
	Pods []Pod `json:"pods"`
	more int   // that are not explained
}

// explainer asks the library about the pods of a cluster.
type explainer struct {
	computeresources.Kubernetes
	*whatif.Cluster
	nodes    map[string]*corev1.Node
	on       map[string][]*corev1.Pod // by node
	used     top.Usage
	defaults map[types.UID][]computeresources.Change // of pods that are not stored
	running  map[string][]*corev1.Pod                // by node; see runningOn
	refused  map[types.UID]noderesources.Admission   // those that are not started
}

// pods returns the pods of the input, as they are stored from now on, and one for each workload whose pods are not in it.
func (e *explainer) pods(l *inventory.List) (pods []*corev1.Pod) {
	e.nodes, e.on, e.defaults = map[string]*corev1.Node{}, map[string][]*corev1.Pod{}, map[types.UID][]computeresources.Change{}
	e.running, e.refused = map[string][]*corev1.Pod{}, map[types.UID]noderesources.Admission{}
	for _, n := range inventory.Of[*corev1.Node](l) {
		e.nodes[n.Name] = n
	}
	for i, object := range l.Objects {
		pod, isPod := object.(*corev1.Pod)
		if !isPod || computeresources.HasEnded(pod) {
			continue
		}
		pod = e.stored(pod)
		l.Objects[i], pods = pod, append(pods, pod)
		if name := pod.Spec.NodeName; name != "" {
			e.on[name] = append(e.on[name], pod)
		}
	}
	for _, t := range l.Templates() {
		pod := &corev1.Pod{Spec: *t.Spec.DeepCopy()}
		pod.Namespace, pod.Name, pod.Labels = t.Object.GetNamespace(), t.Object.GetName(), t.Object.GetLabels()
		pods = append(pods, e.stored(pod))
	}
	return pods
}

// stored returns a pod as the API server stores it: with defaults. One of a cluster has been stored already.
func (e *explainer) stored(pod *corev1.Pod) *corev1.Pod {
	if pod.UID != "" {
		return pod
	}
	d := e.Namespace(pod.Namespace).Create(pod, admit.Attributes{})
	created, _ := d.Object.(*corev1.Pod) // as it is one
	created.UID = types.UID("new " + pod.Namespace + "/" + pod.Name)
	e.defaults[created.UID] = d.Changes
	return created
}

func (e *explainer) explain(pod *corev1.Pod) Pod {
	node := pod.Spec.NodeName
	if placed, err := e.Pod(types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}); err == nil {
		node = placed.Node
	}
	sums := computeresources.Options{Kubernetes: e.Kubernetes}
	class, reason := report.ClassOf(pod, e.Kubernetes)
	p := Pod{Namespace: pod.Namespace, Name: pod.Name, Node: node, Class: class, Reason: reason,
		Requests: report.Amounts(computeresources.PodRequests(pod, sums)), Limits: report.Amounts(computeresources.PodLimits(pod, sums)),
		Binding: report.Amounts(computeresources.BindingLimits(&pod.Spec, sums)), Eviction: e.eviction(pod), Defaults: e.defaults[pod.UID]}
	var allocatable corev1.ResourceList
	opts, of := cgroupconfig.Options{Kubernetes: e.Kubernetes}, e.nodes[node]
	if of != nil {
		allocatable = of.Status.Allocatable
		p.Allocatable = report.Amounts(allocatable)
		opts.NodeMemory = cgroupconfig.NodeMemory{Capacity: of.Status.Capacity.Memory().Value()}
		running := e.runningOn(node)
		admission, isRefused := e.refused[pod.UID]
		if !isRefused {
			admission = e.admit(pod, of, running)
		}
		if admission.Reason != "" {
			p.Refused = &admission
		}
	}
	p.Cgroup = cgroupconfig.ForPod(pod, opts).V2(cgroup.SharesToLinearWeight)
	for ref, c := range computeresources.Containers(&pod.Spec) {
		own := cgroupconfig.ForContainer(pod, c, opts)
		container := Container{Name: ref.String(), Requests: report.Amounts(c.Resources.Requests), Limits: report.Amounts(c.Resources.Limits),
			ExclusiveCPUs: qos.ExclusiveCPUs(pod, c, e.Kubernetes), Cgroup: own.Cgroup.V2(cgroup.SharesToLogarithmicWeight),
			Downward: downwardOf(pod, c, allocatable)}
		if opts.NodeMemory.Capacity > 0 || p.Class != corev1.PodQOSBurstable {
			container.OOMScoreAdj = &own.OOMScoreAdj
		}
		p.Containers = append(p.Containers, container)
	}
	return p
}

// mostPods is how many pods are explained as text.
const mostPods = 3

func (r *Report) write(s *command.Session) {
	for i := range r.Pods {
		r.Pods[i].write(s)
	}
	if r.more > 0 {
		s.Line("and " + wording.Count(int64(r.more), "other pod") + ": -all explains all, and -field-selector metadata.name=NAME one")
	}
}

func (p *Pod) write(s *command.Session) {
	title := "Pod " + wording.Qualified(p.Namespace, p.Name)
	if p.Node != "" {
		title += " on " + p.Node
	}
	s.Hang("", wording.Printable(fmt.Sprintf("%s: %s, because %s", title, p.Class, p.Reason)))
	if p.Refused != nil {
		s.In(terminal.Red, func() { s.Hang("  ", p.Refused.Reason+": "+p.Refused.Message) })
	}
	s.Line("")
	p.amounts(s)
	s.Line("")
	for _, d := range p.Defaults {
		from := "from the limit, or the containers"
		if d.Source.Kind != "" {
			from = "from " + d.Source.String()
		}
		s.Hang("  ", wording.Printable(fmt.Sprintf("%s %v %s of %v is %s", d.Resource, d.List, quantity.Canonical(*d.To), d.Ref, from)))
	}
	if e := p.Eviction; e != nil {
		s.Hang("  ", e.words())
	} else if p.Node != "" {
		s.Hang("  ", "the kubelet does not evict it under memory pressure: it is critical, or does not run there")
	}
	s.Hang("  ", "cgroup of the pod: "+files(p.Cgroup))
	for _, c := range p.Containers {
		s.Hang("  ", wording.Printable("cgroup of "+c.Name+": "+files(c.Cgroup)))
		if c.ExclusiveCPUs > 0 {
			s.Hang("    ", fmt.Sprintf("with the static policy of the CPU manager, it has %s alone", wording.Count(c.ExclusiveCPUs, "CPU")))
		}
		for _, d := range c.Downward {
			s.Hang("    ", wording.Printable(d.words()))
		}
	}
	s.Line("")
}

// amounts writes a table with a row for each container, and below it the effective amounts, and what the node has.
func (p *Pod) amounts(s *command.Session) {
	names := report.NamesOf(p.Requests, p.Limits, report.Amounts{corev1.ResourceCPU: {}, corev1.ResourceMemory: {}})
	table := terminal.Table{}
	head := table.Add(0, "of")
	for _, name := range names {
		head.Cells = append(head.Cells, wording.Printable(string(name)), "limit")
	}
	head.Cells = append(head.Cells, "oom score")
	add := func(label string, requests, limits report.Amounts, more ...string) {
		row := table.Add(0, wording.Printable(label))
		for _, name := range names {
			row.Cells = append(row.Cells, cmp.Or(requests.Short(name), "-"), cmp.Or(limits.Short(name), "-"))
		}
		row.Cells = append(row.Cells, more...)
	}
	for _, c := range p.Containers {
		score := "?"
		if c.OOMScoreAdj != nil {
			score = fmt.Sprint(*c.OOMScoreAdj)
		}
		add(c.Name, c.Requests, c.Limits, score)
	}
	table.Add(0, "").Rule = true
	add("the pod", p.Requests, p.Limits)
	add("limits that bind it", nil, p.Binding)
	if p.Allocatable != nil {
		add("allocatable", p.Allocatable, nil)
	}
	s.Table(&table)
}

func (e *Eviction) words() string {
	text := fmt.Sprintf("under memory pressure, the kubelet evicts it as number %d of %d on its node: ", e.Rank, e.Of)
	less := e.Excess.DeepCopy()
	less.Neg()
	switch {
	case e.NoUsage:
		return text + "its usage is not known (-usage)"
	case e.Excess.Sign() > 0:
		return text + "it uses " + resourcelist.Short(e.Excess) + " more than it requests"
	case e.Excess.IsZero():
		return text + "it uses as much as it requests"
	}
	return text + "it uses " + resourcelist.Short(less) + " less than it requests"
}

func files(settings []cgroupconfig.Setting) string {
	var words []string
	for _, s := range settings {
		words = append(words, s.Name+" "+s.Value)
	}
	return strings.Join(words, ", ")
}

func (d *Downward) words() string {
	text := fmt.Sprintf("%s is %s (%s", d.Name, cmp.Or(d.Value, "not known"), d.Field)
	if d.From != "" {
		text += " of " + d.From + ", because it has none"
	}
	return text + ")"
}
