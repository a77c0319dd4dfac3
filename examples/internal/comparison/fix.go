package comparison

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// mostFixes is for how many pods a fix is looked for.
const mostFixes = 10_000

// MayFix counts the pods that a fix would be looked for, and reports whether they are not too many.
func (d *Difference) MayFix(pods int64) bool {
	d.fixes += pods
	return d.fixes <= mostFixes
}

// Fix returns the least change of the requests and limits of an object with which the LimitRanges and quotas of its
// namespace, without the object itself, admit so many pods. It is nil if there is none that leaves each container some
// of what it requests, or if something else refuses the object.
func (d *Difference) Fix(object admit.APIObject, pods int64) []Change {
	fixed, _ := object.DeepCopyObject().(admit.APIObject)
	spec := inventory.PodSpec(fixed)
	if spec == nil {
		return nil
	}
	without := d.After.Delete(object).After
	in := solver.Input{LimitRanges: d.ranges(object.GetNamespace()),
		Quotas: without.Namespace(object.GetNamespace()).Quotas(), Replicas: pods}
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
	want, got := inventory.PodSpec(fixed), inventory.PodSpec(object)
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
		if computeresources.ApplyChanges(want, []computeresources.Change{{Ref: c.Ref, List: c.List, Resource: c.Resource,
			To: to}}) != nil {
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
func (d *Difference) ranges(namespace string) (ranges []*corev1.LimitRange) {
	for _, o := range slices.Concat(d.In.Cluster.Without(&d.In.Old, &d.In.Change), d.In.Change.Objects) {
		if r, is := o.(*corev1.LimitRange); is && r.Namespace == namespace {
			ranges = append(ranges, r)
		}
	}
	return ranges
}
