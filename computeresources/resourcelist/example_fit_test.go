package resourcelist_test

import (
	"fmt"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// A node has what it names, and no more; limits do not limit what they do not name.
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

func ExampleEqualsIgnoringZeros() {
	a, b := amounts("cpu", "1", "nvidia.com/gpu", "0"), amounts("cpu", "1000m")
	fmt.Println(resourcelist.EqualsIgnoringZeros(a, b), resourcelist.Equals(a, b))
	// Output: true false
}
