package resourcelist_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func ExamplePrice() {
	perHour := map[corev1.ResourceName]*big.Rat{
		corev1.ResourceCPU:    big.NewRat(316, 10_000),
		corev1.ResourceMemory: big.NewRat(42, 10_000<<30), // 0.0042 for a GiB
	}
	requests := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1500m"), corev1.ResourceMemory: resource.MustParse("2.5Gi"), "nvidia.com/gpu": resource.MustParse("1")}
	hour := resourcelist.Price(requests, perHour)
	month := new(big.Rat).Mul(hour, big.NewRat(730, 1))
	fmt.Println(hour.FloatString(4), "an hour,", month.FloatString(2), "a month")
	// Output: 0.0579 an hour, 42.27 a month
}
