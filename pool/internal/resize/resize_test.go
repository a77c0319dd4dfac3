package resize_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/resize"
)

// obstacle is a pool.Obstacle in text.
func obstacle(name corev1.ResourceName, requested, other string) pool.Obstacle {
	return pool.Obstacle{Resource: name, Requested: resource.MustParse(requested), Other: resource.MustParse(other)}
}

func TestDecide(t *testing.T) {
	// The claim has 2 pods and 1 secret; others have 7 pods, 9 secrets and 5 services.
	has := testkit.List("pods", "2", "secrets", "1")
	hard, others := testkit.List("pods", "10", "secrets", "5", "services", "5"), testkit.List("pods", "7", "secrets", "9", "services", "5")
	for _, test := range []struct {
		name      string
		to        corev1.ResourceList
		queued    corev1.ResourceList
		state     pool.State
		obstacles []pool.Obstacle
	}{
		{"the amounts that the claim has", has, nil, "", nil},
		{"nothing", nil, nil, "", nil},
		{"all that remains", testkit.List("pods", "3", "secrets", "1"), nil, "", nil},
		{"more than remains", testkit.List("pods", "4"), nil, pool.PoolExhausted, []pool.Obstacle{obstacle("pods", "4", "3")}},
		{"no more, although the pool is overdrawn", testkit.List("secrets", "1"), nil, "", nil},
		{"more of an overdrawn resource", testkit.List("secrets", "2"), nil, pool.PoolExhausted, []pool.Obstacle{obstacle("secrets", "2", "-4")}},
		{"a resource that the claim does not have yet", testkit.List("services", "1"), nil, pool.PoolExhausted, []pool.Obstacle{obstacle("services", "1", "0")}},
		{"a resource that the pool does not offer", testkit.List("configmaps", "1"), nil, pool.PoolExhausted, []pool.Obstacle{obstacle("configmaps", "1", "0")}},
		{"more than remains, by resource", testkit.List("services", "1", "pods", "4"), nil, pool.PoolExhausted, []pool.Obstacle{obstacle("pods", "4", "3"), obstacle("services", "1", "0")}},
		{"more of what an earlier claim waits for", testkit.List("pods", "3"), testkit.List("pods", "8"), pool.QueueExhausted, []pool.Obstacle{obstacle("pods", "3", "8")}},
		{"no more of what an earlier claim waits for", testkit.List("pods", "2"), testkit.List("pods", "8"), "", nil},
		{"the queue before the pool", testkit.List("pods", "3", "services", "1"), testkit.List("pods", "8"), pool.QueueExhausted, []pool.Obstacle{obstacle("pods", "3", "8")}},
		{"a negative amount before all else", testkit.List("pods", "3", "services", "-1"), testkit.List("pods", "8"), pool.Invalid, []pool.Obstacle{obstacle("services", "-1", "0")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := ledger.New(hard)
			taken, _ := l.Read(others, nil, nil)
			l.Take(taken)
			r := resize.Request{To: test.to}
			r.Has, _ = l.Read(has, nil, nil)
			l.Take(r.Has)
			r.Wants, r.Negative = l.Read(test.to, nil, nil)
			state, got := resize.Decide[pool.Obstacle](r, l, func(w ledger.Want) (resource.Quantity, bool) {
				q, is := test.queued[l.Resources[w.Resource].Name]
				return q, is
			})
			if diff := cmp.Diff(test.obstacles, got); diff != "" || pool.State(state) != test.state {
				t.Errorf("state %q, want %q; -want +got:\n%s", state, test.state, diff)
			}
		})
	}
}
