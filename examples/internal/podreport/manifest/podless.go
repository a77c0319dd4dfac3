package manifest

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Object is an object without pods: a PersistentVolumeClaim, a Service, or any other.
type Object struct {
	objects.Place
	Kind, Namespace, Name string
	Unit                  string // its noun: claim, service or object
	Scale                 string // its number or size, in words
	Home                  string // the namespace that it is in
	Exists                bool   // it has been created already
	Object                admit.APIObject

	gone bool // it has been replaced
}

func (in *Input) addClaim(at objects.Place, o *corev1.PersistentVolumeClaim) {
	scale := "no storage requested"
	if q, stated := o.Spec.Resources.Requests[corev1.ResourceStorage]; stated {
		scale = quantity.Canonical(q) + " of storage"
	}
	claim := Object{Kind: "PersistentVolumeClaim", Unit: "claim", Scale: scale, Exists: o.Status.Phase != "", Object: o}
	in.Claims = in.addPodless(in.Claims, at, claim, &o.ObjectMeta)
}

func (in *Input) addService(at objects.Place, o *corev1.Service) {
	kind := cmp.Or(string(o.Spec.Type), string(corev1.ServiceTypeClusterIP))
	scale := fmt.Sprintf("%s, %s", wording.Printable(kind), wording.Count(int64(len(o.Spec.Ports)), "port"))
	in.Services = in.addPodless(in.Services, at, Object{Kind: "Service", Unit: "service", Scale: scale, Object: o}, &o.ObjectMeta)
}

func (in *Input) addResourceClaim(at objects.Place, o *resourcev1.ResourceClaim) {
	completeClaim(&o.Spec)
	scale := wording.Count(int64(len(o.Spec.Devices.Requests)), "request") + " for devices"
	in.Others = in.addPodless(in.Others, at, Object{Kind: "ResourceClaim", Unit: "claim", Scale: scale, Object: o}, &o.ObjectMeta)
}

// completeClaim sets the defaults of the API server: a request without a count is for one device.
func completeClaim(spec *resourcev1.ResourceClaimSpec) {
	complete := func(mode *resourcev1.DeviceAllocationMode, count *int64) {
		if *mode == "" {
			*mode = resourcev1.DeviceAllocationModeExactCount
		}
		if *mode == resourcev1.DeviceAllocationModeExactCount && *count == 0 {
			*count = 1
		}
	}
	for i := range spec.Devices.Requests {
		r := &spec.Devices.Requests[i]
		if r.Exactly != nil {
			complete(&r.Exactly.AllocationMode, &r.Exactly.Count)
		}
		for j := range r.FirstAvailable {
			complete(&r.FirstAvailable[j].AllocationMode, &r.FirstAvailable[j].Count)
		}
	}
}

// addUnknown adds an object of an unknown kind, because quotas may count it.
func (in *Input) addUnknown(read *objects.Object) {
	o := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: read.APIVersion, Kind: read.Kind}}
	o.Namespace, o.Name, o.GenerateName, o.UID = read.Identity.Namespace, read.Identity.Name, read.Identity.GenerateName, types.UID(read.Identity.UID)
	kind := read.Kind
	if knownKind(kind) {
		kind += " of " + read.APIVersion // whose API group differs from that of a reported kind
	}
	home, exists := in.orHome(o.Namespace), o.UID != ""
	// There is no note, because most of them do not count.
	id := identity{read.APIVersion + "/" + read.Kind, home, nameOf(&o.ObjectMeta)}
	if before, known := in.byName[id]; known && id.name != "" && !strings.HasSuffix(id.name, generated) {
		in.Others[before.index].gone, exists = true, exists || in.Others[before.index].Exists
	}
	in.byName[id] = place{index: len(in.Others)}
	in.Others = append(in.Others, Object{
		Place: read.Place, Kind: kind, Namespace: o.Namespace, Name: nameOf(&o.ObjectMeta), Unit: "object", Scale: "counted by its kind",
		Home: home, Exists: exists, Object: o,
	})
}

// addPodless adds an object, if it has a name.
func (in *Input) addPodless(list []Object, at objects.Place, o Object, meta *metav1.ObjectMeta) []Object {
	o.Place, o.Namespace, o.Name, o.Home = at, meta.Namespace, nameOf(meta), in.orHome(meta.Namespace)
	o.Exists = o.Exists || created(meta)
	if o.Name == "" {
		in.failAll(at, objects.Invalid, []objects.Fault{{Field: "metadata.name", Text: "missing"}})
		return list
	}
	o.Object.SetManagedFields(nil)
	if before, known := in.earlier(at, identity{o.Kind, o.Home, o.Name}, place{index: len(list)}); known {
		o.Exists = o.Exists || list[before.index].Exists
		list[before.index].gone = true
	}
	return append(list, o)
}

// knownKind reports whether a kind of this name is read.
func knownKind(name string) bool {
	for kind := range Kinds {
		if kind[1] == name {
			return true
		}
	}
	return false
}
