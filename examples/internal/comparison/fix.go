package comparison

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// mostFixes is for how many pods a fix is looked for.
const mostFixes = 10_000

// fix returns the least change of the requests and limits of an object with which the LimitRanges and quotas of its
// namespace, without the object itself, admit so many pods. It is nil if there is none that leaves each container some
// of what it requests, or if something else refuses the object.
func (d *difference) fix(object admit.APIObject, pods int64) []Change {
	fixed, _ := object.DeepCopyObject().(admit.APIObject)
	spec := specOf(fixed)
	if spec == nil {
		return nil
	}
	without := d.after.Delete(object).After
	in := solver.Input{LimitRanges: d.ranges(object.GetNamespace()), Quotas: without.Namespace(object.GetNamespace()).Quotas(), Replicas: pods}
	stated := spec.DeepCopy()
	computeresources.ApplyRequestDefaults(stated, computeresources.Gates{})
	var wanted []solver.Recommendation
	for ref, c := range computeresources.Containers(stated) {
		wanted = append(wanted, solver.Recommendation{Ref: ref, Requests: c.Resources.Requests})
	}
	answer, err := solver.RightSize(spec, wanted, in)
	if err != nil || computeresources.ApplyChanges(spec, answer.Changes) != nil {
		return nil
	}
	for _, o := range without.Apply(fixed).Objects {
		if o.Err != nil || o.Missing != nil {
			return nil
		}
	}
	var changes []Change
	for _, c := range answer.Changes {
		if c.From != nil && !c.From.IsZero() && c.To != nil && c.To.IsZero() {
			return nil
		}
		changes = append(changes, changeOf(c))
	}
	return changes
}

// IsFixed reports whether an object is another one with a fix, as far as the specs of their pods go.
func IsFixed(object, original admit.APIObject, fix []Change) bool {
	fixed, _ := original.DeepCopyObject().(admit.APIObject)
	want, got := specOf(fixed), specOf(object)
	if want == nil || got == nil {
		return false
	}
	for _, c := range fix {
		to := (*resource.Quantity)(nil)
		if c.To != "" {
			amount, err := resource.ParseQuantity(c.To)
			if err != nil {
				return false
			}
			to = &amount
		}
		if computeresources.ApplyChanges(want, []computeresources.Change{{Ref: c.Ref, List: c.List, Resource: c.Resource, To: to}}) != nil {
			return false
		}
	}
	return equality.Semantic.DeepEqual(want, got)
}

// SpecPath returns the path of the spec of the pods of an object.
func SpecPath(object admit.APIObject) *field.Path {
	switch object.(type) {
	case *corev1.Pod:
		return field.NewPath("spec")
	case *batchv1.CronJob:
		return field.NewPath("spec", "jobTemplate", "spec", "template", "spec")
	}
	return field.NewPath("spec", "template", "spec")
}

func changeOf(c computeresources.Change) Change {
	change := Change{Ref: c.Ref, Container: c.Ref.String(), List: c.List, Resource: c.Resource}
	if c.From != nil {
		change.From = quantity.Canonical(*c.From)
	}
	if c.To != nil {
		change.To = quantity.Canonical(*c.To)
	}
	return change
}

// ranges returns the LimitRanges of a namespace after everything is applied.
func (d *difference) ranges(namespace string) (ranges []*corev1.LimitRange) {
	add := func(l *List, replaced ...*List) {
		for id, i := range l.index {
			r, ok := l.Objects[i].(*corev1.LimitRange)
			if ok && id.namespace == namespace && !slices.ContainsFunc(replaced, func(other *List) bool { return other.has(id) }) {
				ranges = append(ranges, r)
			}
		}
	}
	add(&d.in.Cluster, &d.in.Old, &d.in.Change)
	add(&d.in.Change)
	return ranges
}

// specOf returns the spec of the pods of an object, nil if it has none.
func specOf(object admit.APIObject) *corev1.PodSpec {
	switch o := object.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *corev1.ReplicationController:
		if o.Spec.Template != nil {
			return &o.Spec.Template.Spec
		}
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template.Spec
	}
	return nil
}
