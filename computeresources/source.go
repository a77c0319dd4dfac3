package computeresources

import corev1 "k8s.io/api/core/v1"

// source says which list of a container counts. While a pod is resized in place
// (KEP-1287) there are three views of it: what the spec asks for, what the node has
// set aside (allocated), and what the runtime has put into effect (actuated).
// The zero value is the requests of the spec.
type source struct {
	limits bool
	// status, if set, is where to look for a container before its spec.
	status *corev1.PodStatus
	// actuated looks for what is in effect before what is set aside.
	actuated bool
	// infeasible: the spec asks for what the node refused, and does not count.
	infeasible bool
}

// list returns the list of a container that counts. It is the pod's own: only to be
// read.
func (s *source) list(c *corev1.Container) corev1.ResourceList {
	if s.status != nil {
		return s.fromStatus(c)
	}
	return listOf(c, s.limits)
}

func (s *source) fromStatus(c *corev1.Container) corev1.ResourceList {
	if status := statusOf(s.status, c.Name); status != nil {
		if s.actuated && status.Resources != nil {
			if s.limits && status.Resources.Limits != nil {
				return status.Resources.Limits
			}
			if !s.limits && status.Resources.Requests != nil {
				return status.Resources.Requests
			}
		}
		if !s.limits && status.AllocatedResources != nil {
			return status.AllocatedResources
		}
	}
	if s.infeasible {
		return nil
	}
	return listOf(c, s.limits)
}

// listOf returns what the spec of a container states.
func listOf(c *corev1.Container, limits bool) corev1.ResourceList {
	if limits {
		return c.Resources.Limits
	}
	return c.Resources.Requests
}

// statusOf returns the first status of a container with the given name, app
// containers before init containers, and nil where there is none.
func statusOf(status *corev1.PodStatus, name string) *corev1.ContainerStatus {
	for i := range status.ContainerStatuses {
		if status.ContainerStatuses[i].Name == name {
			return &status.ContainerStatuses[i]
		}
	}
	for i := range status.InitContainerStatuses {
		if status.InitContainerStatuses[i].Name == name {
			return &status.InitContainerStatuses[i]
		}
	}
	return nil
}
