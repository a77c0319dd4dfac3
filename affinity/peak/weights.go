package peak

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/taskgraph"
)

// requestOf returns a copy of the amount that one pod of a task requests of a resource. For pods,
// it is one.
func requestOf(task *taskgraph.Task, name corev1.ResourceName) resource.Quantity {
	if name == corev1.ResourcePods {
		return *resource.NewQuantity(1, resource.DecimalSI)
	}
	return task.Requests[name].DeepCopy()
}

// weigh returns the weight of each task for a resource, as amounts of 10^scale.
func (c *counter) weigh(name corev1.ResourceName, scale resource.Scale) []quantity.Amount {
	weights := make([]quantity.Amount, len(c.tasks))
	for i := range c.tasks {
		q := requestOf(&c.tasks[i], name)
		weights[i] = quantity.AmountOf(&q, scale).Times(int64(c.tasks[i].FanOut), scale)
	}
	return weights
}

// sum returns the peak that the tasks reach together.
func (c *counter) sum(name corev1.ResourceName, together []*taskgraph.Task) Peak {
	slices.SortFunc(together, func(a, b *taskgraph.Task) int { return cmp.Compare(a.Name, b.Name) })
	peak := Peak{Resource: name}
	for _, task := range together {
		quantity.Add(&peak.Amount, quantity.Times(requestOf(task, name), int64(task.FanOut)))
		peak.Tasks = append(peak.Tasks, task.Name)
	}
	peak.Largest = c.largest(name)
	return peak
}

// largest returns the largest request of one pod of the tasks. Of equal amounts, it is that of
// the first task by name.
func (c *counter) largest(name corev1.ResourceName) (largest resource.Quantity) {
	var of string
	for i := range c.tasks {
		task := &c.tasks[i]
		q := requestOf(task, name)
		order := q.Cmp(largest)
		switch {
		case task.FanOut == 0 || q.Sign() <= 0:
		case order > 0 || order == 0 && task.Name < of:
			largest, of = q, task.Name
		}
	}
	return largest
}
