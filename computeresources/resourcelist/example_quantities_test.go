package resourcelist_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// It replaces a loop that divides each amount, and keeps the least quotient and its names.
func ExampleTimes() {
	chunk, free := amounts("cpu", "1500m", "memory", "4Gi"), amounts("cpu", "8", "memory", "64Gi")
	fmt.Println(resourcelist.Times(chunk, free))
	// Output: 5 [cpu]
}

// It replaces a comparison with each bound and a list of those that were capped.
func ExampleClamp() {
	recommended := amounts("cpu", "25m", "memory", "9Gi")
	clamped, changed := resourcelist.Clamp(recommended, amounts("cpu", "100m"), amounts("memory", "8Gi"))
	fmt.Println(resourcelist.String(clamped), changed)
	// Output: cpu=100m,memory=8Gi [cpu memory]
}

// It replaces a loop over the names of the first list.
func ExampleSubtractKeepNames() {
	show(resourcelist.SubtractKeepNames(amounts("cpu", "4"), amounts("cpu", "1", "memory", "1Gi")))
	// Output: cpu: 3
}

func ExampleRestrict() {
	usage := amounts("cpu", "1", "pods", "4")
	show(resourcelist.Restrict(usage, []corev1.ResourceName{"cpu", "memory"}))
	// Output:
	// cpu: 1
	// memory: 0
}

// It replaces larger-smaller <= larger*0.05, in floats.
func ExampleEqualsWithin() {
	fmt.Println(resourcelist.EqualsWithin(amounts("memory", "95Gi"), amounts("memory", "100Gi"), big.NewRat(5, 100)))
	// Output: true
}

// A limit that keeps its proportion to the request. It replaces products of big integers, in milli-units of CPU and
// in bytes.
func ExampleScaleQuantity() {
	request, limit, recommended := resource.MustParse("900m"), resource.MustParse("1300m"), resource.MustParse("1800m")
	scaled := resourcelist.ScaleQuantity(limit, resourcelist.Ratio(recommended, request), resource.Milli)
	fmt.Println(scaled.String())
	// Output: 2600m
}

// Usage that decays reaches zero.
func ExamplePartOfQuantity() {
	usage, half := resource.MustParse("3n"), big.NewRat(1, 2)
	for range 2 {
		usage = resourcelist.PartOfQuantity(usage, half, resource.Nano)
		fmt.Println(usage.String())
	}
	// Output:
	// 1n
	// 0
}

func ExampleValue() {
	q := resource.MustParse("1.5Gi")
	fmt.Println(resourcelist.Value(q, 0), resourcelist.Float(resource.MustParse("2500m")))
	// Output: 1610612736 2.5
}

func ExampleMulSaturated() {
	fmt.Println(resourcelist.MulSaturated(1<<40, -1<<40), resourcelist.AddSaturated(1, 1<<63-1))
	// Output: -9223372036854775808 9223372036854775807
}

func ExampleDominantShareOfIntegers() {
	used := map[corev1.ResourceName]int64{"cpu": 1000, "nvidia.com/gpu": 2}
	fmt.Println(resourcelist.DominantShareOfIntegers(used, map[corev1.ResourceName]int64{"cpu": 9000, "nvidia.com/gpu": 8}))
	// Output: nvidia.com/gpu 0.25
}
