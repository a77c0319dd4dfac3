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
	for _, part := range cpu {
		fmt.Println(part.String())
	}
	memory, _ := division.Divide(corev1.ResourceMemory, resource.MustParse("1Gi"), 3, division.Options{})
	for _, part := range memory {
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
	fmt.Println(gpu[0].String(), gpu[1].String())

	each, _ := division.Divide("nvidia.com/gpu", resource.MustParse("1"), 2, division.Options{ToEach: true})
	fmt.Println(each[0].String(), each[1].String())
	// Output:
	// 1 0
	// 1 1
}

func ExampleOptions() {
	tekton := division.Options{Truncated: true}
	parts, _ := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 3, tekton)
	fmt.Println(parts[0].String())
	// Output:
	// 333m
}

func ExampleErrParts() {
	_, err := division.Divide(corev1.ResourceCPU, resource.MustParse("1"), 0, division.Options{})
	fmt.Println(errors.Is(err, division.ErrParts), err)
	// Output:
	// true division: the number of parts has to be from 1 to 1048576: 0
}

func ExampleList() {
	whole := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1"),
		"nvidia.com/gpu":   resource.MustParse("1"),
	}
	parts, _ := division.List(whole, 2, division.Options{})
	for _, part := range parts {
		cpu := part[corev1.ResourceCPU]
		_, gpu := part["nvidia.com/gpu"]
		fmt.Println(cpu.String(), gpu)
	}
	// Output:
	// 500m true
	// 500m false
}

func ExampleWeighted() {
	parts, _ := division.Weighted(corev1.ResourceCPU, resource.MustParse("1"), []int64{1, 1, 4}, division.Options{})
	for _, part := range parts {
		fmt.Println(part.String())
	}
	// Output:
	// 167m
	// 167m
	// 666m
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
