package steps

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// keepsRatio reports whether a limit above zero keeps the ratio: exactly, and in the
// floating point numbers that the LimitRanger compares up to Kubernetes 1.37. So it keeps it in each release.
func (b *bounds) keepsRatio(request, limit *resource.Quantity) bool {
	return limitranger.RatioOf(*b.ratio, false).Keeps(*request, *limit)
}

// leastRequest returns the smallest whole number of units that satisfies the ratio with a limit, or the
// limit itself if that is smaller, which satisfies every ratio of at least 1.
func (b *bounds) leastRequest(limit *resource.Quantity) *resource.Quantity {
	request, ok := limitranger.RatioOf(*b.ratio, false).LeastRequest(*limit, resourcename.Scale(b.name))
	if ok && above(limit, &request) {
		return &request
	}
	return limit
}

// greatestLimit returns the largest whole number of units that satisfies the ratio with a request, or the
// request itself if that is larger, which satisfies every ratio of at least 1.
func (b *bounds) greatestLimit(request *resource.Quantity) *resource.Quantity {
	limit, ok := limitranger.RatioOf(*b.ratio, false).GreatestLimit(*request, resourcename.Scale(b.name))
	if ok && above(&limit, request) {
		return &limit
	}
	return request
}
