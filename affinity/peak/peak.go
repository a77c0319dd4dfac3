package peak

import (
	"maps"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
)

// Options say what of a run counts. The zero value is all of it, one pod for each task.
type Options struct {
	// Only are the tasks that count, by name; nil: all of them. The others, such as those
	// that have no pod, ask for nothing, but keep their place in the order.
	Only []string
	// OverlapRetries counts a task that may be retried twice. Attempts of a task follow
	// each other, so that retries add nothing; but a pod that is being deleted after a
	// timeout may still be there when the next one begins.
	OverlapRetries bool
}

// Peak is the most that a run asks for of one resource at once.
type Peak struct {
	// Resource is the resource, or corev1.ResourcePods for the number of pods.
	Resource corev1.ResourceName
	Amount   resource.Quantity
	// Tasks ask for it together, sorted by name. Each of them asks for some, and none of
	// them runs after another. Of several such sets it is the earliest: each of its tasks
	// is in the other set, or some task there runs after it.
	Tasks []string
	// Largest is the most that one of the tasks asks for by itself. Where several ask for
	// as much, it is formatted as the first of them by name has it.
	Largest resource.Quantity
}

// Demand is what a run asks for at its peaks, sorted by resource. Resources that no task
// requests are absent; the number of pods is there if there are tasks. Peaks of different
// resources may come at different times.
type Demand []Peak

// DemandOf returns the most that a run asks for at once, of each resource by itself: over all
// moments at which tasks can run at the same time, whatever time each of them takes. It
// is exact at any scale. Tasks of Finally run at once after all others. Tasks that turn
// out to be skipped, or fail, make it less. The error, if any, is an
// *affinity.InvalidRunError with what affinity.ValidateTasks returns, and the names in Only
// that the run does not have.
//
// For each resource, the greatest weight of a set of tasks of which none runs after
// another (an antichain) is found as the cheapest cut of a network (R. P. Dilworth; L. R.
// Ford and D. R. Fulkerson). Cost: for n tasks and e edges, sorting e, n bits for each
// edge that does not follow from others, and a maximum flow for each resource: 1,000
// tasks with 250,000 edges take some tens of milliseconds. Amounts whose sum, in the
// smallest unit that occurs, does not fit 64 bits take several times as long.
func DemandOf(run *affinity.Run, opts Options) (Demand, error) {
	faults := affinity.ValidateTasks(run)
	faults = append(faults, checkOnly(run, opts.Only)...)
	if len(faults) > 0 {
		return nil, &affinity.InvalidRunError{Errors: faults}
	}
	c := counter{opts: opts, tasks: run.Tasks, finally: run.Finally, order: orderOf(run.Tasks)}
	if opts.Only != nil {
		c.only = map[string]bool{}
		for _, name := range opts.Only {
			c.only[name] = true
		}
	}
	var demand Demand
	for _, name := range c.resources() {
		if peak := c.peak(name); len(peak.Tasks) > 0 {
			demand = append(demand, peak)
		}
	}
	return demand, nil
}

func checkOnly(run *affinity.Run, only []string) (faults field.ErrorList) {
	if run == nil || len(only) == 0 {
		return nil
	}
	known := map[string]bool{}
	for _, tasks := range [...][]affinity.Task{run.Tasks, run.Finally} {
		for i := range tasks {
			known[tasks[i].Name] = true
		}
	}
	for i, name := range only {
		if !known[name] {
			faults = append(faults, field.NotFound(field.NewPath("options", "only").Index(i), name))
		}
	}
	return faults
}

// Requests returns the amounts of all peaks but that of pods: what a placeholder that is
// sized to the run has to request. The list is never nil, and owns its quantities.
func (d Demand) Requests() corev1.ResourceList {
	list := make(corev1.ResourceList, len(d))
	for _, peak := range d {
		if peak.Resource != corev1.ResourcePods {
			list[peak.Resource] = peak.Amount.DeepCopy()
		}
	}
	return list
}

// counter is what the peaks of a run are counted from.
type counter struct {
	opts           Options
	only           map[string]bool // nil: all
	tasks, finally []affinity.Task
	order          order
}

// resources returns the names of all resources that are requested, and pods, sorted.
func (c *counter) resources() []corev1.ResourceName {
	names := map[corev1.ResourceName]bool{corev1.ResourcePods: true}
	for _, tasks := range [...][]affinity.Task{c.tasks, c.finally} {
		for i := range tasks {
			for name := range tasks[i].Requests {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// peak returns the peak of one resource.
func (c *counter) peak(name corev1.ResourceName) Peak {
	weights := c.weigh(name)
	var before, after []*affinity.Task
	byNumber := make([]*big.Int, len(c.tasks))
	for number, at := range c.order.tasks {
		byNumber[number] = weights[at]
	}
	early, late := new(big.Int), new(big.Int)
	for _, number := range c.order.heaviest(byNumber) {
		before = append(before, &c.tasks[c.order.tasks[number]])
		early.Add(early, byNumber[number])
	}
	for i := range c.finally {
		if w := weights[len(c.tasks)+i]; w.Sign() > 0 {
			after = append(after, &c.finally[i])
			late.Add(late, w)
		}
	}
	if late.Cmp(early) > 0 {
		before = after
	}
	return c.sum(name, before)
}
