package peak_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		testkit.Contract(t, func() any { return demand.With(other, nil) }, demand, other)
		testkit.Contract(t, func() any { return peak.Nodes(demand, ledgers) }, demand)
		for i := range demand {
			name := demand[i].Resource
			testkit.Contract(t, func() any { p, _ := demand.Peak(name); return p }, demand)
		}
		testkit.Contract(t, func() any { return demand.WithShrinking(other, other) }, demand, other)
		graph := asGraph(run, opts)
		testkit.Contract(t, func() any { d, _ := graph.Demand(); return d }, graph)
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
			return peak.FullNodes(waiting, map[string]*noderesources.Ledger{"n": noderesources.New(nil), "m": nil}, noderesources.FitOptions{})
		}, waiting)
		testkit.Contract(t, func() any {
			plan, err := affinity.PlanFor(run, affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{Image: "nop"}})
			if err == nil {
				err = peak.ApplySizes(plan, run, opts)
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
				if diff := cmp.Diff(last, got.Tasks); diff != "" {
					t.Fatalf("%s (-want +got):\n%s", name, diff)
				}
				continue
			}
			ties += len(sets) - 1
			checkEarliest(t, &s, got, sets)
		}
		if len(demand) > 0 {
			t.Fatalf("peaks of what nobody requests: %v", demand)
		}
	})
	if !testing.Short() && (ties == 0 || late == 0) {
		t.Errorf("%d ties, %d peaks at the end: too few", ties, late)
	}
}

// few draws amounts, many of them equal.
func few() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.Int64Range(0, 2), func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) })
}

// take removes a peak from the demand.
func take(d *peak.Demand, name corev1.ResourceName) (found peak.Peak) {
	*d = slices.DeleteFunc(*d, func(p peak.Peak) bool {
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

// In larger runs, all tasks are covered by as many chains as the weight of the peak, so no set
// can be greater.
func TestOfEqualsChainCover(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := runs(60, rapid.OneOf(few(), testkit.Bytes())).Draw(t, "run")
		run.Finally = nil
		demand := of(t, run, peak.Options{})
		for _, name := range resources(run) {
			s := slowly(run, peak.Options{}, name)
			got := take(&demand, name)
			if want := s.cover(); got.Amount.Value() != want {
				t.Fatalf("%s: %s, but %d chains cover all tasks", name, got.Amount.String(), want)
			}
			sum, chosen := new(big.Rat), []int(nil)
			for i, task := range run.Tasks {
				if slices.Contains(got.Tasks, task.Name) {
					if !s.independent(chosen, i) {
						t.Fatalf("%s: %v cannot run at once", name, got.Tasks)
					}
					chosen = append(chosen, i)
					sum.Add(sum, s.weight[i])
				}
			}
			if sum.Cmp(testkit.Exact(got.Amount)) != 0 {
				t.Fatalf("%s: %v ask for %v, not %s", name, got.Tasks, sum, got.Amount.String())
			}
		}
	})
}

// The order of tasks does not change the peak, and neither do redundant edges. The peak is
// between the largest task and the sum of all tasks. Larger requests or fewer edges never reduce
// it.
func TestLawsOfPeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := runs(20, rapid.OneOf(testkit.Quantity(), few())).Draw(t, "run")
		demand := of(t, run, peak.Options{})
		other := *run
		other.Tasks = rapid.Permutation(withAllEdges(run.Tasks)).Draw(t, "tasks")
		other.Finally = rapid.Permutation(run.Finally).Draw(t, "finally")
		if diff := cmp.Diff(demand, of(t, &other, peak.Options{})); diff != "" {
			t.Fatalf("in another order, with all edges (-before +after):\n%s", diff)
		}
		for _, p := range demand {
			largest, sum := new(big.Rat), new(big.Rat)
			for _, task := range slices.Concat(run.Tasks, run.Finally) {
				w := weightOf(&task, peak.Options{}, p.Resource)
				sum.Add(sum, w)
				one := task
				one.FanOut = 0
				if w := weightOf(&one, peak.Options{}, p.Resource); w.Cmp(largest) > 0 {
					largest = w
				}
			}
			amount := testkit.Exact(p.Amount)
			if amount.Cmp(largest) < 0 || amount.Cmp(sum) > 0 || testkit.Exact(p.Largest).Cmp(largest) != 0 {
				t.Fatalf("%s: %v, largest %s, of %v to %v", p.Resource, amount, p.Largest.String(), largest, sum)
			}
		}
		if len(run.Tasks) == 0 {
			return
		}
		freed := *run
		freed.Tasks = slices.Clone(run.Tasks)
		freed.Tasks[rapid.IntRange(0, len(run.Tasks)-1).Draw(t, "freed")].RunAfter = nil
		for _, p := range of(t, &freed, peak.Options{}) {
			if before := take(&demand, p.Resource); p.Amount.Cmp(before.Amount) < 0 {
				t.Fatalf("%s: %s without some edges, %s with them", p.Resource, p.Amount.String(), before.Amount.String())
			}
		}
	})
}

func withAllEdges(tasks []affinity.Task) []affinity.Task {
	after := closure(tasks)
	all := slices.Clone(tasks)
	for j := range all {
		all[j].RunAfter = nil
		for i := range tasks {
			if after[i][j] {
				all[j].RunAfter = append(all[j].RunAfter, tasks[i].Name)
			}
		}
	}
	return all
}

// A thousand tasks are computed as exactly as ten, in layers that all run after each other and in
// chains.
func TestThousandTasks(t *testing.T) {
	var layers, chains affinity.Run
	for i := range 1000 {
		task := affinity.Task{Name: fmt.Sprintf("t-%d", i), Requests: corev1.ResourceList{"cpu": *resource.NewMilliQuantity(int64(i%7), resource.DecimalSI)}}
		layered, chained := task, task
		for before := range i {
			if before/100+1 == i/100 {
				layered.RunAfter = append(layered.RunAfter, fmt.Sprintf("t-%d", before))
			}
			if before%10 == i%10 {
				chained.RunAfter = append(chained.RunAfter, fmt.Sprintf("t-%d", before))
			}
		}
		layers.Tasks, chains.Tasks = append(layers.Tasks, layered), append(chains.Tasks, chained)
	}
	// Of the layers, the one that begins with a task of 5 has the largest sum. Each chain has a
	// task of 6, and no task requests more.
	for _, test := range []struct {
		name       string
		run        *affinity.Run
		pods, want int64
	}{{"layers", &layers, 100, 305}, {"chains", &chains, 10, 60}} {
		demand := of(t, test.run, peak.Options{})
		cpu, pods := take(&demand, "cpu"), take(&demand, corev1.ResourcePods)
		if cpu.Amount.MilliValue() != test.want || pods.Amount.Value() != test.pods {
			t.Errorf("%s: %s of cpu, %s pods", test.name, cpu.Amount.String(), pods.Amount.String())
		}
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
