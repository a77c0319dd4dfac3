package peak

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/taskgraph"
	"github.com/kubemath/kubemath/quota/admit"
)

// Options select what counts of a run. With the zero value, all tasks count, with one pod each, or
// with FanOut pods.
type Options struct {
	// Only are the names of the tasks that count. If nil, all of them count. Other tasks request
	// nothing, but keep their place in the order. For tasks without a pod, use affinity.Task.NoPod.
	Only []string
	// OverlapRetries counts a task that may be retried twice. Attempts of a task follow
	// each other, so that retries add nothing; but a pod that is being deleted after a
	// timeout may still be there when the next one begins.
	OverlapRetries bool
	// ResizableOnly lets ApplySizes raise only cpu and memory, which Shrink can reduce again. It
	// does not affect the demand.
	ResizableOnly bool

	// LimitRanges and Quotas are those of the namespace of the run, as for admit.Compile, and Admission is how
	// the API server admits pods. They bound what ApplySizes raises requests to, and do not affect the
	// demand.
	LimitRanges []*corev1.LimitRange
	Quotas      []*corev1.ResourceQuota
	Admission   admit.Options
}

// Peak is the largest amount of one resource that a run requests at the same time.
type Peak struct {
	// Resource is the resource, or corev1.ResourcePods for the number of pods.
	Resource corev1.ResourceName `json:"resource,omitempty"`
	Amount   resource.Quantity   `json:"amount"`
	// Tasks are the tasks that request it together, sorted by name. Each of them requests some of
	// it, and none of them runs after another. Among several such sets, it is the earliest one:
	// each of its tasks is also in the other set, or a task of the other set runs after it.
	Tasks []string `json:"tasks,omitempty"`
	// Largest is the largest request of a single pod. If several tasks request as much, it has the
	// format of the first one by name.
	Largest resource.Quantity `json:"largest"`
}

// Demand is what a run requests at most. Peaks are sorted by resource. Resources that no task requests are absent;
// the number of pods is included if there are pods. Peaks of different resources may come at
// different times.
type Demand struct {
	Peaks []Peak `json:"peaks,omitempty"`
}

// Peak returns the peak of a resource, and whether any task requests it. The result shares nothing with d.
func (d Demand) Peak(name corev1.ResourceName) (p Peak, ok bool) {
	at := slices.IndexFunc(d.Peaks, func(p Peak) bool { return p.Resource == name })
	if at < 0 {
		return Peak{}, false
	}
	return d.Peaks[at].owned(), true
}

// owned returns a copy that shares no memory with p.
func (p Peak) owned() Peak {
	p.Amount, p.Largest, p.Tasks = p.Amount.DeepCopy(), p.Largest.DeepCopy(), slices.Clone(p.Tasks)
	return p
}

// Requests returns the amounts of all peaks except pods: the requests of a placeholder that
// reserves room for the run. The list is never nil, and owns its quantities.
func (d Demand) Requests() corev1.ResourceList {
	list := make(corev1.ResourceList, len(d.Peaks))
	for _, peak := range d.Peaks {
		if peak.Resource != corev1.ResourcePods {
			list[peak.Resource] = peak.Amount.DeepCopy()
		}
	}
	return list
}

// demandOf returns the peaks of a valid graph, in which FanOut is the number of pods of a task at the same time.
func demandOf(graph []taskgraph.Task) (demand Demand) {
	c := counter{tasks: graph, order: orderOf(graph)}
	for _, name := range c.resources() {
		if peak := c.peak(name); len(peak.Tasks) > 0 {
			demand.Peaks = append(demand.Peaks, peak)
		}
	}
	return demand
}

// counter holds the data from which the peaks of a graph are computed.
type counter struct {
	tasks []taskgraph.Task
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
	scale := quantity.ScaleOf(name)
	weights := c.weigh(name, scale)
	byNumber := make([]quantity.Amount, len(c.tasks))
	for number, at := range c.order.tasks {
		byNumber[number] = weights[at]
	}
	var together []*taskgraph.Task
	for _, number := range c.order.heaviest(byNumber, scale) {
		together = append(together, &c.tasks[c.order.tasks[number]])
	}
	return c.sum(name, together)
}
