package controllers

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/kubemath/kubemath/examples/controller/book"
)

// Requests are what the three reconcilers have to look at.
type Requests struct {
	Claims, Pools []types.NamespacedName
	Quotas        []types.NamespacedName // the namespace, and the name of the pool
}

// Notify takes requests for the reconcilers.
type Notify func(context.Context, Requests)

// after returns the requests that follow from changes of the book: claims, the quotas of
// their namespaces, and pools.
func after(changes []book.Change) (next Requests) {
	for _, change := range changes {
		if len(change.Claims) == 0 {
			continue
		}
		namespaces := make([]string, len(change.Claims))
		for i, claim := range change.Claims {
			namespaces[i] = claim.Namespace
		}
		next.Claims = append(next.Claims, change.Claims...)
		next.Pools = append(next.Pools, types.NamespacedName{Name: change.Pool})
		next.Quotas = append(next.Quotas, quotasIn(change.Pool, namespaces)...)
	}
	return next
}

// quotasIn returns the requests about the quotas of a pool in namespaces, each once.
func quotasIn(poolName string, namespaces ...[]string) []types.NamespacedName {
	all := slices.Concat(namespaces...)
	slices.Sort(all)
	var quotas []types.NamespacedName
	for _, namespace := range slices.Compact(all) {
		quotas = append(quotas, types.NamespacedName{Namespace: namespace, Name: poolName})
	}
	return quotas
}

// notices bring requests to the controllers. They come after the change of the book that
// they follow from, which an event of the API server about its cause need not.
type notices struct {
	claims, pools, quotas chan notice
}

type notice = event.TypedGenericEvent[types.NamespacedName]

func newNotices() *notices {
	return &notices{claims: make(chan notice), pools: make(chan notice), quotas: make(chan notice)}
}

// send is a Notify. It ends with the context, when nobody listens any more.
func (n *notices) send(ctx context.Context, next Requests) {
	for _, to := range []struct {
		names []types.NamespacedName
		queue chan<- notice
	}{{next.Claims, n.claims}, {next.Pools, n.pools}, {next.Quotas, n.quotas}} {
		for _, name := range to.names {
			select {
			case to.queue <- notice{Object: name}:
			case <-ctx.Done():
				return
			}
		}
	}
}

// listen is the source of a controller that gets the notices of a channel.
func listen(queue chan notice) source.Source {
	return source.Channel(queue, handler.TypedFuncs[types.NamespacedName, reconcile.Request]{
		GenericFunc: func(_ context.Context, e notice, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			q.Add(reconcile.Request{NamespacedName: e.Object})
		},
	})
}
