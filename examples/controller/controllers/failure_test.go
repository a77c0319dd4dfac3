package controllers

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// errBroken is that of a call that does not reach the server.
var errBroken = errors.New("broken")

// breakCall makes one call of the reconcilers fail: the first one of the n-th place in their code, from 0. The result has
// the places.
func (w *world) breakCall(n int) map[string]bool {
	places := map[string]bool{}
	count := func(call func() error) error {
		if at := placeOfCall(); !places[at] {
			places[at] = true
			if len(places) == n+1 {
				w.broken++
				return errBroken
			}
		}
		return call()
	}
	c := interceptor.NewClient(w.process, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
			return count(func() error { return c.Get(ctx, key, object, opts...) })
		},
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			return count(func() error { return c.List(ctx, list, opts...) })
		},
		Create: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.CreateOption) error {
			return count(func() error { return c.Create(ctx, object, opts...) })
		},
		Update: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.UpdateOption) error {
			return count(func() error { return c.Update(ctx, object, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.DeleteOption) error {
			return count(func() error { return c.Delete(ctx, object, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, subresource string, object client.Object, opts ...client.SubResourceUpdateOption) error {
			return count(func() error { return c.SubResource(subresource).Update(ctx, object, opts...) })
		},
	})
	w.claims.Client, w.pools.Client, w.pools.Reader, w.quotas.Client, w.quotas.Reader = c, c, c, c, c
	return places
}

// placeOfCall returns the lines of the reconcilers by which a call was reached.
func placeOfCall() (place string) {
	more, frames := true, make([]uintptr, 64)
	called := runtime.CallersFrames(frames[:runtime.Callers(1, frames)])
	for more {
		var frame runtime.Frame
		frame, more = called.Next()
		if path.Base(path.Dir(frame.File)) == "controllers" && !strings.HasSuffix(frame.File, "_test.go") {
			place += fmt.Sprintf(" %s:%d", path.Base(frame.File), frame.Line)
		}
	}
	return place
}

// told returns what users see: the statuses of claims, what quotas allow, and which pools there are.
func (w *world) told() string {
	w.Helper()
	var text strings.Builder
	pools, err := listPools(w.Context(), w)
	w.must(err)
	for _, p := range pools {
		fmt.Fprintln(&text, p.Name, p.Status.ClaimCount, p.Status.NamespaceCount, p.Status.Namespaces, p.Finalizers)
	}
	claims, err := listClaims(w.Context(), w)
	w.must(err)
	for _, c := range claims {
		is := outcome(c)
		fmt.Fprintln(&text, c.Key(), c.Spec.Pool, c.Status.Pool.Name, is.Reason, is.Message, capsule.Condition(c, "Bound").Reason, c.Annotations)
	}
	var quotas corev1.ResourceQuotaList
	w.must(w.List(w.Context(), &quotas))
	for _, q := range quotas.Items {
		fmt.Fprintln(&text, q.Namespace, q.Name, amounts(q.Spec.Hard))
	}
	return text.String()
}

// A reconciler returns the error of each call that fails, so that it is called again. In the end, all is as it is
// without the failure.
func TestFailedCallsAreRepeated(t *testing.T) {
	stages := []func(w *world){
		func(w *world) { w.create(newPool("q", "moon", "2")) },
		func(w *world) { w.create(newClaim("a", "has", "p", "2")) },
		func(w *world) { w.create(newClaim("b", "waits", "p", "2")) },
		func(w *world) { w.create(newClaim("other", "alone", "", "1")) },
		func(w *world) { w.create(newClaim("other", "refused", "p", "1")) },
		func(w *world) { w.use("a", "2") },
		func(w *world) { w.edit("b", "waits", "1") },
		func(w *world) {
			w.change("p", func(p *pool.ResourcePool) { p.Spec.Quota.Hard["pods"] = resource.MustParse("4") })
		},
		func(w *world) {
			claim := w.claim("b", "waits")
			metav1.SetMetaDataAnnotation(&claim.ObjectMeta, pool.ReleaseAnnotation, "true")
			w.must(w.Update(w.Context(), claim))
			w.settle()
		},
		func(w *world) {
			w.must(w.Delete(w.Context(), w.claim("b", "waits")))
			w.add(w.claims, newClaim("b", "waits", "", "1").Key())
			w.settle()
		},
		func(w *world) {
			w.must(w.Delete(w.Context(), &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}))
			w.poolChanged("p")
			w.settle()
			w.poolChanged("p")
			w.settle()
		},
	}
	story := func(n int) (places map[string]bool, told string) {
		w := sun(t)
		places = w.breakCall(n)
		for _, stage := range stages {
			stage(w)
			told += "\n" + w.told()
		}
		if w.broken != 0 {
			t.Errorf("place %d: its error is not returned", n)
		}
		return places, told
	}
	places, want := story(-1)
	if len(places) < 25 {
		t.Errorf("only %d places", len(places))
	}
	for n := range len(places) {
		if _, got := story(n); got != want {
			t.Errorf("place %d fails: %s\nwithout: %s", n, got, want)
		}
	}
}
