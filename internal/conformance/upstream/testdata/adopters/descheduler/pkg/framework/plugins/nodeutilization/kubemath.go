package nodeutilization

import (
	"math/big"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/descheduler/pkg/api"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func ResourceUsageToResourceThreshold(usages, totals api.ReferencedResourceList) api.ResourceThresholds {
	result := api.ResourceThresholds{}
	for name, used := range usages {
		if total := totals[name]; used != nil && total != nil {
			fraction, _ := resourcelist.Fraction(*used, *total)
			result[name] = api.Percentage(100 * fraction)
		}
	}
	return result
}

func capNodeCapacityToThreshold(node *v1.Node, thresholds api.ResourceThresholds, name v1.ResourceName) *resource.Quantity {
	total, known := referencedResourceListForNodeCapacity(node)[name]
	threshold, capped := thresholds[name]
	if !known {
		return resource.NewQuantity(0, resource.DecimalSI)
	}
	if !capped {
		return total
	}
	part := resourcelist.PartOf(v1.ResourceList{name: *total}, new(big.Rat).SetFloat64(float64(threshold)/100))[name]
	return &part
}
