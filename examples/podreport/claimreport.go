package main

import (
	"github.com/kubemath/kubemath/limitrange"
)

// Claim is a PersistentVolumeClaim of its own. Those that are created for the pods of a
// workload show only in the reasons to reject it.
type Claim struct {
	Source    Source  `json:"source"`
	Namespace string  `json:"namespace,omitempty"` // if any
	Name      string  `json:"name"`
	Requests  Amounts `json:"requests"`
	QuotaReport
	// Rejection is set if the API server would reject the claim.
	Rejection *Rejection `json:"rejection,omitempty"`
}

func describeClaim(c *claim, policy *limitrange.Policy) Claim {
	d := Claim{
		Source:    c.source(),
		Namespace: c.namespace,
		Name:      c.name,
		Requests:  amountsOf(c.object.Spec.Resources.Requests),
	}
	if c.live {
		return d // it has been admitted
	}
	if reasons := claimReasons(c.name, "spec", &c.object.Spec, policy); len(reasons) > 0 {
		d.Rejection = &Rejection{Reasons: reasons}
	}
	return d
}
