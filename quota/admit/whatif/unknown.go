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
	for name := range c.claimed(spec) {
		fields = append(fields, fmt.Sprintf("spec.containers[*].resources.requests[%s]", name))
	}
	slices.Sort(fields)
	return fields
}

// claimed returns the extended resources of a pod for which the scheduler claims devices on some node: those that a
// DeviceClass provides and that the node does not have. Nodes that have it are compared with those.
func (c *Cluster) claimed(spec *corev1.PodSpec) (names map[corev1.ResourceName]bool) {
	fit := noderesources.FitOptions{ExtendedResources: c.opts.Admission.ExtendedResources}
	if len(fit.ExtendedResources) == 0 {
		return nil
	}
	names = map[corev1.ResourceName]bool{}
	for _, container := range computeresources.Containers(spec) {
		for name, q := range container.Resources.Requests {
			if q.Sign() > 0 && fit.Delegates(name) && slices.ContainsFunc(c.placesOrNone().Nodes(), lacks(name)) {
				names[name] = true
			}
		}
	}
	return names
}

// lacks returns a function that reports whether a node does not have a resource.
func lacks(name corev1.ResourceName) func(n *corev1.Node) bool {
	return func(n *corev1.Node) bool {
		q := n.Status.Allocatable[name]
		return q.Sign() <= 0
	}
}
