package controllers

import (
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// ResourcePoolClaimReconciler assigns every claim to a pool, takes it into the book, and writes the
// decision of the book to its status once that is recorded.
type ResourcePoolClaimReconciler struct {
	Client   client.Client
	Book     *book.Book
	Notify   Notify
	Recorder events.EventRecorder
	Now      func() time.Time

	Messages *Messages
}

// SetupWithManager adds the reconciler to a manager. It also looks at the requests of a source.
func (r *ResourcePoolClaimReconciler) SetupWithManager(mgr manager.Manager, requests *inbox) error {
	return builder.ControllerManagedBy(mgr).Named("resourcepoolclaim").
		For(&pool.ResourcePoolClaim{}).
		Watches(&pool.ResourcePool{}, handler.EnqueueRequestsFromMapFunc(claimsOf(r.Client)), builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(claimsIn(r.Client))).
		WatchesRawSource(requests).
		Complete(retry(r))
}

// Reconcile is about one claim.
func (r *ResourcePoolClaimReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	claim := &pool.ResourcePoolClaim{}
	err := r.Client.Get(ctx, request.NamespacedName, claim)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if err != nil || claim.DeletionTimestamp != nil {
		r.Messages.done(request.NamespacedName)
		r.Notify(toRecord(r.Book.DeleteClaim(request.NamespacedName)))
		return reconcile.Result{}, nil
	}
	namespace, err := namespaceOf(ctx, r.Client, claim.Namespace)
	if err != nil {
		return reconcile.Result{}, err
	}
	pools, err := listPools(ctx, r.Client)
	if err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, r.reconcile(ctx, claim, namespace, pools)
}

func (r *ResourcePoolClaimReconciler) reconcile(ctx context.Context, claim *pool.ResourcePoolClaim, namespace *corev1.Namespace, pools []*pool.ResourcePool) error {
	home := homeOf(claim, pools)
	switch {
	case home != nil && home.DeletionTimestamp != nil:
		return nil // ResourcePoolReconciler decides on the claims of a pool that goes.
	case claim.Released() && claim.Holding():
		return r.release(ctx, claim)
	}
	name, err := pool.Assign(claim, namespace, pools)
	if err != nil {
		return r.refuse(ctx, claim, err)
	}
	if claim.Spec.Pool == "" {
		claim.Spec.Pool = name
		return r.Client.Update(ctx, claim) // The new version of the claim comes by itself.
	}
	p := pools[slices.IndexFunc(pools, func(p *pool.ResourcePool) bool { return p.Name == name })]
	if !assignedTo(claim, p) {
		return r.assign(ctx, claim, p)
	}
	return r.tell(ctx, claim, p)
}

// release takes back the resources of a claim. Other claims may be granted only once this claim can
// no longer appear as holding.
func (r *ResourcePoolClaimReconciler) release(ctx context.Context, claim *pool.ResourcePoolClaim) error {
	if _, err := release(ctx, r.Client, claim); err != nil {
		return err
	}
	r.Notify(toRecord(r.Book.DeleteClaim(claim.Key())))
	r.Recorder.Eventf(claim, nil, corev1.EventTypeNormal, "Released", actionDecide, "Gave back what it had of resourcepool %s", claim.Status.Pool.Name)
	return nil
}

// refuse writes to the status that there is no pool for a claim. Then its resources, if any, are
// released.
func (r *ResourcePoolClaimReconciler) refuse(ctx context.Context, claim *pool.ResourcePoolClaim, refused error) error {
	written := claim.DeepCopy()
	pool.ApplyAssignError(written, refused, r.Now(), pool.Options{})
	if err := store(ctx, r.Client, claim, written); err != nil {
		return err
	}
	r.Notify(toRecord(r.Book.DeleteClaim(claim.Key())))
	recordRefusal(r.Recorder, claim, written)
	return nil
}

// assign writes the pool of a claim to its status before the pool processes the claim, so that the
// pool's record for the claim is valid from the start.
func (r *ResourcePoolClaimReconciler) assign(ctx context.Context, claim *pool.ResourcePoolClaim, p *pool.ResourcePool) error {
	if !r.Book.Admits(p.Name, claim) {
		r.Notify(toRecord(r.Book.DeleteClaim(claim.Key())))
		return nil // When the pool is recorded, the claim is looked at again.
	}
	written := claim.DeepCopy()
	pool.ApplyAssignment(written, p, r.Now(), pool.Options{})
	return store(ctx, r.Client, claim, written) // The new version of the claim comes by itself.
}

// tell adds a claim to the book, and writes the decision to its status.
func (r *ResourcePoolClaimReconciler) tell(ctx context.Context, claim *pool.ResourcePoolClaim, p *pool.ResourcePool) error {
	changed, err := r.Book.SetClaim(p.Name, claim)
	r.Notify(toRecord(changed))
	if err != nil {
		return reconcile.TerminalError(err)
	}
	decision, inUse, recorded := r.Book.Decision(claim.Key())
	if !recorded {
		return nil // When the pool is recorded, the claim is looked at again.
	}
	if decision.State == pool.Released {
		return r.release(ctx, claim) // The pool that it has asked for comes next.
	}
	written := claim.DeepCopy()
	pool.ApplyDecision(written, p, decision, r.Now(), pool.Options{})
	if inUse != nil {
		pool.ApplyUse(written, *inUse, r.Now())
	}
	if onlyAmounts(claim, written) && !r.Messages.allows(claim.Key()) {
		return nil // When it has its turn, the claim is looked at again.
	}
	if err := store(ctx, r.Client, claim, written); err != nil {
		return err
	}
	r.Messages.done(claim.Key())
	recordDecision(r.Recorder, claim, written, p, decision)
	return nil
}

// homeOf returns the pool that the status of a claim names, or nil if there is none.
func homeOf(claim *pool.ResourcePoolClaim, pools []*pool.ResourcePool) *pool.ResourcePool {
	i := slices.IndexFunc(pools, func(p *pool.ResourcePool) bool { return assignedTo(claim, p) })
	if i < 0 {
		return nil
	}
	return pools[i]
}

// assignedTo reports whether the status of a claim names a pool.
func assignedTo(claim *pool.ResourcePoolClaim, p *pool.ResourcePool) bool {
	return claim.Status.Pool == corev1.ObjectReference{Name: p.Name, UID: p.UID}
}

// selects reports whether a namespace may claim from a pool.
func selects(p *pool.ResourcePool, namespace *corev1.Namespace) bool {
	return len(pool.Namespaces(p, []*corev1.Namespace{namespace})) > 0
}
