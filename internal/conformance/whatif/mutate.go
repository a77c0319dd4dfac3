package main

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/quota/admit"
)

// mutated draws a change of one field of a workload as the server has stored it, or the deletion of one of its pods. There
// may be none.
func (d *drawing) mutated(objects []admit.APIObject) (step change, found bool) {
	var all []admit.APIObject
	for _, o := range objects {
		if o.GetNamespace() != d.namespace || o.GetDeletionTimestamp() != nil {
			continue
		}
		switch o := o.(type) {
		case *appsv1.Deployment, *appsv1.StatefulSet, *appsv1.DaemonSet, *batchv1.Job:
			all = append(all, o)
		case *appsv1.ReplicaSet, *corev1.ReplicationController:
			if metav1.GetControllerOfNoCopy(o) == nil {
				all = append(all, o)
			}
		case *corev1.Pod:
			if metav1.GetControllerOfNoCopy(o) != nil {
				all = append(all, o)
			}
		}
	}
	if len(all) == 0 {
		return change{}, false
	}
	o := all[d.IntN(len(all))].DeepCopyObject().(admit.APIObject)
	if kindOf(o) == "Pod" {
		return change{object: o, deleted: true, what: "delete"}, true
	}
	o.SetManagedFields(nil)
	o.SetResourceVersion("")
	o.SetUID("")
	o.SetCreationTimestamp(metav1.Time{})
	o.SetGeneration(0)
	d.mutate(o)
	d.replace(o)
	return change{object: o, what: "update"}, true
}

// mutate changes one field.
func (d *drawing) mutate(o admit.APIObject) {
	replicas := int32(d.between(0, 7))
	switch o := o.(type) {
	case *appsv1.Deployment:
		o.Status = appsv1.DeploymentStatus{}
		switch d.IntN(4) {
		case 0:
			o.Spec.Replicas = &replicas
		case 1:
			o.Spec.Paused = !o.Spec.Paused
		case 2:
			d.strategy(&o.Spec)
		default:
			d.resize(&o.Spec.Template)
		}
	case *appsv1.StatefulSet:
		o.Status = appsv1.StatefulSetStatus{}
		switch d.IntN(4) {
		case 0:
			o.Spec.Replicas = &replicas
		case 1, 2:
			d.updateStrategy(&o.Spec)
		default:
			d.resize(&o.Spec.Template)
		}
	case *appsv1.DaemonSet:
		o.Status = appsv1.DaemonSetStatus{}
		if d.chance(50) {
			d.daemonStrategy(&o.Spec)
		} else {
			d.resize(&o.Spec.Template)
		}
	case *batchv1.Job:
		o.Status = batchv1.JobStatus{}
		if d.chance(50) {
			isSuspended := o.Spec.Suspend == nil || !*o.Spec.Suspend
			o.Spec.Suspend = &isSuspended
		} else {
			o.Spec.Parallelism = &replicas
		}
	case *appsv1.ReplicaSet:
		o.Status = appsv1.ReplicaSetStatus{}
		o.Spec.Replicas = &replicas
	case *corev1.ReplicationController:
		o.Status = corev1.ReplicationControllerStatus{}
		o.Spec.Replicas = &replicas
	}
}

// resize changes what a container requests, or its image.
func (d *drawing) resize(t *corev1.PodTemplateSpec) {
	c := &t.Spec.Containers[d.IntN(len(t.Spec.Containers))]
	if c.Resources.Requests == nil || d.chance(30) {
		c.Image += "-new"
		return
	}
	c.Resources.Requests[corev1.ResourceCPU] = milli(d.between(50, 1000))
}

// some draws a number of pods, or a percentage.
func (d *drawing) some() *intstr.IntOrString {
	some := intstr.FromInt32(int32(d.between(0, 3)))
	if d.chance(50) {
		some = intstr.FromString([]string{"0%", "25%", "34%", "50%", "100%"}[d.IntN(5)])
	}
	return &some
}

// strategy draws how a Deployment replaces its pods.
func (d *drawing) strategy(spec *appsv1.DeploymentSpec) {
	if d.chance(25) {
		spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
		return
	}
	update := &appsv1.RollingUpdateDeployment{MaxSurge: d.some(), MaxUnavailable: d.some()}
	if isZero(update.MaxSurge) && isZero(update.MaxUnavailable) {
		one := intstr.FromInt32(1)
		update.MaxUnavailable = &one
	}
	spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: update}
}

func isZero(n *intstr.IntOrString) bool {
	return slices.Contains([]string{"0", "0%"}, n.String())
}

// updateStrategy draws how a StatefulSet replaces its pods, and what becomes of their claims.
func (d *drawing) updateStrategy(spec *appsv1.StatefulSetSpec) {
	partition := int32(d.between(0, 4))
	switch d.IntN(4) {
	case 0:
		spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{Type: appsv1.OnDeleteStatefulSetStrategyType}
	case 1:
		spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: d.retention(), WhenScaled: d.retention(),
		}
	default:
		spec.UpdateStrategy = appsv1.StatefulSetUpdateStrategy{
			Type: appsv1.RollingUpdateStatefulSetStrategyType, RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition},
		}
		if n := d.some(); d.chance(50) && !isZero(n) {
			spec.UpdateStrategy.RollingUpdate.MaxUnavailable = n
		}
	}
}

func (d *drawing) retention() appsv1.PersistentVolumeClaimRetentionPolicyType {
	if d.chance(50) {
		return appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	}
	return appsv1.RetainPersistentVolumeClaimRetentionPolicyType
}

// daemonStrategy draws how a DaemonSet replaces its pods.
func (d *drawing) daemonStrategy(spec *appsv1.DaemonSetSpec) {
	none, n := intstr.FromInt32(0), d.some()
	switch {
	case d.chance(25):
		spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: appsv1.OnDeleteDaemonSetStrategyType}
	case isZero(n):
	case d.chance(40) && !hasHostPorts(&spec.Template.Spec):
		spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: n, MaxUnavailable: &none},
		}
	default:
		spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{
			Type: appsv1.RollingUpdateDaemonSetStrategyType, RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxSurge: &none, MaxUnavailable: n},
		}
	}
}

// hasHostPorts reports whether two pods cannot be on a node, which the server does not accept with a surge.
func hasHostPorts(spec *corev1.PodSpec) bool {
	return slices.ContainsFunc(spec.Containers, func(c corev1.Container) bool {
		return slices.ContainsFunc(c.Ports, func(p corev1.ContainerPort) bool { return p.HostPort > 0 })
	})
}
