package nodes

import (
	"errors"
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
	command.Common
	place  placement
	pack   bool
	shapes shapes
	sums   computeresources.Options // of the version of Kubernetes
	svg    string                   // the file to write, "-" for the standard output
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{place: placement{name: firstFit}}
	flags := command.NewFlags(&o.Common, "nodes", "What is requested of nodes, where pending pods go, and how many are needed.",
		"some input could not be read, or there was none", "a pod fits on no node, or, with -pack, on no node of a shape", stdout, stderr,
		"text", "json")
	flags.Var(&o.place, "place", "where pending pods go: the first node, or the best by profile, LeastAllocated, MostAllocated or BalancedAllocation")
	flags.BoolVar(&o.pack, "pack", false, "how many nodes of each shape, or of -shape, are enough for all pods")
	flags.Var(&o.shapes, "shape", "pack on nodes like `NODE`, or such as cpu=4,memory=16Gi; may be repeated")
	flags.StringVar(&o.svg, "svg", "", "write a picture of the nodes; - is the standard output")
	err := o.Parse(args, nil)
	o.sums.Gates = o.Gates
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
