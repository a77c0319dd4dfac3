package nodes

import (
	"errors"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

type options struct {
	command.Common
	pack       bool
	shapes     shapes
	pods       bool // rows of pods below their nodes
	containers bool // and of containers
	available  bool
	sort       string
	selector   labels.Selector
	usage      string
	drain      string
}

// parseArgs writes errors to stderr itself, as package flag does.
func parseArgs(args []string, stdout, stderr io.Writer) (options, error) {
	o := options{selector: labels.Everything()}
	flags := command.NewFlags(&o.Common, "nodes", "What is requested of nodes, where pending pods go, and how many are needed.",
		"some input could not be read, or there was none", "a pod fits on no node, or, with -pack, on no node of a shape", stdout, stderr,
		"text", "json")
	flags.BoolVar(&o.pods, "pods", false, "rows of their pods; -containers: and of their containers")
	flags.BoolVar(&o.containers, "containers", false, "")
	flags.BoolVar(&o.available, "available", false, "what is left instead of what is requested")
	flags.StringVar(&o.sort, "sort", "", "the largest share of a `NAME` first: cpu, memory, pods, ...")
	flags.Func("l", "nodes with these `LABELS`, as for kubectl", func(text string) (err error) {
		o.selector, err = labels.Parse(text)
		return err
	})
	flags.StringVar(&o.usage, "usage", "", "what is used, from a `FILE` of kubectl top; top runs it")
	flags.StringVar(&o.drain, "drain", "", "what happens if a `NODE` is drained")
	flags.BoolVar(&o.pack, "pack", false, "")
	flags.Var(&o.shapes, "shape", "how many like `NODE` or cpu=4,memory=8Gi suffice; -pack: of each")
	err := o.Parse(args, nil)
	o.pack, o.pods = o.pack || len(o.shapes) > 0, o.pods || o.containers
	return o, err
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
	return resourcelist.Overlay(list, corev1.ResourceList{corev1.ResourcePods: quantityOf(defaultPods)})
}

func quantityOf(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) }

const defaultPods = 110
