package ledger_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

func TestRead(t *testing.T) {
	l := ledger.New(testkit.List("pods", "3", "limits.cpu", "2"))
	type want struct {
		Name   corev1.ResourceName
		Amount string
	}
	names := func(wants []ledger.Want) (all []want) {
		for _, w := range wants {
			q := w.Amount.Quantity(l.Resources[w.Resource].Scale, "")
			all = append(all, want{l.Resources[w.Resource].Name, q.String()})
		}
		return all
	}
	wants, negative := l.Read(testkit.List("z", "1", "pods", "2", "limits.cpu", "100m", "a", "-1", "b", "0", "secrets", "5"), nil, nil)
	testkit.NoDiff(t, names(wants), []want{{"limits.cpu", "100m"}, {"pods", "2"}, {"secrets", "5"}, {"z", "1"}}, "wants")
	testkit.NoDiff(t, names(negative), []want{{"a", "-1"}}, "negative")
	wants, negative = l.Read(testkit.List("pods", "0", "limits.cpu", "-1"), nil, nil)
	if diff := cmp.Diff([]want{{"limits.cpu", "-1"}}, names(negative)); diff != "" || len(wants) > 0 {
		t.Errorf("%v, negative:\n%s", wants, diff)
	}
	again, _ := l.Read(testkit.List("z", "7"), nil, nil)
	testkit.Equal(t, again[0].Resource, 4, "z has become number")
}

// Reading a claim on the resources that the pool offered initially does not allocate.
func TestReadAllocs(t *testing.T) {
	l := ledger.New(testkit.List("pods", "3", "limits.cpu", "2", "requests.memory", "1Gi"))
	claim := testkit.List("pods", "1", "limits.cpu", "100m")
	wants := make([]ledger.Want, 0, 2)
	if got := testing.AllocsPerRun(100, func() { l.Read(claim, wants, nil) }); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func TestFind(t *testing.T) {
	wants := []ledger.Want{{Resource: 3}, {Resource: 1}}
	for number, want := range map[int]int{3: 0, 1: 1, 0: -1, 2: -1} {
		testkit.Equal(t, ledger.Find(wants, number), want, "resource", number, "is at")
	}
}

func TestSetHard(t *testing.T) {
	l := ledger.New(testkit.List("pods", "3", "requests.memory", "1Gi"))
	wants, _ := l.Read(testkit.List("pods", "2", "requests.memory", "512Mi", "secrets", "1"), nil, nil)
	l.Take(wants)
	check := func(what string, claimed, available corev1.ResourceList) {
		t.Helper()
		testkit.NoDiff(t, l.All(l.Claimed), claimed, what, "claimed")
		testkit.NoDiff(t, l.Available(), available, what, "available")
	}
	check("at first", testkit.List("pods", "2", "requests.memory", "512Mi", "secrets", "1"), testkit.List("pods", "1", "requests.memory", "512Mi"))
	l.SetHard(testkit.List("pods", "1", "secrets", "2", "services", "1"))
	check("then", testkit.List("pods", "2", "requests.memory", "512Mi", "secrets", "1", "services", "0"), testkit.List("pods", "-1", "secrets", "1", "services", "1"))
	if q := l.All(l.Claimed)["requests.memory"]; q.Format != "DecimalSI" {
		t.Errorf("what is not offered any more is spelled in %s", q.Format)
	}
	l.SetHard(testkit.List("pods", "3", "requests.memory", "1Gi"))
	check("as before", testkit.List("pods", "2", "requests.memory", "512Mi", "secrets", "1"), testkit.List("pods", "1", "requests.memory", "512Mi"))
	l.Give(wants)
	check("given back", testkit.List("pods", "0", "requests.memory", "0"), testkit.List("pods", "3", "requests.memory", "1Gi"))
	if !l.Short(ledger.Want{Resource: wants[2].Resource, Amount: wants[2].Amount}) {
		t.Error("there are secrets")
	}
}

// Giving is the inverse of taking, and of totals, removing of adding.
func TestInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := ledger.New(testkit.PoolAmounts(9).Draw(t, "hard"))
		first, _ := l.Read(testkit.PoolAmounts(9).Draw(t, "first"), nil, nil)
		l.Take(first)
		totals := ledger.Totals{}.Add(l, first)
		left, claimed, sums := l.Available(), l.All(l.Claimed), l.NonZero(totals)
		second, _ := l.Read(testkit.PoolAmounts(9).Draw(t, "second"), nil, nil)
		l.Take(second)
		l.Give(second)
		totals = totals.Add(l, second)
		totals.Remove(l, second)
		for _, d := range []string{cmp.Diff(left, l.Available()), cmp.Diff(claimed, l.All(l.Claimed)), cmp.Diff(sums, l.NonZero(totals))} {
			if d != "" {
				t.Fatal(d)
			}
		}
	})
}

// A number that is free again is that of the next new resource, and a resource that was forgotten is new.
func TestForget(t *testing.T) {
	l := ledger.New(testkit.List("pods", "3"))
	numberOf := func(name string) int {
		wants, _ := l.Read(testkit.List(name, "1"), nil, nil)
		return wants[0].Resource
	}
	first, second := numberOf("a"), numberOf("b")
	used := make([]bool, len(l.Resources))
	used[second] = true
	l.Forget(used)
	if got := numberOf("c"); got != first || l.Resources[got].Name != "c" {
		t.Errorf("c is %d, which is %s; a was %d", got, l.Resources[got].Name, first)
	}
	if got := numberOf("a"); got == first || got == second || l.Resources[got].Name != "a" || numberOf("b") != second {
		t.Errorf("a is %d, which is %s", got, l.Resources[got].Name)
	}
}
