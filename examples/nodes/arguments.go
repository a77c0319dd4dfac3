package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

type options struct {
	files  command.Files
	place  placement
	pack   bool
	shapes shapes
	format format
	strict bool
	sums   computeresources.Options // of the version of Kubernetes
	svg    string                   // the file to write, "-" for the standard output
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{format: "table", place: placement{name: firstFit}}
	flags := flag.NewFlagSet("nodes", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, "Nodes shows what is requested on nodes, which pending pods fit there and why others do\n"+
			"not, and how many nodes of a shape are enough.\n\n"+
			"usage: nodes [-f FILE|DIR]... [-place PLACEMENT] [-pack] [-shape SHAPE]... [-o table|json]\n"+
			"             [-svg FILE] [-kubernetes VERSION] [-strict] [-version]\n\n")
		flags.PrintDefaults()
		fmt.Fprint(stderr, command.ExitCodes("some input could not be read, or there was none",
			"a pod fits on no node, or, with -pack, on no node of a shape; or the API server\n     would reject an object in the input"))
	}
	flags.Var(&o.files, "f", "read Nodes and Pods from `FILE`, YAML or JSON, or from all such files of a directory,\nor, for -, from the standard input; may be repeated; without it, samples are shown")
	flags.Var(&o.place, "place", "where pending pods go, a `PLACEMENT`: first is the first node with room by name, profile the\nbest by the scheduler's default profile, and LeastAllocated, MostAllocated and\nBalancedAllocation are the best by one score alone")
	flags.BoolVar(&o.pack, "pack", false, "show how many nodes are enough for all pods, of the shape of each node, or of -shape")
	flags.Var(&o.shapes, "shape", "pack on nodes of this `SHAPE`: the name of a node, or its allocatable resources, such as\ncpu=4,memory=16Gi,pods=110; may be repeated")
	flags.Var(&o.format, "o", "the `FORMAT` of the output: table or json")
	flags.StringVar(&o.svg, "svg", "", "write a picture of the nodes to `FILE`, or, for -, to the standard output, instead of any other output")
	command.Kubernetes(flags, &o.sums.Gates)
	command.Strict(flags, &o.strict)
	command.Version(flags, stdout)
	err := command.Parse(flags, args, nil)
	o.pack = o.pack || len(o.shapes) > 0
	return o, err
}

const (
	firstFit  = "first"
	byProfile = "profile" // the default one
)

// placement is the flag -place.
type placement struct {
	name    string
	profile noderesources.Profile // unless it is first fit
}

func (p *placement) String() string { return p.name }

func (p *placement) Set(name string) error {
	p.name, p.profile = name, nil
	switch name {
	case firstFit, byProfile:
		return nil
	case string(noderesources.LeastAllocated), string(noderesources.MostAllocated), string(noderesources.BalancedAllocation):
		scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.Strategy(name)})
		p.profile = noderesources.Profile{{Scorer: scorer}}
		return err
	default:
		return errors.New("neither first, profile, LeastAllocated, MostAllocated nor BalancedAllocation")
	}
}

// shape is the allocatable amounts of a node, or the name of a node.
type shape struct {
	node        string
	allocatable corev1.ResourceList
}

// shapes is the flag -shape.
type shapes []shape

func (s *shapes) String() string { return "" }

func (s *shapes) Set(text string) error {
	if text == "" {
		return errors.New("want the name of a node, or amounts such as cpu=4,memory=16Gi")
	}
	if !strings.Contains(text, "=") {
		*s = append(*s, shape{node: text})
		return nil
	}
	list := corev1.ResourceList{}
	for part := range strings.SplitSeq(text, ",") {
		name, amount, _ := strings.Cut(part, "=")
		resourceName := corev1.ResourceName(strings.TrimSpace(name))
		q, err := quantity.Parse(amount)
		_, twice := list[resourceName]
		switch {
		case err != nil:
			return err
		case q.Sign() < 0:
			return fmt.Errorf("%s is negative", amount)
		case twice:
			return fmt.Errorf("%s is given twice", resourceName)
		case !counted(resourceName):
			return fmt.Errorf("%q is not a resource that the scheduler counts, such as cpu, memory, pods or nvidia.com/gpu", name)
		}
		list[resourceName] = q
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q := list[name]; q.IsZero() {
			return fmt.Errorf("without %s, no pods fit: want amounts such as cpu=4,memory=16Gi,pods=110", name)
		}
	}
	*s = append(*s, shape{allocatable: withPods(list)})
	return nil
}

// counted reports whether a ledger counts a resource.
func counted(name corev1.ResourceName) bool {
	one := noderesources.New(corev1.ResourceList{name: resource.MustParse("1")})
	return len(one.Allocatable()) > 0
}

// withPods adds the default kubelet's number of pods to a list that has none.
func withPods(list corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Overlay(list, corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(defaultPods, resource.DecimalSI)})
}

const defaultPods = 110

// format is the flag -o.
type format string

func (f *format) String() string { return string(*f) }

func (f *format) Set(name string) error {
	if name != "table" && name != "json" {
		return errors.New("neither table nor json")
	}
	*f = format(name)
	return nil
}
