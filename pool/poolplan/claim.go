package poolplan

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
)

// Claim returns the claim on a pool that a number of pods need: what one pod costs in a
// quota, so many times, of the resources that the pool offers. Anything else that a pod
// costs is not limited by the pool's ResourceQuota, and cannot be claimed from it; what the
// pod needs none of is left out. The cost is that of an object of the quota, by its names
// there: requests.cpu, limits.memory, pods.
//
// It is an error if the pool is nil, if there is less than one pod, if a cost is below zero,
// and if nothing is left to claim.
func Claim(p *pool.ResourcePool, name types.NamespacedName, cost corev1.ResourceList, pods int) (*pool.ResourcePoolClaim, error) {
	if p == nil {
		return nil, fmt.Errorf("claim %s: no pool", name)
	}
	if pods < 1 {
		return nil, fmt.Errorf("claim %s: for %d pods", name, pods)
	}
	c := &pool.ResourcePoolClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: pool.APIVersion, Kind: "ResourcePoolClaim"},
		ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name},
		Spec:       pool.ResourcePoolClaimSpec{Pool: p.Name, Claim: corev1.ResourceList{}},
	}
	for _, of := range quantity.Names(cost) {
		each := cost[of]
		if each.Sign() < 0 {
			return nil, fmt.Errorf("claim %s: a pod costs %s=%s", name, of, each.String())
		}
		if _, offered := p.Spec.Quota.Hard[of]; offered && each.Sign() > 0 {
			c.Spec.Claim[of] = quantity.Times(each, int64(pods))
		}
	}
	if len(c.Spec.Claim) == 0 {
		return nil, fmt.Errorf("claim %s: a pod costs nothing that pool %s offers", name, p.Name)
	}
	return c, nil
}
