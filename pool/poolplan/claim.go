package poolplan

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
)

// Claim returns a claim with this name for a number of pods: the usage of one pod, multiplied, for
// the resources that the pool offers. Other resources are not limited by the pool's ResourceQuota
// and cannot be claimed; resources with a usage of zero are omitted. Usage is the result of
// quota.Object.Usage, with the resource names of quotas: requests.cpu, limits.memory, pods.
//
// It is an error if the pool is nil, if there is less than one pod, if an amount is negative, or if
// there is nothing to claim.
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
