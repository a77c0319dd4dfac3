package division_test

import (
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
