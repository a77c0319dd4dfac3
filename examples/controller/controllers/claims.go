package controllers

import (
	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// Claims gives every claim a pool, takes it into the book, and writes down what the book
// says of it.
type Claims struct {
	Client client.Client
	Book   *book.Book
	Notify Notify
	Now    func() time.Time
}

// Reconcile is about one claim.
func (r *Claims) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	claim := &pool.ResourcePoolClaim{}
	err := r.Client.Get(ctx, request.NamespacedName, claim)
	if client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	}
	if err != nil || claim.DeletionTimestamp != nil {
		r.Notify(ctx, after(r.Book.DeleteClaim(request.NamespacedName)))
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

func (r *Claims) reconcile(ctx context.Context, claim *pool.ResourcePoolClaim, namespace *corev1.Namespace, pools []*pool.ResourcePool) error {
	home := homeOf(claim, pools)
	switch {
	case !claim.Bound():
	case home != nil && home.DeletionTimestamp != nil:
		return nil // Pools decides on the claims of a pool that goes.
	case claim.Released() || !selects(home, namespace):
		var err error
		if claim, err = release(ctx, r.Client, claim); err != nil {
			return err
		}
		// Only now that nobody can take the claim for bound, others may be.
		r.Notify(ctx, after(r.Book.DeleteClaim(book.NameOf(claim))))
	default:
		return r.takeIn(ctx, claim, home)
	}

	name, err := pool.Assign(claim, namespace, pools)
	if refused := (*pool.AssignError)(nil); errors.As(err, &refused) {
		r.Notify(ctx, after(r.Book.DeleteClaim(book.NameOf(claim))))
		written := claim.DeepCopy()
		pool.ApplyAssignError(written, refused, r.Now(), pool.Options{API: pool.Documented})
		return store(ctx, r.Client, claim, written)
	}
	if claim.Spec.Pool == "" {
		claim.Spec.Pool = name
		return r.Client.Update(ctx, claim) // The new version of the claim comes by itself.
	}
	return r.takeIn(ctx, claim, byName(pools, name))
}

// takeIn tells the book of a claim, and the claim what the book says.
func (r *Claims) takeIn(ctx context.Context, claim *pool.ResourcePoolClaim, p *pool.ResourcePool) error {
	changes, err := r.Book.SetClaim(p.Name, claim)
	r.Notify(ctx, after(changes))
	if err != nil {
		return reconcile.TerminalError(err) // Until the claim is changed again.
	}
	decision, known := r.Book.Decision(book.NameOf(claim))
	if !known {
		return nil // The pool is not open yet. When it is, the claim is looked at again.
	}
	written := claim.DeepCopy()
	pool.ApplyDecision(written, p, decision, r.Now(), pool.Options{API: pool.Documented})
	return store(ctx, r.Client, claim, written)
}

// homeOf returns the pool that a claim is bound to, or nil if there is none.
func homeOf(claim *pool.ResourcePoolClaim, pools []*pool.ResourcePool) *pool.ResourcePool {
	i := slices.IndexFunc(pools, func(p *pool.ResourcePool) bool { return claim.Bound() && claim.ClaimsFrom(p) })
	if i < 0 {
		return nil
	}
	return pools[i]
}

func byName(pools []*pool.ResourcePool, name string) *pool.ResourcePool {
	return pools[slices.IndexFunc(pools, func(p *pool.ResourcePool) bool { return p.Name == name })]
}

// selects reports whether a namespace may claim from a pool.
func selects(p *pool.ResourcePool, namespace *corev1.Namespace) bool {
	return len(pool.Namespaces(p, []*corev1.Namespace{namespace})) > 0
}
