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

func ExampleAdd() {
	show(resourcelist.Add(amounts("cpu", "500m", "memory", "1Gi"), amounts("cpu", "1", "pods", "1")))
	// Output:
	// cpu: 1500m
	// memory: 1Gi
	// pods: 1
}

func ExampleAddInto() {
	total := corev1.ResourceList{}
	for range 3 {
		total = resourcelist.AddInto(total, total, amounts("memory", "0.5Gi"))
	}
	show(total)
	// Output: memory: 1536Mi
}

func ExampleSubtract() {
	show(resourcelist.Subtract(amounts("cpu", "1", "pods", "1"), amounts("cpu", "1500m")))
	// Output:
	// cpu: -500m
	// pods: 1
}

func ExampleSubtractInto() {
	left := amounts("memory", "4Gi")
	show(resourcelist.SubtractInto(left, left, amounts("memory", "1.5Gi")))
	// Output: memory: 2560Mi
}

func ExampleSubtractWithNonNegativeResult() {
	show(resourcelist.SubtractWithNonNegativeResult(amounts("cpu", "1", "memory", "2Gi"), amounts("cpu", "1500m", "memory", "1Gi")))
	// Output:
	// cpu: 0
	// memory: 1Gi
}

func ExampleMax() {
	show(resourcelist.Max(amounts("cpu", "1", "memory", "2Gi"), amounts("cpu", "1500m", "memory", "1Gi")))
	// Output:
	// cpu: 1500m
	// memory: 2Gi
}

func ExampleMaxInto() {
	peak := corev1.ResourceList{}
	for _, use := range []string{"1Gi", "3Gi", "2Gi"} {
		peak = resourcelist.MaxInto(peak, peak, amounts("memory", use))
	}
	show(peak)
	// Output: memory: 3Gi
}

func ExampleMin() {
	show(resourcelist.Min(amounts("cpu", "10", "memory", "20Gi"), amounts("cpu", "6", "memory", "24Gi", "nvidia.com/gpu", "2")))
	// Output:
	// cpu: 6
	// memory: 20Gi
}

func ExampleSum() {
	show(resourcelist.Sum(amounts("cpu", "500m"), amounts("cpu", "250m", "memory", "1Gi"), amounts("cpu", "250m")))
	// Output:
	// cpu: 1
	// memory: 1Gi
}

func ExampleOverlay() {
	show(resourcelist.Overlay(amounts("cpu", "0"), amounts("cpu", "100m", "memory", "200M")))
	// Output:
	// cpu: 0
	// memory: 200M
}

func ExampleMask() {
	show(resourcelist.Mask(amounts("cpu", "1", "memory", "2Gi"), []corev1.ResourceName{"cpu", "pods"}))
	// Output: cpu: 1
}

func ExampleMaskInto() {
	list := amounts("cpu", "1", "memory", "2Gi")
	show(resourcelist.MaskInto(list, list, []corev1.ResourceName{"memory"}))
	// Output: memory: 2Gi
}

func ExampleRemoveZeros() {
	show(resourcelist.RemoveZeros(amounts("cpu", "0", "memory", "2Gi", "pods", "-1")))
	// Output:
	// memory: 2Gi
	// pods: -1
}

func ExampleEquals() {
	fmt.Println(resourcelist.Equals(amounts("memory", "1.5Gi"), amounts("memory", "1536Mi")))
	fmt.Println(resourcelist.Equals(amounts("memory", "0"), nil))
	// Output:
	// true
	// false
}

func ExampleLessThanOrEqual() {
	used, hard := amounts("cpu", "11", "memory", "1Gi", "pods", "5"), amounts("cpu", "10", "memory", "2Gi")
	fmt.Println(resourcelist.LessThanOrEqual(used, hard))
	// Output: false [cpu]
}

func ExampleIsZero() {
	fmt.Println(resourcelist.IsZero(amounts("cpu", "0")), resourcelist.IsZero(amounts("cpu", "1n")))
	// Output: true false
}

func ExampleIsNegative() {
	fmt.Println(resourcelist.IsNegative(amounts("memory", "-1", "cpu", "-1m", "pods", "1")))
	// Output: [cpu memory]
}

func ExampleResourceNames() {
	fmt.Println(resourcelist.ResourceNames(amounts("pods", "1", "cpu", "1", "memory", "1")))
	// Output: [cpu memory pods]
}

func ExampleContains() {
	fmt.Println(resourcelist.Contains([]corev1.ResourceName{"cpu", "memory"}, "memory"))
	// Output: true
}

func ExampleContainsPrefix() {
	fmt.Println(resourcelist.ContainsPrefix([]string{"hugepages-", "requests.hugepages-"}, "hugepages-2Mi"))
	// Output: true
}

func ExampleIntersection() {
	fmt.Println(resourcelist.Intersection([]corev1.ResourceName{"pods", "cpu", "memory"}, []corev1.ResourceName{"memory", "pods"}))
	// Output: [memory pods]
}

func ExampleDifference() {
	fmt.Println(resourcelist.Difference([]corev1.ResourceName{"pods", "cpu", "memory"}, []corev1.ResourceName{"memory"}))
	// Output: [cpu pods]
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

func ExampleMultiply() {
	show(resourcelist.Multiply(amounts("cpu", "500m", "memory", "1.5Gi"), 3))
	// Output:
	// cpu: 1500m
	// memory: 4608Mi
}

func ExampleScale() {
	usage := amounts("cpu", "333m", "memory", "1Gi")
	show(resourcelist.Scale(usage, big.NewRat(115, 100))) // 15% more than was used
	// Output:
	// cpu: 383m
	// memory: 1234803098
}

func ExamplePartOf() {
	show(resourcelist.PartOf(amounts("cpu", "3900m", "memory", "16Gi", "pods", "110"), big.NewRat(65, 100)))
	// Output:
	// cpu: 2535m
	// memory: 11166914969
	// pods: 71
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

func ExampleIntegers() {
	fmt.Println(resourcelist.Integers(amounts("cpu", "1500m", "memory", "1Gi", "nvidia.com/gpu", "2")))
	// Output: map[cpu:1500 memory:1073741824 nvidia.com/gpu:2]
}

func ExampleOfIntegers() {
	show(resourcelist.OfIntegers(map[corev1.ResourceName]int64{"cpu": 250, "memory": 1 << 30}))
	// Output:
	// cpu: 250m
	// memory: 1Gi
}

func ExampleString() {
	fmt.Println(resourcelist.String(amounts("memory", "1Gi", "cpu", "500m")))
	// Output: cpu=500m,memory=1Gi
}
