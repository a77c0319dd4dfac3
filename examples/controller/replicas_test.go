package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/pool"
)

// edits is the environment variable with the number of edits of the test of replicas.
const edits = "KUBEMATH_EDITS"

// Two pools for the same namespaces, one of them with an ordered queue, and a pool that changes its size.
const coast = `
apiVersion: v1
kind: Namespace
metadata: {name: coast-a, labels: {team: coast}}
---
apiVersion: v1
kind: Namespace
metadata: {name: coast-b, labels: {team: coast}}
---
apiVersion: v1
kind: Namespace
metadata: {name: coast-c, labels: {team: coast}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: reef}
spec:
  selectors: [{matchLabels: {team: coast}}]
  config: {defaultsZero: true, orderedQueue: true}
  quota: {hard: {pods: 8}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: bay}
spec:
  selectors: [{matchLabels: {team: coast}}]
  config: {defaultsZero: true}
  quota: {hard: {pods: 6}}
---
apiVersion: v1
kind: Namespace
metadata: {name: tide-a, labels: {team: tide}}
---
apiVersion: v1
kind: Namespace
metadata: {name: tide-b, labels: {team: tide}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: tide}
spec:
  selectors: [{matchLabels: {team: tide}}]
  config: {defaultsZero: true}
  quota: {hard: {pods: 8}}
`

// replicas makes some thousand edits of claims and pools while two controllers run behind a proxy that refuses requests and loses
// answers. Nine times, one of them is killed: the leader with a raise of a quota on its way, which arrives when another one
// leads, or the other one. Once, the leader is paused, and goes on when another one leads. Meanwhile, all writes are watched.
func (c cluster) replicas(config *rest.Config) {
	number := 2400
	if text := os.Getenv(edits); text != "" {
		var err error
		number, err = strconv.Atoi(text)
		c.must(err)
	}
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	seen, err := observe(ctx, config)
	c.must(err)
	c.must(manifests.Apply(c.Context(), c, coast))
	proxy := startUnreliable(c.T, config)
	controllers := startReplicas(c.T, proxy.Kubeconfig, c.quiet())
	controllers.leader()
	c.must(waitForPool(c.Context(), c, "reef", 3))
	c.must(waitForPool(c.Context(), c, "bay", 3))
	c.must(waitForPool(c.Context(), c, "tide", 2))
	used := &usage{cluster: c, held: proxy.holds}
	used.changes.Store(true)
	go used.count(ctx)

	w := weather{cluster: c, random: rand.New(rand.NewPCG(5, 6)), usage: true, resized: []string{"tide"}, places: []place{
		{"coast-a", "reef"}, {"coast-b", "reef"}, {"coast-c", "reef"}, {"coast-a", "bay"}, {"coast-b", "bay"}, {"coast-c", "bay"}, {"tide-a", "tide"}, {"tide-b", "tide"},
	}}
	start := time.Now()
	made := 0
	happen := func(n int) {
		for range n {
			w.edit(made)
			made++
		}
	}
	proxy.set(true)
	kills, held := 0, 0
	part := number / 10
	for i := range 10 {
		happen(part / 2)
		switch {
		case i == 5:
			held += c.pauseLeader(controllers, proxy, happen, part)
		case i == 8:
			held += c.overtakeLeader(controllers, proxy)
			kills++
		case i%3 == 1:
			c.killStandby(controllers, happen, part)
			kills++
		default:
			held += c.killLeader(controllers, proxy, happen, part)
			kills++
		}
	}
	happen(max(0, number-made))
	proxy.set(false)
	used.changes.Store(false)
	duration := time.Since(start)
	controllers.leader()
	w.settle()
	settled := time.Since(start) - duration

	s := w.stored()
	for _, claim := range s.claims {
		c.eventually("an observer of "+claim.Key().String(), func() string { return fmt.Sprint(seen.saw(claim)) }, "true")
	}
	for _, quota := range s.quotas {
		c.eventually("an observer of "+client.ObjectKeyFromObject(quota).String(), func() string { return fmt.Sprint(seen.saw(quota)) }, "true")
	}
	wrong, quotas := seen.judged()
	for _, what := range wrong {
		c.Error(what)
	}
	c.wantBoundOnce(s)
	counts := proxy.counts()
	c.Logf("%d edits in %v, settled after %v; %d kills and a pause, %d of them while a write of a quota was held; %d versions of quotas, of which %d are wrong; injected: %v",
		made, duration.Round(time.Second), settled.Round(time.Second), kills, held, quotas, len(wrong), counts)
	if kills != 9 || held == 0 || quotas < made/10 {
		c.Errorf("%d kills, %d held writes, %d versions of quotas: not enough to say anything", kills, held, quotas)
	}
	for _, fault := range []string{faultThrottled, faultRetry, faultConflict, faultLost, faultError} {
		if counts[fault] == 0 {
			c.Errorf("no fault %q", fault)
		}
	}
}

// quiet returns a file for what processes log about injected faults. If the test fails, its end is shown.
func (c cluster) quiet() io.Writer {
	file, err := os.CreateTemp(c.TempDir(), "log")
	c.must(err)
	c.Cleanup(func() {
		file.Close()
		if text, err := os.ReadFile(file.Name()); c.Failed() && err == nil {
			c.Logf("%s", text[max(0, len(text)-10000):])
		}
	})
	return file
}

// killLeader kills the leader while a write of a quota is on its way, if there is one, which arrives when another process leads. It
// returns how many were.
func (c cluster) killLeader(controllers *replicas, proxy *unreliable, happen func(int), part int) int {
	leader := controllers.leader()
	held := c.hold(proxy, happen, part)
	leader.kill()
	happen(part / 8)
	controllers.leader()
	happen(part / 4)
	proxy.release()
	return held
}

// overtakeLeader kills the leader while a raise is on its way for a claim that is then deleted. The next leader gives what the pool has
// to another namespace, and writes nothing of its own to the quota that was to rise: then the raise arrives.
func (c cluster) overtakeLeader(controllers *replicas, proxy *unreliable) int {
	c.team("spit", "spit-a")
	c.team("spit", "spit-b")
	leader := controllers.leader()
	c.must(waitForPool(c.Context(), c, "spit", 2))
	c.wantQuota("spit-a", "spit", "0")
	armed := proxy.arm("spit-a")
	c.claim("spit-a", "first", "spit", 4)
	select {
	case <-armed:
	case <-time.After(time.Minute):
		c.Fatal("no quota is to rise")
	}
	leader.kill()
	c.must(c.Delete(c.Context(), newClaim("spit-a", "first", "spit", 0)))
	c.claim("spit-b", "second", "spit", 4)
	controllers.leader()
	c.wantQuota("spit-b", "spit", "4")
	proxy.release()
	c.wantQuota("spit-a", "spit", "0")
	return 1
}

func (c cluster) killStandby(controllers *replicas, happen func(int), part int) {
	controllers.standby().kill()
	happen(part / 4)
	controllers.complete()
}

// pauseLeader pauses the leader until another process leads. It then has to find out that it does not lead any more, and
// ends.
func (c cluster) pauseLeader(controllers *replicas, proxy *unreliable, happen func(int), part int) int {
	leader := controllers.leader()
	held := c.hold(proxy, happen, part)
	leader.pause()
	happen(part / 8)
	if controllers.leader() == leader {
		c.Error("a process that is paused leads")
	}
	happen(part / 4)
	leader.resume()
	proxy.release()
	c.eventually("the process that was paused has ended", func() string { return fmt.Sprint(leader.ended()) }, "true")
	return held
}

// hold makes edits until a write of a quota is on its way, and returns 1 then.
func (c cluster) hold(proxy *unreliable, happen func(int), part int) int {
	armed := proxy.arm("")
	for range max(1, part/4) {
		happen(1)
		select {
		case <-armed:
			return 1
		case <-time.After(50 * time.Millisecond):
		}
	}
	return 0
}

// edit makes one random change, which may also be that a claim asks for another pool.
func (w weather) edit(number int) {
	w.Helper()
	time.Sleep(time.Duration(w.random.IntN(30)) * time.Millisecond)
	if w.random.IntN(12) > 0 {
		w.happen(number)
		return
	}
	at := w.places[w.random.IntN(len(w.places))]
	err := ask(w.Context(), w, at.namespace, fmt.Sprint("claim-", w.random.IntN(8)), fmt.Sprintf(`{"spec":{"pool":%q}}`, at.pool))
	if client.IgnoreNotFound(err) != nil {
		w.Fatalf("event %d: %v", number, err)
	}
}

// usage plays the quota controller and the authors of pods: some time after a quota is written, its limits are enforced, and
// namespaces use no more than that. They need not use less because the limits fall.
type usage struct {
	cluster
	changes atomic.Bool // whether namespaces use more and less; otherwise, they use nothing
	held    func(types.NamespacedName) bool
}

func (u *usage) count(ctx context.Context) {
	random := rand.New(rand.NewPCG(7, 8))
	for ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
		var quotas corev1.ResourceQuotaList
		if err := u.List(ctx, &quotas, client.HasLabels{pool.PoolLabel}); err != nil {
			continue
		}
		for _, q := range computeresources.Pointers(quotas.Items) {
			if u.held(client.ObjectKeyFromObject(q)) {
				continue // Otherwise, a write that is held would conflict for that alone.
			}
			after := q.DeepCopy()
			if random.IntN(2) == 0 {
				after.Status.Hard = q.Spec.Hard
			}
			if most := after.Status.Hard.Pods().Value() + 1; !u.changes.Load() {
				after.Status.Used = corev1.ResourceList{"pods": resource.MustParse("0")}
			} else if random.IntN(4) == 0 {
				after.Status.Used = corev1.ResourceList{"pods": *resource.NewQuantity(random.Int64N(most), resource.DecimalSI)}
			}
			if !equality.Semantic.DeepEqual(q.Status, after.Status) {
				_ = u.Status().Update(ctx, after) // The next one is of the version that is stored then.
			}
		}
	}
}

// wantBoundOnce checks that each claim that its status says has something is recorded by its pool, and that no claim is recorded twice.
func (c cluster) wantBoundOnce(s *stored) {
	c.Helper()
	recorded := map[string][]string{}
	for _, p := range s.pools {
		for namespace, claims := range p.Status.Claims {
			for _, claim := range claims {
				name := namespace + "/" + claim.Name
				recorded[name] = append(recorded[name], p.Name)
			}
		}
	}
	holding := 0
	for _, claim := range s.claims {
		name := claim.Key().String()
		var want []string
		if claim.Holding() {
			holding++
			want = []string{claim.Status.Pool.Name}
		}
		if in := recorded[name]; slices.ContainsFunc(s.pools, func(p *pool.ResourcePool) bool { return p.Name == claim.Status.Pool.Name }) && !slices.Equal(in, want) {
			c.Errorf("%s is recorded by %v, want %v", name, in, want)
		}
		delete(recorded, name)
	}
	if len(recorded) > 0 || holding == 0 {
		c.Errorf("%d claims have something; recorded are others: %v", holding, recorded)
	}
}
