package report

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// QuotaSum is the usage of a ResourceQuota.
type QuotaSum struct {
	Name string  `json:"name"`
	Hard Amounts `json:"hard"`
	// Used is the usage in its status, or, without a status, that of the existing objects of the input.
	Used Amounts `json:"used"`
	// Then is the usage after everything in the input that is admitted has been created.
	Then Amounts `json:"then"`
	// AtLeast is set for a quota without a status: more may be used.
	AtLeast bool `json:"atLeast,omitempty"`
}

// sums returns the usage of the quotas: before, in begin, and after the creation.
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
