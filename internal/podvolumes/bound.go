package podvolumes

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
)

// boundVolume is the volume to which a claim of the pod is bound.
type boundVolume struct {
	name        string
	isEphemeral bool
	volume      *corev1.PersistentVolume // nil if it is not found
	affinity    nodeaffinity.Selector

	plugin     string // that a CSI driver may have taken over on a node, "" if none
	translated nodeaffinity.Selector
}

func (v *Volumes) boundTo(claim podClaim) boundVolume {
	b := boundVolume{name: claim.Spec.VolumeName, isEphemeral: claim.isEphemeral}
	b.volume = v.objects.volume(b.name)
	if b.volume == nil {
		return b
	}
	b.affinity = nodeaffinity.SelectorOf(requiredOf(b.volume))
	if m := migratedOf(b.volume); m.plugin != "" {
		b.plugin, b.translated = m.plugin, nodeaffinity.SelectorOf(translatedAffinity(b.volume, m.topologyKey))
	}
	return b
}

// requiredOf returns the required node affinity of a volume, nil if there is none.
func requiredOf(volume *corev1.PersistentVolume) *corev1.NodeSelector {
	if volume.Spec.NodeAffinity == nil {
		return nil
	}
	return volume.Spec.NodeAffinity.Required
}

// place is a node as volumes see it.
type place struct {
	name     string
	nameless *corev1.Node // with the labels of the node alone: the affinity of a volume does not look at fields

	toProvision []*unboundClaim // those that are not bound to a volume there
}

// matches reports whether the affinity of a volume matches the node.
//
// Source: CheckNodeAffinity of k8s.io/component-helpers/storage/volume.
func (p *place) matches(affinity *nodeaffinity.Selector) bool { return affinity.Matches(p.nameless) }

// isIn reports whether a selector matches the labels of the node.
func (p *place) isIn(selector labels.Selector) bool {
	return selector.Matches(labels.Set(p.nameless.Labels))
}

// checkBound adds why the volumes of bound claims cannot be used on a node: of the first that cannot.
//
// Source: checkBoundClaims of volumebinding.
func (v *Volumes) checkBound(at *place, c *check) {
	for i := range v.bound {
		b := &v.bound[i]
		switch {
		case b.volume == nil && v.objects.lacks(PersistentVolume):
			continue // the pod depends on it on each node
		case b.volume == nil:
			c.volumeNotFound = true
			return
		case !v.reaches(b, at, c):
			c.nodeConflict = true
			return
		}
	}
}

// reaches reports whether a volume can be used on a node. If that depends on which driver attaches the volume, and the
// driver is not known, it reports true and notes what is missing.
func (v *Volumes) reaches(b *boundVolume, at *place, c *check) bool {
	matchesItself := at.matches(&b.affinity)
	if b.plugin == "" {
		return matchesItself
	}
	matchesTranslated := at.matches(&b.translated)
	if csiNode := v.objects.csiNode(at.name); csiNode == nil && v.objects.lacks(CSINode) {
		if matchesItself != matchesTranslated {
			c.unknown = append(c.unknown, CSINode)
			return true
		}
	} else if isMigratedOn(csiNode, b.plugin) {
		return matchesTranslated
	}
	return matchesItself
}
