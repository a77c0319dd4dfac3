package controllers

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// write writes the status of a pool, unless it is recorded already.
//
// On a conflict, there are two cases. If the cache does not have the last record yet, or the pool's
// spec or metadata was changed, the API server still has what this controller recorded, and the
// status is written to that version, unless the pool has another size there: then it is decided again. If another writer has
// changed the record, the book is wrong, and the pool is reopened.
func (r *ResourcePoolReconciler) write(ctx context.Context, p *pool.ResourcePool, recorded, status pool.ResourcePoolStatus) error {
	done := len(recorded.Changes(status)) == 0
	var err error
	if len(p.Status.Changes(recorded)) == 0 {
		if done {
			return nil
		}
		err = r.update(ctx, p, status)
		if !apierrors.IsConflict(err) {
			return err
		}
		poolRecords.WithLabelValues(resultConflict).Inc()
	}
	live := &pool.ResourcePool{}
	if err := r.Reader.Get(ctx, client.ObjectKeyFromObject(p), live); err != nil {
		return err
	}
	if live.UID != p.UID || len(live.Status.Changes(recorded)) > 0 {
		r.Book.Close(p.Name)
		return conflict(p.Name, errOtherRecord)
	}
	if done {
		return nil
	}
	if live.Generation > status.ObservedGeneration {
		r.Book.SetPool(live)
		return conflict(p.Name, errOtherSpec)
	}
	return r.update(ctx, live, status)
}

// The causes of conflicts.
var (
	errOtherRecord = errors.New("somebody else has recorded what its claims have")
	errOtherSpec   = errors.New("its spec was changed after its claims were decided on")
)

func conflict(name string, cause error) error {
	return apierrors.NewConflict(schema.GroupResource{Group: capsule.Kind("").Group, Resource: "resourcepools"}, name, cause)
}

func (r *ResourcePoolReconciler) update(ctx context.Context, p *pool.ResourcePool, status pool.ResourcePoolStatus) error {
	written := p.DeepCopy()
	written.Status = status
	err := r.Client.Status().Update(ctx, written)
	if err == nil {
		poolRecords.WithLabelValues(resultWritten).Inc()
	}
	return err
}
