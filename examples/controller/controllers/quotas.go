package controllers

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// Quotas keeps the ResourceQuota of each pool in each namespace that it selects.
type Quotas struct {
	Client client.Client
	Book   *book.Book
}

// Reconcile is about one pool (the name of the request) in one namespace.
func (r *Quotas) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	p := &pool.ResourcePool{}
	if err := r.Client.Get(ctx, types.NamespacedName{Name: request.Name}, p); client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	} else if err != nil {
		p = nil
	}
	namespace, err := namespaceOf(ctx, r.Client, request.Namespace)
	if err != nil {
		return reconcile.Result{}, err
	}
	have := pool.Quota(&pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: request.Name}}, request.Namespace, nil)
	if err := r.Client.Get(ctx, client.ObjectKeyFromObject(have), have); client.IgnoreNotFound(err) != nil {
		return reconcile.Result{}, err
	} else if err != nil {
		have = nil
	}
	if have != nil && ownerOf(have) != request.Name {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("ResourceQuota %s/%s is not that of pool %s", have.Namespace, have.Name, request.Name))
	}
	if !selects(p, namespace) {
		if have == nil {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, client.IgnoreNotFound(r.Client.Delete(ctx, have))
	}
	claimed, open := r.Book.Claimed(request.Name, request.Namespace)
	if !open {
		return reconcile.Result{}, nil // When the pool is opened, all of its quotas are looked at.
	}
	return reconcile.Result{}, r.keep(ctx, p, have, pool.Quota(p, request.Namespace, claimed))
}

// keep makes a quota what it is to be.
func (r *Quotas) keep(ctx context.Context, p *pool.ResourcePool, have, want *corev1.ResourceQuota) error {
	switch {
	case have == nil:
		if err := controllerutil.SetControllerReference(p, want, r.Client.Scheme()); err != nil {
			return err
		}
		return r.Client.Create(ctx, want)
	case !equality.Semantic.DeepEqual(have.Spec.ScopeSelector, want.Spec.ScopeSelector) || !equality.Semantic.DeepEqual(have.Spec.Scopes, want.Spec.Scopes):
		// The server keeps the scopes of a quota: another one has to take its place. Its
		// deletion brings the request back.
		return client.IgnoreNotFound(r.Client.Delete(ctx, have))
	case equality.Semantic.DeepEqual(have.Spec.Hard, want.Spec.Hard):
		return nil
	}
	have.Spec = want.Spec
	return r.Client.Update(ctx, have)
}

// ownerOf returns the name of the pool that a quota is of, and "" if it is of none.
func ownerOf(quota client.Object) string {
	owner := metav1.GetControllerOf(quota)
	if owner == nil || owner.APIVersion != pool.APIVersion || owner.Kind != "ResourcePool" {
		return ""
	}
	return owner.Name
}
