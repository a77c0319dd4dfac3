// Package tree is the subcommand tree.
package tree

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

//go:embed samples/document.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	nodetree.Options
	memory    int64 // of a node that is not in the input, as MilliCPU; zero if it is not given
	node      string
	asWritten bool
	format    string
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	reserve, driver := 0, ""
	flags := command.NewFlags(&o.Common, "tree", "The cgroups of each node, and the CPU that each gets under v1 and v2.",
		"some input could not be read", "the API server would reject an object in the input", stdout, stderr,
		"text", "wide", "json", "yaml", "csv")
	flags.StringVar(&o.node, "node", "", "this `NODE` only")
	flags.Func("cpu", "-memory: the `CPU` and memory of a node that is not in the input", amount(&o.MilliCPU, 1000))
	flags.Func("memory", "", amount(&o.memory, 1))
	flags.Func("driver", "the cgroup driver: cgroupfs or systemd", func(text string) error {
		driver, o.Driver = text, map[string]cgroupname.Driver{"systemd": cgroupname.Systemd}[text]
		return oneOf(text, "cgroupfs", "systemd")
	})
	flags.IntVar(&reserve, "reserve", -1, "reserve this `PERCENT` for other classes")
	flags.BoolVar(&o.asWritten, "as-written", false, "do not set missing requests to limits")
	flags.Func("files", "write the files of all cgroups: v1, v2, or properties: systemd", func(text string) error {
		o.format = text
		return oneOf(text, "v1", "v2", "systemd")
	})
	err = o.Parse(args, func() error {
		if reserve < -1 || reserve > 100 {
			return fmt.Errorf("-reserve %d: want 0 to 100", reserve)
		}
		if o.format != "" && o.Format != "text" {
			return errors.New("-files and -o cannot be given together")
		}
		if o.format == "systemd" && driver == "cgroupfs" {
			return errors.New("-files systemd has no properties under -driver cgroupfs")
		}
		return nil
	})
	if percent := int64(reserve); reserve >= 0 {
		o.Kubelet.ReservedPercent = &percent
	}
	if o.format == "systemd" {
		o.Driver = cgroupname.Systemd
	}
	return o, err
}

func oneOf(text string, all ...string) error {
	if slices.Contains(all, text) {
		return nil
	}
	return fmt.Errorf("none of %v", all)
}

// amount reads a quantity as a number of parts of a unit.
func amount(to *int64, parts int64) func(text string) error {
	return func(text string) error {
		q, err := quantity.OfNode(text)
		if err == nil {
			q.Mul(parts)
			*to = q.Value()
		}
		return err
	}
}

func answer(o options, s *command.Session) {
	in := &input{}
	in.asWritten = o.asWritten || len(o.Files) == 0 && !o.Cluster // the samples get no defaults
	in.Home = o.Namespace
	reader := objects.Reader{Kinds: inventory.Kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	in.List.Read(inventory.Packed(origin.Objects(reader, o.WholeCluster(), samples, "nodes", "pods")))
	command.LimitGarbage()
	kubernetes := origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	in.defaults, o.Kubelet.Kubernetes = in.Defaults(kubernetes), kubernetes
	in.makePods()
	inventory.Complain(s, &in.List)
	if o.Cluster && in.IsLost() {
		s.Exit(command.Unread)
		return
	}
	report, err := in.report(&o)
	switch {
	case err != nil:
		s.Say(command.Unread, "%v", err)
	case o.format == "":
		s.Answer(&o.Common, report, report.rows, func() { report.write(s) })
	case len(report.Nodes) != 1:
		s.Say(command.Unread, "-files is about one of %s: choose it with -node", wording.Count(int64(len(report.Nodes)), "node"))
	case report.Nodes[0].CPU != "" && report.Nodes[0].Memory != "":
		writeFiles(s, &report.Nodes[0].tree, "", o.format)
	case report.Nodes[0].isUnknown:
		s.Say(command.Unread, "%s is not in the input: its files need -cpu and -memory", wording.Printable(report.Nodes[0].Name))
	default:
		s.Say(command.Unread, "%s has no cpu or no memory in status.allocatable: its files need both", wording.Printable(report.Nodes[0].Name))
	}
}

// Report is the output of -o json. Amounts are quantities in canonical form.
type Report struct {
	// Nodes are sorted by name.
	Nodes []Node `json:"nodes"`
	// Unplaced are the pods without a node, namespace/name: they have no cgroups yet.
	Unplaced []string `json:"unplaced,omitempty"`
}

// Node is the cgroups of a node.
type Node struct {
	// Name is empty for one node that has all pods, because the input has neither Nodes nor pods on nodes.
	Name string `json:"name"`
	// CPU and Memory are what pods can use; empty if unknown. Capacity is the memory of the machine, if it is known to have any.
	CPU      string `json:"cpu,omitempty"`
	Memory   string `json:"memory,omitempty"`
	Capacity string `json:"capacity,omitempty"`
	// Groups are depth first.
	Groups []Group `json:"groups"`

	tree      nodetree.Tree
	isUnknown bool // it is not in the input
}

// Group is a cgroup, with the cells of the table: see its legend. Those that depend on an unknown amount of the node are
// empty.
type Group struct {
	Depth  int    `json:"depth"` // 0 for kubepods
	Title  string `json:"title"`
	Class  string `json:"class,omitempty"` // of a pod
	Shares string `json:"shares,omitempty"`
	Weight string `json:"weight,omitempty"`
	Quota  string `json:"quota,omitempty"`  // empty if there is none
	Memory string `json:"memory,omitempty"` // as well
	OOM    string `json:"oom,omitempty"`    // of a container
	V1     string `json:"v1,omitempty"`
	V2Old  string `json:"v2Old,omitempty"`
	V2     string `json:"v2,omitempty"`
	Move   string `json:"move,omitempty"`
}

// report returns the trees of the nodes in the input, of those that only pods name, or else of one node with all pods.
func (in *input) report(o *options) (r Report, err error) {
	r.Nodes = []Node{}
	nodes := map[string]*corev1.Node{}
	for _, n := range inventory.Of[*corev1.Node](&in.List) {
		nodes[n.Name] = n
	}
	names := slices.Sorted(maps.Keys(nodes))
	if len(nodes) == 0 {
		names = slices.Sorted(maps.Keys(in.pods))
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	}
	switch {
	case len(nodes) > 0 && (o.MilliCPU > 0 || o.memory > 0):
		return r, fmt.Errorf("-cpu and -memory are for nodes that are not in the input, which has %s", wording.Count(int64(len(nodes)), "Node"))
	case o.node != "" && !slices.Contains(names, o.node):
		return r, fmt.Errorf("-node %s: the input has no node of this name", wording.Printable(o.node))
	case o.node != "":
		names = []string{o.node}
	case len(names) == 0 && o.Rows.Narrows():
		return r, errors.New("-l and -field-selector choose nodes, and the input names none")
	}
	if len(names) == 0 {
		names = []string{""}
	} else {
		names = slices.DeleteFunc(names, func(name string) bool {
			return !o.Rows.Selects(cmp.Or(nodes[name], &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}))
		})
		for _, pod := range in.pods[""] {
			r.Unplaced = append(r.Unplaced, wording.Qualified(pod.Namespace, pod.Name))
		}
		slices.Sort(r.Unplaced)
	}
	for _, name := range names {
		n, err := in.node(name, nodes[name], o.Options, o.memory)
		if err != nil {
			return r, err
		}
		if len(names) > 1 {
			n.tree = nodetree.Tree{} // of one, files can be written
		}
		r.Nodes = append(r.Nodes, n)
	}
	return r, nil
}

func (in *input) node(name string, object *corev1.Node, opts nodetree.Options, memory int64) (n Node, err error) {
	n.Name = name
	n.isUnknown = object == nil
	capacity, isSet := int64(0), func(name corev1.ResourceName) bool { return false }
	if object != nil {
		of := object.Status
		isSet = func(name corev1.ResourceName) bool { _, is := of.Allocatable[name]; return is }
		opts.MilliCPU, memory, capacity = of.Allocatable.Cpu().MilliValue(), of.Allocatable.Memory().Value(), of.Capacity.Memory().Value()
	} else if name == "" {
		opts.MilliCPU, memory = cmp.Or(opts.MilliCPU, 200), cmp.Or(memory, 16<<30)
	}
	capacity = cmp.Or(capacity, memory)
	opts.Kubelet.NodeMemory = cgroupconfig.NodeMemory{Capacity: capacity, Allocatable: memory}
	if opts.MilliCPU > 0 || isSet(corev1.ResourceCPU) {
		n.CPU = quantity.Canonical(*resource.NewMilliQuantity(opts.MilliCPU, resource.DecimalSI))
	}
	if memory > 0 || isSet(corev1.ResourceMemory) {
		n.Memory = memoryOf(memory)
	}
	if capacity > 0 {
		n.Capacity = memoryOf(capacity)
	}
	n.tree, err = nodetree.Build(in.pods[name], opts)
	if err != nil {
		return n, err
	}
	for depth, g := range n.tree.All() {
		n.Groups = append(n.Groups, n.group(depth, g))
	}
	return n, nil
}

const (
	maxReplicas   = 1000  // of one template: more than any node runs
	maxContainers = 20000 // of all pods of a node
)

// input has the objects that were read, and the pods of them.
type input struct {
	inventory.List
	defaults  *inventory.Defaults
	asWritten bool                     // missing requests are not set to the limits
	pods      map[string][]*corev1.Pod // by the name of the node, empty for those without one
	uids      map[types.UID]bool
	count     map[string]int // of containers and pods, by the name of the node
}

// makePods collects the pods of the input, and creates those of templates whose pods are not in it.
func (in *input) makePods() {
	in.pods, in.uids, in.count = map[string][]*corev1.Pod{}, map[types.UID]bool{}, map[string]int{}
	for i, o := range in.Objects {
		if pod, isPod := o.(*corev1.Pod); isPod && !computeresources.HasEnded(pod) {
			in.add(in.Places[i], pod)
		}
	}
	for _, t := range in.Templates() {
		if t.Replicas > maxReplicas {
			in.Fail(t.Place, objects.Unreadable, t.Field, fmt.Sprintf("%d on one node: at most %d are shown", t.Replicas, maxReplicas))
			continue
		}
		for i := range t.Replicas {
			pod := &corev1.Pod{Spec: *t.Spec.DeepCopy()}
			pod.Namespace, pod.Name = t.Object.GetNamespace(), t.Object.GetName()
			if t.Replicas > 1 {
				pod.Name = fmt.Sprintf("%s-%d", pod.Name, i)
			}
			if !in.add(t.Place, pod) {
				break
			}
		}
	}
}

// add adds a pod to its node, unless it is invalid or there are too many.
func (in *input) add(at objects.Place, pod *corev1.Pod) bool {
	node := pod.Spec.NodeName
	in.count[node] += len(pod.Spec.Containers) + len(pod.Spec.InitContainers) + 1
	if in.count[node] > maxContainers {
		in.Fail(at, objects.Unreadable, "", fmt.Sprintf("omitted: more than %d pods and containers are too many for one node", maxContainers))
		return false
	}
	if !in.asWritten {
		in.defaults.Apply(pod)
	}
	if err := in.identify(pod); err != nil {
		in.Fail(at, objects.Invalid, "metadata.uid", err.Error())
		return false
	}
	in.pods[node] = append(in.pods[node], pod)
	return true
}

// identify sets a missing UID of a pod, computed from its other metadata, and returns what is wrong with it.
func (in *input) identify(pod *corev1.Pod) error {
	if pod.UID == "" {
		pod.UID = madeUID(pod, in.uids)
	}
	uid := cgroupname.UIDOf(pod)
	if _, err := (cgroupname.Identity{Class: corev1.PodQOSGuaranteed, UID: uid}).Path(); err != nil {
		return err
	}
	if in.uids[uid] {
		return fmt.Errorf("%q is the UID of another pod", uid)
	}
	in.uids[uid] = true
	return nil
}

func madeUID(pod *corev1.Pod, taken map[types.UID]bool) types.UID {
	made := strings.Trim(unfit.ReplaceAllString(wording.Qualified(pod.Namespace, pod.Name), "-"), "-.")
	uid := types.UID(made)
	for n := 2; uid == "" || taken[uid]; n++ {
		uid = types.UID(fmt.Sprintf("%s.%d", cmp.Or(made, "pod"), n))
	}
	return uid
}

// unfit matches characters that cannot be part of the name of a cgroup.
var unfit = regexp.MustCompile(`[^A-Za-z0-9.]+`)
