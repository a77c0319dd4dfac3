package peak

import (
	"cmp"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
)

// requestOf returns a copy of what a task requests of a resource: of pods, one.
func requestOf(task *affinity.Task, name corev1.ResourceName) resource.Quantity {
	if name == corev1.ResourcePods {
		return *resource.NewQuantity(1, resource.DecimalSI)
	}
	return task.Requests[name].DeepCopy()
}

// times returns how often a task counts.
func (c *counter) times(task *affinity.Task) int64 {
	switch {
	case c.only != nil && !c.only[task.Name]:
		return 0
	case c.opts.OverlapRetries && task.Retries > 0:
		return 2
	default:
		return 1
	}
}

// weigh returns what each of the tasks, and then of the finally tasks, counts for a
// resource, in the smallest decimal unit that occurs.
func (c *counter) weigh(name corev1.ResourceName) []*big.Int {
	var weights []*big.Int
	var places []int // weights are in units of 10 to the power of minus that
	most := 0
	for _, tasks := range [...][]affinity.Task{c.tasks, c.finally} {
		for i := range tasks {
			q := requestOf(&tasks[i], name)
			d := q.AsDec()
			weights = append(weights, new(big.Int).Mul(d.UnscaledBig(), big.NewInt(c.times(&tasks[i]))))
			places = append(places, int(d.Scale()))
			most = max(most, int(d.Scale()))
		}
	}
	for i, w := range weights {
		if w.Sign() != 0 {
			w.Mul(w, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(most-places[i])), nil))
		}
	}
	return weights
}

// sum returns the peak that tasks reach together.
func (c *counter) sum(name corev1.ResourceName, together []*affinity.Task) Peak {
	slices.SortFunc(together, func(a, b *affinity.Task) int { return cmp.Compare(a.Name, b.Name) })
	peak := Peak{Resource: name}
	for _, task := range together {
		for range c.times(task) {
			peak.Amount.Add(requestOf(task, name))
		}
		peak.Tasks = append(peak.Tasks, task.Name)
	}
	peak.Largest = c.largest(name)
	return peak
}

// largest returns the most that one of the tasks that count requests; of equal amounts,
// that of the first task by name.
func (c *counter) largest(name corev1.ResourceName) (largest resource.Quantity) {
	var of string
	for _, tasks := range [...][]affinity.Task{c.tasks, c.finally} {
		for i := range tasks {
			task := &tasks[i]
			q := requestOf(task, name)
			switch order := q.Cmp(largest); {
			case c.times(task) == 0 || q.Sign() <= 0:
			case order > 0 || order == 0 && task.Name < of:
				largest, of = q, task.Name
			}
		}
	}
	return largest
}
