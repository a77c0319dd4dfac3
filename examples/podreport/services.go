package main

import (
	corev1 "k8s.io/api/core/v1"
)

// service is a Service, which matters to quotas alone.
type service struct {
	place
	namespace, name string
	home            string // the namespace that it is in
	exists          bool
	object          *corev1.Service
}

func (in *input) addService(at place, o *corev1.Service) {
	s := service{at, o.Namespace, nameOf(&o.ObjectMeta), in.orHome(o.Namespace), created(&o.ObjectMeta), o}
	if s.name == "" {
		in.failAll(at, invalid, []fault{{"metadata.name", "missing"}})
		return
	}
	in.services = append(in.services, s)
}
