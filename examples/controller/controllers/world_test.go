package controllers

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// world is a cluster with the three reconcilers, each of which is called only for what the
// manager would call it for.
type world struct {
	*testing.T
	client.Client
	book   *book.Book
	claims *Claims
	pools  *Pools
	quotas *Quotas

	queue    []work
	versions map[string]string // resource versions of claims and quotas that were seen
}

// work is one call of a reconciler.
type work struct {
	to      reconcile.Reconciler
	request reconcile.Request
}

func newWorld(t *testing.T, objects ...client.Object) *world {
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := capsule.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, versions: map[string]string{}, Client: fake.NewClientBuilder().WithScheme(scheme).
		WithStatusSubresource(&pool.ResourcePool{}, &pool.ResourcePoolClaim{}).
		WithIndex(&pool.ResourcePoolClaim{}, poolIndex, indexByPool).
		WithObjects(objects...).Build()}
	w.restart()
	return w
}

// restart forgets all that is not in the cluster, and looks at everything.
func (w *world) restart() {
	w.book = book.New()
	w.claims = &Claims{Client: w, Book: w.book, Notify: w.notify, Now: func() time.Time { return time.Unix(1e9, 0) }}
	w.pools = &Pools{Client: w, Book: w.book, Notify: w.notify}
	w.quotas = &Quotas{Client: w, Book: w.book}
	clear(w.versions)
	w.watch()
	w.poolChanged("")
}

func (w *world) notify(_ context.Context, next Requests) {
	w.add(w.claims, next.Claims...)
	w.add(w.pools, next.Pools...)
	w.add(w.quotas, next.Quotas...)
}

func (w *world) add(to reconcile.Reconciler, names ...types.NamespacedName) {
	for _, name := range names {
		w.queue = append(w.queue, work{to, reconcile.Request{NamespacedName: name}})
	}
}

func (w *world) addAll(to reconcile.Reconciler, requests []reconcile.Request) {
	for _, request := range requests {
		w.queue = append(w.queue, work{to, request})
	}
}

// watch sees which claims and quotas have changed, as Setup watches them.
func (w *world) watch() {
	var claims capsule.ResourcePoolClaimList
	var quotas corev1.ResourceQuotaList
	w.must(w.List(w.Context(), &claims))
	w.must(w.List(w.Context(), &quotas))
	for i := range claims.Items {
		if w.changed("claim", &claims.Items[i]) {
			w.add(w.claims, book.NameOf(&claims.Items[i]))
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

// poolChanged is what Setup does when the spec of a pool changes, or it comes or goes.
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

// settle works until there is nothing left to do.
func (w *world) settle() {
	w.Helper()
	w.watch()
	for calls := 0; len(w.queue) > 0; calls++ {
		if calls > 300 {
			w.Fatalf("no end: %v", w.queue)
		}
		next := w.queue[0]
		w.queue = w.queue[1:]
		_, err := next.to.Reconcile(w.Context(), next.request)
		if apierrors.IsConflict(err) {
			w.queue = append(w.queue, next)
		} else if err != nil {
			w.Fatalf("%v: %v", next.request, err)
		}
		w.watch()
	}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// create stores an object that has just come.
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

// wantClaim checks the pool, the reason and the message of a claim.
func (w *world) wantClaim(namespace, name, poolName, reason, message string) {
	w.Helper()
	claim := w.claim(namespace, name)
	got := claim.Status.Condition
	if claim.Status.Pool.Name != poolName || got.Reason != reason || got.Message != message {
		w.Errorf("%s/%s: pool %q, %s %q, want pool %q, %s %q", namespace, name, claim.Status.Pool.Name, got.Reason, got.Message, poolName, reason, message)
	}
}

func (w *world) wantBound(namespace, name, poolName string) {
	w.Helper()
	w.wantClaim(namespace, name, poolName, "Succeeded", "Claimed resources")
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

// newPool is a pool for the namespaces of a team, of which nothing is had without a claim.
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

// sun is a cluster with a pool of 3 pods for two namespaces, and a third that it is not for.
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
