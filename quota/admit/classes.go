package admit

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/computeresources"
)

const (
	priorityClass = "PriorityClass"
	runtimeClass  = "RuntimeClass"
	storageClass  = "StorageClass"
)

// ownClasses replaces the classes of options by copies of what is used of them, each in the order in which the default
// is chosen: of PriorityClasses, the lowest value; of StorageClasses, the newest; then the first by name.
func (o *Options) ownClasses() {
	preempt := corev1.PreemptLowerPriority
	o.PriorityClasses = ownClasses(o.PriorityClasses,
		func(c *schedulingv1.PriorityClass) (own schedulingv1.PriorityClass) {
			own.Name, own.Value, own.GlobalDefault = c.Name, c.Value, c.GlobalDefault
			policy := *cmp.Or(c.PreemptionPolicy, &preempt)
			own.PreemptionPolicy = &policy
			return own
		}, func(a, b *schedulingv1.PriorityClass) int { return cmp.Compare(a.Value, b.Value) })
	o.RuntimeClasses = ownClasses(o.RuntimeClasses, func(c *nodev1.RuntimeClass) (own nodev1.RuntimeClass) {
		own.Name, own.Overhead, own.Scheduling = c.Name, c.Overhead.DeepCopy(), c.Scheduling.DeepCopy()
		if own.Overhead != nil {
			roundTrip(&own.Overhead.PodFixed)
		}
		return own
	}, func(a, b *nodev1.RuntimeClass) int { return 0 })
	o.StorageClasses = ownClasses(o.StorageClasses, func(c *storagev1.StorageClass) (own storagev1.StorageClass) {
		own.Name, own.CreationTimestamp = c.Name, c.CreationTimestamp
		if c.AllowVolumeExpansion != nil {
			allow := *c.AllowVolumeExpansion
			own.AllowVolumeExpansion = &allow
		}
		for _, key := range []string{"storageclass.kubernetes.io/is-default-class",
			"storageclass.beta.kubernetes.io/is-default-class"} {
			if c.Annotations[key] == "true" {
				own.Annotations = map[string]string{key: "true"}
			}
		}
		return own
	}, func(a, b *storagev1.StorageClass) int { return b.CreationTimestamp.Compare(a.CreationTimestamp.Time) })
	o.Incomplete = slices.Clone(o.Incomplete)
}

func ownClasses[C any, P interface {
	*C
	GetName() string
}](classes []P, own func(P) C, order func(a, b P) int) []P {
	if classes == nil {
		return nil
	}
	list := make([]P, 0, len(classes))
	for _, c := range classes {
		if c != nil {
			c := own(c)
			list = append(list, &c)
		}
	}
	slices.SortStableFunc(list, func(a, b P) int { return cmp.Or(order(a, b), strings.Compare(a.GetName(), b.GetName())) })
	return list
}

// find returns the first class that is, or the zero value.
func find[P any](classes []P, is func(P) bool) (class P) {
	if i := slices.IndexFunc(classes, is); i >= 0 {
		class = classes[i]
	}
	return class
}

// isComplete reports whether a list has all classes of a kind.
func isComplete[P any](o *Options, kind string, classes []P) bool {
	return classes != nil && !slices.Contains(o.Incomplete, kind)
}

// forbid returns the refusal of an admission plugin, for a field of a pod spec.
func (d *decision) forbid(field, message, what, remedy string) []*Refusal {
	return []*Refusal{{
		Ref: computeresources.Ref{Kind: computeresources.Pod}, Path: d.place.path().Child(field).String(),
		What: "pod: " + what, Remedy: remedy, Forbidden: message,
	}}
}
