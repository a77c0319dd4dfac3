package scheduler

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	storagehelpers "k8s.io/component-helpers/storage/volume"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

// controllerVolume returns the volume to which the controller of volumes binds a claim that names none: of the volumes with
// the fewest access modes, as findByClaim of k8s.io/kubernetes/pkg/controller/volume/persistentvolume, which is not exported.
// It says nothing if volumes with as many, but other modes, suit the claim, since it takes them in the order of a map.
func controllerVolume(t testkit.TB, claim *corev1.PersistentVolumeClaim, c *volumesCluster) (found *corev1.PersistentVolume, isAny bool) {
	isDelayed := slices.ContainsFunc(c.classes, func(class *storagev1.StorageClass) bool {
		return class.Name == storagehelpers.GetPersistentVolumeClaimClass(claim) && class.VolumeBindingMode != nil &&
			*class.VolumeBindingMode == storagev1.VolumeBindingWaitForFirstConsumer
	})
	groups := map[string][]*corev1.PersistentVolume{}
	for _, v := range c.volumes {
		if storagehelpers.CheckAccessModes(claim, v) {
			groups[modesText(v)] = append(groups[modesText(v)], v)
		}
	}
	for count := range 4 {
		for modes, volumes := range groups {
			if len(strings.Fields(modes)) != count {
				continue
			}
			one, err := storagehelpers.FindMatchingVolume(claim, volumes, nil, nil, isDelayed, true)
			testkit.OK(t, err)
			isAny = isAny || one != nil && found != nil
			if one != nil {
				found = one
			}
		}
		if found != nil {
			return found, isAny
		}
	}
	return nil, false
}

// modesText returns the access modes of a volume, each once.
func modesText(v *corev1.PersistentVolume) string {
	var modes []string
	for _, mode := range v.Spec.AccessModes {
		modes = append(modes, string(mode))
	}
	slices.Sort(modes)
	return strings.Join(slices.Compact(modes), " ")
}

// A claim is bound to the volume of the controller, if no volume of another class names it.
func TestVolumeOfTheController(t *testing.T) {
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := volumesDraw{t}
		c, _ := d.cluster()
		objects := c.known()
		for _, claim := range c.claims {
			if claim.Spec.VolumeName != "" || claim.DeletionTimestamp != nil {
				continue
			}
			class := storagehelpers.GetPersistentVolumeClaimClass(claim)
			part := *c
			part.volumes = slices.DeleteFunc(slices.Clone(c.volumes), func(v *corev1.PersistentVolume) bool {
				return v.Spec.ClaimRef != nil && storagehelpers.GetPersistentVolumeClass(v) != class
			})
			want, isAny := controllerVolume(t, claim, &part)
			got := objects.VolumeFor(claim)
			switch {
			case isAny:
				testkit.Equal(t, got != nil, true)
				reached["any of several"]++
			case want == nil:
				testkit.Equal(t, got, nil, claim.Name)
				reached["none"]++
			default:
				testkit.Equal(t, got, want, claim.Name)
				reached["one"]++
			}
		}
	})
	t.Log(reached)
}
