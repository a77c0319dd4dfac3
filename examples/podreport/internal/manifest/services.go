package manifest

import (
	corev1 "k8s.io/api/core/v1"
)

// Service is a Service, which matters to quotas alone.
type Service struct {
	Place
	Namespace, Name string
	Home            string // the namespace that it is in
	Exists          bool
	Object          *corev1.Service
}

func (in *Input) addService(at Place, o *corev1.Service) {
	s := Service{at, o.Namespace, nameOf(&o.ObjectMeta), in.orHome(o.Namespace), created(&o.ObjectMeta), o}
	if s.Name == "" {
		in.failAll(at, Invalid, []fault{{"metadata.name", "missing"}})
		return
	}
	in.Services = append(in.Services, s)
}
