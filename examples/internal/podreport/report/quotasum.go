package report

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// QuotaSum is how much of a ResourceQuota is used.
type QuotaSum struct {
	Name string  `json:"name"`
	Hard Amounts `json:"hard"`
	// Used is what its status says, or, of one without a status, what exists of the input.
	Used Amounts `json:"used"`
	// Then is what is used once all of the input is created, as far as it is admitted.
	Then Amounts `json:"then"`
	// AtLeast is set for a quota without a status: more may be used.
	AtLeast bool `json:"atLeast,omitempty"`
}

// sums returns how much of the quotas is used, of which the creation has gone on from begin.
func (c *creation) sums(begin []*corev1.ResourceQuota) (sums []QuotaSum) {
	now := c.namespace.Quotas()
	for i, q := range begin {
		names := resourcelist.ResourceNames(q.Status.Hard)
		sums = append(sums, QuotaSum{
			Name: q.Name, Hard: Amounts(q.Status.Hard), AtLeast: c.unknown[q.Name],
			Used: Amounts(resourcelist.Mask(q.Status.Used, names)), Then: Amounts(resourcelist.Mask(now[i].Status.Used, names)),
		})
	}
	return sums
}
