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

// cover returns the smallest number of chains of tasks, in which each task runs after the one before,
// so that the number of chains of each task is its weight (R. P. Dilworth): the sum of all weights, minus
// the matching. No set of tasks that can run at the same time can weigh more. Weights are whole numbers.
func (s *slow) cover() int64 {
	n := len(s.tasks)
	source, sink := 2*n, 2*n+1
	free := make([][]int64, 2*n+2)
	for i := range free {
		free[i] = make([]int64, 2*n+2)
	}
	total := int64(0)
	for i, w := range s.weight {
		free[source][i], free[n+i][sink] = w.Num().Int64(), w.Num().Int64()
		total += w.Num().Int64()
	}
	for i := range n {
		for j := range n {
			if s.after[i][j] {
				free[i][n+j] = 1 << 40
			}
		}
	}
	for {
		matched := augment(free, source, sink)
		if matched == 0 {
			return total
		}
		total -= matched
	}
}

// augment increases the flow along a shortest path (J. Edmonds, R. M. Karp).
func augment(free [][]int64, source, sink int) int64 {
	from := make([]int, len(free))
	for i := range from {
		from[i] = -1
	}
	from[source] = source
	for queue := []int{source}; len(queue) > 0 && from[sink] < 0; queue = queue[1:] {
		for next, capacity := range free[queue[0]] {
			if capacity > 0 && from[next] < 0 {
				from[next] = queue[0]
				queue = append(queue, next)
			}
		}
	}
	if from[sink] < 0 {
		return 0
	}
	least := int64(1 << 62)
	for at := sink; at != source; at = from[at] {
		least = min(least, free[from[at]][at])
	}
	for at := sink; at != source; at = from[at] {
		free[from[at]][at] -= least
		free[at][from[at]] += least
	}
	return least
}
