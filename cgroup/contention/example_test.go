package contention_test

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/kubemath/kubemath/cgroup/contention"
)

func ExampleDivide() {
	// A tier of two pods, one of which may use half a CPU, and a pod outside the tier.
	share, err := contention.Divide(big.NewRat(4, 1), contention.Group{Children: []contention.Group{
		{Weight: 2048, Children: []contention.Group{
			{Weight: 1024, Most: big.NewRat(1, 2)},
			{Weight: 1024},
		}},
		{Weight: 1024},
	}})
	fmt.Println(share.Children[0].CPU.FloatString(3), share.Children[1].CPU.FloatString(3), err)
	for _, pod := range share.Children[0].Children {
		fmt.Println(pod.CPU.FloatString(3))
	}
	// Output:
	// 2.667 1.333 <nil>
	// 0.500
	// 2.167
}

func ExampleGroup() {
	idle := contention.Group{Weight: 10000, Most: new(big.Rat)}
	busy := contention.Group{Weight: 1}
	share, _ := contention.Divide(big.NewRat(2, 1), contention.Group{Children: []contention.Group{idle, busy}})
	fmt.Println(share.Children[0].CPU, share.Children[1].CPU)
	// Output:
	// 0/1 2/1
}

func ExampleShare() {
	share, _ := contention.Divide(big.NewRat(2, 1), contention.Group{Most: big.NewRat(3, 2)})
	cpus, exact := share.CPU.Float64()
	fmt.Println(cpus, exact)
	// Output:
	// 1.5 true
}

func ExampleGroupError() {
	_, err := contention.Divide(big.NewRat(2, 1), contention.Group{Children: []contention.Group{{}}})
	var wrong *contention.GroupError
	if errors.As(err, &wrong) {
		fmt.Println(wrong.Path, wrong.Detail)
	}
	// Output:
	// [0] weight 0 is not above zero
}

func ExampleGroupError_Error() {
	_, err := contention.Divide(big.NewRat(-2, 1), contention.Group{})
	fmt.Println(err.Error())
	// Output:
	// root: the capacity is nil or negative
}
