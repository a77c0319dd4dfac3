package resourcepool

import (
	"embed"
	"io/fs"
	"iter"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota/admit"
)

// Samples are what the program reads without files, in the folder samples.
//
//go:embed samples/*.yaml
var Samples embed.FS

// samples returns the names and the texts of the samples.
func samples() iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		names, _ := fs.Glob(Samples, "samples/*.yaml") // the pattern is valid
		for _, name := range names {
			text, _ := Samples.ReadFile(name) // which is embedded
			if !yield(name, string(text)) {
				return
			}
		}
	}
}

var kinds = objects.Kinds{
	{"v1", "Namespace"}:                    reflect.TypeFor[corev1.Namespace](),
	{"v1", "ResourceQuota"}:                reflect.TypeFor[corev1.ResourceQuota](),
	{pool.APIVersion, "Tenant"}:            reflect.TypeFor[tenant](),
	{pool.APIVersion, "ResourcePool"}:      reflect.TypeFor[pool.ResourcePool](),
	{pool.APIVersion, "ResourcePoolClaim"}: reflect.TypeFor[pool.ResourcePoolClaim](),
}

// tenant has the fields of Capsule's Tenant that a migration needs.
type tenant = inventory.Manifest[tenantSpec]

type tenantSpec struct {
	ResourceQuotas struct {
		Items []corev1.ResourceQuotaSpec `json:"items"`
	} `json:"resourceQuotas"`
}

func clusterOf(all iter.Seq[objects.Object]) *cluster {
	c := &cluster{}
	c.Check = check
	c.Read(all)
	c.pools, c.claims = inventory.Of[*pool.ResourcePool](&c.List), inventory.Of[*pool.ResourcePoolClaim](&c.List)
	c.namespaces, c.quotas = inventory.Of[*corev1.Namespace](&c.List), inventory.Of[*corev1.ResourceQuota](&c.List)
	c.tenants = inventory.Of[*tenant](&c.List)
	return c
}

func check(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *pool.ResourcePool:
		return pool.ValidatePool(nil, o)
	case *pool.ResourcePoolClaim:
		return pool.ValidateClaim(nil, o, pool.AdmissionOptions{})
	}
	return nil
}
