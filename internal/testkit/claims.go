package testkit

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// ManyClaims returns a pool that has room for a tenth of n claims, and the claims, in n/100 namespaces
// and in no order: four in ten request CPU and memory, as requests and limits, the others less of it,
// and some request storage, too. Each claim has its own list. Make and claim construct values of types
// in a package that testkit may not import.
func ManyClaims[P, C any](n int, pool func(name string, hard corev1.ResourceList) P, claim func(namespace, name string, second int, amounts corev1.ResourceList) C) (P, []C) {
	draw := rand.New(rand.NewPCG(1, uint64(n)))
	bytes := func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) }
	cpu := func(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) }
	claims := make([]C, n)
	for i := range claims {
		milli, mebi := draw.Int64N(16)*125+125, draw.Int64N(16)*256+256
		list := corev1.ResourceList{corev1.ResourceRequestsCPU: cpu(milli), corev1.ResourceRequestsMemory: bytes(mebi << 20)}
		switch draw.IntN(10) {
		case 0, 1, 2, 3:
			list[corev1.ResourceLimitsCPU], list[corev1.ResourceLimitsMemory] = cpu(2*milli), bytes(mebi<<21)
		case 4:
			list[corev1.ResourceRequestsStorage] = bytes(draw.Int64N(50)<<30 + 1<<30)
		case 5:
			delete(list, corev1.ResourceRequestsCPU)
		}
		claims[i] = claim(fmt.Sprintf("namespace-%d", draw.IntN(n/100+1)), fmt.Sprintf("claim-%d", draw.IntN(n)), draw.IntN(n), list)
	}
	tenth := int64(n) / 10
	return pool("sampler", corev1.ResourceList{
		corev1.ResourceRequestsCPU: cpu(tenth * 1000), corev1.ResourceRequestsMemory: bytes(tenth << 31),
		corev1.ResourceLimitsCPU: cpu(tenth * 2000), corev1.ResourceLimitsMemory: bytes(tenth << 32),
		corev1.ResourceRequestsStorage: bytes(tenth << 31),
	}), claims
}
