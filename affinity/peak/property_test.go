package peak_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func of(t testkit.TB, run *affinity.Run, opts peak.Options) peak.Demand {
	t.Helper()
	demand, err := peak.DemandOf(run, opts)
	if err != nil {
		t.Fatalf("Of: %v", err)
	}
	return demand
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := runs(6, testkit.Quantity()).Draw(t, "run")
		opts := options(run).Draw(t, "options")
		demand := of(t, run, opts)
		other := testkit.ResourceList(testkit.Quantity()).Draw(t, "pod")
		ledgers := ledgersOf(
			&candidate{Name: "b", Allocatable: testkit.ResourceList(testkit.Quantity()).Draw(t, "allocatable"), Pods: []corev1.ResourceList{other, nil, other}},
			&candidate{Name: "a", Allocatable: demand.Requests()}, &candidate{},
		)
		ledgers["none"] = nil
		testkit.Contract(t, func() any { d, _ := peak.DemandOf(run, opts); return d }, run, &opts)
		testkit.Contract(t, func() any { return demand.Requests() }, demand)
		testkit.Contract(t, func() any { return peak.Nodes(demand, ledgers) }, demand)
		for i := range demand.Peaks {
			name := demand.Peaks[i].Resource
			testkit.Contract(t, func() any { p, _ := demand.Peak(name); return p }, demand)
			if p, ok := demand.Peak(name); !ok || p.Resource != name {
				t.Fatalf("the peak of %s: %v, %v", name, p, ok)
			}
		}
		testkit.Contract(t, func() any { return demand.With(other, other) }, demand, other)
		testkit.NoDiff(t, printed(of(t, asTasks(run, opts), peak.Options{})), printed(demand), "as Tasks without Finally")
		placed := plan(t, run, affinity.PerRun)
		testkit.Contract(t, func() any { all, _ := peak.DemandsOf(placed, run, opts); return all }, placed, run, &opts)
		spec, pods := &placed.StatefulSets[0].Spec.Template.Spec, []corev1.ResourceList{other, nil}
		testkit.Contract(t, func() any { return peak.Shrink(spec, demand.Requests(), other, pods) }, spec, other, pods)
		whole := resource.MustParse("1Gi")
		whole.AsDec()
		spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: corev1.ResourceList{"memory": whole}}
		testkit.Contract(t, func() any { return peak.Shrink(spec, list("memory", "2Gi"), other, pods) }, spec, other, pods)
		waiting := []*corev1.Pod{standing("a", "n"), waitingPod("b", "a", "1"), nil}
		testkit.Contract(t, func() any {
			return peak.FullNodes(waiting, map[string]*noderesources.Ledger{"n": noderesources.NewLedger(nil), "m": nil}, noderesources.FitOptions{})
		}, waiting)
		testkit.Contract(t, func() any {
			plan, err := affinity.PlanFor(run, affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{Image: "nop"}})
			if err == nil {
				_, err = peak.ApplySizes(plan, run, opts)
			}
			if err != nil {
				t.Fatalf("%v", err)
			}
			return plan
		}, run, &opts)
	})
}

// Of returns the largest of all sets, and the earliest of equal ones.
func TestOfEqualsBruteForce(t *testing.T) {
	ties, late := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		quantities := rapid.SampledFrom([]*rapid.Generator[resource.Quantity]{testkit.Quantity(), testkit.Bytes(), few()}).Draw(t, "quantities")
		run := runs(14, quantities).Draw(t, "run")
		opts := options(run).Draw(t, "options")
		demand := of(t, run, opts)
		for _, name := range resources(run) {
			s := slowly(run, opts, name)
			most, sets := s.heaviest()
			finally := new(big.Rat)
			var last []string
			for i := range run.Finally {
				if w := weightOf(&run.Finally[i], opts, name); w.Sign() > 0 {
					finally.Add(finally, w)
					last = append(last, run.Finally[i].Name)
				}
			}
			got := take(&demand, name)
			if finally.Cmp(most) > 0 {
				late++
				most, sets = finally, nil
			}
			if want := largestOf(run, opts, name); testkit.Exact(got.Largest).Cmp(want) != 0 {
				t.Fatalf("%s: %s at most, want %v", name, got.Largest.String(), want)
			}
			if testkit.Exact(got.Amount).Cmp(most) != 0 {
				t.Fatalf("%s: %s, want %v", name, got.Amount.String(), most)
			}
			if most.Sign() == 0 {
				if got.Resource != "" {
					t.Fatalf("%s: a peak of nothing: %+v", name, got)
				}
				continue
			}
			if sets == nil {
				slices.Sort(last)
				testkit.NoDiff(t, got.Tasks, last, name)
				continue
			}
			ties += len(sets) - 1
			checkEarliest(t, &s, got, sets)
		}
		if len(demand.Peaks) > 0 {
			t.Fatalf("peaks of what nobody requests: %v", demand)
		}
	})
	if !testing.Short() && (ties == 0 || late == 0) {
		t.Errorf("%d ties, %d peaks at the end: too few", ties, late)
	}
}

// largestOf returns the largest request of one pod.
func largestOf(run *affinity.Run, opts peak.Options, name corev1.ResourceName) *big.Rat {
	largest := new(big.Rat)
	opts.OverlapRetries = false
	for _, task := range slices.Concat(run.Tasks, run.Finally) {
		task.FanOut = 0
		if w := weightOf(&task, opts, name); w.Cmp(largest) > 0 {
			largest = w
		}
	}
	return largest
}

// few draws amounts, many of them equal.
func few() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.Int64Range(0, 2), func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) })
}

// take removes a peak from the demand.
func take(d *peak.Demand, name corev1.ResourceName) (found peak.Peak) {
	d.Peaks = slices.DeleteFunc(d.Peaks, func(p peak.Peak) bool {
		if p.Resource == name {
			found = p
		}
		return p.Resource == name
	})
	return found
}

func checkEarliest(t *rapid.T, s *slow, got peak.Peak, sets [][]int) {
	var chosen []int
	for i, task := range s.tasks {
		if slices.Contains(got.Tasks, task.Name) {
			chosen = append(chosen, i)
		}
	}
	if !slices.IsSorted(got.Tasks) || len(chosen) != len(got.Tasks) {
		t.Fatalf("%s: tasks %v", got.Resource, got.Tasks)
	}
	found := false
	for _, set := range sets {
		found = found || slices.Equal(set, chosen)
		if !s.earlier(chosen, set) {
			t.Fatalf("%s: %v is not earlier than %v", got.Resource, chosen, set)
		}
	}
	if !found {
		t.Fatalf("%s: %v does not attain the peak", got.Resource, got.Tasks)
	}
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type input struct {
			Run   *affinity.Run
			Nodes []*candidate
		}
		run := runs(5, testkit.Quantity()).Draw(t, "run")
		opts := options(run).Draw(t, "options") // where an empty, non-nil Only does not select all tasks
		in := input{run, []*candidate{{Name: "a", Allocatable: testkit.ResourceList(testkit.Quantity()).Draw(t, "allocatable")}}}
		testkit.EmptyIsNil(t, in, func(in input) any {
			demand, err := peak.DemandOf(in.Run, opts)
			return []any{demand, fmt.Sprint(err), demand.Requests(), peak.Nodes(demand, ledgersOf(in.Nodes...))}
		})
	})
}
