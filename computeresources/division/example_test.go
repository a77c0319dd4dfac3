package division_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
)

func ExampleDivide() {
	cpu, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, division.Options{})
	for part := range cpu.All() {
		fmt.Println(part.String())
	}
	memory, _ := division.Divide(corev1.ResourceMemory, resource.MustParse("1Gi"), 3, division.Options{})
	for part := range memory.All() {
		fmt.Println(part.Value())
	}
	// Output:
	// 334m
	// 333m
	// 333m
	// 357913942
	// 357913941
	// 357913941
}

func ExampleDivide_indivisible() {
	gpu, _ := division.Divide("nvidia.com/gpu", resource.MustParse("1"), 2, division.Options{})
	first, second := gpu.At(0), gpu.At(1)
	fmt.Println(first.String(), second.String())

	each, _ := division.Divide("nvidia.com/gpu", resource.MustParse("1"), 2, division.Options{Indivisible: division.ToEach})
	first, second = each.At(0), each.At(1)
	fmt.Println(first.String(), second.String())
	// Output:
	// 1 0
	// 1 1
}

func ExampleMethod() {
	for _, method := range []division.Method{division.Exact, division.Truncated} {
		parts, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, division.Options{Method: method})
		var sum resource.Quantity
		for part := range parts.All() {
			sum.Add(part)
		}
		fmt.Println(sum.String())
	}
	// Output:
	// 1
	// 999m
}

func ExampleIndivisible() {
	opts := division.Options{Indivisible: division.ToEach}
	pages, _ := division.Divide("hugepages-2Mi", resource.MustParse("4Mi"), 2, opts)
	second := pages.At(1)
	fmt.Println(second.String())
	// Output:
	// 4Mi
}

func ExampleOptions() {
	tekton := division.Options{Method: division.Truncated}
	parts, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, tekton)
	first := parts.At(0)
	fmt.Println(first.String())
	// Output:
	// 333m
}

func ExampleParts() {
	parts, _ := division.Divide(corev1.ResourceMemory, resource.MustParse("1Gi"), 1_000_000_000, division.Options{})
	first, last := parts.At(0), parts.At(parts.Len()-1)
	fmt.Println(parts.Len(), first.String(), last.String())
	// Output:
	// 1000000000 2 1
}

func ExampleErrParts() {
	_, err := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 0, division.Options{})
	fmt.Println(errors.Is(err, division.ErrParts), err)
	// Output:
	// true division: the number of parts has to be above zero: 0
}

func ExampleList() {
	whole := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"),
		"nvidia.com/gpu":   resource.MustParse("1"),
	}
	parts, _ := division.List(whole, 2, division.Options{})
	for part := range parts.All() {
		cpu := part[corev1.ResourceCPU]
		_, gpu := part["nvidia.com/gpu"]
		fmt.Println(cpu.String(), gpu)
	}
	// Output:
	// 500m true
	// 500m false
}

func ExampleListParts() {
	parts, _ := division.List(corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}, 3, division.Options{})
	cpu := parts.At(2)[corev1.ResourceCPU]
	fmt.Println(parts.Len(), cpu.String())
	// Output:
	// 3 333m
}

func ExampleWeighted() {
	parts, _ := division.Weighted(corev1.ResourceCPU, resource.MustParse("1"), []int64{1, 1, 4}, division.ToOne)
	for _, part := range parts {
		fmt.Println(part.String())
	}
	// Output:
	// 167m
	// 167m
	// 666m
}

func ExampleErrWeights() {
	_, err := division.Weighted(corev1.ResourceCPU, resource.MustParse("1"), []int64{0, 0}, division.ToOne)
	fmt.Println(errors.Is(err, division.ErrWeights), err)
	// Output:
	// true division: weights have to be zero or more, and one of them above it: all of 2 are zero
}

func ExampleWeightedList() {
	whole := corev1.ResourceList{
		corev1.ResourceMemory: resource.MustParse("3Gi"),
		"nvidia.com/gpu":      resource.MustParse("1"),
	}
	parts, _ := division.WeightedList(whole, []int64{1, 2}, division.ToOne)
	for _, part := range parts {
		memory := part[corev1.ResourceMemory]
		_, gpu := part["nvidia.com/gpu"]
		fmt.Println(memory.String(), gpu)
	}
	// Output:
	// 1Gi false
	// 2Gi true
}

func ExampleUnit() {
	cpu, memory := division.Unit(corev1.ResourceCPU), division.Unit(corev1.ResourceMemory)
	fmt.Println(cpu.String(), memory.String())
	// Output:
	// 1m 1
}

func ExampleDivisible() {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, "hugepages-2Mi", "nvidia.com/gpu"} {
		fmt.Println(name, division.Divisible(name))
	}
	// Output:
	// cpu true
	// hugepages-2Mi false
	// nvidia.com/gpu false
}

// A GiB over three steps: one of them has a byte more, so that none is lost.
func ExampleParts_All() {
	parts, _ := division.Divide(corev1.ResourceMemory, resource.MustParse("1Gi"), 3, division.Options{})
	for part := range parts.All() {
		fmt.Println(part.Value())
	}
	// Output:
	// 357913942
	// 357913941
	// 357913941
}

func ExampleParts_At() {
	parts, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, division.Options{})
	first, last := parts.At(0), parts.At(2)
	fmt.Println(first.String(), last.String())
	// Output: 334m 333m
}

func ExampleParts_Len() {
	parts, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, division.Options{})
	fmt.Println(parts.Len())
	// Output: 3
}

func ExampleListParts_All() {
	parts, _ := division.List(corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("1")}, 2, division.Options{})
	for part := range parts.All() {
		gpu, has := part["nvidia.com/gpu"]
		fmt.Println(part.Cpu(), gpu.Value(), has)
	}
	// Output:
	// 500m 1 true
	// 500m 0 false
}

func ExampleListParts_At() {
	parts, _ := division.List(corev1.ResourceList{"memory": resource.MustParse("1Gi")}, 4, division.Options{})
	last := parts.At(3)
	fmt.Println(last.Memory())
	// Output: 256Mi
}

func ExampleListParts_Len() {
	parts, _ := division.List(corev1.ResourceList{"cpu": resource.MustParse("1")}, 4, division.Options{})
	fmt.Println(parts.Len())
	// Output: 4
}
