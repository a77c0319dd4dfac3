package peak_test

import (
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// slow is the slow twin. It looks at all sets of tasks in which no task runs after another.
type slow struct {
	tasks  []affinity.Task
	weight []*big.Rat
	after  [][]bool // after[i][j]: j runs after i
}

func slowly(run *affinity.Run, opts peak.Options, name corev1.ResourceName) slow {
	s := slow{tasks: run.Tasks, after: closure(run.Tasks)}
	for i := range run.Tasks {
		s.weight = append(s.weight, weightOf(&run.Tasks[i], opts, name))
	}
	return s
}

// weightOf returns the weight of a task.
func weightOf(task *affinity.Task, opts peak.Options, name corev1.ResourceName) *big.Rat {
	w := big.NewRat(1, 1)
	if name != corev1.ResourcePods {
		w = testkit.Exact(task.Requests[name].DeepCopy())
	}
	if opts.OverlapRetries && task.Retries > 0 {
		w.Add(w, w)
	}
	if task.FanOut > 1 {
		w.Mul(w, big.NewRat(int64(task.FanOut), 1))
	}
	if task.NoPod || opts.Only != nil && !slices.Contains(opts.Only, task.Name) {
		w = new(big.Rat)
	}
	return w
}

// closure returns which task runs after which, directly or through other tasks.
func closure(tasks []affinity.Task) [][]bool {
	after := make([][]bool, len(tasks))
	for i := range tasks {
		after[i] = make([]bool, len(tasks))
		for j := range tasks {
			after[i][j] = slices.Contains(tasks[j].RunAfter, tasks[i].Name)
		}
	}
	for k := range tasks {
		for i := range tasks {
			for j := range tasks {
				after[i][j] = after[i][j] || after[i][k] && after[k][j]
			}
		}
	}
	return after
}

// heaviest returns the largest weight of such a set and all sets that have it, without tasks of
// weight zero.
func (s *slow) heaviest() (most *big.Rat, sets [][]int) {
	most = new(big.Rat)
	var set []int
	var try func(next int, weight *big.Rat)
	try = func(next int, weight *big.Rat) {
		if next == len(s.tasks) {
			switch weight.Cmp(most) {
			case 1:
				most, sets = weight, [][]int{slices.Clone(set)}
			case 0:
				sets = append(sets, slices.Clone(set))
			}
			return
		}
		try(next+1, weight)
		if s.weight[next].Sign() > 0 && s.independent(set, next) {
			set = append(set, next)
			try(next+1, new(big.Rat).Add(weight, s.weight[next]))
			set = set[:len(set)-1]
		}
	}
	try(0, most)
	return most, sets
}

func (s *slow) independent(set []int, task int) bool {
	return !slices.ContainsFunc(set, func(other int) bool { return s.after[other][task] || s.after[task][other] })
}

// earlier reports whether each task of one set is also in the other, or a task of the other set
// runs after it.
func (s *slow) earlier(set, other []int) bool {
	for _, task := range set {
		if !slices.Contains(other, task) && !slices.ContainsFunc(other, func(o int) bool { return s.after[task][o] }) {
			return false
		}
	}
	return true
}
