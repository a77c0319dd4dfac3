package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// This file is the formula for the containers of a pod (KEP-753), one resource at a
// time. App containers and sidecars run together. Init containers run one after the
// other, each beside the sidecars that were started before it:
//
//	use(i)    = Σ sidecars before i + init container i
//	effective = max(Σ app containers + Σ sidecars, max use(i))
//
// What no container states is absent, which is not the same as zero.

// containers are the containers of a pod, seen through one of the lists that each
// of them has: what it requests, its limits, or what its status says of either.
type containers struct {
	spec   *corev1.PodSpec
	source source
	// missing stands in for what a container does not state.
	missing corev1.ResourceList
	// unread counts the entries of all lists that no look-up has met yet. At 0
	// there is nothing left to look for.
	unread int
}

func containersOf(spec *corev1.PodSpec, source source, missing corev1.ResourceList) containers {
	c := containers{spec: spec, source: source, missing: missing}
	for i := range spec.Containers {
		c.unread += len(source.list(&spec.Containers[i]))
	}
	for i := range spec.InitContainers {
		c.unread += len(source.list(&spec.InitContainers[i]))
	}
	return c
}

// effective returns the effective amount of a resource, and whether any container
// states it. It may be called once for each resource.
func (c *containers) effective(name corev1.ResourceName) (total resource.Quantity, found bool) {
	if c.unread == 0 && len(c.missing) == 0 {
		return total, false
	}
	// All sums start from zero, so that none shares a decimal with the pod.
	for i := range c.spec.Containers {
		if q, ok := c.read(&c.spec.Containers[i], name); ok {
			total.Add(q)
			found = true
		}
	}
	var sidecars, peak resource.Quantity
	peaked := false
	for i := range c.spec.InitContainers {
		container := &c.spec.InitContainers[i]
		q, ok := c.read(container, name)
		if !ok {
			continue
		}
		var use resource.Quantity
		if initKind(container) == Sidecar {
			total.Add(q)
			found = true
			sidecars.Add(q)
			use.Add(sidecars)
		} else {
			use.Add(q)
			use.Add(sidecars)
		}
		if !peaked || use.Cmp(peak) > 0 {
			peak, peaked = use, true
		}
	}
	if peaked && (!found || peak.Cmp(total) > 0) {
		return peak, true
	}
	return total, found
}

// read returns what a container states for a resource, or what stands in for it.
// The quantity may share its decimal with the pod.
func (c *containers) read(container *corev1.Container, name corev1.ResourceName) (resource.Quantity, bool) {
	q, ok := c.source.list(container)[name]
	if ok {
		c.unread--
		return q, true
	}
	q, ok = c.missing[name]
	return q, ok
}

// maxContainers is how many small amounts can be added within an int64.
const maxContainers = 1000

// effectiveSmall is effective in whole units of 10^scale without quantities in
// between, and whether every container states more than zero. Amounts are not
// negative here, so what sidecars use at their start never exceeds the total. If
// it is not ok, it has read nothing, and effective is to be asked.
func (c *containers) effectiveSmall(name corev1.ResourceName, scale resource.Scale) (total int64, complete, ok bool) {
	without := len(c.spec.Containers) + len(c.spec.InitContainers)
	if len(c.missing) > 0 || without > maxContainers {
		return 0, false, false
	}
	if c.unread == 0 {
		return 0, without == 0, true
	}
	stated := 0
	for i := range c.spec.Containers {
		amount, exact := resourcelist.Small(c.source.list(&c.spec.Containers[i]), name, scale)
		if !exact {
			return 0, false, false
		}
		if amount == resourcelist.Absent {
			continue
		}
		stated++
		if amount > 0 {
			without--
		}
		total += amount
	}
	var sidecars, peak int64
	for i := range c.spec.InitContainers {
		container := &c.spec.InitContainers[i]
		amount, exact := resourcelist.Small(c.source.list(container), name, scale)
		if !exact {
			return 0, false, false
		}
		if amount == resourcelist.Absent {
			continue
		}
		stated++
		if amount > 0 {
			without--
		}
		if initKind(container) == Sidecar {
			total += amount
			sidecars += amount
		} else {
			peak = max(peak, sidecars+amount)
		}
	}
	c.unread -= stated
	return max(total, peak), without == 0, true
}

// complete reports whether every container states more than zero of a resource.
func (c *containers) complete(name corev1.ResourceName) bool {
	for i := range c.spec.Containers {
		if !c.states(&c.spec.Containers[i], name) {
			return false
		}
	}
	for i := range c.spec.InitContainers {
		if !c.states(&c.spec.InitContainers[i], name) {
			return false
		}
	}
	return true
}

func (c *containers) states(container *corev1.Container, name corev1.ResourceName) bool {
	q, ok := c.source.list(container)[name]
	if !ok {
		q = c.missing[name]
	}
	return q.Sign() > 0
}
