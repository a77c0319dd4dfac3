package pool

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

var (
	_ runtime.Object = (*ResourcePool)(nil)
	_ runtime.Object = (*ResourcePoolClaim)(nil)
	_ runtime.Object = (*ResourcePoolList)(nil)
	_ runtime.Object = (*ResourcePoolClaimList)(nil)
	_ metav1.Object  = (*ResourcePool)(nil)
	_ metav1.Object  = (*ResourcePoolClaim)(nil)
)

// DeepCopy returns a copy that shares no memory with p, and nil for nil.
func (p *ResourcePool) DeepCopy() *ResourcePool {
	if p == nil {
		return nil
	}
	c := &ResourcePool{TypeMeta: p.TypeMeta}
	p.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.Spec = ResourcePoolSpec{
		Selectors: copyEach(p.Spec.Selectors, func(s metav1.LabelSelector) *metav1.LabelSelector { return s.DeepCopy() }),
		Quota:     *p.Spec.Quota.DeepCopy(),
		Defaults:  p.Spec.Defaults.DeepCopy(),
		Config:    p.Spec.Config,
	}
	c.Status = *p.Status.deepCopy()
	return c
}

// DeepCopyObject is DeepCopy for runtime.Object.
func (p *ResourcePool) DeepCopyObject() runtime.Object { return p.DeepCopy() }

func (s *ResourcePoolStatus) deepCopy() *ResourcePoolStatus {
	c := *s
	c.Conditions = copyEach(s.Conditions, func(m metav1.Condition) *metav1.Condition { return m.DeepCopy() })
	c.Namespaces = slices.Clone(s.Namespaces)
	c.Claims = maps.Clone(s.Claims)
	for namespace, claims := range c.Claims {
		c.Claims[namespace] = copyEach(claims, func(b RecordedClaim) *RecordedClaim {
			b.Claims = b.Claims.DeepCopy()
			return &b
		})
	}
	c.Allocation = s.Allocation.deepCopy()
	c.Exhaustions = maps.Clone(s.Exhaustions)
	for name, e := range c.Exhaustions {
		c.Exhaustions[name] = Exhaustion{Available: e.Available.DeepCopy(), Requesting: e.Requesting.DeepCopy()}
	}
	return &c
}

func (a *AllocationStatus) deepCopy() AllocationStatus {
	return AllocationStatus{a.Hard.DeepCopy(), a.Claimed.DeepCopy(), a.Available.DeepCopy()}
}

// DeepCopy returns a copy that shares no memory with c, and nil for nil.
func (c *ResourcePoolClaim) DeepCopy() *ResourcePoolClaim {
	if c == nil {
		return nil
	}
	d := &ResourcePoolClaim{TypeMeta: c.TypeMeta}
	c.ObjectMeta.DeepCopyInto(&d.ObjectMeta)
	d.Spec = ResourcePoolClaimSpec{Pool: c.Spec.Pool, Claim: c.Spec.Claim.DeepCopy()}
	d.Status = c.Status
	d.Status.Condition = *c.Status.Condition.DeepCopy()
	d.Status.Conditions = copyEach(c.Status.Conditions, func(m metav1.Condition) *metav1.Condition { return m.DeepCopy() })
	d.Status.Allocation = c.Status.Allocation.deepCopy()
	return d
}

// DeepCopyObject is DeepCopy for runtime.Object.
func (c *ResourcePoolClaim) DeepCopyObject() runtime.Object { return c.DeepCopy() }

// DeepCopy returns a copy that shares no memory with l, and nil for nil.
func (l *ResourcePoolList) DeepCopy() *ResourcePoolList {
	if l == nil {
		return nil
	}
	c := &ResourcePoolList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	c.Items = copyEach(l.Items, func(p ResourcePool) *ResourcePool { return p.DeepCopy() })
	return c
}

// DeepCopyObject is DeepCopy for runtime.Object.
func (l *ResourcePoolList) DeepCopyObject() runtime.Object { return l.DeepCopy() }

// DeepCopy returns a copy that shares no memory with l, and nil for nil.
func (l *ResourcePoolClaimList) DeepCopy() *ResourcePoolClaimList {
	if l == nil {
		return nil
	}
	c := &ResourcePoolClaimList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	c.Items = copyEach(l.Items, func(claim ResourcePoolClaim) *ResourcePoolClaim { return claim.DeepCopy() })
	return c
}

// DeepCopyObject is DeepCopy for runtime.Object.
func (l *ResourcePoolClaimList) DeepCopyObject() runtime.Object { return l.DeepCopy() }

// copyEach copies a list by copying its elements; nil stays nil.
func copyEach[T any](list []T, deepCopy func(T) *T) []T {
	if list == nil {
		return nil
	}
	c := make([]T, len(list))
	for i := range list {
		c[i] = *deepCopy(list[i])
	}
	return c
}
