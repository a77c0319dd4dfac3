package pool_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestResize(t *testing.T) {
	p := samplerOf("requests.cpu", "4", "pods", "10")
	claims := []*pool.ResourcePoolClaim{
		holding("b", "late", 0, "pods", "0"), holding("a", "early", 0, "requests.cpu", "1", "pods", "1"), waiting("a", "waits", 1, "pods", "20"), holding("a", "late", 2, "requests.cpu", "2", "pods", "1"),
		holding("a", "gpu", 3, "example.com/gpu", "1"),
	}
	for _, test := range []struct {
		name, claim string
		ordered     bool
		to          []string
		want        string
	}{
		{"more than fits", "late", false, []string{"requests.cpu", "3001m", "pods", "2"}, "cannot resize claim a/late: requested: requests.cpu=3001m, available: requests.cpu=3"},
		{"nothing fits", "late", false, []string{"requests.cpu", "4", "pods", "10"}, "cannot resize claim a/late: requested: pods=10, available: pods=9; requested: requests.cpu=4, available: requests.cpu=3"},
		{"past the queue", "late", true, []string{"requests.cpu", "3", "pods", "2"}, "cannot resize claim a/late: requested: pods=2, queued: pods=20"},
		{"past the queue, and too much", "late", true, []string{"requests.cpu", "5", "pods", "2"}, "cannot resize claim a/late: requested: pods=2, queued: pods=20"},
		{"more of a resource that no claim waits for", "late", true, []string{"requests.cpu", "3", "pods", "1"}, ""},
		{"before the queue", "early", true, []string{"pods", "9"}, ""},
		{"negative", "late", false, []string{"requests.cpu", "-1", "pods", "99"}, "cannot resize claim a/late: requested: requests.cpu=-1, must not be negative"},
		{"more of a resource that is no longer offered", "gpu", false, []string{"example.com/gpu", "2"}, "cannot resize claim a/gpu: requested: example.com/gpu=2, available: example.com/gpu=0"},
		{"waiting", "waits", false, []string{"pods", "1"}, "cannot resize claim a/waits: it holds nothing of resourcepool sampler"},
		{"unknown", "nobody", false, []string{"pods", "1"}, "cannot resize claim a/nobody: it holds nothing of resourcepool sampler"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.Spec.Config.OrderedQueue = test.ordered
			before := testkit.Fingerprint(claims)
			_, got, err := pool.Resize(types.NamespacedName{Namespace: "a", Name: test.claim}, testkit.List(test.to...), p, claims)
			if testkit.Fingerprint(claims) != before {
				t.Error("the claims have changed")
			}
			if test.want != "" {
				if got != nil || err == nil || err.Error() != test.want {
					t.Errorf("%v, %v; want %q", got, err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(testkit.List(test.to...), got.Spec.Claim); diff != "" || !got.Holding() {
				t.Errorf("holding: %v, amounts:\n%s", got.Holding(), diff)
			}
		})
	}
	if _, _, err := pool.Resize(types.NamespacedName{Namespace: "a", Name: "late"}, nil, nil, claims); err == nil || err.Error() != "cannot resize claim a/late: it holds nothing of resourcepool " {
		t.Errorf("no pool: %v", err)
	}
}
