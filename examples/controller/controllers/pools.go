package controllers

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

// Finalizer keeps a pool until its claims have lost it.
const Finalizer = "kubemath.example/pool"

// Pools opens pools in the book, writes their statuses, and lets go of the claims of those
// that are deleted.
type Pools struct {
	Client client.Client
	Book   *book.Book
	Notify Notify
}

// Reconcile is about one pool.
func (r *Pools) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	p := &pool.ResourcePool{}
	err := r.Client.Get(ctx, request.NamespacedName, p)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if err != nil {
		r.Book.ClosePool(request.Name)
		return reconcile.Result{}, nil
	}
	claims, err := listClaims(ctx, r.Client, client.MatchingFields{poolIndex: p.Name})
	if err != nil {
		return reconcile.Result{}, err
	}
	if p.DeletionTimestamp != nil {
		return reconcile.Result{}, r.remove(ctx, p, claims)
	}
	if controllerutil.AddFinalizer(p, Finalizer) {
		if err := r.Client.Update(ctx, p); err != nil {
			return reconcile.Result{}, err
		}
	}
	namespaces, err := listNamespaces(ctx, r.Client)
	if err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.reconcile(ctx, p, claims, namespaces)
}

func (r *Pools) reconcile(ctx context.Context, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, namespaces []*corev1.Namespace) error {
	selected := pool.Namespaces(p, namespaces)
	changes := r.Book.SetPool(p, claimants(p, claims, namespaces))
	allocation := r.Book.Allocation(p.Name)
	status := allocation.Status(selected, p, claims, pool.Options{API: pool.Documented})
	next := Requests{Claims: append(after(changes).Claims, outdated(allocation, claims)...)}
	if len(changes) > 0 || !slices.Equal(selected, p.Status.Namespaces) {
		next.Quotas = quotasIn(p.Name, selected, p.Status.Namespaces) // Some may have to go.
	}
	r.Notify(ctx, next)
	if equality.Semantic.DeepEqual(p.Status, status) {
		return nil
	}
	p.Status = status
	return r.Client.Status().Update(ctx, p)
}

// claimants returns the claims that may claim from a pool.
func claimants(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, namespaces []*corev1.Namespace) []*pool.ResourcePoolClaim {
	byName := make(map[string]*corev1.Namespace, len(namespaces))
	for _, namespace := range namespaces {
		byName[namespace.Name] = namespace
	}
	var may []*pool.ResourcePoolClaim
	for _, claim := range claims {
		if claim.DeletionTimestamp != nil {
			continue
		}
		_, err := pool.Assign(claim, byName[claim.Namespace], []*pool.ResourcePool{p})
		// What is bound stays so until Claims has looked at it.
		if err == nil || claim.Bound() {
			may = append(may, claim)
		}
	}
	return may
}

// outdated returns the claims whose status no longer says why they wait.
func outdated(allocation *pool.Allocation, claims []*pool.ResourcePoolClaim) []types.NamespacedName {
	messages := make(map[types.NamespacedName]string, len(allocation.Decisions))
	for _, d := range allocation.Decisions {
		messages[d.Claim] = d.Condition(pool.Options{API: pool.Documented}).Message
	}
	var names []types.NamespacedName
	for _, claim := range claims {
		name := book.NameOf(claim)
		if message, known := messages[name]; known && message != claim.Status.Condition.Message {
			names = append(names, name)
		}
	}
	return names
}

// remove lets go of all claims of a pool, and then of the pool.
func (r *Pools) remove(ctx context.Context, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) error {
	r.Book.ClosePool(p.Name) // From here on, Claims binds none of them.
	before := make(map[types.NamespacedName]*pool.ResourcePoolClaim, len(claims))
	for _, claim := range claims {
		before[book.NameOf(claim)] = claim
	}
	deletion := lifecycle.DeletePool(p, claims, pool.Options{API: pool.Documented})
	for _, name := range deletion.Deleted {
		claim := before[name]
		asRead := client.Preconditions{UID: &claim.UID, ResourceVersion: &claim.ResourceVersion}
		if err := r.Client.Delete(ctx, claim, asRead); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	for _, after := range deletion.Kept {
		if err := store(ctx, r.Client, before[book.NameOf(after)], after); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	r.Notify(ctx, Requests{Quotas: quotasIn(p.Name, p.Status.Namespaces)})
	if controllerutil.RemoveFinalizer(p, Finalizer) {
		return client.IgnoreNotFound(r.Client.Update(ctx, p))
	}
	return nil
}
