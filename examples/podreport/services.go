package main

import (
	"fmt"
	"strings"

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
	s := service{at, o.Namespace, nameOf(&o.ObjectMeta), in.home.of(o.Namespace), created(&o.ObjectMeta), o}
	if s.name == "" {
		in.failAll(at, invalid, []fault{{"metadata.name", "missing"}})
		return
	}
	in.services = append(in.services, s)
}

// Service is one that a quota limits.
type Service struct {
	Source    Source `json:"source"`
	Namespace string `json:"namespace,omitempty"` // if any
	Name      string `json:"name"`
	Type      string `json:"type"`
	Ports     int    `json:"ports"`
	QuotaReport
	// Rejection is set if the API server would reject the service.
	Rejection *Rejection `json:"rejection,omitempty"`
}

func describeService(s *service) Service {
	d := Service{Source: s.source(), Namespace: s.namespace, Name: s.name, Type: string(s.object.Spec.Type), Ports: len(s.object.Spec.Ports)}
	if d.Type == "" {
		d.Type = string(corev1.ServiceTypeClusterIP)
	}
	return d
}

func writeServices(b *strings.Builder, services []Service) {
	for i := range services {
		s := &services[i]
		writeHeading(b, "Service "+qualified(s.Namespace, s.Name), fmt.Sprintf("%s, %s", printable(s.Type), count(int64(s.Ports), "port")), s.Source)
		writeRejection(b, s.Rejection)
		writeQuotas(b, "service", &s.QuotaReport)
	}
}
