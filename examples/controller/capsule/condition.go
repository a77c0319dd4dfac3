package capsule

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/pool"
)

// Condition returns the condition of the given type of a claim, or the zero value if the claim has
// no such condition.
func Condition(claim *pool.ResourcePoolClaim, conditionType string) metav1.Condition {
	if c := meta.FindStatusCondition(claim.Status.Conditions, conditionType); c != nil {
		return *c
	}
	return metav1.Condition{}
}
