package peak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Room says whether a node has room for a run. The zero value is unspecified: no Verdict has it.
type Room string

const (
	// Holds: there is room for all tasks that can run at the same time.
	Holds Room = "Holds"
	// Waits: there is room for each task on its own, but tasks may have to wait for each other.
	Waits Room = "Waits"
	// Never: there is no room for some task, even if it runs on its own.
	Never Room = "Never"
)

// Verdict says whether a node can hold a run, and why not.
type Verdict struct {
	Node string `json:"node,omitempty"` // its name
	Room Room   `json:"room,omitzero"`  // Holds without Shortages, and Never if a task alone is short of one of them
	// Shortages are the resources that the node has too little free of for the run, sorted by name:
	// what the scheduler would say of a pod that requests as much as the run does at its peak. They
	// are Unresolvable if the node has not that much for all pods together. Demand.Peak has the exact
	// amount and the tasks that request it.
	Shortages noderesources.Shortages `json:"shortages,omitempty"`
}

// Nodes returns, for each node, whether it has room for a run with the given demand, sorted by name.
// Ledgers are those of the nodes, by name, with the pods that they have already. Nil ledgers are
// ignored. Resources are independent: there is room at all times if and only if there is room for each
// peak, and there is room for every task on its own if and only if there is room for the largest
// request of each resource. A resource that the run does not request is ignored, even if the node is
// overcommitted. A resource that ledgers do not count is one that no node has.
//
// Include the placeholder in the demand (Demand.With), unless it is among the pods of the node.
// Taints, affinity and volumes are not considered.
//
// Cost: proportional to the number of nodes and resources, and n log n for n nodes.
func Nodes(demand Demand, ledgers map[string]*noderesources.Ledger) []Verdict {
	verdicts := make([]Verdict, 0, len(ledgers))
	for _, node := range slices.Sorted(maps.Keys(ledgers)) {
		if ledger := ledgers[node]; ledger != nil {
			verdicts = append(verdicts, verdictOn(demand, node, ledger))
		}
	}
	return verdicts
}

func verdictOn(demand Demand, node string, ledger *noderesources.Ledger) Verdict {
	v := Verdict{Node: node, Room: Holds}
	allocatable, requested := ledger.Allocatable(), ledger.Requested()
	for _, p := range demand.Peaks {
		capacity, used := allocatable[p.Resource], requested[p.Resource]
		left := quantity.Minus(capacity, used)
		if p.Amount.Cmp(left) <= 0 {
			continue
		}
		room := Waits
		if p.Largest.Cmp(left) > 0 {
			room = Never
		}
		v.Room = worse(v.Room, room)
		v.Shortages = append(v.Shortages, noderesources.Shortage{
			Resource:     p.Resource,
			Requested:    resourcelist.Integer(p.Resource, p.Amount),
			Used:         resourcelist.Integer(p.Resource, used),
			Capacity:     resourcelist.Integer(p.Resource, capacity),
			Unresolvable: p.Amount.Cmp(capacity) > 0,
		})
	}
	slices.SortStableFunc(v.Shortages,
		func(a, b noderesources.Shortage) int { return cmp.Compare(a.Resource, b.Resource) })
	return v
}

// worse returns the one with less room.
func worse(a, b Room) Room {
	if a == Never || b == Holds {
		return a
	}
	return b
}
