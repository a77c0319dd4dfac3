package pool

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What manifests say of themselves, and the annotation by which a claim gives back what
// it has.
const (
	APIVersion        = "capsule.clastix.io/v1beta2"
	ReleaseAnnotation = "projectcapsule.dev/release"
)

// ResourcePool is a set of resources that the claims of some namespaces share. Its JSON
// is that of the manifest.
type ResourcePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ResourcePoolSpec   `json:"spec"`
	Status ResourcePoolStatus `json:"status,omitzero"`
}

// ResourcePoolSpec says what there is, and for whom.
type ResourcePoolSpec struct {
	// Selectors choose namespaces, each on its own: one that matches is enough.
	Selectors []metav1.LabelSelector `json:"selectors,omitempty"`
	// Quota is what there is in all, as a ResourceQuota states it. Its scopes go to
	// the ResourceQuota of each namespace.
	Quota corev1.ResourceQuotaSpec `json:"quota"`
	// Defaults are in the ResourceQuota of each namespace without a claim, and do not
	// count as claimed.
	Defaults corev1.ResourceList `json:"defaults,omitempty"`
	Config   ResourcePoolConfig  `json:"config,omitzero"`
}

// ResourcePoolConfig is how a pool treats its claims. The zero value is the default.
type ResourcePoolConfig struct {
	// DefaultsZero makes zero the default of every resource of the quota that has no
	// other.
	DefaultsZero bool `json:"defaultsZero,omitempty"`
	// OrderedQueue makes claims wait for a resource behind an earlier claim that waits
	// for it.
	OrderedQueue bool `json:"orderedQueue,omitempty"`
	// DeleteBoundResources makes bound claims go with the pool.
	DeleteBoundResources bool `json:"deleteBoundResources,omitempty"`
}

// ResourcePoolStatus is what Allocation.Status computes.
type ResourcePoolStatus struct {
	NamespaceCount int                                `json:"namespaceCount,omitempty"`
	ClaimCount     int                                `json:"claimCount,omitempty"` // bound claims
	Namespaces     []string                           `json:"namespaces,omitempty"`
	Claims         map[string][]BoundClaim            `json:"claims,omitempty"` // by namespace
	Allocation     AllocationStatus                   `json:"allocation,omitzero"`
	Exhaustions    map[corev1.ResourceName]Exhaustion `json:"exhaustions,omitempty"`
}

// AllocationStatus is what a pool has, what of it is claimed, and what is left.
type AllocationStatus struct {
	Hard      corev1.ResourceList `json:"hard,omitempty"`
	Claimed   corev1.ResourceList `json:"used,omitempty"`
	Available corev1.ResourceList `json:"available,omitempty"`
}

// BoundClaim is a bound claim, and what it has.
type BoundClaim struct {
	Name   string              `json:"name,omitempty"`
	UID    types.UID           `json:"uid,omitempty"`
	Claims corev1.ResourceList `json:"claims,omitempty"`
}

// Exhaustion is a resource that a claim found too little of.
type Exhaustion struct {
	// Available is what was left of the resource when the first such claim had its turn.
	Available resource.Quantity `json:"available,omitempty"`
	// Requesting is what all such claims ask for. In an ordered queue there is but one.
	Requesting resource.Quantity `json:"requesting,omitempty"`
}

// ResourcePoolClaim is what a namespace claims from one pool. Its JSON is that of the
// manifest.
type ResourcePoolClaim struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ResourcePoolClaimSpec   `json:"spec"`
	Status ResourcePoolClaimStatus `json:"status,omitzero"`
}

// ResourcePoolClaimSpec says what is claimed, and from whom.
type ResourcePoolClaimSpec struct {
	// Pool is the name of the pool; without one, Assign looks for it.
	Pool string `json:"pool,omitempty"`
	// Claim are the amounts.
	Claim corev1.ResourceList `json:"claim"`
}

// ResourcePoolClaimStatus is what has become of a claim.
type ResourcePoolClaimStatus struct {
	Pool      PoolReference    `json:"pool,omitzero"`
	Condition metav1.Condition `json:"condition,omitzero"`
}

// PoolReference is the pool that a claim is assigned to.
type PoolReference struct {
	Name string    `json:"name,omitempty"`
	UID  types.UID `json:"uid,omitempty"`
}

// Bound reports whether the status says that the claim has what it asks for, from any
// pool. A nil claim is not bound.
func (c *ResourcePoolClaim) Bound() bool {
	return c != nil && c.Status.Condition.Type == conditionBound && c.Status.Condition.Status == metav1.ConditionTrue && c.Status.Pool.Name != ""
}

// Released reports whether the annotation asks to give back what the claim has. A nil
// claim is not released.
func (c *ResourcePoolClaim) Released() bool {
	return c != nil && strings.EqualFold(c.Annotations[ReleaseAnnotation], "true")
}

// ClaimsFrom reports whether the claim is one of a pool's: bound to it or, if it is not bound to
// any, naming it in its spec. A bound claim stays with its pool whatever its spec says
// since then, until it is released. The UID of the pool counts if both sides know it.
// Nil on either side is no.
func (c *ResourcePoolClaim) ClaimsFrom(p *ResourcePool) bool {
	if c == nil || p == nil {
		return false
	}
	if !c.Bound() {
		return c.Spec.Pool == p.Name
	}
	ref := c.Status.Pool
	return ref.Name == p.Name && (ref.UID == "" || p.UID == "" || ref.UID == p.UID)
}
