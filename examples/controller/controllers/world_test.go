package controllers

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// world is a cluster with the three reconcilers. Each is called only for the requests that the
// manager would send it.
type world struct {
	*testing.T
	client.WithWatch // what is stored

	process  client.WithWatch // how the reconcilers see it
	book     *book.Book
	claims   *ResourcePoolClaimReconciler
	pools    *ResourcePoolReconciler
	quotas   *ResourceQuotaReconciler
	recorder *events.FakeRecorder

	queue    []work
	now      time.Time
	frozen   bool // what has to be looked at again after a time has to wait
	later    []work
	random   *rand.Rand        // picks from the queue; nil takes the first
	versions map[string]string // resource versions of claims and quotas that were seen
	writes   []string          // the kinds of the writes of the reconcilers
	killIn   int               // after how many writes the process is killed; 0 is never
	killed   bool
	broken   int // calls that have failed, and whose error no reconciler has returned

	paused func(client.Object) // called before an update is stored, which the process has sent

	lags bool                                 // the cache of quotas is sometimes late
	late map[string]*corev1.ResourceQuotaList // what it has, by selector
}

// errKilled ends a simulated process that was killed.
var errKilled = errors.New("killed")

// work is one call of a reconciler.
type work struct {
	to      reconcile.Reconciler
	request reconcile.Request
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := capsule.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, now: time.Unix(1e9, 0), versions: map[string]string{}, WithWatch: fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&pool.ResourcePool{}, &pool.ResourcePoolClaim{}, &corev1.ResourceQuota{}).
		WithIndex(&pool.ResourcePoolClaim{}, poolIndex, indexByPool).
		WithObjects(objects...).Build()}
	w.process = interceptor.NewClient(w.WithWatch, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.CreateOption) error {
			return w.write("create", object, func() error { return c.Create(ctx, object, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.UpdateOption) error {
			return w.write("update", object, func() error {
				if w.paused != nil {
					w.paused(object)
				}
				return c.Update(ctx, object, opts...)
			})
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.DeleteOption) error {
			return w.write("delete", object, func() error { return c.Delete(ctx, object, opts...) })
		},
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if quotas, is := list.(*corev1.ResourceQuotaList); is && w.lags {
				return w.listLate(ctx, quotas, opts)
			}
			return c.List(ctx, list, opts...)
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, subresource string, object client.Object, opts ...client.SubResourceUpdateOption) error {
			return w.write(subresource, object, func() error { return c.SubResource(subresource).Update(ctx, object, opts...) })
		},
	})
	w.restart()
	return w
}

// write notes a write of the reconcilers. The write during which the process is killed may be
// stored or not.
func (w *world) write(verb string, object client.Object, write func() error) error {
	if w.killed {
		return errKilled
	}
	w.writes = append(w.writes, verb+" "+kindOf(object))
	defer w.wantWithinPools(w.quotaSums())
	if w.killIn == 0 {
		return write()
	}
	w.killIn--
	if w.killIn > 0 {
		return write()
	}
	w.killed = true
	if w.random != nil && w.random.IntN(2) == 0 {
		_ = write()
	}
	return errKilled
}

func kindOf(object client.Object) string {
	switch object.(type) {
	case *pool.ResourcePool:
		return "pool"
	case *pool.ResourcePoolClaim:
		return "claim"
	}
	return "quota"
}

// restart forgets all that is not in the cluster, and looks at everything.
func (w *world) restart() {
	w.book, w.recorder = book.New(), &events.FakeRecorder{}
	at, messages := func() time.Time { return w.now }, &Messages{}
	w.claims = &ResourcePoolClaimReconciler{Client: w.process, Book: w.book, Notify: w.notify, Recorder: w.recorder, Now: at, Messages: messages}
	w.pools = &ResourcePoolReconciler{Client: w.process, Reader: w.WithWatch, Book: w.book, Notify: w.notify, Now: at, Messages: messages}
	w.quotas = &ResourceQuotaReconciler{Client: w.process, Reader: w.WithWatch, Book: w.book, Notify: w.notify, Recorder: w.recorder}
	w.queue, w.killIn, w.killed = nil, 0, false
	clear(w.versions)
	w.watch()
	w.poolChanged("")
}

func (w *world) notify(next Requests) {
	w.add(w.claims, next.Claims...)
	w.add(w.pools, next.Pools...)
	w.add(w.quotas, next.Quotas...)
}

func (w *world) add(to reconcile.Reconciler, names ...types.NamespacedName) {
	for _, name := range names {
		w.addAll(to, []reconcile.Request{{NamespacedName: name}})
	}
}

// addAll adds what is not in the queue yet, as a workqueue does.
func (w *world) addAll(to reconcile.Reconciler, requests []reconcile.Request) {
	for _, request := range requests {
		if next := (work{to, request}); !slices.Contains(w.queue, next) {
			w.queue = append(w.queue, next)
		}
	}
}

// watch sees which claims and quotas have changed, as the controllers watch them.
func (w *world) watch() {
	var claims pool.ResourcePoolClaimList
	var quotas corev1.ResourceQuotaList
	w.must(w.List(w.Context(), &claims))
	w.must(w.List(w.Context(), &quotas))
	for i := range claims.Items {
		if w.changed("claim", &claims.Items[i]) {
			w.add(w.claims, claims.Items[i].Key())
		}
	}
	for i := range quotas.Items {
		if w.changed("quota", &quotas.Items[i]) {
			w.addAll(w.quotas, poolOf(w.Context(), &quotas.Items[i]))
		}
	}
}

func (w *world) changed(kind string, object client.Object) bool {
	key := kind + " " + client.ObjectKeyFromObject(object).String()
	was := w.versions[key]
	w.versions[key] = object.GetResourceVersion()
	return was != object.GetResourceVersion()
}

// poolChanged enqueues what the controllers would when a pool is created or deleted, or its spec
// changes.
func (w *world) poolChanged(name string) {
	w.addAll(w.pools, allPools(w)(w.Context(), nil))
	p := &pool.ResourcePool{}
	p.Name = name
	w.add(w.pools, types.NamespacedName{Name: name})
	w.addAll(w.claims, claimsOf(w)(w.Context(), p))
}

// namespaceChanged is the same for a namespace.
func (w *world) namespaceChanged(name string) {
	namespace := &corev1.Namespace{}
	namespace.Name = name
	w.addAll(w.pools, allPools(w)(w.Context(), namespace))
	w.addAll(w.claims, claimsIn(w)(w.Context(), namespace))
}

// settle works until there is nothing left to do, or the process is killed.
func (w *world) settle() {
	w.Helper()
	w.watch()
	if !w.frozen {
		w.queue, w.later = append(w.queue, w.later...), nil
	}
	for calls := 0; len(w.queue) > 0 && !w.killed; calls++ {
		if calls > 1500 {
			w.Fatalf("no end: %v", w.queue)
		}
		w.step()
	}
}

// step makes one call of the queue.
func (w *world) step() {
	w.Helper()
	i := 0
	if w.random != nil {
		i = w.random.IntN(len(w.queue))
	}
	next := w.queue[i]
	w.queue = append(w.queue[:i:i], w.queue[i+1:]...)
	before := len(w.writes)
	result, err := next.to.Reconcile(w.Context(), next.request)
	switch {
	case w.killed:
		return
	case err == nil && result.RequeueAfter > 0 && w.frozen:
		w.later = append(w.later, next)
	case err == nil && result.RequeueAfter > 0:
		w.now = w.now.Add(result.RequeueAfter)
		w.queue = append(w.queue, next)
	case apierrors.IsConflict(err):
		w.queue = append(w.queue, next)
	case errors.Is(err, errBroken):
		w.broken--
		w.queue = append(w.queue, next)
	case err != nil:
		w.Fatalf("%v: %v", next.request, err)
	}
	if len(w.writes) > before {
		w.watch()
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// create stores a new object.
func (w *world) create(object client.Object) {
	w.Helper()
	w.must(w.Create(w.Context(), object))
	if p, is := object.(*pool.ResourcePool); is {
		w.poolChanged(p.Name)
	}
	w.settle()
}

func (w *world) claim(namespace, name string) *pool.ResourcePoolClaim {
	w.Helper()
	claim := &pool.ResourcePoolClaim{}
	w.must(w.Get(w.Context(), types.NamespacedName{Namespace: namespace, Name: name}, claim))
	return claim
}

// edit makes a claim request a number of pods.
func (w *world) edit(namespace, name, pods string) {
	w.Helper()
	claim := w.claim(namespace, name)
	claim.Generation++
	claim.Spec.Claim = corev1.ResourceList{"pods": resource.MustParse(pods)}
	w.must(w.Update(w.Context(), claim))
	w.settle()
}

// use makes a namespace use a number of the pods of pool p.
func (w *world) use(namespace, pods string) {
	w.Helper()
	quota := &corev1.ResourceQuota{}
	w.must(w.Get(w.Context(), types.NamespacedName{Namespace: namespace, Name: "capsule-pool-p"}, quota))
	quota.Status.Used = corev1.ResourceList{"pods": resource.MustParse(pods)}
	w.must(w.Status().Update(w.Context(), quota))
	w.settle()
}

// outcome returns the state in the status of a claim: why it has no pool, or the decision of the
// pool.
func outcome(claim *pool.ResourcePoolClaim) metav1.Condition {
	if ready := capsule.Condition(claim, "Ready"); ready.Status == metav1.ConditionFalse {
		return ready
	}
	return capsule.Condition(claim, "Exhausted")
}

// wantClaim checks the pool, the reason and the message of a claim.
func (w *world) wantClaim(namespace, name, poolName, reason, message string) {
	w.Helper()
	claim := w.claim(namespace, name)
	got := outcome(claim)
	if claim.Status.Pool.Name != poolName || got.Reason != reason || got.Message != message {
		w.Errorf("%s/%s: pool %q, %s %q, want pool %q, %s %q", namespace, name, claim.Status.Pool.Name, got.Reason, got.Message, poolName, reason, message)
	}
	if claim.Status.ObservedGeneration != claim.Generation {
		w.Errorf("%s/%s: observed generation %d of %d", namespace, name, claim.Status.ObservedGeneration, claim.Generation)
	}
}

func (w *world) wantHolding(namespace, name, poolName string) {
	w.Helper()
	w.wantClaim(namespace, name, poolName, "NoExhaustions", "resource claimable from pool")
}

// wantUse checks the condition Bound of a claim, which says whether it is in use.
func (w *world) wantUse(namespace, name, reason string) {
	w.Helper()
	if got := capsule.Condition(w.claim(namespace, name), "Bound").Reason; got != reason {
		w.Errorf("%s/%s: %s, want %s", namespace, name, got, reason)
	}
}

// wantQuota checks the pods that a namespace may have of pool p; "" is no quota.
func (w *world) wantQuota(namespace, want string) {
	w.Helper()
	quota := &corev1.ResourceQuota{}
	err := w.Get(w.Context(), types.NamespacedName{Namespace: namespace, Name: "capsule-pool-p"}, quota)
	got := quota.Spec.Hard.Pods().String()
	if apierrors.IsNotFound(err) {
		got = ""
	} else if err != nil {
		w.Fatal(err)
	}
	if got != want {
		w.Errorf("quota in %s: %q, want %q", namespace, got, want)
	}
}

func newNamespace(name, team string) *corev1.Namespace {
	namespace := &corev1.Namespace{}
	namespace.Name, namespace.Labels = name, map[string]string{"team": team}
	return namespace
}

// newPool returns a pool for the namespaces of a team, which grants nothing without a claim.
func newPool(name, team, pods string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name, p.UID, p.Generation = name, types.UID("uid of "+name), 1
	p.Spec.Config.DefaultsZero = true
	p.Spec.Selectors = append(p.Spec.Selectors, *teamSelector(team))
	p.Spec.Quota.Hard = corev1.ResourceList{"pods": resource.MustParse(pods)}
	return p
}

func newClaim(namespace, name, poolName, pods string) *pool.ResourcePoolClaim {
	claim := &pool.ResourcePoolClaim{}
	claim.Namespace, claim.Name, claim.UID, claim.Generation = namespace, name, types.UID("uid of "+name), 1
	claim.Spec.Pool = poolName
	claim.Spec.Claim = corev1.ResourceList{"pods": resource.MustParse(pods)}
	return claim
}

func teamSelector(team string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"team": team}}
}

// sun is a cluster with a pool of 3 pods for two namespaces, and a third namespace that the pool
// does not select.
func sun(t *testing.T, objects ...client.Object) *world {
	w := newWorld(t, append(objects, newPool("p", "sun", "3"),
		newNamespace("a", "sun"), newNamespace("b", "sun"), newNamespace("other", "moon"))...)
	w.settle()
	return w
}

// change gives a pool another spec.
func (w *world) change(name string, to func(*pool.ResourcePool)) {
	w.Helper()
	p := &pool.ResourcePool{}
	w.must(w.Get(w.Context(), types.NamespacedName{Name: name}, p))
	to(p)
	p.Generation++
	w.must(w.Update(w.Context(), p))
	w.poolChanged(name)
	w.settle()
}

func withVersion(w *world, namespace *corev1.Namespace) *corev1.Namespace {
	w.Helper()
	stored := &corev1.Namespace{}
	w.must(w.Get(w.Context(), client.ObjectKeyFromObject(namespace), stored))
	namespace.ResourceVersion = stored.ResourceVersion
	return namespace
}
