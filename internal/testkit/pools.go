package testkit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
)

// PoolAmounts draws amounts of claims or pools: few resources in few sizes, so that claims compete, and
// sometimes any amounts, negative ones, resources that no pool has, or none.
func PoolAmounts(most int) *rapid.Generator[corev1.ResourceList] {
	return rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		list := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"limits.cpu", "pods", "requests.memory", "requests.storage"} {
			if rapid.Bool().Draw(t, string(name)) {
				list[name] = *resource.NewMilliQuantity(500*int64(rapid.IntRange(0, 2*most).Draw(t, "halves")), resource.DecimalSI)
			}
		}
		switch rapid.IntRange(0, 20).Draw(t, "odd") {
		case 0:
			return ResourceList(Quantity()).Draw(t, "nasty")
		case 1:
			list["pods"] = Quantity().Draw(t, "nasty amount")
		case 2:
			list["example.com/unknown"] = Ordinary().Draw(t, "unknown")
		case 3:
			list["another"] = Ordinary().Draw(t, "another")
		case 4:
			return nil
		case 5, 6:
			list["limits.cpu"] = *resource.NewMilliQuantity(-500, resource.DecimalSI)
		}
		return list
	})
}
