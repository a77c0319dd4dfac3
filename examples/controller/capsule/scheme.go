// Package capsule is the API group capsule.clastix.io for controllers: a scheme for the types of package pool, and
// the CustomResourceDefinitions.
package capsule

import (
	_ "embed"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/pool"
)

// Definitions are the manifests of the two CustomResourceDefinitions.
//
//go:embed definitions.yaml
var Definitions string

// AddToScheme makes a scheme know the types of the group.
func AddToScheme(scheme *runtime.Scheme) error {
	version, err := schema.ParseGroupVersion(pool.APIVersion)
	if err != nil {
		return err
	}
	scheme.AddKnownTypes(version, &pool.ResourcePool{}, &pool.ResourcePoolList{}, &pool.ResourcePoolClaim{}, &pool.ResourcePoolClaimList{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}

// Kind returns a kind of the group, for errors.
func Kind(kind string) schema.GroupKind {
	return schema.FromAPIVersionAndKind(pool.APIVersion, kind).GroupKind()
}
