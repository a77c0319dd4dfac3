// Package capsule is the API group capsule.clastix.io for controllers: the types of package
// pool with their lists, a scheme, and the CustomResourceDefinitions.
package capsule

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/pool"
)

// ResourcePoolList is a list of ResourcePools.
type ResourcePoolList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []pool.ResourcePool `json:"items"`
}

// DeepCopyObject returns a copy that shares nothing with l.
func (l *ResourcePoolList) DeepCopyObject() runtime.Object {
	c := &ResourcePoolList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&c.ListMeta)
	for i := range l.Items {
		c.Items = append(c.Items, *l.Items[i].DeepCopy())
	}
	return c
}

// Pointers returns the pools as kubemath takes them.
func (l *ResourcePoolList) Pointers() []*pool.ResourcePool { return computeresources.Pointers(l.Items) }

// ResourcePoolClaimList is a list of ResourcePoolClaims.
type ResourcePoolClaimList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []pool.ResourcePoolClaim `json:"items"`
}

// DeepCopyObject returns a copy that shares nothing with l.
func (l *ResourcePoolClaimList) DeepCopyObject() runtime.Object {
	c := &ResourcePoolClaimList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&c.ListMeta)
	for i := range l.Items {
		c.Items = append(c.Items, *l.Items[i].DeepCopy())
	}
	return c
}

// Pointers returns the claims as kubemath takes them.
func (l *ResourcePoolClaimList) Pointers() []*pool.ResourcePoolClaim {
	return computeresources.Pointers(l.Items)
}
