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
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/examples/controller/book"
)

func TestAfter(t *testing.T) {
	a1, a2, b := types.NamespacedName{Namespace: "a", Name: "1"}, types.NamespacedName{Namespace: "a", Name: "2"}, types.NamespacedName{Namespace: "b", Name: "1"}
	got := after([]book.Change{{Pool: "p", Claims: []types.NamespacedName{b, a1, a2}}, {Pool: "unchanged"}})
	want := Requests{
		Claims: []types.NamespacedName{b, a1, a2}, Pools: []types.NamespacedName{{Name: "p"}},
		Quotas: []types.NamespacedName{{Namespace: "a", Name: "p"}, {Namespace: "b", Name: "p"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A claim is found by the pool that it names, and by the one that it is bound to.
func TestIndexByPool(t *testing.T) {
	claim := newClaim("a", "c", "p", "1")
	for bound, want := range map[string][]string{"": {"p"}, "p": {"p"}, "q": {"p", "q"}} {
		claim.Status.Pool.Name = bound
		if got := indexByPool(claim); !slices.Equal(got, want) {
			t.Errorf("bound to %q: %v, want %v", bound, got, want)
		}
	}
}

// Requests come to those whom they are for, and to nobody once the context has ended.
func TestNotices(t *testing.T) {
	n := newNotices()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		one := func(name string) []types.NamespacedName { return []types.NamespacedName{{Name: name}} }
		n.send(ctx, Requests{Claims: one("c"), Pools: one("p"), Quotas: append(one("q"), one("unheard")...)})
		close(done)
	}()
	for _, from := range []struct {
		queue chan notice
		want  string
	}{{n.claims, "c"}, {n.pools, "p"}, {n.quotas, "q"}} {
		if got := <-from.queue; got.Object.Name != from.want {
			t.Errorf("%v, want %s", got, from.want)
		}
	}
	cancel()
	<-done
}

func TestRetry(t *testing.T) {
	for _, err := range []error{nil, errors.New("other"), apierrors.NewConflict(schema.GroupResource{}, "p", nil)} {
		result, got := retry(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, err })).Reconcile(t.Context(), reconcile.Request{})
		conflict := apierrors.IsConflict(err)
		if (result.RequeueAfter > 0) != conflict || !conflict && got != err || conflict && got != nil {
			t.Errorf("%v: %v, %v", err, result, got)
		}
	}
}
