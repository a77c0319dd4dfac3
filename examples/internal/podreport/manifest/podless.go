package manifest

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// Object is an object that ResourceQuotas may limit: a workload, a PersistentVolumeClaim, a Service, or any other.
type Object struct {
	objects.Place
	Kind, Namespace, Name string
	Home                  string // the namespace that it is in
	Exists                bool   // it has been created already
	Hidden                bool   // it counts, but is not to be shown
	Typed                 admit.APIObject

	gone bool // it has been replaced, or is a member of another
}

// Unit returns the noun of an object: claim, service or object.
func (o *Object) Unit() string {
	switch o.Typed.(type) {
	case *corev1.PersistentVolumeClaim, *resourcev1.ResourceClaim:
		return "claim"
	case *corev1.Service:
		return "service"
	}
	return "object"
}

// addUnknown adds an object of a kind that is not read, because quotas may count it. It needs no name.
func (in *Input) addUnknown(read *objects.Object) {
	o := &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: read.APIVersion, Kind: read.Kind}}
	kind, id := read.Kind, read.Identity
	o.Namespace, o.Name, o.GenerateName, o.UID = id.Namespace, id.Name, id.GenerateName, types.UID(id.UID)
	for known := range Kinds {
		if known[1] == kind {
			kind += " of " + read.APIVersion // whose API group differs from that of a kind that is read
			break
		}
	}
	in.addPodless(&Object{Place: read.Place, Kind: kind, Typed: o})
}

// addNamed adds an object that the API server rejects without a name.
func (in *Input) addNamed(o *Object) {
	if nameOf(o.Typed) == "" {
		in.fail(o.Place, objects.Invalid, objects.Fault{Field: "metadata.name", Text: "missing"})
		return
	}
	o.Typed.SetManagedFields(nil)
	in.addPodless(o)
}

func (in *Input) addPodless(o *Object) {
	o.Namespace, o.Name = o.Typed.GetNamespace(), nameOf(o.Typed)
	o.Home, o.Exists, o.Hidden = in.orHome(o.Namespace), o.Exists || created(o.Typed), in.hides(o.Typed)
	if before := in.earlier(o); before != nil {
		o.Exists = o.Exists || before.Exists
	}
	in.Objects = append(in.Objects, o)
}

// template is the template of a claim that is created for each pod of a workload.
type template struct {
	Path   string
	Name   string
	Object admit.APIObject
}

func ephemeralClaims(prefix string, volumes []corev1.Volume) []template {
	var templates []template
	for i := range volumes {
		if e := volumes[i].Ephemeral; e != nil && e.VolumeClaimTemplate != nil {
			path := fmt.Sprintf("%sspec.volumes[%d].ephemeral.volumeClaimTemplate", prefix, i)
			t := e.VolumeClaimTemplate
			claim := &corev1.PersistentVolumeClaim{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
			templates = append(templates, template{path, volumes[i].Name, claim})
		}
	}
	return templates
}

// addDeviceClaims adds the ResourceClaims that are created for each pod and whose templates are in the
// input.
func (in *Input) addDeviceClaims(w *Workload) {
	for i, claim := range w.Pod.Spec.ResourceClaims {
		if claim.ResourceClaimTemplateName == nil {
			continue
		}
		if t := in.templates[w.Home+"/"+*claim.ResourceClaimTemplateName]; t != nil {
			path := fmt.Sprintf("%sspec.resourceClaims[%d]", w.Prefix, i)
			object := &resourcev1.ResourceClaim{ObjectMeta: t.Spec.ObjectMeta, Spec: t.Spec.Spec}
			w.Claims = append(w.Claims, template{path, claim.Name, object})
		}
	}
}

// identity identifies an object. The kinds that are read differ by name, regardless of their group.
type identity struct{ kind, namespace, name string }

func (o *Object) identity() identity { return identity{o.Kind, o.Home, o.Name} }

// earlier returns the earlier object with the identity of one, which replaces it; nil if there is none.
// The later one counts, as if both were applied, and there is a note. Objects with metadata.generateName, or without a
// name, are always different.
func (in *Input) earlier(o *Object) *Object {
	if o.Name == "" || strings.HasSuffix(o.Name, generated) {
		return nil
	}
	before := in.byName[o.identity()]
	in.byName[o.identity()] = o
	if before != nil {
		in.Problems = append(in.Problems, objects.Replaced(before.Place, o.Place))
		before.gone = true
	}
	return before
}
