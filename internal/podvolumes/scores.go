package podvolumes

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/volumeclaim"
)

// usage is how much of the storage of a class the pod requests, in bytes.
type usage struct{ requested, capacity int64 }

// Scores writes the score of each feasible node, by its index in feasible: 100 is best. A node scores higher the less
// of its storage the pod uses: of the volumes to which its claims would be bound; if there are none, of what the
// provisioners have. A node with neither has 0. The plugin does not normalise scores. It scores from Kubernetes 1.37
// on, with a weight of 1.
//
// Source: Score of volumebinding with the default shape, buildScorerFunction.
func (n *Nodes) Scores(feasible []int, scores []int64) {
	for k, i := range feasible {
		scores[k] = score(n.checks[i].bindings)
	}
}

func score(bindings []Binding) int64 {
	classes := usageOfVolumes(bindings)
	if len(classes) == 0 {
		classes = usageOfProvisioners(bindings)
	}
	if len(classes) == 0 {
		return 0
	}
	sum := int64(0)
	for _, of := range classes {
		sum += of.score()
	}
	return int64(math.Round(float64(sum) / float64(len(classes))))
}

// score returns the part that is left, in percent, by the broken line from 100 (unused) to 0 (full).
func (u *usage) score() int64 {
	if u.capacity == 0 || u.requested > u.capacity {
		return 0
	}
	return 100 - u.requested*100/u.capacity
}

// usageOfVolumes returns what is requested of volumes that exist, by their class.
func usageOfVolumes(bindings []Binding) map[string]*usage {
	classes := map[string]*usage{}
	for _, b := range bindings {
		if b.Volume == nil {
			continue
		}
		of := classOf(classes, b.Volume.Spec.StorageClassName)
		capacity := b.Volume.Spec.Capacity[corev1.ResourceStorage]
		of.requested += requested(b.Claim)
		of.capacity += capacity.Value()
	}
	return classes
}

// usageOfProvisioners returns what is requested of provisioners that publish their capacity, by the class of claims.
// Several claims of a class share its capacity. A provisioner that publishes the size of a volume alone has none.
func usageOfProvisioners(bindings []Binding) map[string]*usage {
	classes := map[string]*usage{}
	for _, b := range bindings {
		if b.capacity == nil {
			continue
		}
		name, _ := volumeclaim.StorageClass(b.Claim)
		of := classOf(classes, name)
		of.requested += requested(b.Claim)
		capacity := valueOr(b.capacity.Capacity, resource.Quantity{})
		of.capacity = capacity.Value()
	}
	return classes
}

func classOf(classes map[string]*usage, name string) *usage {
	if classes[name] == nil {
		classes[name] = &usage{}
	}
	return classes[name]
}

func requested(claim *corev1.PersistentVolumeClaim) int64 {
	size := claim.Spec.Resources.Requests[corev1.ResourceStorage]
	return size.Value()
}
