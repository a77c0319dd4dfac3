package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/examples/controller/localserver"
	"github.com/kubemath/kubemath/examples/controller/manifests"
	"github.com/kubemath/kubemath/examples/controller/rbac"
	"github.com/kubemath/kubemath/examples/controller/webhooks"
	"github.com/kubemath/kubemath/pool"
)

// wanted is the environment variable that has to be 1 for TestCluster to run.
const wanted = "KUBEMATH_APISERVER"

// TestCluster runs the controller against a real kube-apiserver, if it is asked to: the first time, the
// server is built, which takes minutes.
func TestCluster(t *testing.T) {
	if os.Getenv(wanted) != "1" {
		t.Skipf("NOTHING WAS RUN AGAINST A SERVER: %s=1 asks for it", wanted)
	}
	logWarnings()
	server, err := localserver.Start(t.Context(), os.Stderr)
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
	config.QPS = -1 // as the controller's; client-go alone has a limit of 5 a second
	admin, err := newClient(config)
	if err != nil {
		t.Fatal(err)
	}
	c := cluster{t, admin}
	c.must(install(t.Context(), admin))
	t.Run("one", func(t *testing.T) { cluster{t, admin}.one(config) })
	t.Run("foreign", func(t *testing.T) { cluster{t, admin}.foreign() })
	t.Run("base", func(t *testing.T) { cluster{t, admin}.base() })
	t.Run("many", func(t *testing.T) { cluster{t, admin}.many(server.Kubeconfig) })
	t.Run("restarts", func(t *testing.T) { cluster{t, admin}.restarts(server.Kubeconfig) })
	t.Run("service", func(t *testing.T) { cluster{t, admin}.service(server.Kubeconfig) })
	t.Run("replicas", func(t *testing.T) { cluster{t, admin}.replicas(config) })
}

// one runs a single controller, with the permissions of its service account.
func (c cluster) one(config *rest.Config) {
	account, err := rbac.AsServiceAccount(c.Context(), c, config)
	c.must(err)
	asked := &requests{asked: map[string]bool{}, bad: map[string]bool{}}
	account.Wrap(asked.wrap)
	endpoint, err := webhooks.Listen(webhooks.Options{Address: "127.0.0.1:0", Lifetime: 30 * time.Second})
	c.must(err)
	o := options{webhooks: endpoint, metrics: freeAddress(c.T), probes: freeAddress(c.T), leaseDuration: 15 * time.Second}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := start(ctx, account, o)
	if err != nil {
		cancel()
		c.Fatal(err)
	}
	c.Cleanup(func() {
		cancel()
		if err := r.wait(); err != nil {
			c.Error(err)
		}
		c.must(uninstall(context.Background(), c))
	})
	for _, test := range []struct {
		name string
		run  func(cluster)
	}{
		{"tour", cluster.tour}, {"claims", cluster.claims}, {"edits", cluster.edits}, {"refusals", cluster.refusals},
		{"endpoints", func(c cluster) { c.endpoints(o) }}, {"events", cluster.events},
		{"record", cluster.record}, {"deletion", cluster.deletion},
		{"permissions", func(c cluster) {
			c.eventually("another certificate", func() string { return fmt.Sprint(asked.has("update /secrets")) }, "true")
			asked.wantExactly(c.T)
		}},
	} {
		c.Run(test.name, func(t *testing.T) { test.run(cluster{t, c.Client}) })
	}
}

// foreign definitions are left alone: those installed by Capsule do not have our label.
func (c cluster) foreign() {
	const name = "resourcepools.capsule.clastix.io"
	label := func(value string) {
		definition := &metav1.PartialObjectMetadata{}
		definition.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
		definition.Name = name
		c.must(c.Patch(c.Context(), definition, client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"labels":{%q:%q}}}`, manifests.OwnerLabel, value))))
	}
	label("Helm")
	wantError(c.T, install(c.Context(), c), "not installed by this controller, and left alone: CustomResourceDefinition "+name)
	label(manifests.Owner)
	c.must(install(c.Context(), c))
}

// base is what the API server says to the kustomize base: it takes all of it, and stores it only if it is not a dry run.
func (c cluster) base() {
	texts := documents(c.T, "deploy")
	deployed := func() bool {
		var d appsv1.Deployment
		err := c.Get(c.Context(), types.NamespacedName{Namespace: rbac.Namespace, Name: "kubemath-controller"}, &d)
		c.must(client.IgnoreNotFound(err))
		return err == nil && *d.Spec.Replicas == 2
	}
	for _, text := range texts {
		c.must(manifests.Apply(c.Context(), client.NewDryRunClient(c.Client), text))
	}
	if deployed() {
		c.Error("a dry run has stored the Deployment")
	}
	for range 2 { // The second time, it changes nothing.
		for _, text := range texts {
			c.must(manifests.Apply(c.Context(), c, text))
		}
	}
	if !deployed() {
		c.Error("there is no Deployment of two")
	}
}

// documents returns the texts of the resources of a kustomization, and of those that it refers to.
func documents(t *testing.T, directory string) (texts []string) {
	t.Helper()
	for _, name := range decodeFile[kustomization](t, filepath.Join(directory, "kustomization.yaml")).Resources {
		file := filepath.Join(directory, name)
		if filepath.Ext(name) != ".yaml" {
			texts = append(texts, documents(t, file)...)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
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

// claims are granted in turn, have their quota, and give way when they are released, or the
// pool grows.
func (c cluster) claims() {
	c.team("wind", "wind-a")
	c.team("wind", "wind-b")
	c.must(waitForPool(c.Context(), c, "wind", 2))
	c.claim("wind-a", "1-first", "wind", 3)
	c.wantHolding("wind-a", "1-first", "Unused")
	c.claim("wind-b", "2-large", "", 4)
	c.wantClaim("wind-b", "2-large", "PoolExhausted", "requested: pods=4, available: pods=1")
	c.claim("wind-a", "3-small", "wind", 1)
	c.wantClaim("wind-a", "3-small", "QueueExhausted", "requested: pods=1, queued: pods=4")
	c.wantQuota("wind-a", "wind", "3")
	c.wantQuota("wind-b", "wind", "0")

	c.use("wind-a", "wind", "2")
	c.wantHolding("wind-a", "1-first", "InUse")
	c.must(askRelease(c.Context(), c, "wind-a", "1-first"))
	c.wantHolding("wind-b", "2-large", "Unused")
	c.wantClaim("wind-a", "1-first", "PoolExhausted", "requested: pods=3, available: pods=0")
	c.wantQuota("wind-a", "wind", "0")
	c.use("wind-a", "wind", "0") // Until then, wind-b has to wait.
	c.wantQuota("wind-b", "wind", "4")

	c.must(c.resize("wind", 8))
	c.wantHolding("wind-a", "3-small", "Unused")
	c.use("wind-a", "wind", "2")
	c.wantHolding("wind-a", "1-first", "InUse")
	c.wantQuota("wind-a", "wind", "4")
	c.eventually("status of the pool", func() string {
		p := &pool.ResourcePool{}
		c.must(c.Get(c.Context(), types.NamespacedName{Name: "wind"}, p))
		left := p.Status.Allocation.Available["pods"]
		return fmt.Sprintf("%d claims in %v, %s left", p.Status.ClaimCount, p.Status.Namespaces, left.String())
	}, "3 claims in [wind-a wind-b], 0 left")
}

// edits of claims that are holding but unused resize or evict them.
func (c cluster) edits() {
	c.must(ask(c.Context(), c, "wind-a", "3-small", `{"spec":{"claim":{"pods":"0"}}}`))
	c.wantQuota("wind-a", "wind", "3")
	c.wantHolding("wind-a", "3-small", "Unused")
	c.must(ask(c.Context(), c, "wind-a", "3-small", `{"spec":{"claim":{"pods":"2"}}}`))
	c.wantClaim("wind-a", "3-small", "PoolExhausted", "requested: pods=2, available: pods=1")
	c.wantQuota("wind-a", "wind", "3")
	c.must(ask(c.Context(), c, "wind-a", "3-small", `{"spec":{"claim":{"pods":"1"}}}`))
	c.wantHolding("wind-a", "3-small", "Unused")
	c.wantQuota("wind-a", "wind", "4")

	// A release asks for nothing while the claim is unused, and is dropped.
	c.must(askRelease(c.Context(), c, "wind-a", "3-small"))
	claim := &pool.ResourcePoolClaim{}
	c.must(c.Get(c.Context(), types.NamespacedName{Namespace: "wind-a", Name: "3-small"}, claim))
	if claim.Released() {
		c.Error("an unused claim asks to be released")
	}
}

// refusals have the messages of kubemath.
func (c cluster) refusals() {
	const webhook, claims = `admission webhook "claims.kubemath.example" denied the request: `, `ResourcePoolClaim.capsule.clastix.io `
	wantError(c.T, c.resize("wind", 7), `admission webhook "pools.kubemath.example" denied the request: ResourcePool.capsule.clastix.io "wind" is invalid: spec.quota.hard[pods]: Forbidden: can not reduce pods usage to 7 because quantity 8 is claimed . Remove corresponding claims or keep the resources in the pool`)
	c.use("wind-b", "wind", "1")
	c.wantHolding("wind-b", "2-large", "InUse")
	wantError(c.T, ask(c.Context(), c, "wind-b", "2-large", `{"spec":{"claim":{"pods":"5"}}}`),
		webhook+claims+`"2-large" is invalid: spec.claim: Forbidden: cannot change the requested resources while claim is allocated to a resourcepool wind`)
	wantError(c.T, c.Delete(c.Context(), newClaim("wind-b", "2-large", "", 0)),
		webhook+claims+`"2-large" is invalid: status.conditions: Forbidden: cannot delete the pool while claim is used in resourcepool wind`)
	c.use("wind-b", "wind", "0")
	c.wantHolding("wind-b", "2-large", "Unused")
	wantError(c.T, c.Create(c.Context(), newClaim("wind-b", "negative", "wind", -1)),
		webhook+claims+`"negative" is invalid: spec.claim[pods]: Invalid value: "-1": must be greater than or equal to 0`)

	// A pod within the limits is stored.
	pod := &corev1.Pod{}
	pod.Namespace, pod.Name = "solar-test", "within-the-limits"
	pod.Spec.Containers = []corev1.Container{{Name: "app", Image: "example.com/app"}}
	c.must(c.Create(c.Context(), pod, client.DryRunAll))
	if limit := pod.Spec.Containers[0].Resources.Limits.Cpu(); limit.String() != "1" {
		c.Errorf("limit %s", limit)
	}
}

// endpoints are those of the manager: health, and metrics of pools, claims and the controller itself.
func (c cluster) endpoints(o options) {
	for _, path := range []string{"/healthz", "/readyz"} {
		c.eventually(path, func() string { return read(c.T, "http://"+o.probes+path) }, "ok")
	}
	for _, want := range []string{
		`capsule_pool_limit{pool="wind",resource="pods"} 8`,
		`capsule_pool_usage_percentage{pool="wind",resource="pods"} 100`,
		`capsule_claim_condition{condition="Exhausted",name="1-first",target_namespace="wind-a"} 0`,
		`kubemath_pool_pending_claims 0`,
		`kubemath_pool_records_total{result="written"}`,
		`controller_runtime_reconcile_total{controller="resourcepoolclaim",result="success"}`,
		`leader_election_master_status{name="kubemath-controller"} 1`,
	} {
		c.eventually(want, func() string {
			return fmt.Sprint(strings.Contains(read(c.T, "http://"+o.metrics+"/metrics"), "\n"+want))
		}, "true")
	}
}

// events say what was decided on a claim.
func (c cluster) events() {
	c.eventually("events of 2-large", func() string {
		var list eventsv1.EventList
		c.must(c.List(c.Context(), &list, client.InNamespace("wind-b")))
		var notes []string
		for _, event := range list.Items {
			if event.Regarding.Name == "2-large" {
				notes = append(notes, event.Type+" "+event.Reason+" "+event.Note)
			}
		}
		slices.Sort(notes)
		return strings.Join(slices.Compact(notes), "; ")
	}, "Normal Bound resource claimable from pool; Warning PoolExhausted requested: pods=4, available: pods=1")
}

// record is what a pool records of claims. If another writer changes it, the pool is reopened from
// that record, and records of claims that do not exist are dropped.
func (c cluster) record() {
	p := &pool.ResourcePool{}
	name := types.NamespacedName{Name: "wind"}
	c.must(retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		c.must(c.Get(c.Context(), name, p))
		p.Status.Claims["wind-a"] = append(p.Status.Claims["wind-a"], pool.RecordedClaim{Name: "ghost", Namespace: "wind-a", UID: "0"})
		return c.Status().Update(c.Context(), p)
	}))
	c.must(c.resize("wind", 9))
	c.eventually("what the pool records", func() string {
		c.must(c.Get(c.Context(), name, p))
		var names []string
		for _, claims := range p.Status.Claims {
			for _, claim := range claims {
				names = append(names, claim.Name)
			}
		}
		slices.Sort(names)
		return fmt.Sprint(names, p.Status.ObservedGeneration == p.Generation)
	}, "[1-first 2-large 3-small] true")
	c.must(c.resize("wind", 8))
}

// deletion of a claim frees its resources. Deletion of a pool leaves holding claims without a pool,
// and deletes claims that wait.
func (c cluster) deletion() {
	c.must(c.Delete(c.Context(), newClaim("wind-b", "2-large", "", 0)))
	c.wantQuota("wind-b", "wind", "0")
	c.claim("wind-b", "4-next", "wind", 4)
	c.wantHolding("wind-b", "4-next", "Unused")
	c.claim("wind-b", "5-waits", "wind", 4)
	c.wantClaim("wind-b", "5-waits", "PoolExhausted", "requested: pods=4, available: pods=0")

	p := &pool.ResourcePool{}
	p.Name = "wind"
	c.must(c.Delete(c.Context(), p))
	for _, name := range []string{"wind-a/1-first", "wind-a/3-small", "wind-b/4-next"} {
		namespace, claim, _ := strings.Cut(name, "/")
		c.wantClaim(namespace, claim, "Failed", `ResourcePool.capsule.clastix.io "wind" not found`)
		c.wantQuota(namespace, "wind", "none")
	}
	c.eventually("the claim that waits", func() string {
		err := c.Get(c.Context(), types.NamespacedName{Namespace: "wind-b", Name: "5-waits"}, &pool.ResourcePoolClaim{})
		return fmt.Sprint(apierrors.IsNotFound(err))
	}, "true")
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
		is := capsule.Condition(claim, "Exhausted")
		if ready := capsule.Condition(claim, "Ready"); ready.Status != metav1.ConditionTrue {
			is = ready
		}
		return is.Reason + ": " + is.Message
	}, reason+": "+message)
}

// wantHolding waits until a claim is holding, and in use or not.
func (c cluster) wantHolding(namespace, name, use string) {
	c.Helper()
	c.wantClaim(namespace, name, "NoExhaustions", "resource claimable from pool")
	c.eventually(namespace+"/"+name, func() string {
		claim := &pool.ResourcePoolClaim{}
		c.must(c.Get(c.Context(), types.NamespacedName{Namespace: namespace, Name: name}, claim))
		return capsule.Condition(claim, "Bound").Reason
	}, use)
}

// use makes a namespace use a number of the pods of its quota.
func (c cluster) use(namespace, poolName, pods string) {
	c.Helper()
	c.must(count(c.Context(), c, namespace, poolName, corev1.ResourceList{"pods": resource.MustParse(pods)}))
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

// eventually waits until a condition holds.
func (c cluster) eventually(what string, is func() string, want string) {
	c.Helper()
	var got string
	for range 300 {
		got = is()
		if got == want {
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

// freeAddress returns an address of 127.0.0.1 that no process listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	return freeAddressOf(t, "127.0.0.1")
}

func freeAddressOf(t *testing.T, host string) string {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// read returns the response of an address, or an error.
func read(t *testing.T, address string) string {
	t.Helper()
	// A process that is paused takes connections, and does not answer.
	response, err := (&http.Client{Timeout: 2 * time.Second}).Get(address)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
