package inventory

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Template is an object with a pod template that owns nothing in the list: its pods are not there.
type Template struct {
	Object admit.APIObject
	Spec   *corev1.PodSpec
	Place  objects.Place
	// Replicas is how many of its pods run at the same time, one for a DaemonSet. Field sets it.
	Replicas int32
	Field    string
}

// Templates returns the templates whose pods are not in the list. Those without containers, or with negative replicas, are
// problems instead.
func (l *List) Templates() (all []Template) {
	owners := l.owners()
	for i, o := range l.Objects {
		t := Template{Object: o, Spec: PodSpec(o), Place: l.Places[i]}
		if _, isPod := o.(*corev1.Pod); isPod || t.Spec == nil || owners[t.Place.Named] || o.GetUID() != "" && owners[string(o.GetUID())] {
			continue
		}
		t.Replicas, t.Field = replicasOf(o)
		switch {
		case len(t.Spec.Containers) == 0:
			l.Fail(t.Place, objects.Invalid, "spec.template.spec.containers", "no containers")
		case t.Replicas < 0:
			l.Fail(t.Place, objects.Invalid, t.Field, fmt.Sprintf("%d is negative", t.Replicas))
		default:
			all = append(all, t)
		}
	}
	return all
}

// owners returns the controllers of the objects, by UID, and by kind and name.
func (l *List) owners() map[string]bool {
	owners := map[string]bool{}
	for _, o := range l.Objects {
		if ref := metav1.GetControllerOfNoCopy(o); ref != nil {
			owners[string(ref.UID)] = true
			owners[ref.Kind+" "+wording.Qualified(o.GetNamespace(), ref.Name)] = true
		}
	}
	return owners
}

// Replicas returns the field of an object that says how many replicas it has, nil if there is none.
func Replicas(object admit.APIObject) **int32 {
	switch o := object.(type) {
	case *appsv1.Deployment:
		return &o.Spec.Replicas
	case *appsv1.StatefulSet:
		return &o.Spec.Replicas
	case *appsv1.ReplicaSet:
		return &o.Spec.Replicas
	case *corev1.ReplicationController:
		return &o.Spec.Replicas
	}
	return nil
}

// replicasOf returns how many pods of an object run at the same time, and the field that sets this number. It defaults
// to one, and is zero for a Job that has finished or is suspended, and for a CronJob.
func replicasOf(object admit.APIObject) (replicas int32, field string) {
	set := new(int32)
	field = "spec.replicas"
	if of := Replicas(object); of != nil {
		set = *of
	}
	switch o := object.(type) {
	case *appsv1.DaemonSet:
		return 1, field
	case *batchv1.Job:
		field = "spec.parallelism"
		ended := slices.ContainsFunc(o.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Status == corev1.ConditionTrue && (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed)
		})
		if ended || o.Spec.Suspend != nil && *o.Spec.Suspend {
			return 0, field
		}
		set = o.Spec.Parallelism
		if most := o.Spec.Completions; set != nil && most != nil && *most >= 0 {
			return min(*set, *most), field
		}
	}
	if set == nil {
		return 1, field
	}
	return *set, field
}
