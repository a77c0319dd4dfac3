package peak

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/placeholder"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
)

// placedDemand is the demand of the tasks that are kept on one node.
type placedDemand struct {
	// Assistant is the placeholder on whose node they run, and empty for tasks that may run on
	// any node.
	Assistant string
	Tasks     []string // sorted by name
	Demand    Demand
}

// demandsOf returns the demands of the tasks of a plan by placeholder: one for each StatefulSet,
// even without tasks, and one for the tasks without a placeholder, sorted by assistant. Tasks that are refused request
// nothing. Options.Only is ignored. The error, if any, is that of DemandOf, or reports that the
// plan is for another run. A nil plan has no tasks.
func demandsOf(plan *affinity.Plan, run *affinity.Run, opts Options) ([]placedDemand, error) {
	if plan == nil {
		return nil, nil
	}
	tasks := map[string][]string{}
	for i := range plan.StatefulSets {
		tasks[plan.StatefulSets[i].Name] = nil
	}
	for _, p := range plan.Tasks {
		if p.Refused == nil {
			tasks[p.Assistant] = append(tasks[p.Assistant], p.Task)
		}
	}
	var all []placedDemand
	for _, assistant := range slices.Sorted(maps.Keys(tasks)) {
		opts.Only = append([]string{}, tasks[assistant]...)
		demand, err := DemandOf(run, opts)
		if err != nil {
			return nil, err
		}
		slices.Sort(tasks[assistant])
		all = append(all, placedDemand{Assistant: assistant, Tasks: tasks[assistant], Demand: demand})
	}
	return all, nil
}

// Size is how much a placeholder requests.
type Size struct {
	// Assistant is the name of its StatefulSet.
	Assistant string `json:"assistant,omitempty"`
	// Least is what it requested before, and Size what it requests now. Both are for Shrink.
	Least corev1.ResourceList `json:"least,omitempty"`
	Size  corev1.ResourceList `json:"size,omitempty"`
	// Changes are those of the pod template of the StatefulSet, which are made already.
	Changes []computeresources.Change `json:"changes,omitempty"`
	// Refusals are why it does not request all that its tasks need: what the API server says if it does. For quotas,
	// they count the tasks of the run as used. If LimitRanges refuse the placeholder even with their minima, nothing is
	// changed; if quotas have no room for it and the tasks, only the minima are met.
	Refusals computeresources.Problems[*admit.Refusal] `json:"refusals,omitempty"`
}

// ApplySizes raises the requests of the placeholders of a plan to the peak of the tasks on their
// nodes: of all tasks if there is one placeholder for the run, and otherwise of the tasks that use
// its claim. Tasks that are refused request nothing. A placeholder is then only scheduled on a node with room
// for the tasks. Requests are never lowered. A limit is raised with its request, and set for a resource that the
// placeholder did not request before; a request without a limit remains without one. It returns the sizes of
// all placeholders, sorted by assistant. The error, if any, is that of DemandOf or of admit.Compile, or says that
// the plan is for another run; the plan is unchanged then. A nil plan is ignored. StatefulSets of the plan are
// replaced by changed copies.
//
// The placeholder occupies what it requests: the tasks need the same amount in addition, unless the
// placeholder has a lower priority and is preempted, or is reduced when they arrive (Shrink). With
// Options.ResizableOnly, only resources that Shrink can reduce are raised.
//
// If Options has LimitRanges or quotas, each resource is raised at most to the amount with which they admit the
// placeholder, and with which quotas leave room for the tasks of the run at their peak; or, if these and the
// placeholder as it was do not fit at once, for the largest of their pods. The tasks count with their Requests and
// Limits, as pods with a deadline. A minimum of a LimitRange is met if the placeholder was below it. Several
// placeholders are sized one after another, by assistant.
func ApplySizes(plan *affinity.Plan, run *affinity.Run, opts Options) ([]Size, error) {
	demands, err := demandsOf(plan, run, opts)
	if err != nil || len(demands) == 0 {
		return nil, err
	}
	in, err := roomIn(run, opts)
	if err != nil {
		return nil, err
	}
	var sizes []Size
	sets := slices.Clone(plan.StatefulSets) // which others may share
	for _, d := range demands {
		wanted := d.Demand.Requests()
		if opts.ResizableOnly {
			wanted = resourcelist.Mask(wanted, resizable())
		}
		for i := range sets {
			if set := &sets[i]; set.Name == d.Assistant {
				template := &set.Spec.Template.Spec
				before := template.Containers
				size := Size{Assistant: d.Assistant}
				template.Containers, size.Refusals = in.raise(set, wanted)
				size.record(before, template.Containers)
				sizes = append(sizes, size)
			}
		}
	}
	plan.StatefulSets = sets
	return sizes, nil
}

// record sets what has changed in the container of a placeholder.
func (s *Size) record(before, after []corev1.Container) {
	at := slices.IndexFunc(after, func(c corev1.Container) bool { return c.Name == componentName })
	if at < 0 {
		return
	}
	was, is := &before[at].Resources, &after[at].Resources
	s.Least, s.Size = was.Requests.DeepCopy(), is.Requests.DeepCopy()
	ref := computeresources.Ref{Kind: computeresources.App, Index: at, Name: componentName}
	for _, name := range quantity.Names(is.Requests, is.Limits) {
		for _, list := range [...]computeresources.List{computeresources.Requests, computeresources.Limits} {
			from, set := list.Of(was)[name]
			to, isSet := list.Of(is)[name]
			if isSet && (!set || from.Cmp(to) != 0) {
				s.Changes = append(s.Changes, change(ref, list, name, from, set, to))
			}
		}
	}
}

// raised returns the containers of a pod with a raised placeholder. Containers are only read.
func raised(containers []corev1.Container, size corev1.ResourceList) []corev1.Container {
	containers = slices.Clone(containers)
	for i := range containers {
		r := &containers[i].Resources
		if containers[i].Name != componentName {
			continue
		}
		limits := corev1.ResourceList{}
		for name, q := range size {
			_, requested := r.Requests[name]
			if _, limited := r.Limits[name]; limited || !requested {
				limits[name] = q
			}
		}
		r.Requests, r.Limits = resourcelist.Max(r.Requests, size), resourcelist.Max(r.Limits, limits)
	}
	return containers
}

// componentName is the name of the container of a placeholder.
const componentName = placeholder.Component
