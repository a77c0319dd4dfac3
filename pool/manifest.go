package pool

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The apiVersion of manifests, the annotation that releases a claim, and the labels of the
// ResourceQuotas that a pool maintains: PoolLabel has the name of the pool.
const (
	APIVersion        = "capsule.clastix.io/v1beta2"
	ReleaseAnnotation = "projectcapsule.dev/release"
	PoolLabel         = "projectcapsule.dev/pool"
)

// ResourcePool is a set of resources that the claims of some namespaces share. Its JSON
// is that of the manifest.
type ResourcePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ResourcePoolSpec   `json:"spec"`
	Status ResourcePoolStatus `json:"status,omitzero"`
}

// ResourcePoolList is a list of pools, as clients read it.
type ResourcePoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ResourcePool `json:"items"`
}

// ResourcePoolSpec is the capacity of a pool, and the namespaces that may claim from it.
type ResourcePoolSpec struct {
	// Selectors select namespaces. A namespace is selected if one of them matches. An empty
	// selector selects none.
	Selectors []metav1.LabelSelector `json:"selectors,omitempty"`
	// Quota is the capacity, in the form of a ResourceQuota spec. Its scopes are copied to the
	// ResourceQuota of each namespace.
	Quota corev1.ResourceQuotaSpec `json:"quota"`
	// Defaults are added to what the claims hold in the ResourceQuota of every namespace of the pool, and are listed
	// there even if they are zero. They do not count as claimed.
	Defaults corev1.ResourceList `json:"defaults,omitempty"`
	Config   ResourcePoolConfig  `json:"config,omitzero"`
}

// ResourcePoolConfig is how a pool treats its claims. The zero value is the default.
type ResourcePoolConfig struct {
	// DefaultsZero makes zero the default of every resource of the quota that has no
	// other.
	DefaultsZero bool `json:"defaultsZero,omitempty"`
	// OrderedQueue makes claims wait for a resource if an earlier claim waits for it.
	OrderedQueue bool `json:"orderedQueue,omitempty"`
	// DeleteBoundResources makes holding claims go with the pool.
	DeleteBoundResources bool `json:"deleteBoundResources,omitempty"`
}

// ResourcePoolStatus is what Allocation.Status computes. ObservedGeneration and Conditions are
// those of the current API, and empty in the documented one. An Allocation without amounts is left out of the JSON: an
// empty object, which Capsule writes for a new pool, means the same.
type ResourcePoolStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	NamespaceCount int                                `json:"namespaceCount,omitempty"`
	ClaimCount     int                                `json:"claimCount,omitempty"` // holding claims
	Namespaces     []string                           `json:"namespaces,omitempty"`
	Claims         map[string][]RecordedClaim         `json:"claims,omitempty"` // by namespace
	Allocation     AllocationStatus                   `json:"allocation,omitzero"`
	Exhaustions    map[corev1.ResourceName]Exhaustion `json:"exhaustions,omitempty"`
	Conditions     []metav1.Condition                 `json:"conditions,omitempty"`
}

// AllocationStatus is the capacity of a pool, what is claimed, and what is available.
type AllocationStatus struct {
	Hard      corev1.ResourceList `json:"hard,omitempty"`
	Claimed   corev1.ResourceList `json:"used,omitempty"`
	Available corev1.ResourceList `json:"available,omitempty"`
}

// RecordedClaim is a claim that holds resources of a pool, and what it holds. The Namespace is that of the list with
// the entry; only the current API sets it.
type RecordedClaim struct {
	Name      string              `json:"name,omitempty"`
	Namespace string              `json:"namespace,omitempty"`
	UID       types.UID           `json:"uid,omitempty"`
	Claims    corev1.ResourceList `json:"claims,omitempty"`
}

// Exhaustion is a resource that a claim found too little of.
type Exhaustion struct {
	// Available is what remained of the resource when the first such claim had its turn.
	Available resource.Quantity `json:"available,omitempty"`
	// Requesting is the sum of the requests of all such claims. In an ordered queue, there is only
	// one such claim.
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

// ResourcePoolClaimList is a list of claims, as clients read it.
type ResourcePoolClaimList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []ResourcePoolClaim `json:"items"`
}

// ResourcePoolClaimSpec is what is claimed, and from which pool.
type ResourcePoolClaimSpec struct {
	// Pool is the name of the pool; without one, Assign looks for it.
	Pool string `json:"pool,omitempty"`
	// Claim are the amounts.
	Claim corev1.ResourceList `json:"claim"`
}

// ResourcePoolClaimStatus is the status of a claim. The documented API uses the field Condition,
// the current one all other fields.
type ResourcePoolClaimStatus struct {
	ObservedGeneration int64                  `json:"observedGeneration,omitempty"`
	Pool               corev1.ObjectReference `json:"pool,omitzero"` // name and UID of the assigned pool
	Condition          metav1.Condition       `json:"condition,omitzero"`
	Conditions         []metav1.Condition     `json:"conditions,omitempty"`
	Allocation         AllocationStatus       `json:"allocation,omitzero"`
}

// Key returns the namespace and name of the claim, as in decisions. It is zero for a nil claim.
func (c *ResourcePoolClaim) Key() types.NamespacedName {
	if c == nil {
		return types.NamespacedName{}
	}
	return types.NamespacedName{Namespace: c.Namespace, Name: c.Name}
}

// Holding reports whether the status of the claim says that it holds resources: it has a pool and either
// the documented condition Bound, or the current condition Exhausted with status False. A holding
// claim need not be in use: see InUse. A nil claim holds nothing.
//
// How much a claim holds is for the pool's status to say: see [Record].
func (c *ResourcePoolClaim) Holding() bool {
	return c.holdsAsDocumented() || c.has(conditionExhausted, metav1.ConditionFalse)
}

// InUse reports whether the claim's own status says that the usage of its namespace needs it:
// with the condition Bound of the current API at True, and a pool. The documented API does not
// say. A nil claim is not in use.
func (c *ResourcePoolClaim) InUse() bool { return c.has(conditionBound, metav1.ConditionTrue) }

// has reports whether the status has a pool, and a condition of the current API in a state.
func (c *ResourcePoolClaim) has(condition string, status metav1.ConditionStatus) bool {
	if c == nil || c.Status.Pool.Name == "" {
		return false
	}
	return slices.ContainsFunc(c.Status.Conditions, func(is metav1.Condition) bool {
		return is.Type == condition && is.Status == status
	})
}

func (c *ResourcePoolClaim) holdsAsDocumented() bool {
	if c == nil || c.Status.Pool.Name == "" {
		return false
	}
	return c.Status.Condition.Type == conditionBound && c.Status.Condition.Status == metav1.ConditionTrue
}

// Released reports whether the annotation requests that the claim is released. A nil claim is not
// released.
func (c *ResourcePoolClaim) Released() bool {
	return c != nil && strings.EqualFold(c.Annotations[ReleaseAnnotation], "true")
}

// ClaimsFrom reports whether the claim is one of a pool's. A claim that cannot be moved is one of the pool
// that its status names: while it is in use, or has the documented condition Bound, until it is
// released. Any other claim is one of the pool that its spec names, or of none. The UID of the pool in
// the status counts if both sides know it. Nil on either side is no.
func (c *ResourcePoolClaim) ClaimsFrom(p *ResourcePool) bool {
	if c == nil || p == nil {
		return false
	}
	if c.stays() {
		return c.refersTo(p)
	}
	return c.Spec.Pool == p.Name
}

// stays reports whether the claim stays with the pool that its status names.
func (c *ResourcePoolClaim) stays() bool { return c.holdsAsDocumented() || c.InUse() }

// refersTo reports whether the status of the claim names the pool.
func (c *ResourcePoolClaim) refersTo(p *ResourcePool) bool {
	return c.Status.Pool.Name == p.Name && sameUID(c.Status.Pool.UID, p.UID)
}
