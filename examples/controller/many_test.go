package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// many claims are created as fast as one client can, in 50 pools of which each has room for the first four, and are all decided on
// within two minutes.
func (c cluster) many(kubeconfig string) {
	const pools, claims = 50, 2000
	for i := range pools {
		c.team(fmt.Sprint("many-", i), fmt.Sprint("many-", i))
	}
	c.Cleanup(func() { // Also after a failure: other tests have no room for so many.
		for i := range pools {
			p := &pool.ResourcePool{}
			p.Name = fmt.Sprint("many-", i)
			c.must(client.IgnoreNotFound(c.Delete(context.Background(), p)))
			c.must(c.DeleteAllOf(context.Background(), &pool.ResourcePoolClaim{}, client.InNamespace(p.Name)))
		}
	})
	r := startReplicas(c.T, kubeconfig, os.Stderr)
	r.leader()
	start := time.Now()
	for i := range claims {
		name := fmt.Sprint("many-", i%pools)
		c.must(c.Create(c.Context(), newClaim(name, fmt.Sprintf("claim-%04d", i), name, 1)))
	}
	created := time.Since(start)
	undecided := func() int {
		var list pool.ResourcePoolClaimList
		c.must(c.List(c.Context(), &list))
		n := 0
		for _, claim := range computeresources.Pointers(list.Items) {
			if strings.HasPrefix(claim.Namespace, "many-") && capsule.Condition(claim, "Exhausted").Reason == "" {
				n++
			}
		}
		return n
	}
	for undecided() > 0 {
		if time.Since(start) > 2*time.Minute {
			c.Fatalf("%d of %d claims are not decided on after two minutes", undecided(), claims)
		}
		time.Sleep(time.Second) // A list of all claims takes the server's time, too.
	}
	c.Logf("%d claims in %d pools: created in %v, decided on after %v", claims, pools, created.Round(time.Second), time.Since(start).Round(time.Second))
	for i := range pools {
		name := fmt.Sprint("many-", i)
		p := &pool.ResourcePool{}
		c.must(c.Get(c.Context(), types.NamespacedName{Name: name}, p))
		if p.Status.ClaimCount != 4 {
			c.Errorf("%s: %d claims hold something, want 4", name, p.Status.ClaimCount)
		}
		c.wantQuota(name, name, "4")
	}
}
