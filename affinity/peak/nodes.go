package peak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Candidate is what is known of a node.
type Candidate struct {
	Name string
	// Allocatable is that of the node's status. Resources that are absent are zero, the
	// number of pods, corev1.ResourcePods, as well.
	Allocatable corev1.ResourceList
	// Pods are the requests of each of the pods that are there already and have not
	// ended, those without requests included.
	Pods []corev1.ResourceList
}

// Room says whether a node can hold a run.
type Room uint8

const (
	// Holds: whatever tasks run at once, there is room for them.
	Holds Room = iota
	// Waits: tasks may have to wait for each other, but there is room for each alone.
	Waits
	// Never: for some task there is no room even if it runs alone.
	Never
)

// String returns "holds", "waits" or "never", and "unknown" for a value that is none of the
// constants.
func (f Room) String() string {
	switch f {
	case Holds:
		return "holds"
	case Waits:
		return "waits"
	case Never:
		return "never"
	default:
		return "unknown"
	}
}

// Verdict says whether a node can hold a run, and why not.
type Verdict struct {
	Node string
	Room Room // the worst of Shortages
	// Shortages are the resources of which the run wants more than is free, sorted.
	Shortages []Shortage
}

// Shortage is a resource of which a run wants more at once than a node has free.
type Shortage struct {
	Resource corev1.ResourceName
	Wanted   resource.Quantity // the amount of the peak
	Free     resource.Quantity // below zero if the pods there request more than there is
	Room     Room              // Waits or Never
	// Tasks want it together, sorted by name.
	Tasks []string
}

// String returns the shortage in words: "cpu: 3 wanted at once by build, test, 2 free".
func (s Shortage) String() string {
	wanted, free := s.Wanted.DeepCopy(), s.Free.DeepCopy()
	by := ""
	if len(s.Tasks) > 0 {
		by = " by " + strings.Join(s.Tasks, ", ")
	}
	return fmt.Sprintf("%s: %s wanted at once%s, %s free", s.Resource, wanted.String(), by, free.String())
}

// With returns the demand of a run beside which the given pods run from its beginning to
// its end, each given by its requests: the placeholder. Their amounts are added to every
// peak. Requests of zero and less do not count. The result shares nothing with d.
func (d Demand) With(pods ...corev1.ResourceList) Demand {
	peaks := map[corev1.ResourceName]Peak{}
	for _, p := range d {
		p.Amount, p.Largest, p.Tasks = p.Amount.DeepCopy(), p.Largest.DeepCopy(), slices.Clone(p.Tasks)
		peaks[p.Resource] = p
	}
	for _, requests := range pods {
		for name, q := range onePod(requests) {
			p := peaks[name]
			p.Resource = name
			p.Amount.Add(q)
			p.Largest.Add(q)
			peaks[name] = p
		}
	}
	return sortedPeaks(peaks)
}

// onePod returns a copy of the requests above zero of a pod, and the pod itself as one.
func onePod(requests corev1.ResourceList) corev1.ResourceList {
	list := corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(1, resource.DecimalSI)}
	for name, q := range requests {
		if q.Sign() > 0 && name != corev1.ResourcePods {
			list[name] = q.DeepCopy()
		}
	}
	return list
}

func sortedPeaks(peaks map[corev1.ResourceName]Peak) Demand {
	d := make(Demand, 0, len(peaks))
	for _, p := range peaks {
		d = append(d, p)
	}
	slices.SortFunc(d, func(a, b Peak) int { return cmp.Compare(a.Resource, b.Resource) })
	return d
}

// Nodes returns, for each node, whether it can hold a run with the given demand, sorted
// by name. Each resource limits by itself, so that there is room at every moment exactly
// if there is room for each peak; and room for every task alone exactly if there is room
// for what the largest task asks for of each resource. What the run does not want does not
// matter, even if the node is short of it.
//
// The demand is to have the placeholder in it (Demand.With) unless that is among the pods
// of the node already. Taints, affinity and volumes are not looked at.
//
// Cost: proportional to the number of nodes, their pods, and resources.
func Nodes(demand Demand, nodes []Candidate) []Verdict {
	verdicts := make([]Verdict, 0, len(nodes))
	for i := range nodes {
		verdicts = append(verdicts, verdictOn(demand, &nodes[i]))
	}
	slices.SortStableFunc(verdicts, func(a, b Verdict) int { return cmp.Compare(a.Node, b.Node) })
	return verdicts
}

func verdictOn(demand Demand, node *Candidate) Verdict {
	v := Verdict{Node: node.Name}
	free := freeOf(node)
	for _, p := range demand {
		s := Shortage{Resource: p.Resource, Wanted: p.Amount.DeepCopy(), Free: free[p.Resource].DeepCopy(), Tasks: slices.Clone(p.Tasks)}
		largest := p.Largest.DeepCopy()
		switch {
		case s.Wanted.Cmp(s.Free) <= 0:
			continue
		case largest.Cmp(s.Free) > 0:
			s.Room = Never
		default:
			s.Room = Waits
		}
		v.Room = max(v.Room, s.Room)
		v.Shortages = append(v.Shortages, s)
	}
	slices.SortStableFunc(v.Shortages, func(a, b Shortage) int { return cmp.Compare(a.Resource, b.Resource) })
	return v
}

// freeOf returns what the pods of a node have left over.
func freeOf(node *Candidate) corev1.ResourceList {
	free := node.Allocatable.DeepCopy()
	if free == nil {
		free = corev1.ResourceList{}
	}
	for _, requests := range node.Pods {
		free = resourcelist.SubtractInto(free, free, onePod(requests))
	}
	return free
}
