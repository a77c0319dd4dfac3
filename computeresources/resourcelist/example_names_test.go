package resourcelist_test

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

func ExampleInteger() {
	fmt.Println(resourcelist.Integer("cpu", resource.MustParse("1.5")))
	fmt.Println(resourcelist.Integer("memory", resource.MustParse("1.5Gi")))
	fmt.Println(resourcelist.Integer("cpu", resource.MustParse("1E"))) // MilliValue is 0
	// Output:
	// 1500
	// 1610612736
	// 9223372036854775807
}

func ExampleQuantity() {
	cpu, memory := resourcelist.Quantity("cpu", 1500), resourcelist.Quantity("memory", 1610612736)
	fmt.Println(cpu.String(), memory.String())
	// Output: 1500m 1536Mi
}

func ExampleIsExtended() {
	fmt.Println(resourcelist.IsExtended("nvidia.com/gpu"), resourcelist.IsExtended("hugepages-2Mi"))
	// Output: true false
}
