package report

import (
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
)

// Claim is a PersistentVolumeClaim of its own. Those that are created for the pods of a
// workload show only in the reasons to reject it.
type Claim struct {
	Source    objects.Source `json:"source"`
	Namespace string         `json:"namespace,omitempty"` // if any
	Name      string         `json:"name"`
	Requests  Amounts        `json:"requests"`
	QuotaReport
	// Rejection is set if the API server would reject the claim.
	Rejection *Rejection `json:"rejection,omitempty"`
}

func describeClaim(c *manifest.Claim) Claim {
	return Claim{
		Source:    c.Source(),
		Namespace: c.Namespace,
		Name:      c.Name,
		Requests:  amountsOf(c.Object.Spec.Resources.Requests),
	}
}
