package poolplan

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
)

// Claim returns the claim of a name that a number of pods need from a pool: the usage of one
// pod, so many times, of the resources that the pool offers. Anything else that a pod uses is
// not limited by the pool's ResourceQuota, and cannot be claimed from it; what the pod uses
// none of is left out. Usage is what quota.Object.Usage returns, by the names that quotas
// have: requests.cpu, limits.memory, pods.
//
// It is an error if the pool is nil, if there is less than one pod, if an amount is negative,
// and if nothing remains to claim.
func Claim(name types.NamespacedName, usage corev1.ResourceList, pods int, p *pool.ResourcePool) (*pool.ResourcePoolClaim, error) {
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
	for _, of := range quantity.Names(usage) {
		each := usage[of]
		if each.Sign() < 0 {
			return nil, fmt.Errorf("claim %s: a pod uses %s=%s", name, of, each.String())
		}
		if _, offered := p.Spec.Quota.Hard[of]; offered && each.Sign() > 0 {
			c.Spec.Claim[of] = quantity.Times(each, int64(pods))
		}
	}
	if len(c.Spec.Claim) == 0 {
		return nil, fmt.Errorf("claim %s: a pod uses nothing that pool %s offers", name, p.Name)
	}
	return c, nil
}
