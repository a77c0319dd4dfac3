package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// restarts makes a thousand changes to two pools while the leader is killed, both in the middle of
// work and when idle. Grants survive. If the leader was idle, the next process builds the same
// book, and writes nothing.
func (c cluster) restarts(kubeconfig string) {
	c.team("sea", "sea-a")
	c.team("sea", "sea-b")
	c.team("lake", "lake-a")
	controllers := startReplicas(c.T, kubeconfig, os.Stderr)
	controllers.leader()
	c.must(waitForPool(c.Context(), c, "sea", 2))
	c.must(waitForPool(c.Context(), c, "lake", 1))
	w := weather{cluster: c, random: rand.New(rand.NewPCG(1, 2)), places: []place{{"sea-a", "sea"}, {"sea-b", "sea"}, {"lake-a", "lake"}}, resized: []string{"sea", "lake"}}
	kills, held := 0, 0
	for number := range 1000 {
		w.happen(number)
		switch number {
		case 200, 500, 700:
			controllers.leader().kill()
			kills++
			before := w.stored()
			held += len(before.holds)
			controllers.leader()
			w.settle()
			w.wantHeld(before)
		case 350: // What happens next, happens while nobody leads.
			controllers.leader().kill()
			kills++
		case 850:
			w.settle()
			before := w.stored()
			controllers.leader().kill()
			kills++
			held += len(before.holds)
			w.wantOpen(controllers)
			if after := w.stored(); after.versions != before.versions {
				c.Errorf("the next process has written:\n%s\nbefore:\n%s", after.versions, before.versions)
			}
		}
	}
	controllers.leader()
	w.settle()
	c.Logf("%d kills, and %d claims that held something meanwhile", kills, held)
	if kills != 5 || held < 5 {
		c.Errorf("%d kills, and %d claims that held something meanwhile", kills, held)
	}
}

// weather makes changes to some pools.
type weather struct {
	cluster
	random  *rand.Rand
	places  []place
	resized []string // the pools that change their size
	usage   bool     // another one changes what namespaces use
}

// place is a namespace, and a pool that it may claim from.
type place struct{ namespace, pool string }

// happen makes one random change. A claim that does not exist, or has just changed, is no failure.
func (w weather) happen(number int) {
	w.Helper()
	at := w.places[w.random.IntN(len(w.places))]
	namespace, poolName := at.namespace, at.pool
	name := fmt.Sprint("claim-", w.random.IntN(8))
	claim := newClaim(namespace, name, poolName, w.random.Int64N(5))
	var err error
	event := w.random.IntN(12)
	switch {
	case event < 5:
		err = w.Create(w.Context(), claim)
	case event < 7:
		err = w.Delete(w.Context(), claim)
	case event < 9:
		err = ask(w.Context(), w, namespace, name, fmt.Sprintf(`{"spec":{"claim":{"pods":"%d"}}}`, w.random.IntN(5)))
	case event < 10:
		err = askRelease(w.Context(), w, namespace, name)
	case event < 11:
		if slices.Contains(w.resized, poolName) {
			err = w.resize(poolName, 4+w.random.IntN(8))
		}
	case !w.usage:
		err = count(w.Context(), w, namespace, poolName, corev1.ResourceList{"pods": claim.Spec.Claim["pods"]})
	}
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsAlreadyExists(err) {
		w.Fatalf("event %d: %v", number, err)
	}
}

// stored is what the API server has of the pools.
type stored struct {
	pools      []*pool.ResourcePool
	claims     []*pool.ResourcePoolClaim
	namespaces []*corev1.Namespace
	quotas     map[types.NamespacedName]*corev1.ResourceQuota
	holds      map[types.NamespacedName]corev1.ResourceList // what claims hold, and ask for, too
	versions   string                                       // of all objects
}

func (w weather) stored() *stored {
	w.Helper()
	var pools pool.ResourcePoolList
	var claims pool.ResourcePoolClaimList
	var namespaces corev1.NamespaceList
	var quotas corev1.ResourceQuotaList
	for _, list := range []client.ObjectList{&pools, &claims, &namespaces, &quotas} {
		w.must(w.List(w.Context(), list))
	}
	s := &stored{quotas: map[types.NamespacedName]*corev1.ResourceQuota{}, holds: map[types.NamespacedName]corev1.ResourceList{}, claims: computeresources.Pointers(claims.Items)}
	var versions []string
	version := func(object client.Object) {
		versions = append(versions, fmt.Sprintf("%T %s/%s %s", object, object.GetNamespace(), object.GetName(), object.GetResourceVersion()))
	}
	for _, p := range computeresources.Pointers(pools.Items) {
		if slices.ContainsFunc(w.places, func(at place) bool { return at.pool == p.Name }) {
			s.pools = append(s.pools, p)
			version(p)
		}
	}
	for i := range namespaces.Items {
		s.namespaces = append(s.namespaces, &namespaces.Items[i])
	}
	for i := range quotas.Items {
		s.quotas[client.ObjectKeyFromObject(&quotas.Items[i])] = &quotas.Items[i]
		version(&quotas.Items[i])
	}
	for _, claim := range s.claims {
		version(claim)
	}
	for _, p := range s.pools {
		record := pool.RecordOf(p)
		for _, claim := range s.claims {
			// Events that are not processed yet may take it: an edit, a release.
			if holds, is := record.Holds(claim); is && !claim.Released() && equality.Semantic.DeepEqual(holds, claim.Spec.Claim) {
				s.holds[claim.Key()] = holds
			}
		}
	}
	slices.Sort(versions)
	s.versions = strings.Join(versions, "\n")
	return s
}

func (w weather) wantHeld(before *stored) {
	w.Helper()
	after := w.stored()
	for name, holds := range before.holds {
		if !equality.Semantic.DeepEqual(holds, after.holds[name]) {
			w.Errorf("%s held %v, and holds %v with the next process", name, holds, after.holds[name])
		}
	}
}

// wantOpen waits until the process that leads has opened all pools, and has nothing to do for a while.
func (w weather) wantOpen(r *replicas) {
	w.Helper()
	leader := r.leader()
	metrics := func(name string) string {
		for line := range strings.Lines(read(w.T, "http://"+leader.metrics+"/metrics")) {
			if value, is := strings.CutPrefix(line, name+" "); is {
				return strings.TrimSpace(value)
			}
		}
		return ""
	}
	w.eventually("pools that are open", func() string { return metrics("kubemath_pool_openings_total") }, fmt.Sprint(len(w.allPools())))
	w.eventually("pending claims", func() string { return metrics("kubemath_pool_pending_claims") }, "0")
	time.Sleep(2 * time.Second)
}

func (w weather) allPools() []pool.ResourcePool {
	w.Helper()
	var pools pool.ResourcePoolList
	w.must(w.List(w.Context(), &pools))
	return pools.Items
}

// settle waits until all stored objects have matched a single allocation for a second. Meanwhile, namespaces use no
// more than their quotas allow, so that no quota has to wait for long.
func (w weather) settle() {
	w.Helper()
	var last string
	calm := 0
	for range 600 {
		for name, q := range w.stored().quotas {
			if poolName, is := strings.CutPrefix(name.Name, "capsule-pool-"); is && q.Status.Used.Pods().Cmp(*q.Spec.Hard.Pods()) > 0 {
				w.must(count(w.Context(), w, name.Namespace, poolName, corev1.ResourceList{"pods": *q.Spec.Hard.Pods()}))
			}
		}
		last = w.stored().problem()
		calm++
		if last != "" {
			calm = 0
		}
		if calm == 10 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.Fatal("not settled: ", last)
}

// problem returns what differs from a single allocation of the stored objects, or "".
func (s *stored) problem() string {
	for _, p := range s.pools {
		var assigned []*pool.ResourcePoolClaim
		for _, claim := range s.claims {
			switch {
			case claim.Spec.Pool != p.Name:
				continue
			case claim.Status.Pool.Name != p.Name || claim.Released() || claim.Status.ObservedGeneration != claim.Generation:
				return fmt.Sprintf("%s has not been looked at: %+v", claim.Key(), claim.Status)
			}
			assigned = append(assigned, claim)
		}
		a := pool.Allocate(p, assigned, pool.Options{})
		for _, d := range a.Decisions {
			i := slices.IndexFunc(assigned, func(claim *pool.ResourcePoolClaim) bool { return claim.Key() == d.Claim })
			if is := capsule.Condition(assigned[i], "Exhausted"); is.Reason != d.Condition(pool.Options{}).Reason || is.Message != d.Message() {
				return fmt.Sprintf("%s: %s %s, want %s", d.Claim, is.Reason, is.Message, d.Message())
			}
		}
		recorded := p.DeepCopy()
		recorded.Status = a.Status(recorded, assigned, pool.Namespaces(p, s.namespaces), time.Time{}, pool.Options{})
		if !equality.Semantic.DeepEqual(recorded.Status, p.Status) {
			return fmt.Sprintf("status of %s: %+v, want %+v", p.Name, p.Status, recorded.Status)
		}
		for _, namespace := range recorded.Status.Namespaces {
			want := pool.Quota(p, namespace, a.Namespaces[namespace])
			have := s.quotas[client.ObjectKeyFromObject(want)]
			// Without webhooks, a pool may become smaller than what its claims hold. Then quotas stay lower.
			short := a.Claimed.Pods().Cmp(*p.Spec.Quota.Hard.Pods()) > 0 && have != nil && have.Spec.Hard.Pods().Cmp(*want.Spec.Hard.Pods()) < 0
			if have == nil || !short && !equality.Semantic.DeepEqual(have.Spec.Hard, want.Spec.Hard) {
				return fmt.Sprintf("quota of %s in %s: %v, want %v", p.Name, namespace, have, want.Spec.Hard)
			}
			needed := pool.Needed(namespace, have.Status.Used, p, assigned)
			for _, claim := range assigned {
				if claim.Namespace == namespace && claim.Holding() && claim.InUse() != slices.Contains(needed, claim.Key()) {
					return fmt.Sprintf("%s is in use: %t; needed are %v", claim.Key(), claim.InUse(), needed)
				}
			}
		}
	}
	return ""
}
