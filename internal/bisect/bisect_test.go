package bisect_test

import (
	"math/big"
	"testing"

	"github.com/kubemath/kubemath/internal/bisect"
)

// The test holds from each number on, within and around each range.
func TestFirst(t *testing.T) {
	for low := int64(-3); low <= 3; low++ {
		for past := low; past <= low+9; past++ {
			for from := low - 1; from <= past+1; from++ {
				want := min(max(from, low), past)
				got := bisect.First(big.NewInt(low), big.NewInt(past), func(n *big.Int) bool {
					if n.Cmp(big.NewInt(low)) < 0 || n.Cmp(big.NewInt(past)) >= 0 && past > low {
						t.Errorf("from %d below %d: asked about %v", low, past, n)
					}
					return n.Cmp(big.NewInt(from)) >= 0
				})
				if got.Int64() != want {
					t.Errorf("from %d below %d, of a test that holds from %d on: %v, want %d", low, past, from, got, want)
				}
			}
		}
	}
}

func TestFirstBeyondInt64(t *testing.T) {
	power := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	want, asked := new(big.Int).Add(power(99), big.NewInt(7)), 0
	got := bisect.First(new(big.Int), power(100), func(n *big.Int) bool {
		asked++
		return n.Cmp(want) >= 0
	})
	if got.Cmp(want) != 0 || asked > 101 {
		t.Errorf("%v after %d questions, want %v after at most 101", got, asked, want)
	}
}

func TestFirstChangesNothing(t *testing.T) {
	low, past := big.NewInt(0), big.NewInt(100)
	bisect.First(low, past, func(n *big.Int) bool { return n.Cmp(big.NewInt(42)) >= 0 })
	if low.Int64() != 0 || past.Int64() != 100 {
		t.Errorf("the ends are now %v and %v", low, past)
	}
}
