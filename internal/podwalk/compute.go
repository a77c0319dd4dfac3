package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// CPU, Memory and EphemeralStorage are the resources of Compute, by which its amounts and formats are indexed.
const (
	CPU = iota
	Memory
	EphemeralStorage
	ComputeResources // how many they are
)

// Compute is what the containers of a pod request, or are limited to, of the resources that nearly
// every pod sets, in exact integers: milli-units of cpu, bytes of memory and ephemeral storage. It
// is the fast path of Sum over Exact. The zero value is a pod without containers.
type Compute struct {
	Resources [ComputeResources]Resource

	containers int
	others     int // entries of all containers, of other resources or not above zero
}

// Resource is what the containers of a pod set of one resource.
type Resource struct {
	Units
	all      int64 // of all containers, whenever they run
	positive int   // how many containers set more than zero
}

// Read adds one list of all containers, and reports what Add does of them.
func (c *Compute) Read(spec *corev1.PodSpec, list List, formats *Formats) bool {
	cs := Of(spec)
	for i := range cs.init {
		if container := &cs.init[i]; !c.Add(initKind(container), list.Of(&container.Resources), formats) {
			return false
		}
	}
	for i := range cs.app {
		if !c.Add(App, list.Of(&cs.app[i].Resources), formats) {
			return false
		}
	}
	return true
}

// Add adds one list of a container. It reports whether all amounts of the three resources are exact in integers, and
// none is negative, of all containers so far. If not, c is undefined. A list that is already a total is added like
// that of an app container. If formats is not nil, Add notes the formats of amounts above zero.
func (c *Compute) Add(kind Kind, list corev1.ResourceList, formats *Formats) bool {
	unread := len(list)
	q := list[corev1.ResourceCPU]
	amount, exact := quantity.SmallMilli(&q)
	if !exact {
		return false
	}
	if amount > 0 {
		unread--
		c.Resources[CPU].add(kind, amount)
		if formats != nil {
			formats[CPU].add(q.Format)
		}
	}
	q = list[corev1.ResourceMemory]
	amount, exact = quantity.SmallWhole(&q)
	if !exact {
		return false
	}
	if amount > 0 {
		unread--
		c.Resources[Memory].add(kind, amount)
		if formats != nil {
			formats[Memory].add(q.Format)
		}
	}
	if unread > 0 {
		q = list[corev1.ResourceEphemeralStorage]
		amount, exact = quantity.SmallWhole(&q)
		if !exact {
			return false
		}
		if amount > 0 {
			unread--
			c.Resources[EphemeralStorage].add(kind, amount)
			if formats != nil {
				formats[EphemeralStorage].add(q.Format)
			}
		}
	}
	c.others += unread
	c.containers++
	return c.containers <= quantity.MaxSmallSum
}

// AddMax is Add for the largest amount that any of the lists of a container has of each resource.
func (c *Compute) AddMax(kind Kind, lists []corev1.ResourceList, formats *Formats) bool {
	var most [ComputeResources]int64
	for _, list := range lists {
		var one Compute
		if !one.Add(App, list, formats) {
			return false
		}
		for i := range most {
			most[i] = max(most[i], one.Resources[i].all)
		}
		c.others += one.others
	}
	for i, amount := range most {
		if amount > 0 {
			c.Resources[i].add(kind, amount)
		}
	}
	c.containers++
	return c.containers <= quantity.MaxSmallSum
}

// add adds an amount above zero.
func (r *Resource) add(kind Kind, amount int64) {
	r.Add(kind, amount)
	r.all += amount
	r.positive++
}

// Complete reports whether every container of the pod sets more than zero of a resource. It is true for a pod
// without containers.
func (c *Compute) Complete(i int) bool { return c.Resources[i].positive == c.containers }

// IsAll reports whether the containers only set the resources of c, all of them above zero.
func (c *Compute) IsAll() bool { return c.others == 0 }

// Formats are those of the amounts of Compute above zero.
type Formats [ComputeResources]FormatOf

// FormatOf is the format of the amounts of one resource.
type FormatOf struct {
	format resource.Format // of the last amount
	any    bool
	mixed  bool // amounts have different formats
}

// add compares formats by the length of their names, which differ. Comparing the names would take a
// tenth of the time of a sum.
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
func (f *Formats) Set(dst corev1.ResourceList, amounts [ComputeResources]int64) bool {
	if f[CPU].mixed || f[Memory].mixed || f[EphemeralStorage].mixed {
		return false
	}
	if cpu := amounts[CPU]; cpu > 0 {
		dst[corev1.ResourceCPU] = *resource.NewMilliQuantity(cpu, f[CPU].format)
	}
	if memory := amounts[Memory]; memory > 0 {
		dst[corev1.ResourceMemory] = *resource.NewQuantity(memory, f[Memory].format)
	}
	if storage := amounts[EphemeralStorage]; storage > 0 {
		dst[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(storage, f[EphemeralStorage].format)
	}
	return true
}

// Both is Compute of requests and limits together, and the class that they make.
type Both struct {
	Requests, Limits Compute
	Class            corev1.PodQOSClass
}

// Read reads all containers of a pod spec whose spec.resources is not set. It reports what
// Compute.Add does of them.
func (b *Both) Read(spec *corev1.PodSpec, rules release.Rules) bool {
	cs := Of(spec)
	even := true // the requests of each container so far equal its limits
	for i := range cs.Len() {
		kind, c := cs.At(i)
		if !b.Requests.Add(kind, c.Resources.Requests, nil) || !b.Limits.Add(kind, c.Resources.Limits, nil) {
			return false
		}
		even = even && b.even()
	}
	if !rules.ClassifiesEachContainer() {
		even = b.even()
	}
	requests, limits := &b.Requests.Resources, &b.Limits.Resources
	b.Class = classOf(
		requests[CPU].positive+requests[Memory].positive+limits[CPU].positive+limits[Memory].positive > 0,
		b.Limits.Complete(CPU) && b.Limits.Complete(Memory), even,
	)
	return true
}

// even reports whether the requests of the containers so far add up to their limits.
func (b *Both) even() bool {
	requests, limits := &b.Requests.Resources, &b.Limits.Resources
	return requests[CPU].all == limits[CPU].all && requests[Memory].all == limits[Memory].all
}
