package resourcelist_test

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func ExampleMultiply() {
	show(resourcelist.Multiply(amounts("cpu", "500m", "memory", "1.5Gi"), 3))
	// Output:
	// cpu: 1500m
	// memory: 4608Mi
}

func ExampleMultiplyInto() {
	list := amounts("cpu", "500m")
	show(resourcelist.MultiplyInto(list, list, 4))
	// Output: cpu: 2
}

func ExampleScale() {
	usage := amounts("cpu", "333m", "memory", "1Gi")
	show(resourcelist.Scale(usage, big.NewRat(115, 100))) // 15% more than was used
	// Output:
	// cpu: 383m
	// memory: 1234803098
}

func ExampleScaleInto() {
	list := amounts("cpu", "1", "nvidia.com/gpu", "3")
	show(resourcelist.ScaleInto(list, list, big.NewRat(1, 2)))
	// Output:
	// cpu: 500m
	// nvidia.com/gpu: 2
}

func ExamplePartOf() {
	show(resourcelist.PartOf(amounts("cpu", "3900m", "memory", "16Gi", "pods", "110"), 65))
	// Output:
	// cpu: 2535m
	// memory: 11166914969
	// pods: 71
}

func ExamplePartOfInto() {
	threshold := corev1.ResourceList{}
	show(resourcelist.PartOfInto(threshold, amounts("memory", "16Gi"), 50))
	// Output: memory: 8Gi
}

func ExampleFraction() {
	fmt.Println(resourcelist.Fraction(resource.MustParse("1.5Gi"), resource.MustParse("2Gi")))
	fmt.Println(resourcelist.Fraction(resource.MustParse("1"), resource.MustParse("0")))
	// Output:
	// 0.75 true
	// 0 false
}

func ExamplePercent() {
	fmt.Println(resourcelist.Percent(resource.MustParse("999m"), resource.MustParse("1")))
	// Output: 99 true
}

func ExampleFractions() {
	used, allocatable := amounts("cpu", "1", "memory", "4Gi"), amounts("cpu", "4", "memory", "16Gi", "pods", "110")
	fmt.Println(resourcelist.Fractions(used, allocatable))
	// Output: map[cpu:0.25 memory:0.25 pods:0]
}

func ExamplePercents() {
	used, allocatable := amounts("cpu", "2500m", "memory", "4Gi"), amounts("cpu", "3900m", "memory", "16Gi")
	fmt.Println(resourcelist.Percents(used, allocatable))
	// Output: map[cpu:64 memory:25]
}

func ExampleDominantShare() {
	used, cluster := amounts("cpu", "1", "memory", "4Gi"), amounts("cpu", "9", "memory", "18Gi")
	name, share := resourcelist.DominantShare(used, cluster)
	fmt.Printf("%s %.3f\n", name, share)
	// Output: memory 0.222
}
