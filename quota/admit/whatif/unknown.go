package whatif

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// unknownFields returns the fields of a pod that the scheduler reads and that are not considered here, whatever is
// known of the cluster, sorted.
func (c *Cluster) unknownFields(spec *corev1.PodSpec) (fields []string) {
	add := func(isSet bool, field string) {
		if isSet {
			fields = append(fields, field)
		}
	}
	add(len(spec.ResourceClaims) > 0, "spec.resourceClaims")
	if c.opts.Profile != nil {
		fields = append(fields, c.opts.Profile.Others...)
	}
	add(cmp.Or(spec.SchedulerName, corev1.DefaultSchedulerName) != c.opts.Profile.name(), "spec.schedulerName")
	slices.Sort(fields)
	return fields
}
