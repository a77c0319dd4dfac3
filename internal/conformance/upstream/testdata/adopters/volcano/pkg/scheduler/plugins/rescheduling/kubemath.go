package rescheduling

import (
	"math/big"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func convertPercentToQuan(name v1.ResourceName, percent float64, capacity v1.ResourceList) *resource.Quantity {
	part := resourcelist.PartOf(v1.ResourceList{name: capacity[name]}, new(big.Rat).SetFloat64(percent/100))[name]
	return &part
}

func convertQuanToPercent(name v1.ResourceName, amount *resource.Quantity, capacity v1.ResourceList) float64 {
	fraction, _ := resourcelist.Fraction(*amount, capacity[name])
	return fraction * 100
}
