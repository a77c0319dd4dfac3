package poolplan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestReleases(t *testing.T) {
	leaving := holder("leaving", 9, "pods", "4")
	leaving.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	elsewhere := holder("elsewhere", 9, "pods", "10")
	elsewhere.Status.Pool.Name = "other"
	for _, test := range []struct {
		name     string
		claims   []*pool.ResourcePoolClaim
		head     string
		want     [][]string
		smallest bool
		atLeast  int
	}{
		{"no claim waits", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "1")}, "", nil, false, 0},
		{"one is enough, the youngest first", []*pool.ResourcePoolClaim{
			holder("old", 0, "pods", "4"), holder("middle", 1, "pods", "1"), holder("young", 2, "pods", "4"), waiting("head", 3, "pods", "4")},
			"head", [][]string{{"young"}, {"old"}}, true, 1},
		{"two of three", []*pool.ResourcePoolClaim{
			holder("old", 0, "pods", "3"), holder("middle", 1, "pods", "3"), holder("young", 2, "pods", "3"), waiting("head", 3, "pods", "6")},
			"head", [][]string{{"young", "middle"}, {"young", "old"}, {"middle", "old"}}, true, 2},
		{"for two resources, one of each", []*pool.ResourcePoolClaim{
			holder("pods", 0, "pods", "10"), holder("cpu", 1, "requests.cpu", "2"), waiting("head", 3, "pods", "1", "requests.cpu", "1"), waiting("tail", 4, "pods", "1")},
			"head", [][]string{{"cpu", "pods"}}, true, 2},
		{"one claim that has both resources", []*pool.ResourcePoolClaim{
			holder("both", 0, "pods", "5", "requests.cpu", "1"), holder("cpu", 1, "requests.cpu", "1"), holder("pods", 2, "pods", "5"), waiting("head", 3, "pods", "1", "requests.cpu", "1")},
			"head", [][]string{{"both"}}, true, 1},
		{"releasing all claims is not enough", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "5"), waiting("head", 1, "pods", "11")}, "head", nil, false, 0},
		{"nothing is holding", []*pool.ResourcePoolClaim{waiting("head", 1, "pods", "11")}, "head", nil, false, 0},
		{"exactly enough", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "10"), waiting("head", 1, "pods", "10")}, "head", [][]string{{"a"}}, true, 1},
		{"over-allocated", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "8"), holder("b", 1, "pods", "8"), waiting("head", 2, "pods", "3")},
			"head", [][]string{{"b", "a"}}, true, 2},
		{"released before", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "5"), leaving, waiting("head", 2, "pods", "6")},
			"head", [][]string{{"a"}}, true, 1},
		{"holding of another pool", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "5"), elsewhere, waiting("head", 2, "pods", "6")},
			"head", [][]string{{"a"}}, true, 1},
		{"holds none of the resource", []*pool.ResourcePoolClaim{holder("a", 0, "pods", "10"), holder("b", 5, "requests.cpu", "1"), waiting("head", 2, "pods", "6", "requests.cpu", "1")},
			"head", [][]string{{"a"}}, true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("pods", "10", "requests.cpu", "2")
			for range 2 {
				r, waits := poolplan.Releases(p, test.claims, pool.Options{API: pool.Documented})
				if waits != (test.head != "") || r.Head.Name != test.head || r.Smallest != test.smallest || r.AtLeast != test.atLeast {
					t.Errorf("waits %v: head %q, smallest %v, at least %d", waits, r.Head.Name, r.Smallest, r.AtLeast)
				}
				if diff := cmp.Diff(test.want, names(r.Sets)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				slices.Reverse(test.claims)
			}
		})
	}
	if _, waits := poolplan.Releases(nil, nil, pool.Options{API: pool.Documented}); waits {
		t.Error("somebody waits for no pool")
	}
}

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
