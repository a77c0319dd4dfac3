package limitrange

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/quantity"
)

// withinRatio returns how to satisfy a ratio that is exceeded: the smallest request for the limit,
// and the largest limit for the request, both in milli-units of cpu and whole units of other
// resources. Neither is possible if the ratio is below 1.
func (v Violation) withinRatio() (request, limit resource.Quantity, possible bool) {
	if v.Enforced.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 || v.Request.Sign() <= 0 || v.Limit.Sign() <= 0 {
		return request, limit, false
	}
	scale := resource.Scale(0)
	if v.Resource == corev1.ResourceCPU {
		scale = resource.Milli
	}
	ratio := limitranger.RatioOf(v.Enforced)
	request = quantity.OfUnits(ratio.LeastUnits(*v.Limit, scale), scale, v.Request.Format)
	limit = quantity.OfUnits(ratio.GreatestUnits(*v.Request, scale), scale, v.Limit.Format)
	return request, limit, true
}
