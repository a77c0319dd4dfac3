package podvolumes

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
)

// selectedNode is the annotation of a claim for which a volume is being provisioned on a node.
const selectedNode = "volume.kubernetes.io/selected-node"

// unboundClaim is a claim that is bound when a pod uses it: to a volume that exists, or to one that its class
// provisions.
type unboundClaim struct {
	claim *corev1.PersistentVolumeClaim
	class *storagev1.StorageClass

	selectedNode string // on which a volume is being provisioned
	isSelected   bool

	reserved  []candidate // volumes that name this claim
	available candidates  // other volumes that are large enough

	topologies  []labels.Selector // of the nodes for which the class provisions, one of which has to match
	isTracked   bool              // the provisioner publishes its capacity
	isUntracked bool              // it does not; with neither, that is unknown
	capacities  []capacity        // that are large enough
}

// capacity is storage that a provisioner has for some nodes.
type capacity struct {
	*storagev1.CSIStorageCapacity
	nodes labels.Selector
}

func (v *Volumes) unboundOf(claim *corev1.PersistentVolumeClaim, class *storagev1.StorageClass) unboundClaim {
	u := unboundClaim{claim: claim, class: class}
	u.selectedNode, u.isSelected = claim.Annotations[selectedNode]
	if !u.isSelected {
		u.readCandidates(v.objects.volumesOf(class.Name), v.objects.lacks(PersistentVolume))
	}
	u.readTopologies()
	u.readCapacities(&v.objects)
	return u
}

// compareUnbound orders claims as they are bound: those that are being provisioned first, then the smallest.
//
// Source: FindPodVolumes and byPVCSize of volumebinding.
func compareUnbound(a, b unboundClaim) int {
	switch {
	case a.isSelected && b.isSelected:
		return 0
	case a.isSelected:
		return -1
	case b.isSelected:
		return 1
	}
	x, _ := a.request()
	y, _ := b.request()
	return x.Cmp(y)
}

// request returns the size of a claim.
func (u *unboundClaim) request() (size resource.Quantity, isSet bool) {
	size, isSet = u.claim.Spec.Resources.Requests[corev1.ResourceStorage]
	return size, isSet
}

// readCandidates reads the volumes that the claim can be bound to on some node.
//
// If the cluster may have more volumes, only those that name the claim are certain to be bound to it.
//
// Source: FindMatchingVolume of k8s.io/component-helpers/storage/volume.
func (u *unboundClaim) readCandidates(volumes []*corev1.PersistentVolume, mayBeMore bool) {
	selector := u.selector()
	for _, volume := range volumes {
		if !u.suits(volume) {
			continue
		}
		found := candidate{volume, nodeaffinity.SelectorOf(requiredOf(volume))}
		switch {
		case volume.Spec.ClaimRef != nil:
			u.reserved = append(u.reserved, found)
		case mayBeMore || volume.Status.Phase != corev1.VolumeAvailable:
		case selector.Matches(labels.Set(volume.Labels)) && u.hasModes(volume):
			u.available.all = append(u.available.all, found)
		}
	}
	u.available.sort()
}

// selector returns the selector of the volumes to which the claim can be bound.
func (u *unboundClaim) selector() labels.Selector {
	if u.claim.Spec.Selector == nil {
		return labels.Everything()
	}
	return selectorOf(u.claim.Spec.Selector)
}

// selectorOf reads a selector. One that is invalid selects nothing; the API server does not store it.
func selectorOf(s *metav1.LabelSelector) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// suits reports whether the claim can be bound to a volume that names it, or that names none.
func (u *unboundClaim) suits(volume *corev1.PersistentVolume) bool {
	claim, spec := &u.claim.Spec, &volume.Spec
	size, _ := u.request()
	capacity, fileSystem := spec.Capacity[corev1.ResourceStorage], corev1.PersistentVolumeFilesystem
	return ClassOf(volume) == u.class.Name && volume.DeletionTimestamp == nil &&
		(spec.ClaimRef == nil || IsFor(spec.ClaimRef, u.claim)) && capacity.Cmp(size) >= 0 &&
		valueOr(claim.VolumeMode, fileSystem) == valueOr(spec.VolumeMode, fileSystem) &&
		valueOr(claim.VolumeAttributesClassName, "") == valueOr(spec.VolumeAttributesClassName, "")
}

// ClassOf returns the class of a volume.
//
// Source: GetPersistentVolumeClass of k8s.io/component-helpers/storage/volume.
func ClassOf(volume *corev1.PersistentVolume) string {
	if class, isSet := volume.Annotations[corev1.BetaStorageClassAnnotation]; isSet {
		return class
	}
	return volume.Spec.StorageClassName
}

// IsFor reports whether a reference of a volume, nil if there is none, is one to a claim. Without a namespace, either
// is in default.
//
// Source: IsVolumeBoundToClaim of k8s.io/component-helpers/storage/volume.
func IsFor(ref *corev1.ObjectReference, claim *corev1.PersistentVolumeClaim) bool {
	return ref != nil && ref.Name == claim.Name && (ref.UID == "" || ref.UID == claim.UID) &&
		cmp.Or(ref.Namespace, metav1.NamespaceDefault) == cmp.Or(claim.Namespace, metav1.NamespaceDefault)
}

func valueOr[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

// hasModes reports whether a volume has all access modes of the claim.
func (u *unboundClaim) hasModes(volume *corev1.PersistentVolume) bool {
	return !slices.ContainsFunc(u.claim.Spec.AccessModes, func(mode corev1.PersistentVolumeAccessMode) bool {
		return !slices.Contains(volume.Spec.AccessModes, mode)
	})
}

// volumeOn returns the volume to which the claim is bound on a node, and nil if there is none. A volume that names the
// claim is the only choice. Volumes that other claims of the pod take are left out.
func (u *unboundClaim) volumeOn(at *place, taken []Binding) *corev1.PersistentVolume {
	isTaken := func(c *candidate) bool {
		return slices.ContainsFunc(taken, func(b Binding) bool { return b.Volume.Name == c.volume.Name })
	}
	for i := range u.reserved {
		c := &u.reserved[i]
		switch {
		case isTaken(c):
		case at.matches(&c.affinity):
			return c.volume
		default:
			return nil
		}
	}
	return u.available.first(at, isTaken)
}

// readTopologies reads for which nodes the class provisions volumes.
//
// Source: MatchTopologySelectorTerms of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func (u *unboundClaim) readTopologies() {
	for _, term := range u.class.AllowedTopologies {
		selector := labels.NewSelector()
		for _, r := range term.MatchLabelExpressions {
			requirement, err := labels.NewRequirement(r.Key, selection.In, slices.Clone(r.Values))
			if err != nil {
				selector = labels.Nothing()
				break
			}
			selector = selector.Add(*requirement)
		}
		if len(term.MatchLabelExpressions) > 0 {
			u.topologies = append(u.topologies, selector)
		}
	}
}

// readCapacities reads where the provisioner has storage for the claim, if it publishes that. A provisioner with a
// slash in its name, such as rancher.io/local-path, is no CSI driver.
//
// Source: hasEnoughCapacity of volumebinding.
func (u *unboundClaim) readCapacities(objects *Objects) {
	size, isSet := u.request()
	driver := objects.csiDriver(u.class.Provisioner)
	mayBeDriver := driver == nil && objects.lacks(CSIDriver) && !strings.Contains(u.class.Provisioner, "/")
	u.isTracked = isSet && driver != nil && valueOr(driver.Spec.StorageCapacity, false)
	u.isUntracked = !u.isTracked && !(isSet && mayBeDriver)
	if u.isUntracked {
		return
	}
	for _, c := range objects.capacitiesFor(u.class.Name) {
		most := c.Capacity
		if c.MaximumVolumeSize != nil {
			most = c.MaximumVolumeSize
		}
		if c.StorageClassName != u.class.Name || most == nil || most.Value() < size.Value() {
			continue
		}
		u.capacities = append(u.capacities, capacity{c, selectorOf(c.NodeTopology)})
	}
}

// checkUnbound adds why the claims that are bound on first use cannot be bound on a node, and what they are bound to if
// they can.
//
// Source: FindPodVolumes and findMatchingVolumes of volumebinding.
func (v *Volumes) checkUnbound(at *place, c *check) {
	for i := range v.unbound {
		if u := &v.unbound[i]; u.isSelected && u.selectedNode != at.name {
			c.bindConflict = true
			return
		}
	}
	at.toProvision = at.toProvision[:0]
	for i := range v.unbound {
		u := &v.unbound[i]
		if volume := u.volumeOn(at, c.bindings); volume != nil {
			c.bindings = append(c.bindings, Binding{Claim: u.claim, Volume: volume})
		} else {
			at.toProvision = append(at.toProvision, u)
		}
	}
	v.checkProvisioning(at, c)
}

// checkProvisioning adds why a class cannot provision a volume on a node: of the first claim that it concerns. Unless a
// node is selected, the claim may be bound to a volume that is not known instead.
//
// Source: checkVolumeProvisions of volumebinding.
func (v *Volumes) checkProvisioning(at *place, c *check) {
	for _, u := range at.toProvision {
		isOpen := !u.isSelected && v.objects.lacks(PersistentVolume)
		on, isEnough := u.capacityOn(at)
		switch {
		case !u.provisionsFor(at):
			if !isOpen {
				c.bindConflict = true
				return
			}
			c.unknown = append(c.unknown, PersistentVolume)
		case isEnough || u.isUntracked:
		case !u.isTracked:
			c.unknown = append(c.unknown, CSIDriver)
		case v.objects.lacks(CSIStorageCapacity):
			c.unknown = append(c.unknown, CSIStorageCapacity)
		case isOpen:
			c.unknown = append(c.unknown, PersistentVolume)
		default:
			c.notEnough = true
			return
		}
		c.bindings = append(c.bindings, Binding{Claim: u.claim, capacity: on})
	}
}

// provisions reports whether a class, nil if there is none, provisions volumes at all.
func provisions(class *storagev1.StorageClass) bool {
	return class != nil && class.Provisioner != "" && class.Provisioner != "kubernetes.io/no-provisioner"
}

// provisionsFor reports whether the class provisions volumes for a node.
func (u *unboundClaim) provisionsFor(at *place) bool {
	if !provisions(u.class) {
		return false
	}
	return len(u.class.AllowedTopologies) == 0 || slices.ContainsFunc(u.topologies, at.isIn)
}

// capacityOn returns the first storage of the provisioner for a node that is large enough.
func (u *unboundClaim) capacityOn(at *place) (c *storagev1.CSIStorageCapacity, found bool) {
	i := slices.IndexFunc(u.capacities, func(c capacity) bool { return at.isIn(c.nodes) })
	if i < 0 {
		return nil, false
	}
	return u.capacities[i].CSIStorageCapacity, true
}
