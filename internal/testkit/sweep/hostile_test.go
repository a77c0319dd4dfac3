package sweep_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// A hostile input is what a tenant may write to cost others time or memory: see SECURITY.md.
type hostile struct {
	name  string
	input func(n int) []admit.APIObject // its size is that of its JSON
	call  func(objects []admit.APIObject) any
}

func podWith(s *corev1.PodSpec) []admit.APIObject { return []admit.APIObject{podOf(0, s)} }

func ofPod(name string, spec func(n int) *corev1.PodSpec, call func(p *corev1.Pod) any) hostile {
	return hostile{name, func(n int) []admit.APIObject { return podWith(spec(n)) },
		func(objects []admit.APIObject) any { return call(objects[0].(*corev1.Pod)) }}
}

// reversed is a running pod whose statuses are in the other order.
func reversed(n int) []admit.APIObject {
	p := podOf(0, spec(n))
	for _, c := range slices.Backward(p.Spec.Containers) {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, AllocatedResources: c.Resources.Requests, Resources: &c.Resources})
	}
	return []admit.APIObject{p}
}

// owners are n ConfigMaps, each of which owns the next one.
func owners(n int) []admit.APIObject {
	return many(n, func(i int) admit.APIObject {
		c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name(i), UID: types.UID(name(i))}}
		if i > 0 {
			c.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: name(i - 1), UID: types.UID(name(i - 1))}}
		}
		return c
	})
}

func scopesOf(scope func(i int) string) func(n int) []admit.APIObject {
	return func(n int) []admit.APIObject {
		q := quotas(1)[0]
		q.Spec.Scopes = many(n, func(i int) corev1.ResourceQuotaScope { return corev1.ResourceQuotaScope(scope(i)) })
		return []admit.APIObject{q}
	}
}

func compile(objects []admit.APIObject) any {
	var ranges []*corev1.LimitRange
	var quotas []*corev1.ResourceQuota
	for _, obj := range objects {
		switch obj := obj.(type) {
		case *corev1.LimitRange:
			ranges = append(ranges, obj)
		case *corev1.ResourceQuota:
			quotas = append(quotas, obj)
		}
	}
	_, err := admit.Compile(ranges, quotas, admit.Options{})
	return fmt.Sprint(err)
}

func objectsFrom[T admit.APIObject](list func(n int) []T) func(n int) []admit.APIObject {
	return func(n int) []admit.APIObject {
		all := list(n)
		return many(n, func(i int) admit.APIObject { return all[i] })
	}
}

func createOf(p *corev1.Pod) any { return fmt.Sprint(namespace().Create(p, admit.Attributes{}).Err()) }

var hostiles = []hostile{
	ofPod("Create, containers", bare, createOf),
	ofPod("Create, names", wide, createOf),
	ofPod("Create, a name in each container", ownResources, createOf),
	ofPod("Create, invalid limits", unequal, createOf),
	ofPod("Possible, a name in each container", ownResources, func(p *corev1.Pod) any { return namespace().Possible(nil, p, admit.Attributes{}) }),
	ofPod("Validate, invalid limits", unequal, func(p *corev1.Pod) any { return computeresources.Validate(nil, &p.Spec, kubernetes).Err().Error() }),
	ofPod("Solve, a name in each container", ownResources, func(p *corev1.Pod) any { return must(solver.Solve(&p.Spec, solver.Input{})) }),
	ofPod("Explain, containers", bare, func(p *corev1.Pod) any { return qos.Explain(&p.Spec, kubernetes) }),
	ofPod("nodetree.Build, containers", bare, func(p *corev1.Pod) any { return must(nodetree.Build([]*corev1.Pod{p}, nodetree.Options{})) }),
	ofPod("Cluster.AddPod, names", wide, func(p *corev1.Pod) any {
		c := nodes(5000)
		testkit.Keep(c.AddPod(p.UID, name(1), noderesources.PodRequest(p, computeresources.Options{})))
		return c
	}),
	{"PodRequests, statuses reversed", reversed, func(all []admit.APIObject) any {
		return computeresources.PodRequests(all[0].(*corev1.Pod), options)
	}},
	{"Compile, equal scopes", scopesOf(func(int) string { return "s" }), compile},
	{"Compile, scopes", scopesOf(name), compile},
	{"Compile, LimitRanges", objectsFrom(ranges), compile},
	{"Compile, quotas", objectsFrom(quotas), compile},
	{"Ambiguities, LimitRanges", objectsFrom(ranges), func(all []admit.APIObject) any {
		var list []*corev1.LimitRange
		for _, obj := range all {
			list = append(list, obj.(*corev1.LimitRange))
		}
		return limitrange.Ambiguities(list, spec(10))
	}},
	{"WriteOrder, quotas", objectsFrom(quotas), func(all []admit.APIObject) any {
		var list []*corev1.ResourceQuota
		for _, obj := range all {
			list = append(list, obj.(*corev1.ResourceQuota))
		}
		writes, _ := quota.WriteOrder(testkit.List("pods", "1"), list, list)
		return writes
	}},
	{"Apply, LimitRanges", objectsFrom(ranges), apply},
	{"Apply, quotas", objectsFrom(quotas), apply},
	{"Apply, owners", owners, apply},
	{"Delete, owners", owners, func(all []admit.APIObject) any {
		result, _ := must(whatif.Read(all, whatif.Options{})).Delete(all[0])
		return result
	}},
}

// TestHostile checks that 100 kB of what a tenant writes take at most a second and 100 MB. Each is the least of three. With
// the race detector, with other tests at the same time and on a slow machine, a second may be twenty, and 100 MB twice as much.
func TestHostile(t *testing.T) {
	const size = 100_000
	most := struct {
		time  time.Duration
		bytes uint64
	}{}
	for _, h := range hostiles {
		bytesOf := func(n int) int { return len(must(json.Marshal(h.input(n)))) }
		n := 100 * size / bytesOf(100)
		n = n * size / bytesOf(n)
		objects := h.input(n)
		least := time.Hour
		bytes := testkit.Allocated(func() {
			runtime.GC()
			start := time.Now()
			testkit.Keep(h.call(objects))
			least = min(least, time.Since(start))
		})
		t.Logf("%-36s %6d elements in %6d bytes: %9v, %4d MB", h.name, n, bytesOf(n), least.Round(10*time.Microsecond), bytes>>20)
		most.time, most.bytes = max(most.time, least), max(most.bytes, bytes)
		if bytes > 200<<20 || least > 20*time.Second {
			t.Errorf("%s: %v, %d MB", h.name, least, bytes>>20)
		}
	}
	t.Logf("%s: at most %v and %d MB", strings.ToLower(t.Name()), most.time, most.bytes>>20)
}
