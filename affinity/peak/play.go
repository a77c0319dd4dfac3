package peak

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
)

// Timeline is what becomes of the pods of a run.
type Timeline struct {
	// Moments follow each other. All pods that run in one have ended in the next.
	Moments []Moment `json:"moments,omitempty"`
	// Peak is the largest amount of each resource that the pods of one moment request.
	Peak corev1.ResourceList `json:"peak,omitempty"`
	// Failed means that the run fails, and Stuck that the remaining tasks wait although no pod of the run is running.
	Failed bool `json:"failed,omitempty"`
	Stuck  bool `json:"stuck,omitempty"`
}

// Moment is what exists of a run at one time.
type Moment struct {
	// Running are the tasks whose pods run, once for each pod, in the order of the run.
	Running []string `json:"running,omitempty"`
	// Held are the pods that wait, and the tasks that fail.
	Held []Held `json:"held,omitempty"`
	// Requests and Limits are those of all pods that exist, with placeholders, as they are stored.
	Requests corev1.ResourceList `json:"requests,omitempty"`
	Limits   corev1.ResourceList `json:"limits,omitempty"`
}

// Held is a pod, a claim or a placeholder that is not created, or a pod that no node accepts yet.
type Held struct {
	Task string `json:"task,omitempty"` // or the name of the claim or of the StatefulSet
	// Failed means that Tekton does not try again.
	Failed  bool   `json:"failed,omitempty"`
	Message string `json:"message,omitempty"`
}

// Play returns what becomes of the pods of a run in a namespace, over time. As many pods as its LimitRanges and
// quotas admit run at once, in the order of the tasks: a task begins when those that it runs after are done,
// its Finally when no other pod is left. A pod that exceeds a quota waits, as Tekton tries again every minute, which
// is no retry. One that is refused for another reason, or whose Placement is refused, fails, since each of its Retries
// is refused as well. After that, only Finally begins, unless the failed task has ContinueOnError. Of the
// tasks that use its results (ResultsOf), Finally and those with ContinueOnError are skipped, and with them what runs
// after them; any other one fails the run. A placeholder that is refused is tried again, and its tasks wait on no node,
// but count.
//
// Durations are unknown. All pods that run at once end at once, successfully, with all results; DemandOf returns what
// can be requested at once with any durations. Tasks without a pod take no time. Conditions (when) are for the caller:
// a task that does not run has NoPod.
//
// Options has the LimitRanges, the quotas with what is used of them, and what else decides about admission. Other
// runs of the namespace count as what is used; they do not end meanwhile. The
// error is that of DemandOf or admit.Compile. It is an error as well if the run has more than 4,096 pods: Tekton allows
// 256 of a matrix, unless its configuration says otherwise.
//
// Cost: for each moment, one admission of each pod that exists, and of one that waits for each task.
//
// Source: handlePodCreationError of Tekton's pkg/reconciler/taskrun; runNextSchedulableTask of its
// pkg/reconciler/pipelinerun; GetPipelineConditionStatus of its resources.
func Play(run *affinity.Run, at Scene, opts Options) (Timeline, error) {
	if _, err := DemandOf(run, opts); err != nil {
		return Timeline{}, err
	}
	if err := tooManyPods(run); err != nil {
		return Timeline{}, err
	}
	free, err := admit.Compile(opts.LimitRanges, opts.Quotas, opts.Admission)
	if err != nil {
		return Timeline{}, err
	}
	p := &player{run: run, scene: at, opts: opts, free: free}
	p.begin()
	t := Timeline{}
	for p.left() {
		m := p.moment()
		if len(m.Running)+len(m.Held) > 0 {
			t.Moments = append(t.Moments, m)
			t.Peak = resourcelist.Max(t.Peak, m.Requests)
		}
		if len(m.Running) == 0 {
			t.Stuck = p.left() && !(p.failed && len(p.plan.Claims) > 0) // which Tekton does not try again
			break
		}
	}
	t.Failed = p.failed
	return t, nil
}

// mostPods is how many pods a run may have. If a quota lets them run one by one, these take a second.
const mostPods = 1 << 12

// tooManyPods returns an error for the task with which a valid run has more pods than it may have, or nil.
func tooManyPods(run *affinity.Run) error {
	pods := 0
	for i, t := range slices.Concat(run.Tasks, run.Finally) {
		if t.NoPod {
			continue
		}
		if pods += max(t.FanOut, 1); pods > mostPods {
			at := field.NewPath("tasks").Index(i)
			if i >= len(run.Tasks) {
				at = field.NewPath("finally").Index(i - len(run.Tasks))
			}
			fault := field.Invalid(at.Child("fanOut"), t.FanOut, fmt.Sprintf("the run has more than %d pods", mostPods))
			return aggregate.Of([]*field.Error{fault})
		}
	}
	return nil
}

// player plays a run.
type player struct {
	run   *affinity.Run
	scene Scene
	opts  Options
	free  *admit.Namespace // with the pods of the run that live, and no other one
	gone  Scene            // has those of them that have ended
	pods  []*one
	plan  affinity.Plan // what of it is not created yet
	held  []Held        // that stay
	fates map[string]*fate
	// failed is set if the run fails, and progressed if a task has failed in this moment.
	failed, progressed bool
	// unbound is why a claim of a placeholder does not exist, so that the placeholder does not, either.
	unbound string
}

// moment creates the pods that are admitted, and ends those that run.
func (p *player) moment() (m Moment) {
	if !p.prepared(&m) {
		return m
	}
	c := &creation{player: p, moment: &m, now: p.free, tried: map[*one]bool{}}
	c.missing, c.exceeded = map[string]string{}, map[string]string{}
	for again := true; again; again = p.progressed { // what fails takes no time
		p.progressed = false
		p.ready()
		m.Held = append(m.Held, p.held...)
		p.held = nil
		c.createAll()
	}
	freed := false
	for _, k := range c.existing {
		m.add(k.stored, p.free)
		if !k.one.holder && c.runs(k.one) {
			m.Running = append(m.Running, k.one.task)
			freed = p.endPod(k.one) || freed
		}
	}
	if freed {
		p.release()
	}
	for _, name := range m.Running {
		p.end(name)
	}
	return m
}

// endPod ends a pod that runs, and reports whether the quotas count it.
func (p *player) endPod(o *one) bool {
	o.ended = true
	if o.live {
		p.gone.Live[o.task] = append(p.gone.Live[o.task], o.pod)
	}
	return o.live
}

// release takes the pods that have ended out of the quotas. There are none of them before claims are created.
func (p *player) release() {
	ns, err := admit.Compile(p.opts.LimitRanges, p.gone.Free(p.opts.Quotas), p.opts.Admission)
	if err != nil {
		return // which it is not: less is used than before
	}
	p.free = ns
}

// add adds a pod to the sums of a moment.
func (m *Moment) add(stored *corev1.Pod, ns *admit.Namespace) {
	opts := computeresources.Options{Kubernetes: ns.Kubernetes()}
	m.Requests = resourcelist.Add(m.Requests, computeresources.SpecRequests(&stored.Spec, opts))
	m.Limits = resourcelist.Add(m.Limits, computeresources.SpecLimits(&stored.Spec, opts))
	count := m.Requests[corev1.ResourcePods]
	quantity.Add(&count, resource.MustParse("1"))
	m.Requests[corev1.ResourcePods] = count
}
