package peak_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A node has room for a run exactly if it has room for each set of tasks that can run at the same time.
func TestNodesEqualBruteForce(t *testing.T) {
	seen := map[peak.Room]int{}
	rapid.Check(t, func(t *rapid.T) {
		run := runs(7, few()).Draw(t, "run")
		node := candidates().Draw(t, "node")
		got := verdictOn(of(t, run, peak.Options{}), &node).Room
		want := peak.Holds
		for _, set := range simultaneous(run) {
			pods := podsOf(set)
			if want == peak.Holds && !room(&node, pods) {
				want = peak.Waits
			}
			for i := range pods {
				if !room(&node, pods[i:i+1]) {
					want = peak.Never
				}
			}
		}
		testkit.Equal(t, got, want)
		seen[got]++
	})
	if !testing.Short() && len(seen) != len(rooms) {
		t.Errorf("only %v", seen)
	}
}

// candidates draws nodes with little of each resource, some of them with pods.
func candidates() *rapid.Generator[candidate] {
	return rapid.Custom(func(t *rapid.T) candidate {
		node := candidate{Allocatable: corev1.ResourceList{}}
		for _, name := range append(slices.Clone(testkit.ResourceNames), corev1.ResourcePods) {
			node.Allocatable[name] = *resource.NewQuantity(rapid.Int64Range(0, 12).Draw(t, "allocatable"), resource.DecimalSI)
		}
		if rapid.Bool().Draw(t, "busy") {
			node.Pods = rapid.SliceOfN(testkit.ResourceList(few()), 0, 2).Draw(t, "pods")
		}
		return node
	})
}

// podsOf returns a task for each pod of tasks.
func podsOf(tasks []affinity.Task) (pods []affinity.Task) {
	for _, task := range tasks {
		for range max(task.FanOut, 1) {
			if !task.NoPod {
				pods = append(pods, task)
			}
		}
	}
	return pods
}

// simultaneous returns all sets of tasks that can run at the same time.
func simultaneous(run *affinity.Run) (sets [][]affinity.Task) {
	after := closure(run.Tasks)
	for bits := range 1 << len(run.Tasks) {
		var set []affinity.Task
		together := true
		for i := range run.Tasks {
			for j := range run.Tasks {
				together = together && (bits>>i&1 == 0 || bits>>j&1 == 0 || !after[i][j])
			}
			if bits>>i&1 == 1 {
				set = append(set, run.Tasks[i])
			}
		}
		if together {
			sets = append(sets, set)
		}
	}
	for i := range run.Finally {
		sets = append(sets, run.Finally[i:i+1])
	}
	return append(sets, run.Finally)
}

// room reports whether a node has room for all the tasks together.
func room(node *candidate, tasks []affinity.Task) bool {
	free := map[corev1.ResourceName]int64{}
	for name, q := range node.Allocatable {
		free[name] = q.Value()
	}
	for _, requests := range node.Pods {
		free[corev1.ResourcePods]--
		for name, q := range requests {
			free[name] -= q.Value()
		}
	}
	wanted := map[corev1.ResourceName]int64{}
	for _, task := range tasks {
		wanted[corev1.ResourcePods]++
		for name, q := range task.Requests {
			wanted[name] += q.Value()
		}
	}
	for name, n := range wanted {
		if n > 0 && n > free[name] {
			return false
		}
	}
	return true
}
