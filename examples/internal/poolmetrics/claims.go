package poolmetrics

import (
	"cmp"

	"github.com/kubemath/kubemath/pool"
)

// ofClaims returns the metrics of claims.
func ofClaims(claims []*pool.ResourcePoolClaim, opts pool.Options) []Metric {
	conditions := Metric{Name: "capsule_claim_condition", Help: "The current condition status of a claim."}
	pools := Metric{Name: "capsule_claim_pool", Help: "The current assigned pool of a claim."}
	resources := Metric{Name: "capsule_claim_resource", Help: "The given amount of resources from the claim"}
	for _, c := range claims {
		if opts.Documented {
			conditions.addDocumented(c)
			continue
		}
		name, namespace := Label{"name", c.Name}, Label{"target_namespace", c.Namespace}
		for _, is := range c.Status.Conditions {
			if is.Type == "Ready" || is.Type == "Exhausted" || is.Type == "Bound" {
				conditions.add(isTrue(is), Label{"condition", is.Type}, name, namespace)
			}
		}
		pools.add(1, name, Label{"pool", cmp.Or(c.Status.Pool.Name, c.Spec.Pool)}, namespace)
		for of := range c.Spec.Claim {
			resources.add(value(c.Spec.Claim, of), name, Label{"resource", string(of)}, namespace)
		}
	}
	return []Metric{conditions, pools, resources}
}

// addDocumented adds the condition of a claim by the documented API: 1 for the type that it has,
// and 0 for the other one.
func (m *Metric) addDocumented(c *pool.ResourcePoolClaim) {
	has := c.Status.Condition
	if has.Type == "" {
		return
	}
	for _, condition := range []string{"Assigned", "Bound"} {
		is := 0.0
		if has.Type == condition {
			is = 1
		}
		m.add(is, Label{"condition", condition}, Label{"name", c.Name}, Label{"pool", c.Status.Pool.Name},
			Label{"reason", has.Reason}, Label{"status", string(has.Status)}, Label{"target_namespace", c.Namespace})
	}
}
