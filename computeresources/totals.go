package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Totals are the amounts of a pod as integers, for loops over very many pods.
//
// Each is that of PodRequests or PodLimits, rounded up to a whole unit once, after
// the exact sum: two containers of 500n CPU are 1 milli-CPU. What does not fit is
// math.MaxInt64 (or math.MinInt64, for amounts below zero, which round away from
// it). An absent resource is 0.
type Totals struct {
	MilliCPU         int64 // thousandths of a CPU
	Memory           int64 // bytes
	EphemeralStorage int64 // bytes

	// Complete tells for which resources no container, init containers included,
	// is without: each states more than zero, or the pod does as a whole. A sum of
	// limits holds the pod back only if it is complete (see BindingLimits).
	Complete Complete
}

// Complete tells for which resources no container of a pod is without.
type Complete struct {
	CPU, Memory, EphemeralStorage bool
}

// PodRequestTotals returns PodRequests as integers. A nil spec requests nothing,
// incompletely.
//
// Cost: one look-up per container and resource. Amounts that need arbitrary precision
// allocate, as in PodRequests; no others do.
func PodRequestTotals(spec *corev1.PodSpec, opts Options) Totals {
	if spec == nil {
		return Totals{}
	}
	if opts.countContainersOnly(spec) {
		if t, ok := containerTotals(spec, podwalk.Requests); ok {
			return t
		}
	}
	var a amounts
	a.readRequests(spec, &opts)
	return a.totals()
}

// PodLimitTotals returns PodLimits as integers. A nil spec has no limits. Cost and
// allocations are those of PodRequestTotals.
func PodLimitTotals(spec *corev1.PodSpec, opts Options) Totals {
	if spec == nil {
		return Totals{}
	}
	if opts.countContainersOnly(spec) {
		if t, ok := containerTotals(spec, podwalk.Limits); ok {
			return t
		}
	}
	var a amounts
	a.readLimits(spec, &opts)
	return a.totals()
}

// countContainersOnly reports whether nothing counts but what the containers of spec
// state, as of most pods.
func (o *Options) countContainersOnly(spec *corev1.PodSpec) bool {
	return o.Status == nil && !o.IgnoreContainers && len(o.MissingRequests) == 0 && len(o.ClaimedFromNode) == 0 &&
		len(spec.Overhead) == 0 && spec.Resources == nil
}

// containerTotals returns the totals of what the containers set, if they are exact in
// integers.
func containerTotals(spec *corev1.PodSpec, list podwalk.List) (t Totals, ok bool) {
	var c podwalk.Compute
	if !c.Read(spec, list) {
		return t, false
	}
	return Totals{
		MilliCPU: c.CPU.Total(), Memory: c.Memory.Total(), EphemeralStorage: c.EphemeralStorage.Total(),
		Complete: Complete{
			CPU: c.Complete(&c.CPU), Memory: c.Complete(&c.Memory), EphemeralStorage: c.Complete(&c.EphemeralStorage),
		},
	}, true
}

func (a *amounts) totals() (t Totals) {
	t.MilliCPU, t.Complete.CPU = a.total(corev1.ResourceCPU)
	t.Memory, t.Complete.Memory = a.total(corev1.ResourceMemory)
	t.EphemeralStorage, t.Complete.EphemeralStorage = a.total(corev1.ResourceEphemeralStorage)
	return t
}

func (a *amounts) total(name corev1.ResourceName) (total int64, complete bool) {
	return a.of(name).Integer(), a.complete(name)
}
