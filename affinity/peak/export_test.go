package peak

import "github.com/kubemath/kubemath/affinity"

// PlacedDemand and DemandsOf are what ApplySizes makes room for.
type PlacedDemand = placedDemand

func DemandsOf(plan *affinity.Plan, run *affinity.Run, opts Options) ([]PlacedDemand, error) {
	return demandsOf(plan, run, opts)
}
