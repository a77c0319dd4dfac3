package api

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	vpa_types "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func capRecommendationToContainerLimit(recommendation, limits corev1.ResourceList) []string {
	return clamp(recommendation, nil, limits, "", cappedToLimit)
}

func applyVPAPolicy(recommendation corev1.ResourceList, policy *vpa_types.ContainerResourcePolicy) []string {
	if policy == nil {
		return nil
	}
	low, high := resourcelist.RemoveZeros(policy.MinAllowed), resourcelist.RemoveZeros(policy.MaxAllowed)
	return clamp(recommendation, low, high, cappedToMinAllowed, cappedToMaxAllowed)
}

func applyContainerLimitRange(recommendation, requests, limits corev1.ResourceList, item *corev1.LimitRangeItem) []string {
	low := resourcelist.RemoveZeros(getMinAllowedRecommendation(recommendation, requests, limits, item))
	high := resourcelist.RemoveZeros(getMaxAllowedRecommendation(recommendation, requests, limits, item))
	return clamp(recommendation, low, high, cappedProportionallyToMinLimit, cappedProportionallyToMaxLimit)
}

// clamp caps a recommendation, and returns an annotation for each amount that it has changed.
func clamp(recommendation, low, high corev1.ResourceList, toLow, toHigh cappingAction) []string {
	annotations := []string{}
	_, names := resourcelist.ClampInto(recommendation, recommendation, low, nil)
	for _, name := range names {
		annotations = append(annotations, toCappingAnnotation(name, toLow))
	}
	_, names = resourcelist.ClampInto(recommendation, recommendation, nil, high)
	for _, name := range names {
		annotations = append(annotations, toCappingAnnotation(name, toHigh))
	}
	return annotations
}

func scaleQuantityProportionallyCPU(q, base, result *resource.Quantity, mode roundingMode) (*resource.Quantity, scalingResultType) {
	if base.IsZero() {
		return q, divisionByZero
	}
	scaled, isCapped := scale(q, base, result, resource.Milli, mode)
	if isCapped {
		return scaled, capped
	}
	return scaled, success
}

// Bytes are always rounded down.
func scaleQuantityProportionallyMem(q, base, result *resource.Quantity, _ roundingMode) (*resource.Quantity, bool) {
	return scale(q, base, result, 0, noRounding)
}

func scale(q, base, result *resource.Quantity, to resource.Scale, mode roundingMode) (*resource.Quantity, bool) {
	multiply := resourcelist.PartOfQuantity
	if mode == roundUpToFullUnit {
		multiply = resourcelist.ScaleQuantity
	}
	scaled := multiply(*q, resourcelist.Ratio(*result, *base), to)
	if most := resource.NewScaledQuantity(math.MaxInt64, to); scaled.Cmp(*most) > 0 {
		most.Format = q.Format
		return most, true
	}
	return &scaled, false
}
