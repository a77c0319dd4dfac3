package quota

import (
	"errors"
	"fmt"
	"math"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// RolloutUsage is what a Deployment uses while it changes from one template to another.
type RolloutUsage struct {
	// Before and After are what the replicas of the old and of the new template use.
	Before corev1.ResourceList `json:"before,omitempty"`
	After  corev1.ResourceList `json:"after,omitempty"`
	// Peak is the largest usage of each resource during the rollout. It does not include pods that
	// are being terminated, although they use the quota until they are gone: a replacement that
	// starts earlier uses more.
	Peak corev1.ResourceList `json:"peak,omitempty"`
	// Extra is how much of each resource has to remain of a quota for the rollout to reach its
	// peak: Peak minus Before. With less, the rollout takes longer or gets stuck.
	Extra corev1.ResourceList `json:"extra,omitempty"`
	// Surge is how many pods there may be in addition to the replicas, and Unavailable how many of
	// the replicas may be missing.
	Surge       int32 `json:"surge"`
	Unavailable int32 `json:"unavailable"`
}

// Rollout returns what a Deployment of some replicas uses while it changes from a template
// whose pods use old each to one whose pods use new.
//
// With RollingUpdate, the default, there are at most replicas + Surge pods, and at most replicas
// pods of each template. So the peak of a resource is max(replicas·old + surge·new, surge·old +
// replicas·new), where surge is at most replicas. With Recreate, pods of both templates never exist
// together, and the peak is the larger of the two. MaxSurge and maxUnavailable default to 25%. A
// percentage of the replicas is rounded up for maxSurge and down for maxUnavailable. If both are
// zero, one pod may be unavailable, as in the controller.
//
// A rollout is stuck if Unavailable is 0 and a quota, or the nodes, have no room for the surge: whatif.Object.Outdated.
//
// It is an error if replicas, maxSurge or maxUnavailable are negative, if one of the last two is
// neither a number nor a percentage, or if the strategy is unknown.
//
// Source: ResolveFenceposts and NewRSNewReplicas of
// k8s.io/kubernetes/pkg/controller/deployment/util.
func Rollout(old, new corev1.ResourceList, replicas int32, strategy appsv1.DeploymentStrategy) (RolloutUsage, error) {
	if replicas < 0 {
		return RolloutUsage{}, errors.New("quota: rollout: replicas must be greater than or equal to 0")
	}
	n := int64(replicas)
	usage := RolloutUsage{Before: resourcelist.Multiply(old, n), After: resourcelist.Multiply(new, n)}
	usage.Peak = resourcelist.Max(usage.Before, usage.After)
	switch strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		usage.Unavailable = replicas
	case appsv1.RollingUpdateDeploymentStrategyType, "":
		var err error
		usage.Surge, usage.Unavailable, err = fenceposts(strategy.RollingUpdate, replicas)
		if err != nil {
			return RolloutUsage{}, fmt.Errorf("quota: rollout: %w", err)
		}
		both := min(int64(usage.Surge), n)
		usage.Peak = resourcelist.Max(usage.Peak, resourcelist.Add(usage.Before, resourcelist.Multiply(new, both)))
		usage.Peak = resourcelist.Max(usage.Peak, resourcelist.Add(resourcelist.Multiply(old, both), usage.After))
	default:
		return RolloutUsage{}, fmt.Errorf("quota: rollout: unknown strategy %q", strategy.Type)
	}
	usage.Extra = resourcelist.SubtractWithNonNegativeResult(usage.Peak, usage.Before)
	return usage, nil
}

// fenceposts returns how many pods more, and how many less than the replicas there may be.
func fenceposts(rolling *appsv1.RollingUpdateDeployment, replicas int32) (surge, unavailable int32, err error) {
	quarter := intstr.FromString("25%")
	maxSurge, maxUnavailable := &quarter, &quarter
	if rolling != nil && rolling.MaxSurge != nil {
		maxSurge = rolling.MaxSurge
	}
	if rolling != nil && rolling.MaxUnavailable != nil {
		maxUnavailable = rolling.MaxUnavailable
	}
	surge, surgeErr := share("maxSurge", maxSurge, replicas, true)
	unavailable, unavailableErr := share("maxUnavailable", maxUnavailable, replicas, false)
	if err := errors.Join(surgeErr, unavailableErr); err != nil {
		return 0, 0, err
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable, nil
}

func share(field string, of *intstr.IntOrString, replicas int32, roundUp bool) (int32, error) {
	n, err := intstr.GetScaledValueFromIntOrPercent(of, int(replicas), roundUp)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", field, err)
	case n < 0:
		return 0, fmt.Errorf("%s: %s is negative", field, of)
	}
	return int32(min(n, math.MaxInt32)), nil // saturate
}
