// Package nodes is the subcommand nodes.
package nodes

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/listing"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/top"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/kubemath/internal/schedulerconfig"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

//go:embed samples/*.yaml
var samples embed.FS

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	pack       bool
	shapes     []shape
	pods       bool // rows of pods below their nodes
	containers bool // and of containers
	podLabels  labels.Selector
	groupBy    string
	all        bool // as text, every node is shown, however many there are
	usage      string
	drain      string
	scheduler  whatif.Options
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "nodes",
		"What is requested of nodes, where pending pods go, and how many are needed.",
		"some input could not be read, or there was none",
		"a pod fits nowhere, or a drain leaves one waiting or lost, or does not end",
		stdout, stderr,
		"text", "wide", "json", "yaml", "csv", "name")
	flags.BoolVar(&o.pods, "pods", false, "rows of pods; also -containers, -pod-labels, -namespace-labels")
	flags.BoolVar(&o.containers, "containers", false, "")
	flags.Func("pod-labels", "", command.SelectorInto(&o.podLabels))
	o.Narrow()
	noTaint := false
	flags.BoolVar(&noTaint, "no-taint", false, "")
	flags.Func("node-taints", "", func(text string) error {
		o.Rows.Taints = append(o.Rows.Taints, strings.Split(text, ",")...)
		return nil
	})
	flags.StringVar(&o.groupBy, "group-by", "", "sums by label `KEY`; some nodes: -no-taint, -node-taints !TAINT")
	flags.BoolVar(&o.all, "all", false, "all nodes and waiting pods; -resources cpu,gpu: some columns")
	flags.StringVar(&o.usage, "usage", "", "what is used, from a `FILE` of kubectl top; top runs it")
	flags.StringVar(&o.drain, "drain", "", "what happens if a `NODE` is drained")
	flags.Func("scheduler", "", schedulerconfig.Into(&o.scheduler))
	flags.BoolVar(&o.pack, "pack", false, "")
	flags.Func("shape", "how many like `NODE` or cpu=4,memory=8Gi suffice; -pack: of each", func(text string) error {
		s, err := parseShape(text)
		o.shapes = append(o.shapes, s)
		return err
	})
	err = o.Parse(args, func() error {
		if noTaint {
			o.Rows.Taints = append(o.Rows.Taints, "!*")
		}
		o.pods = o.pods || o.containers || o.podLabels != nil || o.Rows.Namespaces != nil || o.Namespace != ""
		o.pack, o.Measured = o.pack || len(o.shapes) > 0, o.usage == top.FromTop
		switch {
		case o.groupBy != "" && o.pods:
			return errors.New("-group-by and -pods, or what shows some pods, cannot be given together")
		case o.Lists() && (o.drain != "" || o.pack):
			return errors.New("-drain, -pack and -shape have no rows: -o wide, csv and name, -sort-by and -no-headers cannot be given")
		}
		return nil
	})
	return o, err
}

// asksForNodes reports whether a flag is about the rows of nodes, which are written below a drain and what is packed then.
func (o *options) asksForNodes() bool {
	return o.all || o.pods || o.groupBy != "" || o.usage != "" || len(o.Rows.Resources) > 0 || o.Rows.Narrows()
}

// narrowed reports whether only some pods have rows.
func (o *options) narrowed() bool {
	return o.pods && (o.Namespace != "" || o.podLabels != nil || o.Rows.Namespaces != nil)
}

// shape is the allocatable amounts of a node, or the name of a node.
type shape struct {
	node        string
	allocatable corev1.ResourceList
}

func parseShape(text string) (shape, error) {
	if text == "" {
		return shape{}, errors.New("want the name of a node, or amounts such as cpu=4,memory=16Gi")
	}
	if !strings.Contains(text, "=") {
		return shape{node: text}, nil
	}
	list := corev1.ResourceList{}
	for part := range strings.SplitSeq(text, ",") {
		name, amount, _ := strings.Cut(part, "=")
		q, err := quantity.Parse(amount)
		if err != nil {
			return shape{}, err
		}
		one := corev1.ResourceList{corev1.ResourceName(strings.TrimSpace(name)): q}
		if q.Sign() <= 0 || len(noderesources.NewLedger(one).Allocatable()) == 0 {
			return shape{}, fmt.Errorf("%q is no amount that the scheduler counts, such as cpu=4, memory=16Gi or nvidia.com/gpu=1", part)
		}
		list = resourcelist.Overlay(one, list)
	}
	if len(resourcelist.Mask(list, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory})) < 2 {
		return shape{}, errors.New("without cpu and memory, no pods fit: want amounts such as cpu=4,memory=16Gi,pods=110")
	}
	return shape{allocatable: withPods(list)}, nil
}

// withPods adds the default kubelet's number of pods to a list that has none.
func withPods(list corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Overlay(list, corev1.ResourceList{corev1.ResourcePods: resource.MustParse("110")})
}

func answer(o options, s *command.Session) {
	l := &inventory.List{Home: cmp.Or(o.Namespace, corev1.NamespaceDefault), Check: checked}
	reader := objects.Reader{Kinds: inventory.Kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict),
		Matters: o.pack}
	kinds := []string{"nodes", "pods", "deployments.apps", "replicasets.apps",
		"statefulsets.apps", "daemonsets.apps", "jobs.batch", "limitranges", "poddisruptionbudgets.policy",
		"persistentvolumeclaims", "persistentvolumes", "storageclasses.storage.k8s.io", "csinodes.storage.k8s.io",
		"csidrivers.storage.k8s.io", "csistoragecapacities.storage.k8s.io"}
	if o.Rows.Namespaces != nil {
		kinds = append(kinds, "namespaces")
	}
	l.Read(inventory.Packed(origin.Objects(reader, o.WholeCluster(), samples, kinds...)))
	l.Problems = slices.DeleteFunc(l.Problems, func(p objects.Problem) bool {
		return p.Grade == objects.Uncomputed && p.Text == objects.Limits // nodes have no quotas
	})
	o.scheduler.Admission.Kubernetes = origin.Kubernetes(&o.Common, l.Kubelets(), o.Say)
	var podless []*pod
	if o.pack {
		podless = appendPodless(nil, l, o.scheduler.Admission.Kubernetes)
	}
	inventory.Complain(s, l)
	notComputed := inventory.NotComputed(l)
	*l = inventory.List{Objects: l.Objects} // the rest is large, and no longer needed
	command.LimitGarbage()
	c, err := clusterOf(l, o.scheduler)
	switch {
	case err != nil:
		s.Say(command.Unread, "%v", err)
		return
	case len(c.nodes)+len(c.pods)+len(c.pending)+len(podless)+c.ended == 0:
		s.Say(command.Unread, "the input has neither a Node nor a Pod")
		return
	}
	c.podless = podless
	used, err := top.Read(&o.Common, o.usage)
	if err != nil {
		s.Say(command.Unread, "-usage: %v", err)
	}
	unknown := func(flag, name string) bool {
		_, known := c.byName[name]
		if name != "" && !known {
			s.Say(command.Unread, "-%s %s: the input has no Node of this name", flag, wording.Printable(name))
		}
		return name != "" && !known
	}
	if unknown("drain", o.drain) {
		o.drain = ""
	}
	for _, shape := range o.shapes {
		if unknown("shape", shape.node) {
			o.shapes, o.pack = nil, false
			break
		}
	}
	r := c.report(&o, used)
	if len(o.Rows.Resources) > 0 && len(o.shown(&r)) == 0 {
		s.Say(command.Unread, "-resources %s: no node or pod has one", wording.Printable(strings.Join(o.Rows.Resources, ",")))
	}
	r.NotComputed = notComputed
	if !r.fits() {
		s.Exit(command.Rejected)
	}
	s.Answer(&o.Common, r, func() *listing.List { return o.rows(&r) }, func() { o.write(s, &r) })
}

// checked completes an object as the API server does, and returns why it is rejected.
func checked(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *corev1.Node:
		if len(o.Status.Allocatable) > 0 {
			o.Status.Allocatable = withPods(o.Status.Allocatable)
		}
	case *corev1.Pod:
		if len(o.Spec.Containers) == 0 {
			return field.ErrorList{field.Required(field.NewPath("spec", "containers"), "")}
		}
	}
	return nil
}
