package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/examples/controller/localserver"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/pool"
)

// wanted is the variable that has TestCluster run whether or not a server is built already.
const wanted = "KUBEMATH_APISERVER"

// TestCluster runs the controller against a real kube-apiserver. To build one takes minutes,
// so that it is done only if KUBEMATH_APISERVER=1 asks for it, and then every failure is one.
// Otherwise the test says so and is skipped where no server has been built before, or only one
// of another version and this one cannot be: without etcd, or without a network.
func TestCluster(t *testing.T) {
	asked := os.Getenv(wanted) == "1"
	if _, err := exec.LookPath("etcd"); !asked && (err != nil || !localserver.Built()) {
		t.Skipf("NOTHING WAS RUN AGAINST A SERVER: none has been built, or there is no etcd on PATH; %s=1 asks for it", wanted)
	}
	logWarnings()
	server, err := localserver.Start(t.Context(), os.Stderr)
	if errors.Is(err, localserver.ErrUnavailable) && !asked {
		t.Skip("NOTHING WAS RUN AGAINST A SERVER: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	config, err := clientcmd.BuildConfigFromFlags("", server.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := start(ctx, config)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		if err := r.wait(); err != nil {
			t.Error(err)
		}
	})
	t.Run("tour", func(t *testing.T) { cluster{t, r.client}.tour() })
	t.Run("claims", func(t *testing.T) { cluster{t, r.client}.claims() })
	t.Run("refusals", func(t *testing.T) { cluster{t, r.client}.refusals() })
	t.Run("deletion", func(t *testing.T) { cluster{t, r.client}.deletion() })
}

type cluster struct {
	*testing.T
	client.Client
}

// tour is what the program prints.
func (c cluster) tour() {
	var out strings.Builder
	if err := tour(c.Context(), c, &out); err != nil {
		c.Fatal(err)
	}
	want, err := os.ReadFile("testdata/tour.txt")
	if err != nil || out.String() != string(want) {
		c.Errorf("%v\n%s", err, out.String())
	}
	c.Log("\n" + out.String())
}

// One pool of 4 pods, in an ordered queue.
const ordered = `
apiVersion: v1
kind: Namespace
metadata: {name: NAME, labels: {team: TEAM}}
---
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: TEAM}
spec:
  selectors: [{matchLabels: {team: TEAM}}]
  config: {defaultsZero: true, orderedQueue: true}
  quota: {hard: {pods: 4}}
`

func (c cluster) team(team, namespace string) {
	c.Helper()
	c.must(manifests.Apply(c.Context(), c, strings.NewReplacer("TEAM", team, "NAME", namespace).Replace(ordered)))
}

// claims are bound in turn, have their quota, and give way when they are released, or the
// pool grows.
func (c cluster) claims() {
	c.team("wind", "wind-a")
	c.team("wind", "wind-b")
	c.must(waitForPool(c.Context(), c, "wind", 2))
	c.claim("wind-a", "1-first", "wind", 3)
	c.wantClaim("wind-a", "1-first", "Succeeded", "Claimed resources")
	c.claim("wind-b", "2-large", "", 4)
	c.wantClaim("wind-b", "2-large", "PoolExhausted", "requested: pods=4, available: pods=1")
	c.claim("wind-a", "3-small", "wind", 1)
	c.wantClaim("wind-a", "3-small", "QueueExhausted", "requested: pods=1, queued: pods=4")
	c.wantQuota("wind-a", "wind", "3")
	c.wantQuota("wind-b", "wind", "0")

	c.must(askRelease(c.Context(), c, "wind-a", "1-first"))
	c.wantClaim("wind-b", "2-large", "Succeeded", "Claimed resources")
	c.wantClaim("wind-a", "1-first", "PoolExhausted", "requested: pods=3, available: pods=0")
	c.wantQuota("wind-a", "wind", "0")
	c.wantQuota("wind-b", "wind", "4")

	c.must(c.resize("wind", 8))
	c.wantClaim("wind-a", "1-first", "Succeeded", "Claimed resources")
	c.wantClaim("wind-a", "3-small", "Succeeded", "Claimed resources")
	c.wantQuota("wind-a", "wind", "4")
	c.eventually("status of the pool", func() string {
		p := &pool.ResourcePool{}
		c.must(c.Get(c.Context(), types.NamespacedName{Name: "wind"}, p))
		left := p.Status.Allocation.Available["pods"]
		return fmt.Sprintf("%d claims in %v, %s left", p.Status.ClaimCount, p.Status.Namespaces, left.String())
	}, "3 claims in [wind-a wind-b], 0 left")
}

// refusals are in the words of kubemath.
func (c cluster) refusals() {
	wantError(c.T, c.resize("wind", 7), `admission webhook "pools.kubemath.example" denied the request: ResourcePool.capsule.clastix.io "wind" is invalid: spec.quota.hard[pods]: Forbidden: can not reduce pods usage to 7 because quantity 8 is claimed . Remove corresponding claims or keep the resources in the pool`)
	claim := newClaim("wind-b", "2-large", "wind", 5)
	wantError(c.T, c.Patch(c.Context(), claim, client.RawPatch(types.MergePatchType, []byte(`{"spec":{"claim":{"pods":"5"}}}`))),
		`admission webhook "claims.kubemath.example" denied the request: ResourcePoolClaim.capsule.clastix.io "2-large" is invalid: spec.claim: Forbidden: cannot change the requested resources while claim is allocated to a resourcepool wind`)
	wantError(c.T, c.Create(c.Context(), newClaim("wind-b", "negative", "wind", -1)),
		`admission webhook "claims.kubemath.example" denied the request: ResourcePoolClaim.capsule.clastix.io "negative" is invalid: spec.claim[pods]: Invalid value: "-1": must be greater than or equal to 0`)

	// A pod within the limits is stored.
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name = "solar-test", "within-the-limits"
	pod.Spec.Containers = []corev1.Container{{Name: "app", Image: "example.com/app"}}
	c.must(c.Create(c.Context(), pod, client.DryRunAll))
	if limit := pod.Spec.Containers[0].Resources.Limits.Cpu(); limit.String() != "1" {
		c.Errorf("limit %s", limit)
	}
}

// deletion of a claim makes room, and that of a pool leaves claims without one.
func (c cluster) deletion() {
	c.must(c.Delete(c.Context(), newClaim("wind-b", "2-large", "", 0)))
	c.wantQuota("wind-b", "wind", "0")
	c.claim("wind-b", "4-next", "wind", 4)
	c.wantClaim("wind-b", "4-next", "Succeeded", "Claimed resources")

	p := &pool.ResourcePool{}
	p.Name = "wind"
	c.must(c.Delete(c.Context(), p))
	for _, name := range []string{"wind-a/1-first", "wind-a/3-small", "wind-b/4-next"} {
		namespace, claim, _ := strings.Cut(name, "/")
		c.wantClaim(namespace, claim, "Failed", `ResourcePool.capsule.clastix.io "wind" not found`)
		c.wantQuota(namespace, "wind", "none")
	}
}

func (c cluster) resize(name string, pods int) error {
	p := &pool.ResourcePool{}
	p.Name = name
	return c.Patch(c.Context(), p, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"spec":{"quota":{"hard":{"pods":"%d"}}}}`, pods)))
}

func (c cluster) claim(namespace, name, poolName string, pods int64) {
	c.Helper()
	c.must(c.Create(c.Context(), newClaim(namespace, name, poolName, pods)))
}

func (c cluster) wantClaim(namespace, name, reason, message string) {
	c.Helper()
	c.eventually(namespace+"/"+name, func() string {
		claim := &pool.ResourcePoolClaim{}
		c.must(c.Get(c.Context(), types.NamespacedName{Namespace: namespace, Name: name}, claim))
		return claim.Status.Condition.Reason + ": " + claim.Status.Condition.Message
	}, reason+": "+message)
}

func (c cluster) wantQuota(namespace, poolName, want string) {
	c.Helper()
	c.eventually("quota in "+namespace, func() string {
		quota := &corev1.ResourceQuota{}
		err := c.Get(c.Context(), types.NamespacedName{Namespace: namespace, Name: "capsule-pool-" + poolName}, quota)
		if apierrors.IsNotFound(err) {
			return "none"
		}
		c.must(err)
		return quota.Spec.Hard.Pods().String()
	}, want)
}

// eventually waits until something is as it is to be.
func (c cluster) eventually(what string, is func() string, want string) {
	c.Helper()
	var got string
	for range 300 {
		if got = is(); got == want {
			c.Logf("%s: %s", what, got)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.Fatalf("%s: %s, want %s", what, got, want)
}

func (c cluster) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}
func newClaim(namespace, name, poolName string, pods int64) *pool.ResourcePoolClaim {
	claim := &pool.ResourcePoolClaim{}
	claim.Namespace, claim.Name, claim.Spec.Pool = namespace, name, poolName
	claim.Spec.Claim = corev1.ResourceList{"pods": *resource.NewQuantity(pods, resource.DecimalSI)}
	return claim
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
		return
	}
	t.Log(err)
}
