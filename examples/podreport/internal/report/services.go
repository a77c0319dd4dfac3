package report

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
)

// Service is one that a quota limits.
type Service struct {
	Source    objects.Source `json:"source"`
	Namespace string         `json:"namespace,omitempty"` // if any
	Name      string         `json:"name"`
	Type      string         `json:"type"`
	Ports     int            `json:"ports"`
	QuotaReport
	// Rejection is set if the API server would reject the service.
	Rejection *Rejection `json:"rejection,omitempty"`
}

func describeService(s *manifest.Service) Service {
	d := Service{Source: s.Source(), Namespace: s.Namespace, Name: s.Name, Type: string(s.Object.Spec.Type), Ports: len(s.Object.Spec.Ports)}
	if d.Type == "" {
		d.Type = string(corev1.ServiceTypeClusterIP)
	}
	return d
}
