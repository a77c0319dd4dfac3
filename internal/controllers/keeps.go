package controllers

import appsv1 "k8s.io/api/apps/v1"

// Keeps reports whether a workload says that a pod of a former template stays as it is: a Deployment is paused, pods are
// replaced once somebody deletes them, or it is below the partition of a StatefulSet.
func Keeps(workload any, pod string) bool {
	switch o := workload.(type) {
	case *appsv1.Deployment:
		return o.Spec.Paused
	case *appsv1.DaemonSet:
		return o.Spec.UpdateStrategy.Type == appsv1.OnDeleteDaemonSetStrategyType
	case *appsv1.StatefulSet:
		s, i := &StatefulSet{object: o}, OrdinalOf(o, pod)-StartOrdinal(o)
		return o.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType || s.isRolling() && i >= 0 && i < s.partition()
	}
	return false
}
