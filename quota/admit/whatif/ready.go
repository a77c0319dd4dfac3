package whatif

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// hasPlace reports whether a pod has a node, or would have one if any were known.
func (c *Cluster) hasPlace(p *pod) bool {
	return p.Node != "" || !c.located && p.Shape != nil && !p.Shape.IsGated()
}

// isReady reports whether a pod counts as ready: it has a place, and its containers start.
func (c *Cluster) isReady(p *pod) bool { return c.hasPlace(p) && !p.fails }

// failsToStart reports whether a container of a pod waits because it has failed to start, or ends again and again.
//
// Source: the reasons of k8s.io/kubernetes/pkg/kubelet (container, images and kuberuntime).
func failsToStart(p *corev1.Pod) bool {
	waits := func(c corev1.ContainerStatus) bool {
		if c.State.Waiting == nil {
			return false
		}
		switch c.State.Waiting.Reason {
		case "CrashLoopBackOff", "CreateContainerConfigError", "CreateContainerError", "ErrImageNeverPull", "ErrImagePull",
			"ImageInspectError", "ImagePullBackOff", "InvalidImageName", "PostStartHookError", "RunContainerError":
			return true
		}
		return false
	}
	return slices.ContainsFunc(p.Status.InitContainerStatuses, waits) ||
		slices.ContainsFunc(p.Status.ContainerStatuses, waits)
}

// noteFailing notes which ReplicaSets that were read get no pod that starts, since none of theirs on a node does. Those
// that wait for a node do not start there either.
func (o *objects) noteFailing(s *space) {
	for _, it := range s.items.All {
		if _, ok := it.object.(*appsv1.ReplicaSet); !ok {
			continue
		}
		placed, fails := 0, 0
		for _, name := range it.pods {
			if p := s.pods.Get(name); p.Node != "" {
				placed++
				if p.fails {
					fails++
				}
			}
		}
		it.fails = placed > 0 && fails == placed
		for _, name := range it.pods {
			p := s.pods.Get(name)
			p.fails = p.fails || it.fails
		}
	}
}
