package pool_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestNeeded(t *testing.T) {
	p := samplerOf("pods", "10", "requests.memory", "10Gi")
	p.Spec.Defaults = testkit.List("pods", "1", "count/secrets", "9")
	claims := []*pool.ResourcePoolClaim{
		holding("a", "young", 3, "pods", "1", "requests.memory", "1Gi"), holding("a", "old", 1, "pods", "2"), holding("a", "middle", 2, "pods", "3"),
		waiting("a", "waits", 0, "pods", "9"), holding("b", "elsewhere", 0, "pods", "9"), nil, holding("a", "secrets", 4, "count/secrets", "1"),
	}
	for _, test := range []struct {
		used corev1.ResourceList
		want []string
	}{
		{nil, nil},
		{testkit.List("pods", "1"), nil},                                       // the default
		{testkit.List("pods", "2"), []string{"old"}},                           //
		{testkit.List("pods", "3"), []string{"old"}},                           //
		{testkit.List("pods", "4"), []string{"middle"}},                        // old is not enough
		{testkit.List("pods", "5"), []string{"old", "middle"}},                 //
		{testkit.List("pods", "6"), []string{"old", "middle"}},                 //
		{testkit.List("pods", "7"), []string{"old", "middle", "young"}},        //
		{testkit.List("pods", "8"), []string{"old", "middle", "young"}},        // more than all have
		{testkit.List("requests.memory", "1"), []string{"young"}},              //
		{testkit.List("requests.memory", "1025Mi"), []string{"young"}},         //
		{testkit.List("count/secrets", "100"), nil},                            // not the pool's
		{testkit.List("pods", "-1"), nil},                                      //
		{testkit.List("pods", "2", "requests.memory", "1"), []string{"young"}}, // has one pod, too
	} {
		var got []string
		for _, name := range pool.Needed("a", test.used, p, claims) {
			got = append(got, name.Name)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("used %v (-want +got):\n%s", test.used, diff)
		}
	}
	// A negative default reduces only the usage of its own resource.
	p.Spec.Defaults = testkit.List("pods", "-1")
	for used, want := range map[string]string{"0": "[]", "1": "[a/old]", "2": "[a/middle]", "3": "[a/old a/middle]"} {
		if got := fmt.Sprint(pool.Needed("a", testkit.List("pods", used), p, claims)); got != want {
			t.Errorf("by default -1 pod, used %s: %s, want %s", used, got, want)
		}
	}
	if got := pool.Needed("a", nil, p, claims); got != nil {
		t.Errorf("by default -1 pod, nothing used: %v", got)
	}
	if pool.Needed("a", nil, nil, claims) != nil {
		t.Error("no pool needs claims")
	}
}
