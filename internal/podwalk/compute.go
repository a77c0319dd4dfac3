package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// Compute is what the containers of a pod request, or are limited to, of the resources that
// nearly every pod sets, in integers that are exact: milli-units of cpu, bytes of memory and
// ephemeral storage. It is the fast path of Sum over Exact.
type Compute struct {
	CPU, Memory, EphemeralStorage Resource

	containers int
	entries    int // of all containers, of any resource
}

// Resource is what the containers of a pod set of one resource.
type Resource struct {
	sum      Units
	positive int             // how many containers set more than zero
	format   resource.Format // of the first amount above zero
	mixed    bool            // another amount above zero has another format
}

// Read adds up one list of all containers, and reports whether all amounts of the three
// resources are exact in integers, and none is negative. If not, c is of no use. Before, c is
// the zero value.
func (c *Compute) Read(spec *corev1.PodSpec, list List) bool {
	cs := Of(spec)
	if cs.Len() > resourcelist.MaxSmallSum {
		return false
	}
	for i := range cs.Len() {
		kind, container := cs.At(i)
		if _, ok := c.add(kind, list.Of(&container.Resources)); !ok {
			return false
		}
	}
	return true
}

// units are what one container sets.
type units struct{ cpu, memory, storage int64 }

// add adds a container, and reports whether its amounts are exact.
func (c *Compute) add(kind Kind, list corev1.ResourceList) (u units, ok bool) {
	c.containers++
	c.entries += len(list)
	unread := len(list)
	q := list[corev1.ResourceCPU]
	if u.cpu, ok = resourcelist.SmallMilli(&q); !ok {
		return u, false
	}
	if u.cpu > 0 {
		unread--
		c.CPU.add(kind, u.cpu, q.Format)
	}
	q = list[corev1.ResourceMemory]
	if u.memory, ok = resourcelist.SmallWhole(&q); !ok {
		return u, false
	}
	if u.memory > 0 {
		unread--
		c.Memory.add(kind, u.memory, q.Format)
	}
	if unread == 0 {
		return u, true
	}
	q = list[corev1.ResourceEphemeralStorage]
	if u.storage, ok = resourcelist.SmallWhole(&q); !ok {
		return u, false
	}
	if u.storage > 0 {
		c.EphemeralStorage.add(kind, u.storage, q.Format)
	}
	return u, true
}

// add adds an amount above zero. To leave zero out changes no sum.
func (r *Resource) add(kind Kind, amount int64, format resource.Format) {
	r.sum.Add(kind, amount)
	if r.positive == 0 {
		r.format = format
	}
	r.mixed = r.mixed || format != r.format
	r.positive++
}

// Total returns what the pod needs; 0 if no container sets the resource.
func (r *Resource) Total() int64 { return r.sum.Total() }

// Complete reports whether every container of the pod sets more than zero of r, which is a
// resource of c. It is true for a pod without containers.
func (c *Compute) Complete(r *Resource) bool { return r.positive == c.containers }

// IsAll reports whether the containers set nothing but what c has above zero: no other
// resource, and no zero.
func (c *Compute) IsAll() bool {
	return c.CPU.positive+c.Memory.positive+c.EphemeralStorage.positive == c.entries
}

// Into adds an entry to dst for each resource that is set, and reports whether these are the
// entries of Sum: IsAll, and the amounts of each resource have one format. If not, it leaves
// dst as it is.
func (c *Compute) Into(dst corev1.ResourceList) bool {
	if !c.IsAll() || c.CPU.mixed || c.Memory.mixed || c.EphemeralStorage.mixed {
		return false
	}
	if r := &c.CPU; r.positive > 0 {
		dst[corev1.ResourceCPU] = *resource.NewMilliQuantity(r.Total(), r.format)
	}
	if r := &c.Memory; r.positive > 0 {
		dst[corev1.ResourceMemory] = *resource.NewQuantity(r.Total(), r.format)
	}
	if r := &c.EphemeralStorage; r.positive > 0 {
		dst[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(r.Total(), r.format)
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
	if cs.Len() > resourcelist.MaxSmallSum {
		return false
	}
	var class classifier
	for i := range cs.Len() {
		kind, container := cs.At(i)
		requests, ok := b.Requests.add(kind, container.Resources.Requests)
		if !ok {
			return false
		}
		limits, ok := b.Limits.add(kind, container.Resources.Limits)
		if !ok {
			return false
		}
		class.addUnits(requests, limits)
	}
	b.Class = class.class(spec)
	return true
}
