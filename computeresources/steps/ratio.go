package steps

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// keepsRatio reports whether limit, which is above zero, is at most ratio times request:
// exactly, and in the floating point numbers that the LimitRanger compares, which reject
// some pairs that keep the ratio exactly. A request of zero keeps none.
func keepsRatio(request, limit, ratio *resource.Quantity) bool {
	most := new(big.Rat).Mul(resourcelist.Rational(*request), resourcelist.Rational(*ratio))
	return resourcelist.Rational(*limit).Cmp(most) <= 0 && serverKeepsRatio(request, limit, ratio)
}

// serverKeepsRatio is the comparison of the LimitRanger.
func serverKeepsRatio(request, limit, ratio *resource.Quantity) bool {
	r, l := resourcelist.Integer(*request, 0), resourcelist.Integer(*limit, 0)
	bound := resourcelist.Integer(*ratio, 0)
	if bound > resource.MaxMilliValue {
		return float64(l)/float64(r) <= float64(bound)
	}
	if r <= resource.MaxMilliValue && l <= resource.MaxMilliValue {
		r, l = resourcelist.Integer(*request, resource.Milli), resourcelist.Integer(*limit, resource.Milli)
	}
	return float64(l)/float64(r)*1000 <= float64(resourcelist.Integer(*ratio, resource.Milli))
}

// leastRequest returns the least whole number of units that keeps the ratio below a
// limit; or the limit itself, which keeps every ratio of at least 1, if that is less.
func (b *bounds) leastRequest(limit *resource.Quantity) *resource.Quantity {
	least := new(big.Rat).Quo(resourcelist.Rational(*limit), resourcelist.Rational(*b.ratio))
	units := resourcelist.Ceil(least, b.scale())
	// One unit more is mostly enough for floating point numbers to agree.
	for range 2 {
		request := resourcelist.OfUnits(units, b.scale(), limit.Format)
		if above(limit, &request) && keepsRatio(&request, limit, b.ratio) {
			return &request
		}
		units.Add(units, big.NewInt(1))
	}
	return limit
}

// greatestLimit returns the greatest whole number of units that keeps the ratio above a
// request; or the request itself, which keeps every ratio of at least 1, if that is more.
func (b *bounds) greatestLimit(request *resource.Quantity) *resource.Quantity {
	most := new(big.Rat).Mul(resourcelist.Rational(*request), resourcelist.Rational(*b.ratio))
	units, _ := resourcelist.Floor(most, b.scale())
	for range 2 {
		limit := resourcelist.OfUnits(units, b.scale(), request.Format)
		if above(&limit, request) && keepsRatio(request, &limit, b.ratio) {
			return &limit
		}
		units.Sub(units, big.NewInt(1))
	}
	return request
}

// scale is that of the unit of division.Unit.
func (b *bounds) scale() resource.Scale {
	if b.name == corev1.ResourceCPU {
		return resource.Milli
	}
	return 0
}
