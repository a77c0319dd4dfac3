package computeresources

import "github.com/kubemath/kubemath/internal/podwalk"

// names returns the names under which the pod sets its cpu and memory, zero if these are their own.
func (o *Options) names() podwalk.Names { return podwalk.Names{CPU: o.CPUName, Memory: o.MemoryName} }

// withoutNames returns the options for what names have renamed.
func (o *Options) withoutNames() *Options {
	own := *o
	own.CPUName, own.MemoryName = "", ""
	return &own
}
