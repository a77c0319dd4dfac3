package a

import "k8s.io/kubernetes/pkg/features"

// Sum adds.
func Sum(x, y int) int {
	// The sum.
	return x + y
}

func Limit(x int) int { return min(x, most) }

const most = 20

type T struct {
	A int `json:"b"`
}

func (t *T) Twice() int { return doubled(t.A) }

func doubled(x int) int {
	if enabled(features.Doubling) {
		return x << 1
	}
	return 2 * x
}

func Unnamed() int { return 2 }
