package whatif

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// unknownFields returns the fields of a pod that the scheduler reads and that are not considered here, sorted.
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
	for _, container := range computeresources.Containers(spec) {
		for name, q := range container.Resources.Requests {
			add(q.Sign() > 0 && c.isClaimed(name), fmt.Sprintf("spec.containers[*].resources.requests[%s]", name))
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// isClaimed reports whether the scheduler claims devices for an extended resource on some node: a DeviceClass provides
// it, and the node does not have it. Nodes that have it are compared with those.
func (c *Cluster) isClaimed(name corev1.ResourceName) bool {
	fit := noderesources.FitOptions{ExtendedResources: c.opts.Admission.ExtendedResources}
	return fit.Delegates(name) && slices.ContainsFunc(c.placesOrNone().Nodes(), func(n *corev1.Node) bool {
		q := n.Status.Allocatable[name]
		return q.Sign() <= 0
	})
}
