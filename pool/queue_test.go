package pool_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// Creation times of claims may be arbitrarily far apart, or equal.
func TestOrderOfTimes(t *testing.T) {
	now := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	times := []time.Time{
		time.Unix(math.MinInt64/2, 0), {}, time.Unix(0, 0), now.Add(-time.Nanosecond), now, now.Add(1), now.Add(2),
		now.Add(time.Second), now.Add(2 * time.Second), now.AddDate(137, 0, 0), now.AddDate(137, 0, 0).Add(time.Second),
		time.Unix(math.MaxInt64/2, 0), time.Unix(math.MaxInt64/2+1, 0),
	}
	for first := range times {
		for last := first + 1; last <= len(times); last++ {
			var want []string
			var claims []*pool.ResourcePoolClaim
			for i, created := range times[first:last] {
				// The name is the last to decide: later claims have smaller ones.
				c := newClaim("ns", string(rune('z'-i)), 0, testkit.List("pods", "1"))
				c.CreationTimestamp = metav1.NewTime(created)
				claims, want = append(claims, c), append(want, c.Name)
			}
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(claims), func(i, j int) { claims[i], claims[j] = claims[j], claims[i] })
			var got []string
			for _, d := range pool.Allocate(newPool("sampler", testkit.List("pods", "1")), claims, pool.Options{Documented: true}).Decisions {
				got = append(got, d.Claim.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v to %v: order %v, want %v", times[first], times[last-1], got, want)
			}
		}
	}
}
