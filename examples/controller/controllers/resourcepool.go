package controllers

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// Finalizer keeps a pool until its claims have lost it.
const Finalizer = "kubemath.example/pool"

// ResourcePoolReconciler opens pools in the book, records in their statuses what the book has
// decided, and releases the claims of pools that are deleted.
type ResourcePoolReconciler struct {
	Client client.Client
	Reader client.Reader // asks the API server, not a cache
	Book   *book.Book
	Notify Notify
	Now    func() time.Time

	Messages *Messages
}

// SetupWithManager adds the reconciler to a manager. It also looks at the requests of a source.
func (r *ResourcePoolReconciler) SetupWithManager(mgr manager.Manager, requests *inbox) error {
	return builder.ControllerManagedBy(mgr).Named("resourcepool").
		// Statuses change often, and only this reconciler writes them.
		For(&pool.ResourcePool{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(allPools(r.Client))).
		WatchesRawSource(requests).
		Complete(retry(r))
}

// Reconcile is about one pool.
func (r *ResourcePoolReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	p := &pool.ResourcePool{}
	err := r.Client.Get(ctx, request.NamespacedName, p)
	switch {
	case client.IgnoreNotFound(err) != nil:
		return reconcile.Result{}, err
	case err != nil:
		r.Book.Close(request.Name)
		r.Messages.forget(request.Name)
		return reconcile.Result{}, nil
	case p.DeletionTimestamp != nil:
		return reconcile.Result{}, r.remove(ctx, request.NamespacedName)
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
	if open, err := r.open(ctx, p, namespaces); err != nil || !open {
		return reconcile.Result{RequeueAfter: cacheDelay}, err
	}
	again, err := r.record(ctx, p, pool.Namespaces(p, namespaces))
	return reconcile.Result{RequeueAfter: again}, err
}

// record writes the status of a pool, if it has changed. Only then are claims and quotas updated,
// so everything that they publish is recorded, and is granted again after a restart. It returns after which time
// the pool has to be looked at again, 0 for never.
func (r *ResourcePoolReconciler) record(ctx context.Context, p *pool.ResourcePool, selected []string) (time.Duration, error) {
	draft, recorded, open := r.Book.Draft(p.Name, selected, r.Now())
	if !open {
		return 0, nil
	}
	if err := r.write(ctx, p, recorded, draft.Status); err != nil {
		return 0, err
	}
	next := toTell(p.Name, r.Book.Recorded(p.Name, draft))
	claims, err := listClaims(ctx, r.Client, client.MatchingFields{poolIndex: p.Name})
	if err != nil {
		r.Notify(next) // Recorded returns it once.
		return 0, err
	}
	otherReason, otherAmounts := outdated(draft.Decisions, claims)
	now, again := r.Messages.due(p.Name, otherAmounts, r.Now())
	next.Claims = slices.Concat(next.Claims, otherReason, now)
	r.Notify(next)
	return again, nil
}

// remove releases all claims of a pool, and then the pool. It asks the API server which of them are
// holding, because a cache may not have the last record.
func (r *ResourcePoolReconciler) remove(ctx context.Context, name types.NamespacedName) error {
	r.Book.Close(name.Name) // From here on, nothing is decided on any of them.
	p := &pool.ResourcePool{}
	if err := r.Reader.Get(ctx, name, p); err != nil {
		return client.IgnoreNotFound(err)
	}
	claims, err := listClaims(ctx, r.Client, client.MatchingFields{poolIndex: p.Name})
	if err != nil {
		return err
	}
	before := make(map[types.NamespacedName]*pool.ResourcePoolClaim, len(claims))
	for _, claim := range claims {
		before[claim.Key()] = claim
	}
	deleted, kept := pool.DeletePool(p, claims, pool.Options{})
	for _, name := range deleted {
		if err := r.delete(ctx, before[name]); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	for _, after := range kept {
		if err := store(ctx, r.Client, before[after.Key()], after); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	r.Notify(Requests{Quotas: quotasIn(p.Name, p.Status.Namespaces)})
	if controllerutil.RemoveFinalizer(p, Finalizer) {
		return client.IgnoreNotFound(r.Client.Update(ctx, p))
	}
	return nil
}

// delete deletes a claim as it was read. A claim that is in use loses its pool first, because it
// cannot be deleted otherwise.
func (r *ResourcePoolReconciler) delete(ctx context.Context, claim *pool.ResourcePoolClaim) error {
	if claim.InUse() {
		var err error
		claim, err = release(ctx, r.Client, claim)
		if err != nil {
			return err
		}
	}
	asRead := client.Preconditions{UID: &claim.UID, ResourceVersion: &claim.ResourceVersion}
	return r.Client.Delete(ctx, claim, asRead)
}
