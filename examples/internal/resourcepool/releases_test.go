package poolplan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// Of many sets of one size, the first ones are returned.
func TestReleasesAreLimited(t *testing.T) {
	var claims []*pool.ResourcePoolClaim
	for i := range 20 {
		claims = append(claims, holder(fmt.Sprintf("c%02d", i), i, "pods", "1"))
	}
	r, _ := poolplan.Releases(newPool("pods", "20"), append(claims, waiting("head", 30, "pods", "1")), pool.Options{API: pool.Documented})
	if len(r.Sets) != 10 || r.Sets[0][0].Name != "c19" || r.Sets[9][0].Name != "c10" || !r.Smallest {
		t.Errorf("%v", r)
	}
}

// A search that would take too long ends with sets that are within the holding.
func TestReleasesOfManyClaims(t *testing.T) {
	// 27 claims have 9 pods and 11 secrets, 27 have 10 of each, and 26 have 11 and 9. The head
	// lacks 409 pods, which is 26 times 11 and 13 times 10, and 411 secrets, which is 27 times 11
	// and 12 times 10 of the same claims with 10.
	claims := []*pool.ResourcePoolClaim{waiting("head", 1000, "pods", "410", "secrets", "410")}
	for i := range 80 {
		claims = append(claims, holder(fmt.Sprintf("c%02d", i), i, "pods", fmt.Sprint(9+i%3), "secrets", fmt.Sprint(11-i%3)))
	}
	p := newPool("pods", "800", "secrets", "800")
	r, _ := poolplan.Releases(p, claims, pool.Options{API: pool.Documented})
	if len(r.Sets) != 1 || len(r.Sets[0]) != 26+27+13 || r.AtLeast != 39 || r.Smallest {
		t.Fatalf("at least %d, smallest %v: %d sets, the first of %d", r.AtLeast, r.Smallest, len(r.Sets), len(r.Sets[0]))
	}
	// Of the claims that have 10 of each, they are the youngest.
	first := names(r.Sets)[0]
	if first[0] != "c79" || !slices.IsSortedFunc(first, func(a, b string) int { return strings.Compare(b, a) }) || !slices.Contains(first, "c43") || slices.Contains(first, "c40") {
		t.Errorf("%v", first)
	}
	expectHolding(t, p, claims, r)
}

// A large head may need very many claims: the youngest ones if all are equal, and a set within
// the holding if there are too many to try.
func TestReleasesOfVeryManyClaims(t *testing.T) {
	const n = 30_000
	for _, test := range []struct {
		kinds, want int
		exact       bool
	}{{1, n / 2, true}, {3, n / 3, true}} {
		claims := []*pool.ResourcePoolClaim{waiting("head", n, "pods", fmt.Sprint(n/2*(test.kinds+1)/2))}
		total := 0
		for i := range n {
			total += 1 + i%test.kinds
			claims = append(claims, holder(fmt.Sprintf("c%06d", i), 0, "pods", fmt.Sprint(1+i%test.kinds)))
		}
		r, _ := poolplan.Releases(newPool("pods", fmt.Sprint(total)), claims, pool.Options{API: pool.Documented})
		if len(r.Sets) == 0 || len(r.Sets[0]) != test.want || r.Smallest != test.exact || r.AtLeast != test.want {
			t.Fatalf("%d kinds: %d sets, smallest %v, at least %d", test.kinds, len(r.Sets), r.Smallest, r.AtLeast)
		}
	}
}
