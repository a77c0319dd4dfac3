package whatif

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// volumesField is in Unknown where volumes that are not known, or limits of their number, may decide about a node.
const volumesField = "spec.volumes"

// kindsOfVolumes are the kinds of objects to which volumes of pods refer.
func kindsOfVolumes() []podvolumes.Kind {
	return []podvolumes.Kind{
		podvolumes.PersistentVolumeClaim, podvolumes.PersistentVolume, podvolumes.StorageClass, podvolumes.CSINode,
		podvolumes.CSIDriver, podvolumes.CSIStorageCapacity,
	}
}

func isOfVolumes(kind string) bool { return slices.Contains(kindsOfVolumes(), podvolumes.Kind(kind)) }

func claimKey(name string) key { return key{string(podvolumes.PersistentVolumeClaim), name} }

// objectOf returns an object of a type, nil if there is none.
func objectOf[O admit.APIObject](c *Cluster, namespace string, kind podvolumes.Kind, name string) (object O) {
	if it := c.itemOf(namespace, key{string(kind), name}); it != nil && !it.isGuess {
		object, _ = it.object.(O)
	}
	return object
}

// volumeIndex finds volumes and capacities by their class.
type volumeIndex struct {
	cluster    *Cluster
	volumes    map[string][]*corev1.PersistentVolume      // by name
	capacities map[string][]*storagev1.CSIStorageCapacity // by namespace and name; nil until one is asked for
}

// indexOfVolumes returns the index of the volumes as they are now.
func (d *draft) indexOfVolumes() *volumeIndex {
	if d.volumeIndex != nil {
		return d.volumeIndex
	}
	d.volumeIndex = &volumeIndex{cluster: d.Cluster, volumes: map[string][]*corev1.PersistentVolume{}}
	if s := d.spaces[""]; s != nil {
		for k, it := range s.items.All {
			if volume, ok := it.object.(*corev1.PersistentVolume); ok && k.kind == string(podvolumes.PersistentVolume) {
				class := podvolumes.ClassOf(volume)
				d.volumeIndex.volumes[class] = append(d.volumeIndex.volumes[class], volume)
			}
		}
	}
	for _, volumes := range d.volumeIndex.volumes {
		slices.SortFunc(volumes, byName)
	}
	return d.volumeIndex
}

func byName(a, b *corev1.PersistentVolume) int { return strings.Compare(a.Name, b.Name) }

// replace replaces a volume of which neither the name nor the class has changed.
func (x *volumeIndex) replace(volume *corev1.PersistentVolume) {
	volumes := x.volumes[podvolumes.ClassOf(volume)]
	if i, found := slices.BinarySearchFunc(volumes, volume, byName); found {
		volumes[i] = volume
	}
}

func (x *volumeIndex) capacitiesFor(class string) []*storagev1.CSIStorageCapacity {
	if x.capacities == nil {
		x.capacities = map[string][]*storagev1.CSIStorageCapacity{}
		for _, s := range x.cluster.spaces {
			for _, it := range s.items.All {
				if c, ok := it.object.(*storagev1.CSIStorageCapacity); ok {
					x.capacities[c.StorageClassName] = append(x.capacities[c.StorageClassName], c)
				}
			}
		}
		for _, capacities := range x.capacities {
			slices.SortFunc(capacities, func(a, b *storagev1.CSIStorageCapacity) int {
				return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
			})
		}
	}
	return x.capacities[class]
}

// volumeObjects returns the objects to which volumes of pods refer, as they are now.
func (d *draft) volumeObjects() podvolumes.Objects {
	c, index := d.Cluster, d.indexOfVolumes()
	return podvolumes.Objects{
		Claim: func(namespace, name string) *corev1.PersistentVolumeClaim {
			namespace = cmp.Or(namespace, metav1.NamespaceDefault)
			return objectOf[*corev1.PersistentVolumeClaim](c, namespace, podvolumes.PersistentVolumeClaim, name)
		},
		Volume: func(name string) *corev1.PersistentVolume {
			return objectOf[*corev1.PersistentVolume](c, "", podvolumes.PersistentVolume, name)
		},
		VolumesOf: func(class string) []*corev1.PersistentVolume { return index.volumes[class] },
		Class:     c.storageClass,
		CSINode: func(node string) *storagev1.CSINode {
			return objectOf[*storagev1.CSINode](c, "", podvolumes.CSINode, node)
		},
		CSIDriver: func(name string) *storagev1.CSIDriver {
			return objectOf[*storagev1.CSIDriver](c, "", podvolumes.CSIDriver, name)
		},
		CapacitiesFor: index.capacitiesFor, Incomplete: c.incompleteVolumes(), BindsSoon: true,
	}
}

// storageClass returns a class that admission knows, nil if there is none.
func (c *Cluster) storageClass(name string) *storagev1.StorageClass {
	classes := c.opts.Admission.StorageClasses
	i := slices.IndexFunc(classes, func(class *storagev1.StorageClass) bool { return class != nil && class.Name == name })
	if i < 0 {
		return nil
	}
	return classes[i]
}

// incompleteVolumes returns the kinds of which the cluster may have more objects: those of which none was read.
func (c *Cluster) incompleteVolumes() (kinds []podvolumes.Kind) {
	o := &c.opts.Admission
	for _, kind := range kindsOfVolumes() {
		isKnown := slices.Contains(c.complete, kind)
		if kind == podvolumes.StorageClass {
			isKnown = o.StorageClasses != nil && !slices.Contains(o.Incomplete, string(kind))
		}
		if !isKnown {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// readVolumes notes of which kinds objects were read, makes volumes available, and binds claims.
func (d *draft) readVolumes() {
	for _, s := range d.spaces {
		for k, it := range s.items.All {
			if volume, ok := it.object.(*corev1.PersistentVolume); ok {
				it.object = asAvailable(volume)
			}
			kind := podvolumes.Kind(k.kind)
			if isOfVolumes(k.kind) && !slices.Contains(d.complete, kind) {
				d.complete = append(d.complete, kind)
			}
		}
	}
	d.bindClaims()
}

// asAvailable returns a volume as the controller of volumes makes it available if it is new.
//
// Source: syncVolume of k8s.io/kubernetes/pkg/controller/volume/persistentvolume.
func asAvailable(volume *corev1.PersistentVolume) *corev1.PersistentVolume {
	if phase := volume.Status.Phase; phase != "" && phase != corev1.VolumePending {
		return volume
	}
	own := volume.DeepCopy()
	own.Status.Phase = corev1.VolumeAvailable
	return own
}

// withBinding returns an updated claim or volume with what the controller of volumes has set, which manifests omit.
func withBinding(obj, old admit.APIObject) admit.APIObject {
	claim, isClaim := obj.(*corev1.PersistentVolumeClaim)
	if _, wasClaim := old.(*corev1.PersistentVolumeClaim); isClaim && wasClaim {
		own := claim.DeepCopy()
		own.Annotations = maps.Clone(old.GetAnnotations())
		for name, value := range claim.Annotations {
			metav1.SetMetaDataAnnotation(&own.ObjectMeta, name, value)
		}
		return own
	}
	volume, isVolume := obj.(*corev1.PersistentVolume)
	if before, wasVolume := old.(*corev1.PersistentVolume); isVolume && wasVolume {
		own := volume.DeepCopy()
		own.Spec.ClaimRef = cmp.Or(own.Spec.ClaimRef, before.Spec.ClaimRef.DeepCopy())
		own.Status.Phase = cmp.Or(own.Status.Phase, before.Status.Phase)
		return own
	}
	return obj
}

// bindClaims binds the claims that the controller of volumes binds, whatever pods use them, by namespace and name.
func (d *draft) bindClaims() {
	if len(d.indexOfVolumes().volumes) == 0 {
		return
	}
	for _, namespace := range slices.Sorted(maps.Keys(d.spaces)) {
		var claims []key
		for k, it := range d.spaces[namespace].items.All {
			if _, ok := it.object.(*corev1.PersistentVolumeClaim); ok {
				claims = append(claims, k)
			}
		}
		slices.SortFunc(claims, key.compare)
		for _, k := range claims {
			d.bindClaim(namespace, k)
		}
	}
}

// bindClaim binds a claim if the controller of volumes does.
func (d *draft) bindClaim(namespace string, k key) {
	it := d.itemOf(namespace, k)
	if it == nil || it.isGuess {
		return
	}
	claim, ok := it.object.(*corev1.PersistentVolumeClaim)
	if !ok {
		return
	}
	objects := d.volumeObjects()
	if volume := objects.VolumeFor(claim); volume != nil {
		d.follow(podvolumes.Binding{Claim: claim, Volume: volume}, "")
	}
}

// follow makes a claim and a volume what they are once a pod is on a node.
func (d *draft) follow(b podvolumes.Binding, node string) {
	claim, volume := b.After(node)
	namespace, k := placeOf(claim)
	d.item(namespace, k).object = claim
	if volume != nil {
		_, k := placeOf(volume)
		d.item("", k).object = volume
		d.indexOfVolumes().replace(volume)
	}
}

// bindVolumes binds the claims of a pod that gets a node, and returns what is unknown about the pod then.
func (d *draft) bindVolumes(p *pod, node string) (unknown []string) {
	if p.Shape.Volumes() == nil {
		return p.unknown
	}
	unknown = p.unknown
	if d.places.DependsOnUnknown(p.Shape, node) {
		unknown = append(slices.Clip(unknown), volumesField)
	}
	bindings := d.places.Bindings(p.Shape, node)
	for _, b := range bindings {
		d.follow(b, node)
	}
	if len(bindings) > 0 {
		d.reshapeVolumes(func(other *pod) bool { return isConcerned(other, bindings) })
	}
	return unknown
}

// isConcerned reports whether bindings may matter to a pod with volumes: one of its claims is bound, or a volume that
// it might have used.
func isConcerned(p *pod, bindings []podvolumes.Binding) bool {
	return slices.ContainsFunc(bindings, func(b podvolumes.Binding) bool {
		namespace, _ := placeOf(b.Claim)
		return b.Volume != nil || p.Namespace == namespace && usesClaim(p.Object, b.Claim.Name)
	})
}

func usesClaim(pod *corev1.Pod, claim string) bool {
	return slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return podvolumes.ClaimName(pod, &v) == claim
	})
}

// reshapeVolumes is reshapeIf for pods with volumes.
func (d *draft) reshapeVolumes(isConcerned func(p *pod) bool) (found bool) {
	return d.reshapeIf(func(p *pod) bool { return p.Shape.Volumes() != nil && isConcerned(p) })
}

// volumesChanged binds claims, and has pods that wait look again, after an object has come, has changed or is gone.
func (d *draft) volumesChanged(namespace string, k key) {
	if !isOfVolumes(k.kind) {
		return
	}
	isConcerned := func(*pod) bool { return true }
	if k.kind == string(podvolumes.PersistentVolumeClaim) {
		d.bindClaim(namespace, k)
		isConcerned = func(p *pod) bool { return p.Namespace == namespace && usesClaim(p.Object, k.name) }
	} else {
		d.volumeIndex = nil
		d.bindClaims()
	}
	if d.reshapeVolumes(isConcerned) {
		d.places.Free()
	}
}

// releaseVolume releases the volume of a claim that is deleted: it is deleted as well, or is kept for no other claim.
//
// Source: reclaimVolume of k8s.io/kubernetes/pkg/controller/volume/persistentvolume.
func (d *draft) releaseVolume(claim *corev1.PersistentVolumeClaim) {
	k := key{string(podvolumes.PersistentVolume), claim.Spec.VolumeName}
	it := d.item("", k)
	if claim.Spec.VolumeName == "" || it == nil {
		return
	}
	volume, ok := it.object.(*corev1.PersistentVolume)
	if !ok || !isFor(volume.Spec.ClaimRef, claim) {
		return
	}
	if volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete {
		d.space("").items.Set(k, nil)
	} else {
		released := volume.DeepCopy()
		released.Status.Phase = corev1.VolumeReleased
		released.Spec.ClaimRef.UID = cmp.Or(claim.UID, "deleted") // which no other claim of its name has
		it.object = released
	}
	d.volumeIndex = nil
}

// isFor reports whether a reference of a volume, nil if there is none, is one to a claim.
func isFor(ref *corev1.ObjectReference, claim *corev1.PersistentVolumeClaim) bool {
	namespace, _ := placeOf(claim)
	return ref != nil && ref.Name == claim.Name && cmp.Or(ref.Namespace, metav1.NamespaceDefault) == namespace
}

// createEphemeralClaims creates the claims of the generic ephemeral volumes of a pod. One that is not admitted keeps
// the pod waiting.
func (d *draft) createEphemeralClaims(s *space, pod *corev1.Pod) {
	for i := range pod.Spec.Volumes {
		claim := podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[i])
		if claim != nil && s.items.Get(claimKey(claim.Name)) == nil {
			d.createItem(s, &item{}, claim)
		}
	}
}

// createEphemeralClaimsIn does so for the pods of a namespace that wait.
func (d *draft) createEphemeralClaimsIn(namespace string) {
	for _, p := range d.waiting() {
		if p.Namespace == namespace {
			d.createEphemeralClaims(d.space(namespace), p.Object)
		}
	}
}

// deleteEphemeralClaims deletes the claims that belong to a pod.
func (d *draft) deleteEphemeralClaims(pod *pod) {
	for i := range pod.Object.Spec.Volumes {
		volume := &pod.Object.Spec.Volumes[i]
		if volume.Ephemeral == nil {
			continue
		}
		k := claimKey(podvolumes.ClaimName(pod.Object, volume))
		if it := d.itemOf(pod.Namespace, k); it != nil && metav1.IsControlledBy(it.object, pod.Object) {
			d.deleteItem(pod.Namespace, k)
		}
	}
}

// unknownOf returns what is unknown about a pod, sorted.
func (d *draft) unknownOf(p *pod) []string {
	unknown := slices.Concat(p.unknown, d.unknownFields(&p.Object.Spec))
	waits := d.located && p.Node == "" && !p.ended && p.Shape != nil && !p.Shape.IsGated()
	if waits && d.places.DependsOnUnknown(p.Shape, "") {
		unknown = append(unknown, volumesField)
	}
	slices.Sort(unknown)
	return unknown
}

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
		decision := s.admission.Create(group[len(group)-1], admit.Attributes{})
		p := d.newPod(s.name, decision.Object.(*corev1.Pod))
		node := d.places.Find(p.Shape)
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
		d.store(s, k, s.admission.Create(claim, admit.Attributes{}).Object)
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
