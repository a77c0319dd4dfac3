package pool

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Quota returns the ResourceQuota of a pool in a namespace, named "capsule-pool-" and the name of
// the pool, with the scopes of the pool. Its spec.hard is the sum of the holding claims of the
// namespace (Allocation.Namespaces), plus the defaults of the pool: claimed amounts of zero are
// left out, defaults of zero are not. With defaultsZero, a resource of the pool that has neither
// is zero, so none of it can be used. Resources that are not listed are not limited. The result
// for a nil pool is nil.
//
// The labels are those that Capsule sets: PoolLabel, and projectcapsule.dev/managed-by with the value controller. The
// pool is the controlling owner, so the quota is deleted with it. A pool without a UID, which was never stored, is not
// set as the owner.
//
// Source: GetResourceQuotaHardResources and syncResourceQuota of Capsule.
func Quota(p *ResourcePool, namespace string, claimed corev1.ResourceList) *corev1.ResourceQuota {
	if p == nil {
		return nil
	}
	hard := corev1.ResourceList{}
	for _, name := range quantity.Names(claimed, p.Spec.Defaults) {
		scale := quantity.ScaleOf(name)
		holding, byDefault := claimed[name], p.Spec.Defaults[name]
		format := cmp.Or(p.Spec.Quota.Hard[name].Format, holding.Format, byDefault.Format, resource.DecimalSI)
		sum := quantity.AmountOf(&holding, scale).Plus(quantity.AmountOf(&byDefault, scale), scale)
		if _, ok := p.Spec.Defaults[name]; ok || !sum.IsZero() {
			hard[name] = sum.Quantity(scale, format)
		}
	}
	if p.Spec.Config.DefaultsZero {
		for name, q := range p.Spec.Quota.Hard {
			if _, ok := hard[name]; !ok {
				hard[name] = *resource.NewQuantity(0, q.Format)
			}
		}
	}
	quota := &corev1.ResourceQuota{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ResourceQuota"},
		ObjectMeta: metav1.ObjectMeta{
			Name:      "capsule-pool-" + p.Name,
			Namespace: namespace,
			Labels:    map[string]string{PoolLabel: p.Name, "projectcapsule.dev/managed-by": "controller"},
		},
		Spec: corev1.ResourceQuotaSpec{
			Hard:          hard,
			Scopes:        slices.Clone(p.Spec.Quota.Scopes),
			ScopeSelector: p.Spec.Quota.ScopeSelector.DeepCopy(),
		},
	}
	if p.UID != "" {
		kind := schema.FromAPIVersionAndKind(APIVersion, "ResourcePool")
		quota.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(p, kind)}
	}
	return quota
}
