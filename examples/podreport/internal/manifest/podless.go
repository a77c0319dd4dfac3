package manifest

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Object is one that runs no pods: a PersistentVolumeClaim, or a Service.
type Object struct {
	objects.Place
	Kind, Namespace, Name string
	Unit                  string // what one is called: claim or service
	Scale                 string // what it is of, in words
	Home                  string // the namespace that it is in
	Exists                bool   // it has been created already
	Object                admit.APIObject
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

// addPodless adds an object, if it has a name.
func (in *Input) addPodless(list []Object, at objects.Place, o Object, meta *metav1.ObjectMeta) []Object {
	o.Place, o.Namespace, o.Name, o.Home = at, meta.Namespace, nameOf(meta), in.orHome(meta.Namespace)
	o.Exists = o.Exists || created(meta)
	if o.Name == "" {
		in.failAll(at, objects.Invalid, []objects.Fault{{Field: "metadata.name", Text: "missing"}})
		return list
	}
	return append(list, o)
}
