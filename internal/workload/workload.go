// Package workload has what admission and controllers read of API objects: whether there is one, which pods a
// workload wants, and which fields of a pod cannot change.
package workload

import (
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Workload is what a workload says about its pods. It refers to the object.
type Workload struct {
	Template *corev1.PodTemplateSpec // nil if the object is not a workload
	Selector *metav1.LabelSelector   // nil if it selects no pods
	Replicas **int32                 // the field, nil if there is none
	// Wanted is the number of pods at the same time: the replicas, or what a Job runs at the start. It is 1 for a
	// DaemonSet, per node.
	Wanted int
	// Counted is the number of pods that the status counts. It is 0 for a Deployment, whose ReplicaSets count them.
	Counted int32
}

// Of returns what an object of k8s.io/api says about its pods. The object must not be nil.
func Of(obj any) Workload {
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		spec := &obj.Spec
		return Workload{&spec.Template, spec.Selector, &spec.Replicas, Replicas(spec.Replicas), 0}
	case *appsv1.StatefulSet:
		spec := &obj.Spec
		return Workload{&spec.Template, spec.Selector, &spec.Replicas, Replicas(spec.Replicas), obj.Status.Replicas}
	case *appsv1.ReplicaSet:
		spec := &obj.Spec
		return Workload{&spec.Template, spec.Selector, &spec.Replicas, Replicas(spec.Replicas), obj.Status.Replicas}
	case *corev1.ReplicationController:
		spec := &obj.Spec
		w := Workload{spec.Template, nil, &spec.Replicas, Replicas(spec.Replicas), obj.Status.Replicas}
		if len(spec.Selector) > 0 {
			w.Selector = &metav1.LabelSelector{MatchLabels: spec.Selector}
		}
		return w
	case *appsv1.DaemonSet:
		return Workload{&obj.Spec.Template, obj.Spec.Selector, nil, 1, obj.Status.CurrentNumberScheduled}
	case *batchv1.Job:
		return Workload{&obj.Spec.Template, obj.Spec.Selector, nil, PodsOfJob(&obj.Spec, 0), obj.Status.Active}
	case *batchv1.CronJob:
		job := &obj.Spec.JobTemplate.Spec
		return Workload{&job.Template, nil, nil, PodsOfJob(job, 0), 0}
	}
	return Workload{}
}

// Replicas returns a number of pods, by default 1, and at least 0.
func Replicas(n *int32) int {
	if n == nil {
		return 1
	}
	return max(int(*n), 0)
}

// PodsOfJob returns how many pods of a Job run at the same time, of which some have succeeded.
func PodsOfJob(spec *batchv1.JobSpec, succeeded int32) int {
	n := Replicas(spec.Parallelism)
	switch {
	case spec.Suspend != nil && *spec.Suspend:
		return 0
	case spec.Completions != nil:
		return min(n, max(int(*spec.Completions)-int(succeeded), 0))
	}
	return n
}

// IsNil reports whether there is no object: nil, or a nil pointer.
func IsNil(obj any) bool {
	v := reflect.ValueOf(obj)
	return obj == nil || v.Kind() == reflect.Pointer && v.IsNil()
}

// FixedPodFields is the message of the API server for an update of a pod that changes other fields than these. Its
// own goes on with the difference of the two specs.
//
// Source: ValidatePodUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
const FixedPodFields = "pod updates may not change fields other than `spec.containers[*].image`," +
	"`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`," +
	"`spec.tolerations` (only additions to existing tolerations)," +
	"`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
