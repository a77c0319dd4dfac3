package main

import (
	corev1 "k8s.io/api/core/v1"
)

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
