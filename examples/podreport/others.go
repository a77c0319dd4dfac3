package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

func writeClaims(b *strings.Builder, claims []Claim) {
	for i := range claims {
		c := &claims[i]
		storage := "no storage requested"
		if q, stated := c.Requests[corev1.ResourceStorage]; stated {
			storage = q + " of storage"
		}
		writeHeading(b, "PersistentVolumeClaim "+qualified(c.Namespace, c.Name), storage, c.Source)
		writeRejection(b, c.Rejection)
		writeQuotas(b, "claim", &c.QuotaReport)
	}
}

func writeServices(b *strings.Builder, services []Service) {
	for i := range services {
		s := &services[i]
		writeHeading(b, "Service "+qualified(s.Namespace, s.Name), fmt.Sprintf("%s, %s", printable(s.Type), count(int64(s.Ports), "port")), s.Source)
		writeRejection(b, s.Rejection)
		writeQuotas(b, "service", &s.QuotaReport)
	}
}
