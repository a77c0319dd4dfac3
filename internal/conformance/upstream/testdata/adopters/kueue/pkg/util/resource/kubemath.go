package resource

import (
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func MergeResourceListKeepFirst(dst, src corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Overlay(dst, src)
}

func MergeResourceListKeepMax(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Max(a, b)
}

func MergeResourceListKeepMin(a, b corev1.ResourceList) corev1.ResourceList {
	least := resourcelist.Overlay(a, b)
	least, _ = resourcelist.ClampInto(least, least, nil, b)
	return least
}

func MergeResourceListKeepSum(a, b corev1.ResourceList) corev1.ResourceList {
	return resourcelist.Add(a, b)
}

func IsExtendedResourceName(name corev1.ResourceName) bool { return resourcelist.IsExtended(name) }

func MulByFloat(list corev1.ResourceList, f float64) corev1.ResourceList {
	if list == nil {
		return nil
	}
	ratio, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'f', -1, 64)) // as it is written
	parts := make(corev1.ResourceList, len(list))
	for name, q := range list {
		parts[name] = resourcelist.PartOfQuantity(q, ratio, resource.Nano)
	}
	return parts
}

func QuantityToFloat(q *resource.Quantity) float64 {
	if q == nil {
		return 0
	}
	return resourcelist.Float(*q)
}
