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

// amounts returns the change of requests and limits with which all pods are admitted: the least one, rounded to what people
// write if that is admitted as well. It is nil if there is none that leaves each container some of what it requests.
func (t *trial) amounts() []Change {
	namespace := t.object.GetNamespace()
	without := t.After.Delete(t.object).After.Namespace(namespace).Quotas()
	if changes := t.sized(without, max(t.o.Wanted, 1)); changes != nil || t.o.Outdated == 0 {
		return changes
	}
	return t.sized(t.base.Namespace(namespace).Quotas(), 1) // a pod has to fit beside all of the former template
}

// sized returns the change with which quotas admit so many pods, if all are admitted with it.
func (t *trial) sized(quotas []*corev1.ResourceQuota, pods int64) []Change {
	spec := inventory.PodSpec(t.object)
	in := solver.Input{LimitRanges: t.ranges(t.object.GetNamespace()), Quotas: quotas, Replicas: pods}
	set := spec.DeepCopy()
	computeresources.ApplyRequestDefaults(set, computeresources.Gates{})
	var wanted []solver.Recommendation
	for ref, c := range computeresources.Containers(set) {
		wanted = append(wanted, solver.Recommendation{Ref: ref, Requests: c.Resources.Requests})
	}
	answer, err := solver.RightSize(spec, wanted, in)
	if err != nil {
		return nil
	}
	var exact, rounded []computeresources.Change
	for _, c := range answer.Changes {
		if c.To == nil {
			continue
		}
		if c.From != nil && !c.From.IsZero() && c.To.IsZero() {
			return nil
		}
		to := c
		amount := nonZero(c)
		c.To = &amount
		amount = quantity.Round(c.Resource, amount, c.From == nil || c.From.Cmp(amount) < 0)
		to.To = &amount
		exact, rounded = append(exact, c), append(rounded, to)
	}
	for _, changes := range [][]computeresources.Change{rounded, exact} {
		if len(changes) > 0 && t.tryAmounts(changes) {
			return t.needed(changes)
		}
	}
	return nil
}

// nonZero returns the amount of a change, and for zero one that a container can start with.
func nonZero(c computeresources.Change) resource.Quantity {
	switch {
	case !c.To.IsZero():
		return *c.To
	case c.Resource == corev1.ResourceCPU:
		return resource.MustParse("100m")
	case c.Resource == corev1.ResourceMemory || c.Resource == corev1.ResourceEphemeralStorage:
		return resource.MustParse("128Mi")
	}
	return *c.To
}

// tryAmounts reports whether all pods are admitted with changes.
func (t *trial) tryAmounts(changes []computeresources.Change) bool {
	fixed := t.object.DeepCopyObject().(admit.APIObject)
	if computeresources.ApplyChanges(inventory.PodSpec(fixed), changes) != nil {
		return false
	}
	_, ok := t.try(fixed)
	return ok
}

// needed returns the changes without those that are not necessary, such as those that the API server makes itself.
func (t *trial) needed(changes []computeresources.Change) (needed []Change) {
	for i := 0; i < len(changes); i++ {
		if fewer := slices.Delete(slices.Clone(changes), i, i+1); len(fewer) > 0 && t.tryAmounts(fewer) {
			changes = fewer
			i--
		}
	}
	for _, c := range changes {
		needed = append(needed, changeOf(c))
	}
	return needed
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
