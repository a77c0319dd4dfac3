package noderesources_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// FuzzLedger adds, replaces and removes pods, and compares the result with counting afresh in
// arbitrary precision.
func FuzzLedger(f *testing.F) {
	f.Add("4", "1", "10E", "100u", "-3")
	f.Add("1.5", "9999999P", "9999999P", "0", "1e3")
	f.Fuzz(func(t *testing.T, allocatable, a, b, c, d string) {
		amounts := map[string]string{}
		for name, text := range map[string]string{"allocatable": allocatable, "a": a, "b": b, "c": c, "d": d} {
			if _, ok := testkit.Parse(text); !ok {
				t.Skip("no quantity that is tested")
			}
			amounts[name] = text
		}
		slow := slowNode{testkit.List("cpu", amounts["allocatable"], "example.com/x", amounts["allocatable"], "pods", "2"), map[types.UID]slowPod{}}
		l := noderesources.New(slow.allocatable)
		for _, uid := range []types.UID{"a", "b", "c"} {
			p := pod(app("cpu", amounts[string(uid)], "example.com/x", amounts[string(uid)]))
			if err := l.Add(uid, noderesources.PodRequest(p, none)); err != nil {
				t.Fatal(err)
			}
			slow.pods[uid] = slowPodOf(p)
		}
		p := pod(app("cpu", amounts["d"], "example.com/x", amounts["d"]))
		if err := l.Update("b", noderesources.PodRequest(p, none)); err != nil {
			t.Fatal(err)
		}
		if err := l.Remove("a"); err != nil {
			t.Fatal(err)
		}
		slow.pods["b"] = slowPodOf(p)
		delete(slow.pods, "a")
		for _, name := range allNames() {
			if got, want := amountsOf(l, name), slow.amounts(name); got != want {
				t.Fatalf("%s: %+v, want %+v", name, got, want)
			}
		}
		l.SetAllocatable(testkit.List("cpu", amounts["a"], "example.com/x", amounts["a"], "pods", "3"))
		slow.allocatable = testkit.List("cpu", amounts["a"], "example.com/x", amounts["a"], "pods", "3")
		request := requestOf(testkit.List("cpu", amounts["c"], "example.com/x", amounts["c"]))
		want := slow.fit(slowPodOf(pod(app("cpu", amounts["c"], "example.com/x", amounts["c"]))), 0)
		got := l.Shortages(request, noderesources.FitOptions{})
		if len(got) != len(want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%+v, want %+v", got[i], want[i])
			}
		}
	})
}

// FuzzCluster adds, replaces and removes pods on many nodes, and compares which nodes have room
// with the ledger of each.
func FuzzCluster(f *testing.F) {
	f.Add("4", "1", "10E", uint8(70))
	f.Add("0", "-3", "100u", uint8(64))
	f.Fuzz(func(t *testing.T, allocatable, a, b string, n uint8) {
		for _, text := range []string{allocatable, a, b} {
			if _, ok := testkit.Parse(text); !ok {
				t.Skip("no quantity that is tested")
			}
		}
		var c noderesources.Cluster
		one, other := placed("memory", a, "example.com/x", a), placed("memory", b, "example.com/x", b)
		for i := range n {
			name := string([]byte{i * 37}) // in no order
			list := testkit.List("memory", allocatable, "example.com/x", allocatable, "pods", "2")
			if i%3 == 0 {
				list = testkit.List("memory", "1Gi", "pods", "1")
			}
			if err := c.AddNode(name, list); err != nil {
				t.Fatal(err)
			}
			if err := c.AddPod(types.UID(name), name, one); err != nil {
				t.Fatal(err)
			}
			switch i % 5 {
			case 1:
				if err := c.UpdatePod(types.UID(name), other); err != nil {
					t.Fatal(err)
				}
			case 2:
				if err := c.RemovePod(types.UID(name)); err != nil {
					t.Fatal(err)
				}
			case 3:
				if err := c.RemoveNode(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, r := range []noderesources.Request{{}, one, other} {
			var want []string
			for _, name := range c.Nodes() {
				l, err := c.Ledger(name)
				if err != nil {
					t.Fatal(err)
				}
				if l.Fits(r, noderesources.FitOptions{}) {
					want = append(want, name)
				}
			}
			if got := c.AppendFits(nil, r, noderesources.FitOptions{}); !slices.Equal(got, want) {
				t.Fatalf("fits on %q, want %q", got, want)
			}
		}
	})
}

// FuzzThreshold reads eviction thresholds: an accepted one reserves no negative amount, and a percentage
// reserves no more than the capacity, except for the rounding of a percentage in 32 bits.
func FuzzThreshold(f *testing.F) {
	for _, text := range []string{"10%", "100Mi", "0%", "-1", "NaN%", "1e-40%", "5%%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, ok := testkit.Parse(text); !ok && len(text) > 0 && text[len(text)-1] != '%' {
			t.Skip("no quantity that is tested")
		}
		capacity := testkit.List("memory", "16Gi")
		allocatable, err := noderesources.Allocatable(capacity, noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": text}})
		if err != nil {
			return
		}
		if q := allocatable["memory"]; q.Sign() < 0 || q.Cmp(capacity["memory"]) > 0 {
			t.Fatalf("%q leaves %s of 16Gi", text, q.String())
		}
	})
}
