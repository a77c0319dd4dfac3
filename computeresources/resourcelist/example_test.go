package resourcelist_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// amounts makes a list of names and amounts.
func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

// show prints a list by name.
func show(list corev1.ResourceList) {
	for _, name := range resourcelist.ResourceNames(list) {
		q := list[name]
		fmt.Printf("%s: %s\n", name, q.String())
	}
}

// Amounts of metrics, as people read them.
func ExampleShort() {
	for _, text := range []string{"2278754192n", "5726623061", "1280450Mi", "1536Mi"} {
		fmt.Println(text, resourcelist.Short(resource.MustParse(text)))
	}
	// Output:
	// 2278754192n 2.3
	// 5726623061 5.7G
	// 1280450Mi 1.2Ti
	// 1536Mi 1536Mi
}

func ExampleAdd() {
	show(resourcelist.Add(amounts("cpu", "500m", "memory", "1Gi"), amounts("cpu", "1", "pods", "1")))
	// Output:
	// cpu: 1500m
	// memory: 1Gi
	// pods: 1
}

// Before, Karpenter had two functions of 11 and 21 lines for the largest and the smallest capacity of several
// instance types, whose results share decimals with their arguments.
func ExampleMax() {
	small, large := amounts("cpu", "2", "memory", "16Gi"), amounts("cpu", "8", "memory", "32Gi", "nvidia.com/gpu", "1")
	fmt.Println(resourcelist.String(resourcelist.Max(small, large, amounts("memory", "64Gi"))))
	fmt.Println(resourcelist.String(resourcelist.Min(small, large)))
	// Output:
	// cpu=8,memory=64Gi,nvidia.com/gpu=1
	// cpu=2,memory=16Gi
}

func ExampleOverlay() {
	show(resourcelist.Overlay(amounts("cpu", "0"), amounts("cpu", "100m", "memory", "200M")))
	// Output:
	// cpu: 0
	// memory: 200M
}

// A node has only the resources that it lists; limits do not limit resources that they do not list.
func ExampleFits() {
	pod, node := amounts("cpu", "1", "nvidia.com/gpu", "1"), amounts("cpu", "8", "memory", "64Gi")
	fmt.Println(resourcelist.Fits(pod, node))
	fmt.Println(resourcelist.LessThanOrEqual(pod, node))
	// Output:
	// false
	// true []
}

// Memory that the pod does not want does not stop it, even on a node that has given away too
// much of it.
func ExampleFits_overcommitted() {
	free := resourcelist.Subtract(amounts("cpu", "8", "memory", "16Gi"), amounts("cpu", "2", "memory", "17Gi"))
	fmt.Println(resourcelist.Fits(amounts("cpu", "1"), free))
	// Output: true
}

func ExampleInsufficient() {
	pod, free := amounts("cpu", "3", "memory", "1Gi", "nvidia.com/gpu", "1"), amounts("cpu", "2", "memory", "8Gi")
	fmt.Println(resourcelist.Insufficient(pod, free))
	// Output: [cpu nvidia.com/gpu]
}

// Before, in 30 lines of the descheduler: int64(percent * 0.01 * float64(q.MilliValue())) for cpu, another one for
// Value, and the format by name. It returns 28 for 29% of 100.
func ExampleScale() {
	usage := amounts("cpu", "333m", "memory", "1Gi")
	show(resourcelist.Scale(usage, big.NewRat(115, 100))) // 15% more than was used
	show(resourcelist.PartOf(amounts("cpu", "10", "pods", "100"), big.NewRat(29, 100)))
	// Output:
	// cpu: 383m
	// memory: 1234803098
	// cpu: 2900m
	// pods: 29
}

func ExamplePercent() {
	percent, ok := resourcelist.Percent(resource.MustParse("2500m"), resource.MustParse("3900m"))
	fmt.Println(percent, ok)
	// Output: 64 true
}

func ExampleDominantShare() {
	used, cluster := amounts("cpu", "1", "memory", "4Gi"), amounts("cpu", "9", "memory", "18Gi")
	name, share := resourcelist.DominantShare(used, cluster)
	fmt.Printf("%s %.3f\n", name, share)
	// Output: memory 0.222
}

// Before, in 22 to 28 lines of Karpenter and, twice, of the cluster autoscaler: a loop over the names of both lists, a
// quotient of MilliValues, floats or decimals, and the least of them, without its name.
func ExampleTimes() {
	chunk, free := amounts("cpu", "1500m", "memory", "4Gi"), amounts("cpu", "8", "memory", "64Gi")
	fmt.Println(resourcelist.Times(chunk, free))
	// Output: 5 [cpu]
}

// Before, in 66 lines of the Vertical Pod Autoscaler: four functions that compare one amount with one bound, and two
// loops over them, which list what was capped. Karpenter has a copy in 16 lines.
func ExampleClamp() {
	recommended := amounts("cpu", "25m", "memory", "9Gi")
	clamped, changed := resourcelist.Clamp(recommended, amounts("cpu", "100m"), amounts("memory", "8Gi"))
	fmt.Println(resourcelist.String(clamped), changed)
	// Output: cpu=100m,memory=8Gi [cpu memory]
}

// Before, in 14 lines of Karpenter: a copy of the first list, and a loop over its names with Sub.
func ExampleSubtractKeepNames() {
	show(resourcelist.SubtractKeepNames(amounts("cpu", "4"), amounts("cpu", "1", "memory", "1Gi")))
	// Output: cpu: 3
}

// Before, in 15 lines of the descheduler for each of two lists: a switch by name for a zero in the right format, and Add
// if the name is there.
func ExampleRestrict() {
	usage := amounts("cpu", "1", "pods", "4")
	show(resourcelist.Restrict(usage, []corev1.ResourceName{"cpu", "memory"}))
	// Output:
	// cpu: 1
	// memory: 0
}

func ExampleEquals() {
	fmt.Println(resourcelist.Equals(amounts("cpu", "1"), amounts("cpu", "1000m")), resourcelist.Equals(amounts("cpu", "1"), amounts("cpu", "1", "memory", "0")))
	// Output: true false
}

// Before, in 26 lines of the cluster autoscaler: two amounts for each name in a map of slices, and then
// larger-smaller <= larger*0.05 of their MilliValues as floats.
func ExampleEqualsWithin() {
	fmt.Println(resourcelist.EqualsWithin(amounts("memory", "95Gi"), amounts("memory", "100Gi"), big.NewRat(5, 100)))
	// Output: true
}

// A limit that keeps its proportion to the request. Before, in 40 lines of the Vertical Pod Autoscaler: a product and
// a quotient of big integers in milli-units, the same in bytes, and a mode of rounding.
func ExampleScaleQuantity() {
	request, limit, recommended := resource.MustParse("900m"), resource.MustParse("1300m"), resource.MustParse("1800m")
	scaled := resourcelist.ScaleQuantity(limit, resourcelist.Ratio(recommended, request), resource.Milli)
	fmt.Println(scaled.String())
	// Output: 2600m
}

// Usage that decays reaches zero. Before, in 16 lines of Kueue: the digits of a float64 as a decimal, a product of
// decimals, and a rounding to nano-units.
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

// Before, in 18 lines of Kueue: comparisons with the largest and the smallest int64 before Value and MilliValue,
// which wrap around. And in Karpenter: float64(q.MilliValue())/1000 for cpu, float64(q.Value()) for others.
func ExampleValue() {
	q := resource.MustParse("1.5Gi")
	fmt.Println(resourcelist.Value(q, 0), resourcelist.Float(resource.MustParse("2500m")))
	// Output: 1610612736 2.5
}

// Before, in 34 lines of Kueue: three functions with a case for each sign.
func ExampleMulSaturated() {
	fmt.Println(resourcelist.MulSaturated(1<<40, -1<<40), resourcelist.AddSaturated(1, 1<<63-1))
	// Output: -9223372036854775808 9223372036854775807
}
