// Package v1beta2 has the types of Capsule's resource pools, field by field with their tags, for the code of docs/capsule.md:
// no Go module of them can be required here.
//
// Source: github.com/projectcapsule/capsule at 65a4e19e028f, api/v1beta2, pkg/api, pkg/api/meta and pkg/runtime/selectors, under
// the Apache License 2.0. Methods and comments are left out.
package v1beta2

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ResourcePool is Capsule's.
type ResourcePool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   ResourcePoolSpec   `json:"spec"`
	Status ResourcePoolStatus `json:"status,omitzero"`
}

// ResourcePoolSpec is Capsule's.
type ResourcePoolSpec struct {
	Selectors []NamespaceSelector           `json:"selectors,omitempty"`
	Quota     corev1.ResourceQuotaSpec      `json:"quota"`
	Defaults  corev1.ResourceList           `json:"defaults,omitzero"`
	Config    ResourcePoolSpecConfiguration `json:"config,omitzero"`
}

// NamespaceSelector is Capsule's.
type NamespaceSelector struct {
	*metav1.LabelSelector `json:",inline"`
}

// ResourcePoolSpecConfiguration is Capsule's.
type ResourcePoolSpecConfiguration struct {
	DefaultsAssignZero   *bool `json:"defaultsZero,omitempty"`
	OrderedQueue         *bool `json:"orderedQueue,omitempty"`
	DeleteBoundResources *bool `json:"deleteBoundResources,omitempty"`
}

// ResourcePoolStatus is Capsule's.
type ResourcePoolStatus struct {
	ObservedGeneration int64                             `json:"observedGeneration,omitempty"`
	NamespaceSize      uint                              `json:"namespaceCount,omitempty"`
	ClaimSize          uint                              `json:"claimCount,omitempty"`
	Namespaces         []string                          `json:"namespaces,omitempty"`
	Claims             ResourcePoolNamespaceClaimsStatus `json:"claims,omitzero"`
	Allocation         ResourcePoolQuotaStatus           `json:"allocation,omitzero"`
	Exhaustions        map[string]PoolExhaustionResource `json:"exhaustions,omitempty"`
	Conditions         ConditionList                     `json:"conditions,omitzero"`
}

// ResourcePoolNamespaceClaimsStatus is Capsule's.
type ResourcePoolNamespaceClaimsStatus map[string]ResourcePoolClaimsList

// ResourcePoolClaimsList is Capsule's.
type ResourcePoolClaimsList []*ResourcePoolClaimsItem

// ResourcePoolClaimsItem is Capsule's.
type ResourcePoolClaimsItem struct {
	NamespacedRFC1123ObjectReferenceWithNamespaceWithUID `json:",inline"`

	Claims corev1.ResourceList `json:"claims,omitempty"`
}

// ResourcePoolQuotaStatus is Capsule's.
type ResourcePoolQuotaStatus struct {
	Hard      corev1.ResourceList `json:"hard,omitempty"`
	Claimed   corev1.ResourceList `json:"used,omitempty"`
	Available corev1.ResourceList `json:"available,omitempty"`
}

// PoolExhaustionResource is Capsule's.
type PoolExhaustionResource struct {
	Available  resource.Quantity `json:"available,omitzero"`
	Requesting resource.Quantity `json:"requesting,omitzero"`
}

// ResourcePoolClaim is Capsule's.
type ResourcePoolClaim struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   ResourcePoolClaimSpec   `json:"spec"`
	Status ResourcePoolClaimStatus `json:"status,omitzero"`
}

// ResourcePoolClaimSpec is Capsule's.
type ResourcePoolClaimSpec struct {
	Pool           string              `json:"pool"`
	ResourceClaims corev1.ResourceList `json:"claim"`
}

// ResourcePoolClaimStatus is Capsule's.
type ResourcePoolClaimStatus struct {
	ObservedGeneration int64                              `json:"observedGeneration,omitempty"`
	Pool               LocalRFC1123ObjectReferenceWithUID `json:"pool,omitzero"`
	Condition          metav1.Condition                   `json:"condition,omitzero"`
	Conditions         ConditionList                      `json:"conditions,omitzero"`
	Allocation         ResourcePoolQuotaStatus            `json:"allocation,omitzero"`
}

// ConditionList is Capsule's.
type ConditionList []Condition

// Condition is Capsule's.
type Condition metav1.Condition

// RFC1123Name is Capsule's.
type RFC1123Name string

// RFC1123SubdomainName is Capsule's.
type RFC1123SubdomainName string

// LocalRFC1123ObjectReferenceWithUID is Capsule's.
type LocalRFC1123ObjectReferenceWithUID struct {
	types.UID `json:"uid,omitempty"`

	Name RFC1123Name `json:"name,omitempty"`
}

// NamespacedRFC1123ObjectReferenceWithNamespaceWithUID is Capsule's.
type NamespacedRFC1123ObjectReferenceWithNamespaceWithUID struct {
	types.UID `json:"uid,omitempty"`

	Name      RFC1123Name          `json:"name"`
	Namespace RFC1123SubdomainName `json:"namespace,omitempty"`
}
