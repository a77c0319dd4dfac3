package controllers

import (
	"context"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
	"github.com/kubemath/kubemath/pool"
)

// ResourceQuotaReconciler keeps the ResourceQuota of each pool in each namespace that it selects, and
// finds from its usage which claims are in use.
type ResourceQuotaReconciler struct {
	Client   client.Client
	Reader   client.Reader // asks the API server, not a cache
	Book     *book.Book
	Notify   Notify
	Recorder events.EventRecorder

	waiting waiting
	mark    string // of this process; see marked
}

// SetupWithManager adds the reconciler to a manager. It also looks at the requests of a source.
func (r *ResourceQuotaReconciler) SetupWithManager(mgr manager.Manager, requests *inbox) error {
	return builder.ControllerManagedBy(mgr).Named("resourcequota").
		Watches(&corev1.ResourceQuota{}, handler.EnqueueRequestsFromMapFunc(poolOf)).
		WatchesRawSource(requests).
		// Two quotas that rise at the same time could take the same room.
		WithOptions(controller.Options{MaxConcurrentReconciles: 1}).
		Complete(retry(r))
}

// Reconcile is about one pool (the name of the request) in one namespace.
func (r *ResourceQuotaReconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
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
	r.Notify(Requests{Quotas: quotasIn(request.Name, r.waiting.wake(request.NamespacedName, have))})
	if have != nil && ownerOf(have) != request.Name {
		if p != nil {
			r.Recorder.Eventf(p, have, corev1.EventTypeWarning, "QuotaNotOwned", actionQuota, "ResourceQuota %s/%s is not that of this pool", have.Namespace, have.Name)
		}
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("ResourceQuota %s/%s is not that of pool %s", have.Namespace, have.Name, request.Name))
	}
	if !selects(p, namespace) {
		r.waiting.set(request.Name, request.Namespace, false)
		if have == nil {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, r.delete(ctx, have)
	}
	claimed, recorded := r.Book.Claimed(request.Name, request.Namespace)
	if !recorded {
		return reconcile.Result{}, nil // When the pool is recorded, the quota is looked at again.
	}
	if have != nil {
		r.Notify(Requests{Claims: r.Book.SetUsed(request.Name, request.Namespace, have.Status.Used)})
	}
	want := pool.Quota(p, request.Namespace, claimed)
	have, hard, waits, err := r.inOrder(ctx, p, have, want)
	if err != nil {
		return reconcile.Result{}, err
	}
	r.waiting.set(request.Name, request.Namespace, waits)
	want.Spec.Hard = hard
	return reconcile.Result{}, r.written(r.keep(ctx, have, want))
}

// keep creates, updates or deletes a quota as needed.
func (r *ResourceQuotaReconciler) keep(ctx context.Context, have, want *corev1.ResourceQuota) error {
	if have == nil {
		return r.Client.Create(ctx, want)
	}
	if !equality.Semantic.DeepEqual(have.Spec.ScopeSelector, want.Spec.ScopeSelector) || !equality.Semantic.DeepEqual(have.Spec.Scopes, want.Spec.Scopes) {
		// The scopes of a quota are immutable, so the quota has to be replaced. Its deletion
		// triggers the request again.
		return r.delete(ctx, have)
	}
	after := have.DeepCopy()
	after.Spec.Hard, after.OwnerReferences = want.Spec.Hard, want.OwnerReferences
	if after.Labels == nil {
		after.Labels = map[string]string{}
	}
	maps.Copy(after.Labels, want.Labels) // Other labels are left alone.
	if equality.Semantic.DeepEqual(have, after) {
		return nil
	}
	return r.Client.Update(ctx, after)
}

// delete deletes a quota as it was read: a leader that was paused must not delete what another one has written.
func (r *ResourceQuotaReconciler) delete(ctx context.Context, have *corev1.ResourceQuota) error {
	asRead := client.Preconditions{UID: &have.UID, ResourceVersion: &have.ResourceVersion}
	return client.IgnoreNotFound(r.Client.Delete(ctx, have, asRead))
}

// ownerOf returns the name of the pool that a quota belongs to, or "" if there is none.
func ownerOf(quota client.Object) string {
	owner := metav1.GetControllerOf(quota)
	if owner == nil || owner.APIVersion != pool.APIVersion || owner.Kind != "ResourcePool" {
		return ""
	}
	return owner.Name
}
