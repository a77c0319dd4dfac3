package table

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/examples/podreport/internal/report"
)

func writeClaims(b *strings.Builder, claims []report.Claim) {
	for i := range claims {
		c := &claims[i]
		storage := "no storage requested"
		if q, stated := c.Requests[corev1.ResourceStorage]; stated {
			storage = q + " of storage"
		}
		writeHeading(b, "PersistentVolumeClaim "+wording.Qualified(c.Namespace, c.Name), storage, c.Source)
		writeRejection(b, c.Rejection)
		writeQuotas(b, "claim", &c.QuotaReport)
	}
}

func writeServices(b *strings.Builder, services []report.Service) {
	for i := range services {
		s := &services[i]
		writeHeading(b, "Service "+wording.Qualified(s.Namespace, s.Name), fmt.Sprintf("%s, %s", wording.Printable(s.Type), wording.Count(int64(s.Ports), "port")), s.Source)
		writeRejection(b, s.Rejection)
		writeQuotas(b, "service", &s.QuotaReport)
	}
}
