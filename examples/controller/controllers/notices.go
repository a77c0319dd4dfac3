package controllers

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
)

// Requests are the requests for the three reconcilers.
type Requests struct {
	Claims, Pools []types.NamespacedName
	Quotas        []types.NamespacedName // the namespace, and the name of the pool
}

// Notify takes requests for the reconcilers. It never blocks, and never fails.
type Notify func(Requests)

// toRecord returns the requests to record pools.
func toRecord(pools []string) (next Requests) {
	for _, name := range pools {
		next.Pools = append(next.Pools, types.NamespacedName{Name: name})
	}
	return next
}

// toTell returns the requests that follow once a pool has been recorded.
func toTell(poolName string, change book.Change) Requests {
	return Requests{Claims: change.Claims, Quotas: quotasIn(poolName, change.Namespaces)}
}

// quotasIn returns the requests about the quotas of a pool in namespaces.
func quotasIn(poolName string, namespaces []string) []types.NamespacedName {
	quotas := make([]types.NamespacedName, len(namespaces))
	for i, namespace := range namespaces {
		quotas[i] = types.NamespacedName{Namespace: namespace, Name: poolName}
	}
	return quotas
}

// notices deliver requests to the reconcilers. A notice always arrives after the change of the book
// that caused it. The API server's event for the same cause may arrive earlier.
type notices struct{ claims, pools, quotas inbox }

// send is a Notify.
func (n *notices) send(next Requests) {
	n.claims.add(next.Claims)
	n.pools.add(next.Pools)
	n.quotas.add(next.Quotas)
}

// inbox is the source of a controller that takes requests from within this process. It adds them to
// the controller's own queue, which holds each request once until the reconciler has succeeded. So
// no request is lost when the context of the sending call ends, and sending never waits for a
// reader. Requests sent before the controller starts are kept for it.
type inbox struct {
	mu    sync.Mutex
	queue workqueue.TypedRateLimitingInterface[reconcile.Request]
	early []types.NamespacedName
}

// Start is called by the controller with its queue.
func (i *inbox) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	i.mu.Lock()
	i.queue = queue
	early := i.early
	i.early = nil
	i.mu.Unlock()
	i.add(early)
	return nil
}

func (i *inbox) add(names []types.NamespacedName) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.queue == nil {
		i.early = append(i.early, names...)
		return
	}
	for _, name := range names {
		i.queue.Add(reconcile.Request{NamespacedName: name})
	}
}
