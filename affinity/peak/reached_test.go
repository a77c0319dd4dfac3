package peak_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach each answer about a node, and peaks of one and of
// several tasks.
func TestDrawsReachEveryRule(t *testing.T) {
	var members []string
	for _, room := range rooms {
		members = append(members, "room: "+string(room))
	}
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		run := runs(7, few()).Draw(t, "run")
		opts := options(run).Draw(t, "options")
		demand, err := peak.DemandOf(run, opts)
		if err != nil {
			return append(reached, "invalid")
		}
		if len(opts.Only) > 0 {
			reached = append(reached, "of some tasks")
		}
		for _, p := range demand {
			switch {
			case len(p.Tasks) > 1:
				reached = append(reached, "several tasks at the peak")
			case len(p.Tasks) == 1:
				reached = append(reached, "one task at the peak")
			}
			if p.Amount.Cmp(p.Largest) == 0 {
				reached = append(reached, "the largest pod is the peak")
			}
		}
		node := candidates().Draw(t, "node")
		verdict := verdictOn(demand, &node)
		reached = append(reached, "room: "+string(verdict.Room))
		for _, s := range verdict.Shortages {
			reached = append(reached, fmt.Sprintf("shortage: unresolvable %v", s.Unresolvable))
		}
		return reached
	}, append(members,
		"of some tasks", "one task at the peak", "several tasks at the peak", "the largest pod is the peak",
		"shortage: unresolvable true", "shortage: unresolvable false",
	)...)
}
