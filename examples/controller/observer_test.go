package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
)

// write is a version of a ResourcePool, a ResourcePoolClaim or a ResourceQuota that the API server has stored. Versions of
// objects in one etcd are in one order.
type write struct {
	version uint64
	at      time.Time // when it was seen
	object  client.Object
	deleted bool
}

// observer watches all writes of pools, claims and quotas, from outside of the controller.
type observer struct {
	mu       sync.Mutex
	writes   []write
	failures []string
}

// observe starts an observer, which stops with the context.
func observe(ctx context.Context, config *rest.Config) (*observer, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	c, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	if err != nil {
		return nil, err
	}
	o := &observer{}
	for _, list := range []client.ObjectList{&pool.ResourcePoolList{}, &pool.ResourcePoolClaimList{}, &corev1.ResourceQuotaList{}} {
		if err := c.List(ctx, list); err != nil {
			return nil, err
		}
		all, err := meta.ExtractList(list)
		if err != nil {
			return nil, err
		}
		for _, object := range all {
			o.add(watch.Event{Type: watch.Added, Object: object})
		}
		watcher := &cache.ListWatch{WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return c.Watch(ctx, list.DeepCopyObject().(client.ObjectList), &client.ListOptions{Raw: &options})
		}}
		retrying, err := watchtools.NewRetryWatcherWithContext(ctx, list.GetResourceVersion(), watcher)
		if err != nil {
			return nil, err
		}
		go func() {
			for event := range retrying.ResultChan() {
				o.add(event)
			}
		}()
	}
	return o, nil
}

func (o *observer) add(event watch.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	object, is := event.Object.(client.Object)
	if !is || event.Type == watch.Error {
		o.failures = append(o.failures, fmt.Sprintf("the observer has missed writes: %+v", event.Object))
		return
	}
	if event.Type == watch.Bookmark {
		return
	}
	version, err := strconv.ParseUint(object.GetResourceVersion(), 10, 64)
	if err != nil {
		o.failures = append(o.failures, err.Error())
	}
	o.writes = append(o.writes, write{version: version, at: time.Now(), object: object, deleted: event.Type == watch.Deleted})
}

// saw reports whether the observer has seen a version of an object.
func (o *observer) saw(object client.Object) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.ContainsFunc(o.writes, func(w write) bool {
		return w.object.GetUID() == object.GetUID() && w.object.GetResourceVersion() == object.GetResourceVersion()
	})
}

// judged returns what was wrong in the order of all writes so far, and how many of them were of quotas.
func (o *observer) judged() (wrong []string, quotas int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	writes := slices.Clone(o.writes)
	slices.SortStableFunc(writes, func(a, b write) int { return int(int64(a.version) - int64(b.version)) })
	j := newJudge()
	for _, w := range writes {
		j.see(w)
		if _, is := w.object.(*corev1.ResourceQuota); is {
			quotas++
		}
	}
	return append(slices.Clone(o.failures), j.wrong...), quotas
}

// memory is how long a size of a pool counts after the pool was made smaller: quotas are written by what the cache has of it,
// and by processes that were paused. Of a pool that never gets smaller, nothing is excused.
const memory = time.Minute

// judge looks at all writes in the order of their versions.
type judge struct {
	pools  map[string]*judgedPool
	quotas map[types.NamespacedName]*corev1.ResourceQuota
	claims map[types.UID]*pool.ResourcePoolClaim
	wrong  []string
}

type judgedPool struct {
	hard     corev1.ResourceList
	recorded corev1.ResourceList // by its status
	shrunk   bool
	largest  corev1.ResourceList // since it was made smaller last
	until    time.Time           // for which that counts
}

func newJudge() *judge {
	return &judge{pools: map[string]*judgedPool{}, quotas: map[types.NamespacedName]*corev1.ResourceQuota{}, claims: map[types.UID]*pool.ResourcePoolClaim{}}
}

func (j *judge) see(w write) {
	switch object := w.object.(type) {
	case *pool.ResourcePool:
		j.seePool(object, w)
	case *pool.ResourcePoolClaim:
		j.seeClaim(object, w)
	case *corev1.ResourceQuota:
		j.seeQuota(object, w)
	}
}

func (j *judge) complain(w write, format string, args ...any) {
	j.wrong = append(j.wrong, fmt.Sprintf("version %d: ", w.version)+fmt.Sprintf(format, args...))
}

// seePool checks that a pool records every claim once, and no more than it has: if it was made smaller than that, no amount rises.
func (j *judge) seePool(p *pool.ResourcePool, w write) {
	if w.deleted {
		delete(j.pools, p.Name)
		return
	}
	known := j.pools[p.Name]
	if known == nil {
		known = &judgedPool{hard: p.Spec.Quota.Hard}
		j.pools[p.Name] = known
	}
	if grows, _ := resourcelist.LessThanOrEqual(known.hard, p.Spec.Quota.Hard); !grows {
		known.largest = resourcelist.Max(known.hard, known.sizes(w.at))
		known.shrunk, known.until = true, w.at.Add(memory)
	}
	known.hard = p.Spec.Quota.Hard
	recorded, sum := sets.New[types.UID](), corev1.ResourceList{}
	for _, claims := range p.Status.Claims {
		for _, claim := range claims {
			if recorded.Has(claim.UID) {
				j.complain(w, "pool %s records %s/%s twice", p.Name, claim.Namespace, claim.Name)
			}
			recorded.Insert(claim.UID)
			sum = resourcelist.Add(sum, claim.Claims)
		}
	}
	if over := exceeding(rising(known.recorded, sum), known.hard); over != "" {
		j.complain(w, "pool %s records %s", p.Name, over)
	}
	known.recorded = sum
}

// rising returns the amounts that are more than before.
func rising(before, after corev1.ResourceList) corev1.ResourceList {
	rises := corev1.ResourceList{}
	for name, amount := range after {
		if was := before[name]; amount.Cmp(was) > 0 {
			rises[name] = amount
		}
	}
	return rises
}

// sizes are the largest amounts that the pool has had in the last time.
func (p *judgedPool) sizes(at time.Time) corev1.ResourceList {
	if p.shrunk && at.Before(p.until) {
		return resourcelist.Max(p.hard, p.largest)
	}
	return p.hard
}

// seeQuota checks that the quotas of a pool allow no more than the pool has: by what is to be enforced, what is enforced, and what
// is used, whichever is most. If a pool was made smaller, no quota may rise above that.
func (j *judge) seeQuota(q *corev1.ResourceQuota, w write) {
	name := client.ObjectKeyFromObject(q)
	poolName := q.Labels[pool.PoolLabel]
	p := j.pools[poolName]
	before := j.allowed(poolName)
	if w.deleted {
		delete(j.quotas, name)
		return
	}
	j.quotas[name] = q
	if p == nil {
		return
	}
	after := j.allowed(poolName)
	over := exceeding(after, p.hard)
	if over == "" {
		return
	}
	if p.shrunk {
		over = exceeding(rising(before, after), p.sizes(w.at))
		if over == "" {
			return
		}
	}
	var all []string
	for name, q := range j.quotas {
		if q.Labels[pool.PoolLabel] == poolName {
			all = append(all, fmt.Sprintf("%s %s (enforced %s, used %s)", name.Namespace, q.Spec.Hard.Pods(), q.Status.Hard.Pods(), q.Status.Used.Pods()))
		}
	}
	slices.Sort(all)
	j.complain(w, "with %s, the quotas of pool %s allow %s: %s", name, poolName, over, strings.Join(all, ", "))
}

// allowed is what all quotas of a pool allow.
func (j *judge) allowed(poolName string) corev1.ResourceList {
	sum := corev1.ResourceList{}
	for _, q := range j.quotas {
		if q.Labels[pool.PoolLabel] == poolName {
			sum = resourcelist.Add(sum, resourcelist.Max(q.Spec.Hard, q.Status.Hard, q.Status.Used))
		}
	}
	return sum
}

// seeClaim checks that a claim keeps what it holds unless it is edited or released, or has asked for another pool, to which it
// moves when it is not in use any more.
func (j *judge) seeClaim(claim *pool.ResourcePoolClaim, w write) {
	before := j.claims[claim.UID]
	j.claims[claim.UID] = claim
	if before == nil || w.deleted || before.Released() || claim.Generation != before.Status.ObservedGeneration || claim.Spec.Pool != before.Status.Pool.Name {
		return
	}
	if before.Holding() && (!claim.Holding() || claim.Status.Pool != before.Status.Pool) {
		j.complain(w, "claim %s has lost what it had of pool %s", claim.Key(), before.Status.Pool.Name)
	}
}

// exceeding returns the amounts that are more than a limit, "" if there are none.
func exceeding(amounts, limits corev1.ResourceList) string {
	var over []string
	for name, most := range limits {
		if sum := amounts[name]; sum.Cmp(most) > 0 {
			over = append(over, fmt.Sprintf("%s %s of %s", sum.String(), name, most.String()))
		}
	}
	slices.Sort(over)
	return strings.Join(over, ", ")
}

// The judge notices each thing that must not happen, and nothing else.
func TestJudge(t *testing.T) {
	start := time.Unix(1e9, 0)
	list := func(pods string) corev1.ResourceList {
		return corev1.ResourceList{"pods": resource.MustParse(pods)}
	}
	poolOf := func(pods string, claims ...pool.RecordedClaim) *pool.ResourcePool {
		p := &pool.ResourcePool{}
		p.Name, p.Spec.Quota.Hard, p.Status.Claims = "p", list(pods), map[string][]pool.RecordedClaim{"a": claims}
		return p
	}
	quotaOf := func(namespace, hard, enforced string) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{}
		q.Namespace, q.Labels = namespace, map[string]string{pool.PoolLabel: "p"}
		q.Spec.Hard, q.Status.Hard = list(hard), list(enforced)
		return q
	}
	using := func(q *corev1.ResourceQuota, pods string) *corev1.ResourceQuota {
		q.Status.Used = list(pods)
		return q
	}
	holding := metav1.Condition{Type: "Exhausted", Status: metav1.ConditionFalse}
	claimOf := func(generation int64, conditions ...metav1.Condition) *pool.ResourcePoolClaim {
		c := &pool.ResourcePoolClaim{}
		c.UID, c.Name, c.Generation, c.Spec.Pool = "1", "c", generation, "p"
		c.Status.ObservedGeneration, c.Status.Pool.Name, c.Status.Conditions = 1, "p", conditions
		return c
	}
	released := claimOf(1, holding)
	released.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	moved := claimOf(1, holding)
	moved.Status.Pool.Name = "q"
	asks := claimOf(1, holding)
	asks.Spec.Pool = "q"
	leaves := claimOf(1)
	leaves.Spec.Pool, leaves.Status.Pool.Name = "q", "q"
	one := pool.RecordedClaim{Name: "c", UID: "1", Claims: list("2")}
	for _, test := range []struct {
		what   string
		wrong  int
		writes []client.Object
	}{
		{"quotas within the pool", 0, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), quotaOf("b", "1", "1"), quotaOf("a", "0", "0"), quotaOf("b", "4", "1")}},
		{"a raise before a reduction", 1, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), quotaOf("b", "2", "0"), quotaOf("a", "1", "1")}},
		{"a raise before a reduction is enforced", 1, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), quotaOf("a", "0", "3"), quotaOf("b", "2", "0")}},
		{"a raise before less is used", 1, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), using(quotaOf("a", "0", "0"), "3"), quotaOf("b", "2", "0")}},
		{"a pool that gets smaller than its quotas", 0, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), poolOf("2"), quotaOf("a", "2", "3")}},
		{"a raise above what the pool had", 1, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), poolOf("2"), quotaOf("b", "2", "0")}},
		{"a raise in a pool that was larger a moment ago", 0, []client.Object{poolOf("4"), quotaOf("a", "3", "3"), poolOf("2"), quotaOf("b", "1", "0")}},
		{"a record within the pool", 0, []client.Object{poolOf("4", one, pool.RecordedClaim{UID: "2", Claims: list("2")})}},
		{"a record above the pool", 1, []client.Object{poolOf("3", one, pool.RecordedClaim{UID: "2", Claims: list("2")})}},
		{"a record above a pool that was made smaller", 0, []client.Object{poolOf("4", one), poolOf("1", one), poolOf("1", one)}},
		{"a record that rises in such a pool", 1, []client.Object{poolOf("4", one), poolOf("1", one), poolOf("1", one, pool.RecordedClaim{UID: "2", Claims: list("2")})}},
		{"a claim twice", 1, []client.Object{poolOf("4", one, one)}},
		{"a claim that is told", 0, []client.Object{claimOf(1), claimOf(1, holding), claimOf(1, holding)}},
		{"a claim that loses what it has", 1, []client.Object{claimOf(1, holding), claimOf(1)}},
		{"a claim in another pool", 1, []client.Object{claimOf(1, holding), moved}},
		{"a claim that has asked for another pool", 0, []client.Object{asks, leaves}},
		{"a claim that is edited", 0, []client.Object{claimOf(1, holding), claimOf(2, holding), claimOf(2)}},
		{"a claim that is released", 0, []client.Object{claimOf(1, holding), released, claimOf(1)}},
	} {
		j := newJudge()
		for i, object := range test.writes {
			j.see(write{version: uint64(i), at: start.Add(time.Duration(i) * time.Second), object: object})
		}
		if len(j.wrong) != test.wrong {
			t.Errorf("%s: %q, want %d complaints", test.what, j.wrong, test.wrong)
		}
	}
	// After a time, a pool has its size.
	j := newJudge()
	for i, object := range []client.Object{poolOf("4"), quotaOf("a", "1", "1"), poolOf("2"), quotaOf("b", "2", "0")} {
		j.see(write{at: start.Add(time.Duration(i) * 50 * time.Second), object: object})
	}
	if len(j.wrong) != 0 {
		t.Errorf("a raise within the time that a pool was larger: %q", j.wrong)
	}
	j.see(write{at: start.Add(4 * time.Minute), object: quotaOf("b", "3", "0")})
	if len(j.wrong) != 1 {
		t.Errorf("a raise above the size of a pool: %q", j.wrong)
	}
}
