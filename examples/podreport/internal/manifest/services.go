package manifest

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// Service is a Service, which matters to quotas alone.
type Service struct {
	objects.Place
	Namespace, Name string
	Home            string // the namespace that it is in
	Exists          bool
	Object          *corev1.Service
}

func (in *Input) addService(at objects.Place, o *corev1.Service) {
	s := Service{at, o.Namespace, nameOf(&o.ObjectMeta), in.orHome(o.Namespace), created(&o.ObjectMeta), o}
	if s.Name == "" {
		in.failAll(at, objects.Invalid, []objects.Fault{{Field: "metadata.name", Text: "missing"}})
		return
	}
	o.Namespace = s.Home
	in.Services = append(in.Services, s)
}
