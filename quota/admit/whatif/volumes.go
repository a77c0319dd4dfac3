package whatif

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/quota/admit"
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
func objectOf[O admit.APIObject](c *Cluster, namespace string, k key) (object O) {
	if it := c.itemOf(namespace, k); it != nil && !it.isGuess {
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
			return objectOf[*corev1.PersistentVolumeClaim](c, namespace, claimKey(name))
		},
		Volume: func(name string) *corev1.PersistentVolume {
			return objectOf[*corev1.PersistentVolume](c, "", key{"PersistentVolume", name})
		},
		VolumesOf: func(class string) []*corev1.PersistentVolume { return index.volumes[class] },
		Class:     c.storageClass,
		CSINode: func(node string) *storagev1.CSINode {
			return objectOf[*storagev1.CSINode](c, "", key{"CSINode", node})
		},
		CSIDriver: func(name string) *storagev1.CSIDriver {
			return objectOf[*storagev1.CSIDriver](c, "", key{"CSIDriver", name})
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

// unknownOf returns what is unknown about a pod, sorted.
func (d *draft) unknownOf(p *pod) []string {
	unknown := slices.Concat(p.unknown, d.unknownFields(&p.Object.Spec), d.unknownOfJob(p))
	waits := d.located && p.Node == "" && !p.ended && p.Shape != nil && !p.Shape.IsGated()
	if waits && d.places.DependsOnUnknown(p.Shape, "") {
		unknown = append(unknown, volumesField)
	}
	slices.Sort(unknown)
	return unknown
}
