package resourcelist_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
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

func ExampleIsHugePages() {
	fmt.Println(resourcelist.IsHugePages("hugepages-2Mi"), resourcelist.IsHugePages("requests.hugepages-2Mi"))
	// Output: true false
}

func ExampleIsPodLevel() {
	fmt.Println(resourcelist.IsPodLevel("memory"), resourcelist.IsPodLevel("ephemeral-storage"))
	// Output: true false
}

func ExampleRequestQuotaNames() {
	for _, name := range []corev1.ResourceName{"cpu", "nvidia.com/gpu", "storage"} {
		prefixed, bare := resourcelist.RequestQuotaNames(name)
		fmt.Printf("%s: %q %q\n", name, prefixed, bare)
	}
	// Output:
	// cpu: "requests.cpu" "cpu"
	// nvidia.com/gpu: "requests.nvidia.com/gpu" ""
	// storage: "" ""
}

func ExampleLimitQuotaName() {
	fmt.Printf("%q %q\n", resourcelist.LimitQuotaName("memory"), resourcelist.LimitQuotaName("nvidia.com/gpu"))
	// Output: "limits.memory" ""
}

func ExampleRequestOfQuota() {
	fmt.Println(resourcelist.RequestOfQuota("requests.nvidia.com/gpu"))
	fmt.Println(resourcelist.RequestOfQuota("cpu"))
	// Output:
	// nvidia.com/gpu true
	// cpu true
}

func ExampleLimitOfQuota() {
	fmt.Println(resourcelist.LimitOfQuota("limits.cpu"))
	// Output: cpu true
}
