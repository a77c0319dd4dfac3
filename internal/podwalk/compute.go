package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Compute is what the containers of a pod request, or are limited to, of the resources that nearly
// every pod sets, in exact integers: milli-units of cpu, bytes of memory and ephemeral storage. It
// is the fast path of Sum over Exact.
type Compute struct {
	CPU, Memory, EphemeralStorage Resource

	containers int
	others     int // entries of all containers, of other resources or not above zero
}

// Resource is what the containers of a pod set of one resource.
type Resource struct {
	Units
	all      int64 // of all containers, whenever they run
	positive int   // how many containers set more than zero
}

// Read adds up one list of all containers, and reports whether all amounts of the three resources
// are exact in integers, and none is negative. If not, c is undefined. C must be the zero value
// before. If formats is not nil, Read notes the formats of amounts above zero.
func (c *Compute) Read(spec *corev1.PodSpec, list List, formats *Formats) bool {
	cs := Of(spec)
	c.containers = cs.Len()
	if c.containers > quantity.MaxSmallSum {
		return false
	}
	for i := range cs.app {
		if !c.add(App, list.Of(&cs.app[i].Resources), formats) {
			return false
		}
	}
	for i := range cs.init {
		if !c.add(initKind(&cs.init[i]), list.Of(&cs.init[i].Resources), formats) {
			return false
		}
	}
	return true
}

// Add adds one list of a container, and reports what Read does of the containers added so far. It
// notes the formats of amounts above zero. A list that is already a total is added like that of an
// app container.
func (c *Compute) Add(kind Kind, list corev1.ResourceList, formats *Formats) bool {
	c.containers++
	return c.containers <= quantity.MaxSmallSum && c.add(kind, list, formats)
}

// AddMax is Add for the largest amount that any of the lists of a container has of each resource.
func (c *Compute) AddMax(kind Kind, lists []corev1.ResourceList, formats *Formats) bool {
	var cpu, memory, storage int64
	for _, list := range lists {
		var one Compute
		if !one.add(kind, list, formats) {
			return false
		}
		cpu, memory, storage = max(cpu, one.CPU.all), max(memory, one.Memory.all), max(storage, one.EphemeralStorage.all)
		c.others += one.others
	}
	c.CPU.add(kind, cpu)
	c.Memory.add(kind, memory)
	c.EphemeralStorage.add(kind, storage)
	c.containers++
	return c.containers <= quantity.MaxSmallSum
}

// add adds a container, and reports whether its amounts are exact. It notes their formats if
// formats is not nil.
func (c *Compute) add(kind Kind, list corev1.ResourceList, formats *Formats) bool {
	unread := len(list)
	q := list[corev1.ResourceCPU]
	amount, exact := quantity.SmallMilli(&q)
	if !exact {
		return false
	}
	if amount > 0 {
		unread--
		c.CPU.add(kind, amount)
		if formats != nil {
			formats.CPU.add(q.Format)
		}
	}
	q = list[corev1.ResourceMemory]
	if amount, exact = quantity.SmallWhole(&q); !exact {
		return false
	}
	if amount > 0 {
		unread--
		c.Memory.add(kind, amount)
		if formats != nil {
			formats.Memory.add(q.Format)
		}
	}
	if unread == 0 {
		return true
	}
	q = list[corev1.ResourceEphemeralStorage]
	if amount, exact = quantity.SmallWhole(&q); !exact {
		return false
	}
	if amount > 0 {
		unread--
		c.EphemeralStorage.add(kind, amount)
		if formats != nil {
			formats.EphemeralStorage.add(q.Format)
		}
	}
	c.others += unread
	return true
}

// add adds an amount that is not below zero.
func (r *Resource) add(kind Kind, amount int64) {
	if amount > 0 {
		r.Add(kind, amount)
		r.all += amount
		r.positive++
	}
}

// Complete reports whether every container of the pod sets more than zero of r, which is a
// resource of c. It is true for a pod without containers.
func (c *Compute) Complete(r *Resource) bool { return r.positive == c.containers }

// IsAll reports whether the containers only set the resources of c, all of them above zero.
func (c *Compute) IsAll() bool { return c.others == 0 }

// Into adds the sums of one list of all containers to dst, which is empty, and reports
// whether they are those of Sum over Exact: the containers set nothing but the resources of
// Compute, above zero and exact in integers, and each resource in one format. If not, it
// leaves dst empty.
func Into(dst corev1.ResourceList, spec *corev1.PodSpec, list List) bool {
	var c Compute
	var f Formats
	return c.Read(spec, list, &f) && c.IsAll() && f.Set(dst, c.CPU.Total(), c.Memory.Total(), c.EphemeralStorage.Total())
}

// Formats are those of the amounts of Compute above zero.
type Formats struct{ CPU, Memory, EphemeralStorage FormatOf }

// FormatOf is the format of the amounts of one resource.
type FormatOf struct {
	format resource.Format // of the last amount
	any    bool
	mixed  bool // amounts have different formats
}

// add compares formats by the length of their names, which differ. Comparing the names would take a
// tenth of the time of Into.
func (f *FormatOf) add(format resource.Format) {
	if len(f.format) != len(format) {
		f.mixed = f.any
		f.format = format
	}
	f.any = true
}

// Set sets the amounts above zero in dst, in their formats: milli-units of cpu, and bytes. If amounts
// of one resource have different formats, it reports false, and leaves dst unchanged: Exact then
// determines the format of a sum.
func (f *Formats) Set(dst corev1.ResourceList, cpu, memory, storage int64) bool {
	if f.CPU.mixed || f.Memory.mixed || f.EphemeralStorage.mixed {
		return false
	}
	if cpu > 0 {
		dst[corev1.ResourceCPU] = *resource.NewMilliQuantity(cpu, f.CPU.format)
	}
	if memory > 0 {
		dst[corev1.ResourceMemory] = *resource.NewQuantity(memory, f.Memory.format)
	}
	if storage > 0 {
		dst[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(storage, f.EphemeralStorage.format)
	}
	return true
}

// Both is Compute of requests and limits together, and the class that they make.
type Both struct {
	Requests, Limits Compute
	Class            corev1.PodQOSClass
}

// Read reads all containers of a pod spec whose spec.resources is not set. It reports what
// Compute.Read does.
func (b *Both) Read(spec *corev1.PodSpec) bool {
	cs := Of(spec)
	b.Requests.containers, b.Limits.containers = cs.Len(), cs.Len()
	if cs.Len() > quantity.MaxSmallSum {
		return false
	}
	for i := range cs.app {
		r := &cs.app[i].Resources
		if !b.Requests.add(App, r.Requests, nil) || !b.Limits.add(App, r.Limits, nil) {
			return false
		}
	}
	for i := range cs.init {
		kind, r := initKind(&cs.init[i]), &cs.init[i].Resources
		if !b.Requests.add(kind, r.Requests, nil) || !b.Limits.add(kind, r.Limits, nil) {
			return false
		}
	}
	b.Class = b.class()
	return true
}

func (b *Both) class() corev1.PodQOSClass {
	r, l := &b.Requests, &b.Limits
	return classOf(
		r.CPU.positive+r.Memory.positive+l.CPU.positive+l.Memory.positive > 0,
		l.Complete(&l.CPU) && l.Complete(&l.Memory),
		r.CPU.all == l.CPU.all && r.Memory.all == l.Memory.all,
	)
}
