package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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

// count sets unread.
func (c *containers) count() {
	for i := range c.spec.Containers {
		c.unread += len(c.source.list(&c.spec.Containers[i]))
	}
	for i := range c.spec.InitContainers {
		c.unread += len(c.source.list(&c.spec.InitContainers[i]))
	}
}

// effective sets total, which is zero before, to the effective amount of a resource,
// and reports whether any container states it. It may be called once for each
// resource. Every sum starts from zero, so that it never shares a decimal with the
// pod.
func (c *containers) effective(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if c.unread == 0 && len(c.missing) == 0 {
		return false
	}
	for i := range c.spec.Containers {
		list := c.source.list(&c.spec.Containers[i])
		q := list[name]
		if q.IsZero() && c.absent(list, name, &q) {
			continue
		}
		c.unread--
		total.Add(q)
		found = true
	}
	if len(c.spec.InitContainers) == 0 {
		return found
	}
	var sidecars, peak resource.Quantity
	peaked := false
	for i := range c.spec.InitContainers {
		container := &c.spec.InitContainers[i]
		list := c.source.list(container)
		q := list[name]
		if q.IsZero() && c.absent(list, name, &q) {
			continue
		}
		c.unread--
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
	if peaked && (!found || peak.Cmp(*total) > 0) {
		*total = peak
		found = true
	}
	return found
}

// absent reports whether a zero that was read from list stands for nothing at all. If
// something else stands in for what is missing, it sets q to that.
func (c *containers) absent(list corev1.ResourceList, name corev1.ResourceName, q *resource.Quantity) bool {
	if _, stated := list[name]; stated {
		return false
	}
	standIn, ok := c.missing[name]
	if !ok {
		return true
	}
	c.unread++ // the entry was not one of the container's
	*q = standIn
	return false
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
