package whatif

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// Estimate returns how many new nodes like one pods need, placed as noderesources.EstimateNodes says: by first fit
// decreasing, each on a node that has room and that no filter of the scheduler refuses. Daemons are on each new node.
// Each node has its own name and label kubernetes.io/hostname. The nodes and pods of the cluster do not count, nor does
// it matter on which nodes the pods are. Its namespaces, Services, controllers and volumes count.
//
// Refused has the message of the filter for each pod that a new node refuses, by its index in the list. All of these
// are in Estimate.Unplaced; the others there are too large. A pod that has to be near others finds only those that are
// placed before it. A nil pod is one without containers, a nil node one without resources, and nil daemons are ignored.
//
// Cost: that of EstimateNodes, and for each new node what the filters have to know of all nodes.
func (c *Cluster) Estimate(
	pods []*corev1.Pod, like *corev1.Node, daemons []*corev1.Pod,
) (e noderesources.Estimate, refused map[int]string) {
	d := c.edit()
	grown, shapes := places.New(d.opts.scheduler(&d.profile)), make([]*places.Shape, len(pods))
	for i, pod := range pods {
		var own corev1.Pod
		if pod != nil {
			own = *pod
		}
		own.Spec.NodeName = ""
		shapes[i] = grown.ShapeOf(&own, d.around)
	}
	if like == nil {
		like = &corev1.Node{}
	}
	daemons = slices.DeleteFunc(slices.Clone(daemons), func(daemon *corev1.Pod) bool { return daemon == nil })
	return grown.Estimate(shapes, like, daemons)
}
