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

// Object is one that runs no pods: a PersistentVolumeClaim, a Service, or any other.
type Object struct {
	objects.Place
	Kind, Namespace, Name string
	Unit                  string // what one is called: claim, service or object
	Scale                 string // what it is of, in words
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
	scale := wording.Count(int64(len(o.Spec.Devices.Requests)), "request") + " for devices"
	in.Others = in.addPodless(in.Others, at, Object{Kind: "ResourceClaim", Unit: "claim", Scale: scale, Object: o}, &o.ObjectMeta)
}

// addUnknown adds an object of a kind that is not read: quotas may count it.
func (in *Input) addUnknown(read *objects.Object) {
	o := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: read.APIVersion, Kind: read.Kind}}
	o.Namespace, o.Name, o.GenerateName, o.UID = read.Identity.Namespace, read.Identity.Name, read.Identity.GenerateName, types.UID(read.Identity.UID)
	home, exists := in.orHome(o.Namespace), o.UID != ""
	// Without a note: most of them count nowhere.
	id := identity{read.APIVersion + "/" + read.Kind, home, nameOf(&o.ObjectMeta)}
	if before, known := in.byName[id]; known && id.name != "" && !strings.HasSuffix(id.name, generated) {
		in.Others[before.index].gone, exists = true, exists || in.Others[before.index].Exists
	}
	in.byName[id] = place{index: len(in.Others)}
	in.Others = append(in.Others, Object{
		Place: read.Place, Kind: read.Kind, Namespace: o.Namespace, Name: nameOf(&o.ObjectMeta), Unit: "object", Scale: "counted by its kind",
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
