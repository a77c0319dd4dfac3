package limitrange

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// withinRatio returns what else would meet a ratio that is exceeded: the least request for
// the limit that was found, and the greatest limit for the request, both in thousandths of
// cpu and whole units of anything else. There may be none, with a ratio below 1.
func (v Violation) withinRatio() (request, limit resource.Quantity, possible bool) {
	ratio := resourcelist.Rational(v.Enforced)
	if ratio.Cmp(big.NewRat(1, 1)) < 0 || v.Request.Sign() <= 0 || v.Limit.Sign() <= 0 {
		return request, limit, false
	}
	scale := resource.Scale(0)
	if v.Resource == corev1.ResourceCPU {
		scale = resource.Milli
	}
	least := resourcelist.Ceil(new(big.Rat).Quo(resourcelist.Rational(*v.Limit), ratio), scale)
	greatest, _ := resourcelist.Floor(new(big.Rat).Mul(resourcelist.Rational(*v.Request), ratio), scale)
	return resourcelist.OfUnits(least, scale, v.Request.Format), resourcelist.OfUnits(greatest, scale, v.Limit.Format), true
}
