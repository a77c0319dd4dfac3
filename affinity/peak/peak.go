package peak

import (
	"maps"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Options say what of a run counts. The zero value is all of it, one pod for each task, or as many
// as it fans out to.
type Options struct {
	// Only are the tasks that count, by name; nil: all of them. The others ask for nothing, but
	// keep their place in the order. Tasks that have no pod are better marked as such
	// (affinity.Task.NoPod).
	Only []string
	// OverlapRetries counts a task that may be retried twice. Attempts of a task follow
	// each other, so that retries add nothing; but a pod that is being deleted after a
	// timeout may still be there when the next one begins.
	OverlapRetries bool
	// ResizableOnly lets ApplySizes raise cpu and memory alone: what Shrink can take back. What
	// counts does not depend on it.
	ResizableOnly bool
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
	// Largest is the most that one pod of the tasks asks for by itself. Where several ask for
	// as much, it is formatted as the first task by name has it.
	Largest resource.Quantity
}

// Demand is what a run asks for at its peaks, sorted by resource. Resources that no task
// requests are absent; the number of pods is there if there are pods. Peaks of different
// resources may come at different times.
type Demand []Peak

// Peak returns the peak of a resource, and whether any is asked for. Its memory is its own.
func (d Demand) Peak(name corev1.ResourceName) (p Peak, ok bool) {
	at := slices.IndexFunc(d, func(p Peak) bool { return p.Resource == name })
	if at < 0 {
		return Peak{}, false
	}
	return d[at].owned(), true
}

// ForTask returns the peaks that a task is part of, by its name. The result shares nothing with d.
func (d Demand) ForTask(name string) (of Demand) {
	for _, p := range d {
		if slices.Contains(p.Tasks, name) {
			of = append(of, p.owned())
		}
	}
	return of
}

// owned returns a copy that shares nothing with p.
func (p Peak) owned() Peak {
	p.Amount, p.Largest, p.Tasks = p.Amount.DeepCopy(), p.Largest.DeepCopy(), slices.Clone(p.Tasks)
	return p
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

// demand returns the peaks of a valid graph.
func (g Graph) demand() (demand Demand) {
	c := counter{tasks: g.Tasks, order: orderOf(g.Tasks)}
	for _, name := range c.resources() {
		if peak := c.peak(name); len(peak.Tasks) > 0 {
			demand = append(demand, peak)
		}
	}
	return demand
}

// counter is what the peaks of a graph are counted from.
type counter struct {
	tasks []GraphTask
	order order
}

// resources returns the names of all resources that are requested, and pods, sorted.
func (c *counter) resources() []corev1.ResourceName {
	names := map[corev1.ResourceName]bool{corev1.ResourcePods: true}
	for i := range c.tasks {
		for name := range c.tasks[i].Requests {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// peak returns the peak of one resource.
func (c *counter) peak(name corev1.ResourceName) Peak {
	weights := c.weigh(name)
	byNumber := make([]*big.Int, len(c.tasks))
	for number, at := range c.order.tasks {
		byNumber[number] = weights[at]
	}
	var together []*GraphTask
	for _, number := range c.order.heaviest(byNumber) {
		together = append(together, &c.tasks[c.order.tasks[number]])
	}
	return c.sum(name, together)
}
