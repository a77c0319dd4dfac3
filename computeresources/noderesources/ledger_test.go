package noderesources_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// placed returns the request of a pod with one container that is placed on a node.
func placed(requests ...string) noderesources.Request {
	return noderesources.PodRequest(pod(app(requests...)), none)
}

// ledger returns a node with pods of these requests, by the UIDs 0, 1, and so on.
func ledger(t *testing.T, allocatable corev1.ResourceList, pods ...noderesources.Request) *noderesources.Ledger {
	t.Helper()
	l := noderesources.NewLedger(allocatable)
	for i, r := range pods {
		testkit.OK(t, l.Add(types.UID(fmt.Sprint(i)), r))
	}
	return l
}

func TestLedgerErrors(t *testing.T) {
	l := ledger(t, testkit.List("cpu", "4", "pods", "9"), placed("cpu", "1"))
	before := testkit.Fingerprint(l)
	if err := l.Add("0", placed("cpu", "2")); !isAbout(err, `pod "0" already exists`) {
		t.Errorf("Add of a pod that is there: %v", err)
	}
	for name, err := range map[string]error{"Update": l.Update("1", placed("cpu", "2")), "Remove": l.Remove("1")} {
		if !isAbout(err, `pod "1" not found`) {
			t.Errorf("%s of a pod that is not there: %v", name, err)
		}
	}
	if after := testkit.Fingerprint(l); after != before {
		t.Errorf("errors have changed the ledger from\n%s to\n%s", before, after)
	}
}

// Pods without a UID count, each of them, and cannot be found again.
func TestPodsWithoutUID(t *testing.T) {
	l := ledger(t, testkit.List("cpu", "4", "pods", "9"), placed("cpu", "1"))
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "4", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "1"))
	for range 2 {
		testkit.OK(t, l.Add("", placed("cpu", "1500m")))
		addPod(t, c, "", "a", placed("cpu", "1500m"))
		addPod(t, c, "", "b", placed("cpu", "1"))
	}
	checkIt := func(what string, l *noderesources.Ledger) {
		t.Helper()
		if got := amountsOf(l, "cpu"); got.Requested != 4000 || l.Pods() != 3 || l.Fits(placed("cpu", "1m"), noderesources.FitOptions{}) {
			t.Errorf("%s: %+v and %d pods", what, got, l.Pods())
		}
	}
	checkIt("ledger", l)
	own, err := c.Ledger("a")
	testkit.OK(t, err)
	checkIt("ledger of a cluster", own)
	if podsOf(t, c) != 5 {
		t.Errorf("the cluster has %d pods", podsOf(t, c))
	}
	for what, err := range map[string]error{
		"Update": l.Update("", placed()), "Remove": l.Remove(""), "UpdatePod": c.UpdatePod("", placed()), "RemovePod": c.RemovePod(""),
	} {
		if !isAbout(err, `pod "" not found`) {
			t.Errorf("%s: %v", what, err)
		}
	}
	checkIt("ledger after errors", l)
	if err := c.RemoveNode("a"); err != nil || podsOf(t, c) != 2 {
		t.Errorf("the other node has %d pods, %v", podsOf(t, c), err)
	}
	testkit.OK(t, c.RemoveNode("b"))
	if err := c.AddPod("", "b", placed()); !isAbout(err, `node "b" not found`) {
		t.Errorf("a pod is on a node that is not there: %v", err)
	}
}

func TestZeroLedger(t *testing.T) {
	var l noderesources.Ledger
	if l.Fits(noderesources.Request{}, noderesources.FitOptions{}) || l.Pods() != 0 || len(l.Free()) != 0 {
		t.Error("the zero value has something")
	}
	if err := l.Add("a", placed("cpu", "1")); err != nil || l.Pods() != 1 {
		t.Errorf("Add: %v", err)
	}
	if got, want := testkit.Texts(l.Free()), testkit.Texts(testkit.List("cpu", "-1", "pods", "-1")); !cmp.Equal(got, want) {
		t.Errorf("free %v, want %v", got, want)
	}
}

// Sums beyond int64 come back when pods leave.
func TestSumsBeyondInt64(t *testing.T) {
	l := ledger(t, testkit.List("memory", "1Gi", "example.com/x", "5", "pods", "9"),
		placed("memory", "10E", "example.com/x", "10E"), placed("memory", "10E", "example.com/x", "10E"), placed("memory", "1Mi", "example.com/x", "1"))
	for _, name := range []corev1.ResourceName{"memory", "example.com/x"} {
		if got := amountsOf(l, name); got.Requested != math.MaxInt64 || got.Free != math.MinInt64 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	for _, uid := range []types.UID{"0", "1"} {
		testkit.OK(t, l.Remove(uid))
	}
	want := testkit.Texts(testkit.List("memory", "1Mi", "example.com/x", "1", "pods", "1"))
	testkit.NoDiff(t, testkit.Texts(l.Requested()), want, "requested")
}

// Slots of pods that left go to one pod each.
func TestPodsOfVacantSlots(t *testing.T) {
	l := ledger(t, testkit.List("cpu", "64", "pods", "9"), placed("cpu", "1"), placed("cpu", "2"))
	for _, err := range []error{l.Remove("0"), l.Add("2", placed("cpu", "4")), l.Add("3", placed("cpu", "8")), l.Remove("2")} {
		testkit.OK(t, err)
	}
	testkit.Equal(t, amountsOf(l, "cpu").Requested, 10000, "requested")
}

// Limits are of what pods limit: zero where none does, and nothing for the number of pods.
func TestLimited(t *testing.T) {
	l := ledger(t, testkit.List("cpu", "4", "example.com/gpu", "1", "pods", "9"), limited("1"), placed("example.com/gpu", "1"), limited("500m"))
	testkit.NoDiff(t, testkit.Texts(l.Limited()), testkit.Texts(testkit.List("cpu", "1500m", "example.com/gpu", "0")))
}

// A node whose allocatable resources change keeps its pods, and may have less than they request.
func TestUpdatedNode(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "example.com/a", "4", "example.com/b", "1", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "2", "example.com/a", "2"))
	testkit.OK(t, c.UpdateNode("a", testkit.List("cpu", "1500u", "example.com/c", "1", "pods", "0", "storage", "5", "requests.cpu", "1")))
	l := node(t, c, "a")
	want := testkit.Texts(testkit.List("cpu", "-1998m", "example.com/a", "-2", "example.com/c", "1", "pods", "-1"))
	testkit.NoDiff(t, testkit.Texts(l.Free()), want, "free")
	testkit.NoDiff(t, testkit.Texts(l.Allocatable()), testkit.Texts(testkit.List("cpu", "2m", "example.com/c", "1", "pods", "0")), "allocatable")
	testkit.OK(t, c.UpdateNode("a", nil))
	if err := c.RemovePod("0"); err != nil || len(node(t, c, "a").Free()) != 0 {
		t.Errorf("a node that has nothing has %v, %v", node(t, c, "a").Free(), err)
	}
}

// Pods come and go, are resized, and are looked at, without allocations.
func TestLedgerAllocs(t *testing.T) {
	l := ledger(t, testkit.List("cpu", "63", "example.com/a", "4", "pods", "110"), placed("cpu", "1"), placed("cpu", "1"))
	r, resized := placed("cpu", "1", "memory", "1Gi", "example.com/a", "1", "example.com/b", "1"), placed("cpu", "2", "example.com/c", "1")
	scorer := scorerOf(t, noderesources.BalancedAllocation)
	opts := noderesources.FitOptions{IgnoredGroups: []string{"example.org"}}
	rest, more := placed("cpu", "59"), placed("cpu", "59001m")             // of 63, of which 4 are requested
	most := placed("cpu", "1", "example.com/a", "5", "example.org/x", "1") // also of an ignored resource
	round := func() {
		testkit.OK(t, l.Add("a", r))
		testkit.OK(t, l.Update("a", resized))
		if !l.Fits(rest, opts) || l.Fits(more, opts) || l.Fits(most, opts) {
			t.Error("wrong sums")
		}
		if l.Score(resized, only(scorer)) < 0 || l.Score(resized, leastAllocated) < 0 {
			t.Error("a score below zero")
		}
		testkit.OK(t, l.Remove("a"))
	}
	if got := testing.AllocsPerRun(100, round); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

// An ordinary running pod costs no allocation, and one with scalar resources a map of both lists.
func TestPodRequestAllocs(t *testing.T) {
	scalar := testkit.RunningPod(false)
	for _, list := range []corev1.ResourceList{scalar.Spec.Containers[0].Resources.Requests, scalar.Spec.Containers[0].Resources.Limits} {
		list["nvidia.com/gpu"] = testkit.List("nvidia.com/gpu", "1")["nvidia.com/gpu"]
	}
	scalars := scalar.DeepCopy()
	scalars.Spec.Containers[0].Resources.Requests["hugepages-2Mi"] = testkit.List("hugepages-2Mi", "4Mi")["hugepages-2Mi"]
	for name, test := range map[string]struct {
		pod      *corev1.Pod
		want     float64
		wantSpec float64
	}{
		"ordinary":         {testkit.RunningPod(false), 0, 0},
		"pod-level":        {testkit.RunningPod(true), 0, 0},
		"a scalar":         {scalar, 5, 5},
		"two scalars":      {scalars, 6, 6},
		"without requests": {pod(app()), 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			var r noderesources.Request
			if got := testing.AllocsPerRun(100, func() { r = noderesources.PodRequest(test.pod, none) }); got > test.want {
				t.Errorf("%v allocations of a pod, want %v", got, test.want)
			}
			if got := testing.AllocsPerRun(100, func() { r = noderesources.SpecRequest(&test.pod.Spec, none) }); got > test.wantSpec {
				t.Errorf("%v allocations of a spec, want %v", got, test.wantSpec)
			}
			if r.NonZero("cpu") == 0 {
				t.Error("the pod requests no cpu")
			}
		})
	}
}

// Whether one more pod fits beside 30 others costs few allocations beside those of the requests.
func TestFitOfThirtyPodsAllocs(t *testing.T) {
	for _, requests := range []corev1.ResourceList{testkit.List("cpu", "1", "memory", "1Gi"), testkit.List("cpu", "1", "memory", "1Gi", "nvidia.com/gpu", "1")} {
		var pods []*corev1.Pod
		for i := range 30 {
			p := pod(testkit.Container("app", requests, requests))
			p.UID = types.UID(fmt.Sprint(i))
			pods = append(pods, p)
		}
		allocatable, fits := testkit.List("cpu", "64", "memory", "256Gi", "nvidia.com/gpu", "31", "pods", "110"), false
		for withUIDs, most := range map[bool]float64{true: 30, false: 10} {
			most += float64(5 * (len(pods) + 1) * (len(requests) - 2)) // those of each request
			got := testing.AllocsPerRun(100, func() {
				l := noderesources.NewLedger(allocatable)
				for _, p := range pods {
					uid := types.UID("")
					if withUIDs {
						uid = p.UID
					}
					testkit.OK(t, l.Add(uid, noderesources.PodRequest(p, none)))
				}
				fits = l.Fits(noderesources.SpecRequest(&pods[0].Spec, none), noderesources.FitOptions{})
			})
			if got > most || !fits {
				t.Errorf("%v allocations with %d resources, with UIDs: %v, want at most %v; fits: %v", got, len(requests), withUIDs, most, fits)
			}
			t.Logf("%v allocations with %d resources, with UIDs: %v", got, len(requests), withUIDs)
		}
	}
}
