package taskrun

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// namespace has the objects of a namespace that are compared.
type namespace struct {
	name      string
	ranges    []*corev1.LimitRange
	aggregate limitrange.Aggregate
	quotas    []*corev1.ResourceQuota
	compiled  *admit.Namespace // of ranges and quotas
	runs      []comparison
}

// comparison is a run and its results.
type comparison struct {
	*taskRun
	rejected field.ErrorList // by Tekton: then there are no results
	results  []result        // in the order of ways
	podLevel *podLevel       // nil if there are no pod-level resources
}

// result is the pod that a way computes for a run, and its verdict.
type result struct {
	conflicts computeresources.Problems[*limitrange.Conflict] // by the bounds of LimitRanges
	decision  admit.Decision
	pod       *corev1.Pod // that is stored, if it is admitted
	requests  sums
	limits    sums
}

// sums are the requests or limits of a pod: what quotas count, and what is used at the same time.
type sums struct{ counted, used corev1.ResourceList }

// way is a way to compute the requests of the steps of a pod from the amounts that are set.
type way struct {
	name      string
	taskLevel bool             // requirements of the task are applied
	division  division.Options // of TaskLevel
	fill      filler
}

// filler is steps.Fill, or steps.Fit, with its options. Single is set if the item is that of the only
// LimitRange.
type filler func(pod *corev1.PodSpec, item corev1.LimitRangeItem, single bool) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict])

// tekton is the index of Tekton's way.
const tekton = 1

var ways = [...]way{
	{"as written", false, division.Options{}, nothing},
	{"Fill, truncated", true, steps.TektonOptions().Division, fillTruncated},
	{"Fill, exact", true, division.Options{}, fillExact},
	{"Fit", true, division.Options{}, fit},
}

func nothing(*corev1.PodSpec, corev1.LimitRangeItem, bool) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
	return nil, nil
}

func fillTruncated(pod *corev1.PodSpec, item corev1.LimitRangeItem, _ bool) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
	return steps.Fill(pod, item, steps.TektonStep, steps.TektonOptions())
}

func fillExact(pod *corev1.PodSpec, item corev1.LimitRangeItem, single bool) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
	return steps.Fill(pod, item, steps.TektonStep, steps.Options{SingleRange: single})
}

func fit(pod *corev1.PodSpec, item corev1.LimitRangeItem, _ bool) ([]computeresources.Change, computeresources.Problems[*limitrange.Conflict]) {
	return steps.Fit(pod, item, steps.TektonStep, division.Options{})
}

// compareAll compares all runs, by namespace, in the order of the first run of each.
func compareAll(in *input, inits []string) []*namespace {
	var all []*namespace
	for _, run := range in.runs {
		i := slices.IndexFunc(all, func(n *namespace) bool { return n.name == run.namespace })
		if i < 0 {
			i, all = len(all), append(all, in.newNamespace(run.namespace))
		}
		in.guard(run.Place, func() { in.compare(all[i], run, inits) })
	}
	return all
}

// compare adds the comparison of a run to those of its namespace, unless its task is not in the input.
func (in *input) compare(n *namespace, run *taskRun, inits []string) {
	c := comparison{taskRun: run, rejected: run.rejection()}
	switch {
	case len(c.rejected) > 0:
	case run.notRead != "":
		in.failAll(run.Place, objects.Skipped, []fault{{run.wantedAt.String(), run.via + run.notRead}})
		return
	case run.task == nil && run.pod == nil:
		in.failAll(run.Place, objects.Unreadable, []fault{{run.wantedAt.String(), fmt.Sprintf("%s%q is not a task in the input", run.via, run.wanted)}})
		return
	default:
		c.results = n.compare(run, inits)
		c.podLevel = n.raise(run, inits)
	}
	n.runs = append(n.runs, c)
}

func (in *input) newNamespace(name string) *namespace {
	n := &namespace{name: name}
	for _, lr := range in.ranges {
		if lr.Namespace == name {
			n.ranges = append(n.ranges, lr)
		}
	}
	for _, q := range in.quotas {
		if q.Namespace == name {
			n.quotas = append(n.quotas, q)
		}
	}
	n.aggregate = limitrange.AggregateOf(n.ranges)
	n.compiled, _ = admit.Compile(n.ranges, n.quotas, admit.Options{}) // all are valid
	return n
}

// compare returns the results of a run, one for each way.
func (n *namespace) compare(run *taskRun, inits []string) []result {
	var results []result
	item := n.aggregate.Item(corev1.LimitTypeContainer)
	for _, w := range ways {
		pod, states := run.spec(inits), run.says()
		if !w.taskLevel {
			states.ComputeResources = nil
		}
		// Fit, or the API server, handles requests of the run above its limits.
		changes, _ := steps.TaskLevel(pod, states, steps.TektonStep, w.division)
		mustApply(pod, changes)
		changes, conflicts := w.fill(pod, item, len(n.ranges) == 1)
		mustApply(pod, changes)
		results = append(results, n.judge(pod, conflicts, run.objectName))
	}
	return results
}

// mustApply applies changes that were computed for the same pod, so that their containers exist.
func mustApply(pod *corev1.PodSpec, changes []computeresources.Change) {
	if err := computeresources.ApplyChanges(pod, changes); err != nil {
		panic(err)
	}
}

// judge returns the result for a pod: how it is admitted.
func (n *namespace) judge(spec *corev1.PodSpec, conflicts computeresources.Problems[*limitrange.Conflict], name objectName) result {
	pod := &corev1.Pod{Spec: *spec}
	pod.Namespace, pod.Name = name.namespace, name.name
	r := result{conflicts: conflicts, decision: n.compiled.Create(pod, admit.Attributes{})}
	r.pod = r.decision.Object.(*corev1.Pod)
	stored, opts := &r.pod.Spec, computeresources.Options{}
	r.requests = sums{computeresources.SpecRequests(stored, opts), steps.PeakRequests(stored, steps.TektonStep, opts)}
	r.limits = sums{computeresources.SpecLimits(stored, opts), steps.PeakLimits(stored, steps.TektonStep, opts)}
	return r
}

// rejects reports whether Tekton rejects a run, or the API server rejects its pod.
func (n *namespace) rejects() bool {
	return slices.ContainsFunc(n.runs, func(c comparison) bool {
		return len(c.rejected) > 0 || !c.results[tekton].decision.Admitted()
	})
}
