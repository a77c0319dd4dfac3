package computeresources

import (
	"iter"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Totals are the requests or limits of a pod as integers, for loops over very many pods.
//
// Each amount is that of the list, such as PodRequests, rounded up to a whole unit once, after the
// exact sum: two containers of 500n CPU are 1 milli-CPU. Negative amounts are rounded away from
// zero. An amount that does not fit is math.MaxInt64 or math.MinInt64. An absent resource is 0.
//
// A Totals owns its map: no function returns a map that is in use elsewhere. A copy of the struct
// shares the map; use maps.Clone to separate them.
type Totals struct {
	MilliCPU         int64 `json:"milliCPU"`         // milli-units of CPU
	Memory           int64 `json:"memory"`           // bytes
	EphemeralStorage int64 `json:"ephemeralStorage"` // bytes

	// ScalarResources are all other resources, such as hugepages in bytes and extended resources in
	// units. It has no entries of zero, and is nil for a pod without other resources.
	ScalarResources map[corev1.ResourceName]int64 `json:"scalarResources,omitempty"`

	// These report whether every container, including init containers, sets more than zero of the
	// resource, or the pod does at pod level. A sum of limits only binds if all are set (see
	// BindingLimits).

	CPUAllSet              bool `json:"cpuAllSet,omitempty"`
	MemoryAllSet           bool `json:"memoryAllSet,omitempty"`
	EphemeralStorageAllSet bool `json:"ephemeralStorageAllSet,omitempty"`
}

// All yields the resources whose amount is not zero: cpu, memory and ephemeral-storage, then the
// scalar resources by name.
func (t Totals) All() iter.Seq2[corev1.ResourceName, int64] {
	return func(yield func(corev1.ResourceName, int64) bool) {
		if t.MilliCPU != 0 && !yield(corev1.ResourceCPU, t.MilliCPU) ||
			t.Memory != 0 && !yield(corev1.ResourceMemory, t.Memory) ||
			t.EphemeralStorage != 0 && !yield(corev1.ResourceEphemeralStorage, t.EphemeralStorage) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(t.ScalarResources)) {
			if amount := t.ScalarResources[name]; amount != 0 && !yield(name, amount) {
				return
			}
		}
	}
}

// Add adds other to t. Amounts may be negative. A sum that does not fit is math.MaxInt64 or
// math.MinInt64, and Sub does not restore it. A scalar resource that becomes zero is removed.
// What is all set is not changed, because it describes one pod. Other is only read. Add allocates only if
// other has scalar resources that t has no room for.
func (t *Totals) Add(other Totals) {
	if t == nil {
		return
	}
	t.MilliCPU = quantity.AddSaturated(t.MilliCPU, other.MilliCPU)
	t.Memory = quantity.AddSaturated(t.Memory, other.Memory)
	t.EphemeralStorage = quantity.AddSaturated(t.EphemeralStorage, other.EphemeralStorage)
	for name, amount := range other.ScalarResources {
		t.setScalar(name, quantity.AddSaturated(t.ScalarResources[name], amount))
	}
}

// Sub subtracts other from t. The result may be negative. A scalar resource that becomes zero is
// removed; the map is kept for later calls of Add.
func (t *Totals) Sub(other Totals) {
	if t == nil {
		return
	}
	t.MilliCPU = quantity.SubSaturated(t.MilliCPU, other.MilliCPU)
	t.Memory = quantity.SubSaturated(t.Memory, other.Memory)
	t.EphemeralStorage = quantity.SubSaturated(t.EphemeralStorage, other.EphemeralStorage)
	for name, amount := range other.ScalarResources {
		t.setScalar(name, quantity.SubSaturated(t.ScalarResources[name], amount))
	}
}

func (t *Totals) setScalar(name corev1.ResourceName, amount int64) {
	switch {
	case amount == 0:
		delete(t.ScalarResources, name)
	case t.ScalarResources == nil:
		t.ScalarResources = map[corev1.ResourceName]int64{name: amount}
	default:
		t.ScalarResources[name] = amount
	}
}

// PodTotals returns PodRequests or PodLimits as integers, as list says. They are zero, and nothing
// is all set, if pod is nil or list is not one of the constants.
//
// Cost: that of PodRequests. It allocates for scalar resources, and for amounts that need
// arbitrary precision.
func PodTotals(pod *corev1.Pod, list List, opts Options) Totals {
	var r reading
	if own, ok := list.internal(); ok {
		r.readPod(pod, own, &opts)
	}
	return r.totals()
}

// SpecTotals returns SpecRequests or SpecLimits as integers, as list says. They are zero, and
// nothing is all set, if spec is nil or list is not one of the constants. Cost and allocations are
// those of PodTotals.
func SpecTotals(spec *corev1.PodSpec, list List, opts Options) Totals {
	var r reading
	if own, ok := list.internal(); ok {
		r.read(spec, nil, own, &opts)
	}
	return r.totals()
}

// totals returns the amounts that count.
func (r *reading) totals() (t Totals) {
	if r.spec == nil {
		return t
	}
	var u units
	exact := u.read(r)
	if !exact {
		r.integersInto(&u)
	}
	t.MilliCPU, t.CPUAllSet = u.amounts[podwalk.CPU], u.complete[podwalk.CPU]
	t.Memory, t.MemoryAllSet = u.amounts[podwalk.Memory], u.complete[podwalk.Memory]
	t.EphemeralStorage = u.amounts[podwalk.EphemeralStorage]
	t.EphemeralStorageAllSet = u.complete[podwalk.EphemeralStorage]
	if !exact || !u.all {
		t.ScalarResources = r.scalars()
	}
	return t
}

// integersInto sets the amounts of u, where they are not exact in integers.
func (r *reading) integersInto(u *units) {
	for i, name := range [...]corev1.ResourceName{
		podwalk.CPU:              corev1.ResourceCPU,
		podwalk.Memory:           corev1.ResourceMemory,
		podwalk.EphemeralStorage: corev1.ResourceEphemeralStorage,
	} {
		amount, complete := r.amountOf(name)
		u.amounts[i], u.complete[i] = resourcelist.Integer(name, amount.Amount), complete
	}
}

// scalars returns the amounts of all resources without a field of their own in Totals, nil if there are none.
func (r *reading) scalars() map[corev1.ResourceName]int64 {
	var scalars map[corev1.ResourceName]int64
	r.eachResource(func(name corev1.ResourceName) {
		if _, done := scalars[name]; done || isNative(name) {
			return
		}
		if amount, _ := r.amountOf(name); amount.Set {
			if scalars == nil {
				scalars = make(map[corev1.ResourceName]int64, 1)
			}
			scalars[name] = resourcelist.Integer(name, amount.Amount) // zero until each has been queried once
		}
	})
	maps.DeleteFunc(scalars, func(_ corev1.ResourceName, amount int64) bool { return amount == 0 })
	if len(scalars) == 0 {
		return nil
	}
	return scalars
}

// isNative reports whether a resource has its own field in Totals.
func isNative(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage:
		return true
	}
	return false
}
