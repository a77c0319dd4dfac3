package sweep_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// A keeper keeps what is added until it is removed. Of each number, names, namespaces and resources are new.
type keeper interface {
	add(i int) error
	remove(i int) error
}

func uidAt(i int) types.UID { return types.UID(fmt.Sprint("uid-", i)) }

// ownAmounts are amounts of cpu, and of a resource of their own.
func ownAmounts(i int) corev1.ResourceList {
	return corev1.ResourceList{"cpu": resource.MustParse("10m"), corev1.ResourceName(fmt.Sprint("a.b/own-", i)): resource.MustParse("1")}
}

type ledgerEvents struct{ *noderesources.Ledger }

func (l ledgerEvents) add(i int) error {
	return l.Add(uidAt(i), noderesources.RequestOf(ownAmounts(i)))
}

func (l ledgerEvents) remove(i int) error { return l.Remove(uidAt(i)) }

// clusterEvents adds a node and a pod on it, which leaves first every other time.
type clusterEvents struct{ *noderesources.Cluster }

func (c clusterEvents) add(i int) error {
	if err := c.AddNode(fmt.Sprint("node-", i), ownAmounts(i)); err != nil {
		return err
	}
	return c.AddPod(uidAt(i), fmt.Sprint("node-", i), noderesources.RequestOf(ownAmounts(i+i%2)))
}

func (c clusterEvents) remove(i int) error {
	if err := c.RemovePod(uidAt(i)); err != nil {
		return err
	}
	return c.RemoveNode(fmt.Sprint("node-", i))
}

type allocatorEvents struct{ *allocator.Allocator }

func (a allocatorEvents) add(i int) error {
	c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: fmt.Sprint("claim-", i), UID: uidAt(i)}}
	c.Spec.Pool, c.Spec.Claim = "p", ownAmounts(i)
	_, err := a.Set(c)
	return err
}

func (a allocatorEvents) remove(i int) error {
	a.Delete(types.NamespacedName{Namespace: fmt.Sprint("ns-", i), Name: fmt.Sprint("claim-", i)})
	return nil
}

type treeEvents struct{ *quotatree.Tree }

// treeOfNames is a tree with n resources. It refuses other names.
func treeOfNames(n int) []quotatree.Node {
	all := tree(10)
	for i := range n {
		all[i%10].Nominal[corev1.ResourceName(fmt.Sprint("a.b/own-", i))] = 1
	}
	return all
}

func (t treeEvents) add(i int) error {
	if t.Take(fmt.Sprint("queue-", i), resourcelist.Integers(ownAmounts(0))) == nil ||
		t.Take(name(0), resourcelist.Integers(ownAmounts(i+200))) == nil {
		return fmt.Errorf("%d: a new name is known", i)
	}
	return t.Charge(name(i%10), resourcelist.Integers(ownAmounts(i%200)))
}

func (t treeEvents) remove(i int) error {
	return t.Give(name(i%10), resourcelist.Integers(ownAmounts(i%200)))
}

// whatifEvents applies and deletes a LimitRange and a pod of a namespace.
type whatifEvents struct{ *whatif.Cluster }

func whatifObjects(i int) (*corev1.LimitRange, *corev1.Pod) {
	meta := metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i), Name: fmt.Sprint("x-", i)}
	lr, pod := ranges(1)[0], podOf(i, &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", ownAmounts(i), ownAmounts(i))}})
	lr.ObjectMeta, pod.ObjectMeta = meta, meta
	return lr, pod
}

func (c *whatifEvents) do(change func(objects ...admit.APIObject) (whatif.Result, *whatif.Cluster), i int) error {
	lr, pod := whatifObjects(i)
	result, after := change(lr, pod)
	c.Cluster = after
	for _, object := range result.Objects {
		if object.Reason.Message != "" {
			return fmt.Errorf("%v: %s", object.Source, object.Reason.Message)
		}
	}
	return nil
}

func (c *whatifEvents) add(i int) error { return c.do(c.Apply, i) }

func (c *whatifEvents) remove(i int) error { return c.do(c.Delete, i) }

// TestEvents checks that what has gone takes no memory: at the end, no more than a tenth more than after a tenth of the
// events, and than a map that has grown once more, as Go's maps do after any number of removals. KUBEMATH_EVENTS=1000000 makes it a million of each, which takes minutes.
func TestEvents(t *testing.T) {
	events, present := 10_000, 100
	if testing.Short() {
		events = 3000
	}
	if text := os.Getenv("KUBEMATH_EVENTS"); text != "" {
		events = must(strconv.Atoi(text))
	}
	for _, test := range []struct {
		name string
		made func() keeper
	}{
		{"Ledger", func() keeper { return ledgerEvents{noderesources.NewLedger(testkit.List("cpu", "1000"))} }},
		{"Cluster", func() keeper { return clusterEvents{&noderesources.Cluster{}} }},
		{"Allocator", func() keeper {
			p, _ := claimPool(1000)
			return allocatorEvents{allocator.New(p, nil, pool.Options{})}
		}},
		{"Tree", func() keeper { return treeEvents{must(quotatree.New(treeOfNames(200), quotatree.Options{}))} }},
		{"whatif", func() keeper {
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
			node.Status.Allocatable = testkit.List("cpu", "1000", "pods", "1000")
			return &whatifEvents{must(whatif.Read([]admit.APIObject{node}, whatif.Options{}))}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			start, before := time.Now(), heap()
			k, tenth := test.made(), uint64(0)
			for i := range events {
				testkit.OK(t, k.add(i))
				if i >= present {
					testkit.OK(t, k.remove(i-present))
				}
				if i == events/10 {
					tenth = heap() - before
				}
			}
			end := heap() - before
			runtime.KeepAlive(k)
			t.Logf("%d events: %d bytes after a tenth, %d at the end, in %v", events, tenth, end, time.Since(start).Round(time.Millisecond))
			if end > tenth+tenth/10+32<<10 {
				t.Errorf("%d bytes after %d events, %d after %d", tenth, events/10, end, events)
			}
		})
	}
}

// heap returns how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
