package controllers

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
)

func TestToTell(t *testing.T) {
	claims := []types.NamespacedName{{Namespace: "a", Name: "1"}, {Namespace: "b", Name: "1"}}
	got := toTell("p", book.Change{Claims: claims, Namespaces: []string{"a", "c"}})
	want := Requests{Claims: claims, Quotas: []types.NamespacedName{{Namespace: "a", Name: "p"}, {Namespace: "c", Name: "p"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A claim is found by the pool that its spec names, and by the one that its status names.
func TestIndexByPool(t *testing.T) {
	claim := newClaim("a", "c", "p", "1")
	for assigned, want := range map[string][]string{"": {"p"}, "p": {"p"}, "q": {"p", "q"}} {
		claim.Status.Pool.Name = assigned
		if got := indexByPool(claim); !slices.Equal(got, want) {
			t.Errorf("assigned to %q: %v, want %v", assigned, got, want)
		}
	}
}

// Each request reaches its reconciler once, even if no controller runs when it is sent and the
// sending call has ended since. A request whose reconciler fails is not lost either, because the
// controller's own queue holds it.
func TestNoticesAreNotLost(t *testing.T) {
	n := &notices{}
	one := func(name string) []types.NamespacedName { return []types.NamespacedName{{Name: name}} }
	n.send(Requests{Claims: one("c"), Pools: one("p"), Quotas: append(one("q"), one("q")...)}) // returns
	for _, to := range []struct {
		inbox *inbox
		want  string
	}{{&n.claims, "c"}, {&n.pools, "p"}, {&n.quotas, "q"}} {
		queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := to.inbox.Start(ended, queue); err != nil {
			t.Fatal(err)
		}
		to.inbox.add(one("later"))
		if queue.Len() != 2 {
			t.Fatalf("%d requests for %s, want 2", queue.Len(), to.want)
		}
		for _, want := range []string{to.want, "later"} {
			if got, _ := queue.Get(); got.Name != want {
				t.Errorf("%v, want %s", got, want)
			}
		}
		if queue.Len() != 0 {
			t.Errorf("%d more for %s", queue.Len(), to.want)
		}
		queue.ShutDown()
	}
}

func TestRetry(t *testing.T) {
	for _, err := range []error{nil, errors.New("other"), apierrors.NewConflict(schema.GroupResource{}, "p", nil), apierrors.NewNotFound(schema.GroupResource{}, "p")} {
		result, got := retry(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, err })).Reconcile(t.Context(), reconcile.Request{})
		stale := apierrors.IsConflict(err) || apierrors.IsNotFound(err)
		if (result.RequeueAfter > 0) != stale || !stale && got != err || stale && got != nil {
			t.Errorf("%v: %v, %v", err, result, got)
		}
	}
}
