package whatif

import (
	"math"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// takesVolumes reports whether each replica of a shape may leave other nodes to the next one, because it takes volumes,
// or because all use the same claim, which binds on first use.
func takesVolumes(s *places.Shape, hasOwnClaims bool) bool {
	volumes := s.Volumes()
	return volumes != nil && !s.IsGated() && (volumes.TakesVolumes() || volumes.BindsOnFirstUse() && !hasOwnClaims)
}

// placesWithClaims places replicas with their claims, one after the other, up to a number. It returns how many get a
// node, whether that is unknown, and why no more do.
func (d *draft) placesWithClaims(
	s *space, k key, obj admit.APIObject, most int64,
) (n int64, isUnknown bool, full error) {
	if !d.located {
		return math.MaxInt64, false, nil
	}
	for ; n < most; n++ {
		group, err := d.replica(s, k, obj, int(n))
		if err != nil {
			return n, isUnknown, err
		}
		if n > 0 {
			d.createClaims(s, group[:len(group)-1])
		}
		decision := d.admission(s).Create(group[len(group)-1], admit.Attributes{})
		p := d.newPod(s.name, decision.Object.(*corev1.Pod))
		node, _ := d.places.Find(p.Shape)
		if node == "" {
			return n, isUnknown || d.places.MayDependOnUnknown(p.Shape), d.places.WhyWaiting(p.Shape)
		}
		bound := *p
		bound.Node, bound.unknown = node, d.bindVolumes(p, node)
		isUnknown = isUnknown || slices.Contains(bound.unknown, volumesField)
		d.putPod(nil, &bound)
	}
	return n, isUnknown, nil
}

// noteVolumes adds that volumes are not known.
func (r *Room) noteVolumes(isUnknown bool) {
	if isUnknown && !slices.Contains(r.Unknown, volumesField) {
		r.Unknown = append(r.Unknown, volumesField)
	}
}

// createClaims creates the claims of a replica, whether or not quotas admit them.
func (d *draft) createClaims(s *space, claims []admit.APIObject) {
	for _, claim := range claims {
		_, k := placeOf(claim)
		d.store(s, k, d.admission(s).Create(claim, admit.Attributes{}).Object)
	}
}

// withEphemeralClaims returns a pod after the claims of its generic ephemeral volumes.
func withEphemeralClaims(namespace string, pod *corev1.Pod) (group []admit.APIObject) {
	for i := range pod.Spec.Volumes {
		if claim := podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[i]); claim != nil {
			claim.Namespace = namespace
			group = append(group, claim)
		}
	}
	return append(group, pod)
}

// numbered returns a pod with another name, unless the number is zero.
func numbered(pod *corev1.Pod, number int) *corev1.Pod {
	if number == 0 {
		return pod
	}
	own := *pod
	own.Name += "-" + strconv.Itoa(number)
	return &own
}
