package allocator_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// Resources that only claims name are forgotten with the last of these, but not what a claim waits for, nor what the pool
// has come to offer. A number that is given away again has nothing of the resource before.
func TestForgetsResources(t *testing.T) {
	l := allocator.New(newPool("sampler", testkit.List("cpu", "1")), nil, pool.Options{})
	set := func(c *pool.ResourcePoolClaim) {
		t.Helper()
		_, err := l.Set(c)
		testkit.OK(t, err)
	}
	set(newClaim("shop", "waits", 0, testkit.List("example.com/stays", "3")))
	l.SetPool(newPool("sampler", testkit.List("cpu", "1", "example.com/offered", "5")))
	set(newClaim("shop", "holds", 0, testkit.List("example.com/offered", "2")))
	const events = 1000
	for i := range events {
		c := newClaim("shop", fmt.Sprint("c-", i), i, testkit.List("example.com/r"+fmt.Sprint(i), "1", "cpu", "1m"))
		set(c)
		l.Delete(c.Key())
	}
	if n := allocator.Others(l); n < 2 || n > 100 {
		t.Errorf("%d names of resources are kept", n)
	}
	testkit.NoDiff(t, l.Available(), testkit.List("cpu", "1", "example.com/offered", "3"))
	larger := testkit.List("cpu", "1", "example.com/offered", "5", "example.com/stays", "4")
	for i := range events {
		larger[corev1.ResourceName("example.com/r"+fmt.Sprint(i))] = testkit.List("a", "7")["a"]
	}
	testkit.Equal(t, fmt.Sprint(l.SetPool(newPool("sampler", larger))), "[shop/waits]")
	available := l.Available()
	for name, want := range larger {
		switch name {
		case "example.com/offered":
			want = testkit.List("a", "3")["a"]
		case "example.com/stays":
			want = testkit.List("a", "1")["a"]
		}
		if got := available[name]; got.Cmp(want) != 0 {
			t.Errorf("%s: %s, want %s", name, got.String(), want.String())
		}
	}
	testkit.OK(t, allocator.Check(l))
}

// What an invalid claim names is not forgotten, nor what an edited claim will wait for once it is released.
func TestKeepsResourcesOfDeniedClaims(t *testing.T) {
	p := newPool("sampler", testkit.List("cpu", "1"))
	edited := holding(p, newClaim("shop", "edited", 0, testkit.List("cpu", "500m")))
	edited.Spec.Claim = testkit.List("example.com/z-later", "2")
	l := allocator.New(p, []*pool.ResourcePoolClaim{edited, newClaim("shop", "invalid", 1, testkit.List("example.com/z-less", "-3"))}, pool.Options{Documented: true})
	for i := range 1000 {
		c := newClaim("shop", fmt.Sprint("c-", i), i, testkit.List("example.com/r"+fmt.Sprint(i), "1"))
		_, err := l.Set(c)
		testkit.OK(t, err)
		l.Delete(c.Key())
	}
	testkit.Equal(t, fmt.Sprint(l.Release(edited.Key())), "[]")
	for of, want := range map[string]string{"edited": "PoolExhausted example.com/z-later 2", "invalid": "Invalid example.com/z-less -3"} {
		d, _ := l.Decision(types.NamespacedName{Namespace: "shop", Name: of})
		got := string(d.State)
		for _, s := range d.Shortages {
			got += fmt.Sprintf(" %s %s", s.Resource, s.Requested.String())
		}
		testkit.Equal(t, got, want, of)
	}
	testkit.NoDiff(t, l.Available(), testkit.List("cpu", "1"))
	testkit.OK(t, allocator.Check(l))
}
