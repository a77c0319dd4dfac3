package peak

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
)

// Candidate is a node on which a run may be placed.
type Candidate struct {
	Name string
	// Allocatable is that of the node's status. Resources that are absent are zero, the
	// number of pods, corev1.ResourcePods, as well.
	Allocatable corev1.ResourceList
	// Pods are the requests of each of the pods that are there already and have not
	// ended, those without requests included.
	Pods []corev1.ResourceList
}

// Room says whether a node has room for a run. The zero value is unspecified: no Verdict has it.
type Room string

const (
	// Holds: there is room for all tasks that can run at the same time.
	Holds Room = "holds"
	// Waits: there is room for each task on its own, but tasks may have to wait for each other.
	Waits Room = "waits"
	// Never: there is no room for some task, even if it runs on its own.
	Never Room = "never"
)

// Verdict says whether a node can hold a run, and why not.
type Verdict struct {
	Node string // its name
	Room Room   // the worst of Deficits, and Holds without any
	// Deficits are the resources that the node has too little free of for the run.
	Deficits Deficits
}

// Deficits are sorted by resource.
type Deficits []Deficit

// Err returns nil if there are no deficits, and otherwise an error. The message for several
// deficits is "[a, b]". It wraps a *Deficit for each, which is a copy.
func (d Deficits) Err() error {
	errs := make([]*Deficit, len(d))
	for i, deficit := range d {
		deficit.Wanted, deficit.Free = deficit.Wanted.DeepCopy(), deficit.Free.DeepCopy()
		deficit.Tasks = slices.Clone(deficit.Tasks)
		errs[i] = &deficit
	}
	return aggregate.Of(errs)
}

// Deficit is a resource that a node has too little free of for the peak of a run.
type Deficit struct {
	// Shortage is what the scheduler would say of a pod that requests as much, in its words and
	// units. It is Unresolvable if the node has not that much for all pods together.
	noderesources.Shortage
	Wanted resource.Quantity // the amount of the peak, exactly
	Free   resource.Quantity // below zero if the pods there request more than there is
	Room   Room              // Waits or Never
	// Tasks want it together, sorted by name.
	Tasks []string
}

// Error returns the deficit in words: "Insufficient cpu: 3 wanted at once by build, test, 2 free".
func (d *Deficit) Error() string {
	wanted, free := d.Wanted.DeepCopy(), d.Free.DeepCopy()
	by := ""
	if len(d.Tasks) > 0 {
		by = " by " + strings.Join(d.Tasks, ", ")
	}
	return fmt.Sprintf("%s: %s wanted at once%s, %s free", d.Shortage.Error(), wanted.String(), by, free.String())
}

// Unwrap returns the *noderesources.Shortage, for errors.As.
func (d *Deficit) Unwrap() error {
	shortage := d.Shortage
	return &shortage
}

// With returns the demand of a run together with pods that run from its beginning to its end, such
// as the placeholder. Each pod is passed as its requests, which are added to every peak. Requests
// of zero or less do not count. The result shares no memory with d.
func (d Demand) With(pods ...corev1.ResourceList) Demand {
	peaks := map[corev1.ResourceName]Peak{}
	for _, p := range d {
		peaks[p.Resource] = p.owned()
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

// onePod returns a copy of the requests of a pod that are above zero, and counts the pod itself
// as one.
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

// Nodes returns, for each candidate, whether it has room for a run with the given demand, sorted by
// name. Nil candidates are ignored. Resources are independent: there is room at all times if and
// only if there is room for each peak, and there is room for every task on its own if and only if
// there is room for the largest request of each resource. A resource that the run does not request
// is ignored, even if the node is overcommitted.
//
// Include the placeholder in the demand (Demand.With), unless it is among the pods of the node.
// Taints, affinity and volumes are not considered.
//
// Cost: proportional to the number of candidates, their pods, and resources.
func Nodes(demand Demand, candidates []*Candidate) []Verdict {
	verdicts := make([]Verdict, 0, len(candidates))
	for _, c := range candidates {
		if c != nil {
			verdicts = append(verdicts, verdictOn(demand, c))
		}
	}
	slices.SortStableFunc(verdicts, func(a, b Verdict) int { return cmp.Compare(a.Node, b.Node) })
	return verdicts
}

func verdictOn(demand Demand, c *Candidate) Verdict {
	v := Verdict{Node: c.Name, Room: Holds}
	used := usedOf(c)
	for _, p := range demand {
		capacity, inUse := c.Allocatable[p.Resource], used[p.Resource]
		free := capacity.DeepCopy()
		free.Sub(inUse)
		if p.Amount.Cmp(free) <= 0 {
			continue
		}
		d := Deficit{
			Shortage: noderesources.Shortage{
				Resource:     p.Resource,
				Requested:    resourcelist.Integer(p.Resource, p.Amount),
				Used:         resourcelist.Integer(p.Resource, inUse),
				Capacity:     resourcelist.Integer(p.Resource, capacity),
				Unresolvable: p.Amount.Cmp(capacity) > 0,
			},
			Wanted: p.Amount.DeepCopy(), Free: free, Room: Waits, Tasks: slices.Clone(p.Tasks),
		}
		if p.Largest.Cmp(free) > 0 {
			d.Room = Never
		}
		v.Room = worse(v.Room, d.Room)
		v.Deficits = append(v.Deficits, d)
	}
	slices.SortStableFunc(v.Deficits, func(a, b Deficit) int { return cmp.Compare(a.Resource, b.Resource) })
	return v
}

// worse returns the one with less room.
func worse(a, b Room) Room {
	if a == Never || b == Holds {
		return a
	}
	return b
}

// usedOf returns what the pods of a node request.
func usedOf(c *Candidate) corev1.ResourceList {
	used := corev1.ResourceList{}
	for _, requests := range c.Pods {
		used = resourcelist.AddInto(used, used, onePod(requests))
	}
	return used
}
