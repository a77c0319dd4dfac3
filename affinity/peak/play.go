package peak

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// Scene is a run before its next pods are created: the first ones, or those after what its status says.
type Scene struct {
	// Plan has the placeholders and claims of the run. A nil Plan has none.
	Plan *affinity.Plan
	// Pods are the pods of the tasks as they are sent to the API server, by task. A task without a pod here has an
	// empty one.
	Pods map[string]*corev1.PodSpec
	// Live are the pods of the run that exist and have not ended, by task or, for a placeholder, by its StatefulSet.
	// The quotas count them as used already.
	Live map[string][]*corev1.Pod
	// Succeeded and Failed are the tasks that are done.
	Succeeded, Failed []string
}

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
// quotas admit run at once, in the order of the tasks: a task begins when those that it runs after have succeeded,
// its Finally when no other pod is left. A pod that exceeds a quota waits, as Tekton tries again every minute. A
// task fails if its pod is refused for another reason, or if its Placement is refused. After that, only Finally tasks
// begin. A placeholder that is refused is tried again: its tasks have no node until then, but count.
//
// Durations are unknown. All pods that run at once end at once, successfully; DemandOf returns what can be requested
// at once with any durations. Tasks without a pod take no time. Retries and conditions (when, onError) are ignored.
//
// Options has the LimitRanges, the quotas with what is used of them, and what else decides about admission. The
// error is that of DemandOf or admit.Compile.
//
// Cost: for each moment, one admission of each pod that exists, and of one that waits for each task.
//
// Source: handlePodCreationError of Tekton's pkg/reconciler/taskrun; runNextSchedulableTask of its
// pkg/reconciler/pipelinerun; GetPipelineConditionStatus of its resources.
func Play(run *affinity.Run, at Scene, opts Options) (Timeline, error) {
	if _, err := DemandOf(run, opts); err != nil {
		return Timeline{}, err
	}
	free, err := admit.Compile(opts.LimitRanges, opts.Quotas, opts.Admission)
	if err != nil {
		return Timeline{}, err
	}
	p := &player{run: run, scene: at, opts: opts, free: free, done: map[string]bool{}}
	for _, name := range slices.Concat(at.Succeeded, at.Failed) {
		p.done[name] = true
	}
	p.failed = len(at.Failed) > 0
	p.begin()
	t := Timeline{}
	for p.left() {
		m := p.moment()
		if len(m.Running)+len(m.Held) > 0 {
			t.Moments = append(t.Moments, m)
			t.Peak = resourcelist.Max(t.Peak, m.Requests)
		}
		if len(m.Running) == 0 && !p.progressed {
			t.Stuck = !(p.failed && len(p.plan.Claims) > 0) // which Tekton does not try again
			break
		}
	}
	t.Failed = p.failed
	return t, nil
}

// Free returns quotas as they are without the live pods of the run, for what may be created when these have ended.
// The quotas are copies. A nil scene has no pods.
func (at *Scene) Free(quotas []*corev1.ResourceQuota) (all []*corev1.ResourceQuota) {
	if at == nil {
		at = &Scene{}
	}
	for _, q := range quotas {
		if q == nil {
			continue
		}
		own := q.DeepCopy()
		for _, pods := range at.Live {
			for _, pod := range pods {
				usage, err := quota.Pod(pod, time.Time{}, quota.PodOptions{}).UsageIn(q)
				for name, amount := range usage {
					if was, known := own.Status.Used[name]; err == nil && known {
						own.Status.Used[name] = quantity.Minus(was, amount)
					}
				}
			}
		}
		all = append(all, own)
	}
	return all
}

// one is a pod of a run, or a placeholder.
type one struct {
	task    string
	pod     *corev1.Pod
	created bool
	live    bool   // the quotas count it
	onNode  string // the placeholder that it needs
	holder  bool
	ended   bool
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
	done  map[string]bool
	begun map[string]bool
	// failed is set if the run fails, and progressed if a moment changed something without a pod.
	failed, progressed bool
	// unbound is why a claim of a placeholder does not exist, so that the placeholder does not, either.
	unbound string
}

// begin adds the placeholders and claims of the plan, and the pods that live.
func (p *player) begin() {
	p.begun, p.gone.Live = map[string]bool{}, map[string][]*corev1.Pod{}
	if p.scene.Plan != nil {
		p.plan = *p.scene.Plan
	}
	if len(p.scene.Succeeded)+len(p.scene.Failed)+len(p.scene.Live) > 0 { // they were created before the first task
		p.plan.Claims, p.plan.Provisioned = nil, nil
	}
	for i := range p.plan.StatefulSets {
		set := &p.plan.StatefulSets[i]
		pod := &corev1.Pod{Spec: *set.Spec.Template.Spec.DeepCopy()}
		pod.Namespace, pod.Name, pod.Labels = set.Namespace, set.Name+"-0", set.Spec.Template.Labels
		o := &one{task: set.Name, pod: pod, holder: true}
		if live := p.scene.Live[set.Name]; len(live) > 0 {
			o.pod, o.created, o.live = live[0], true, true
		}
		p.pods = append(p.pods, o)
	}
	for _, task := range slices.Concat(p.run.Tasks, p.run.Finally) {
		if live := p.scene.Live[task.Name]; len(live) > 0 {
			p.start(&task, live)
		}
	}
}

// left reports whether the run has something to do.
func (p *player) left() bool {
	for _, o := range p.pods {
		if !o.holder && !o.ended {
			return true
		}
	}
	for _, group := range p.groups() {
		for i := range group {
			if t := &group[i]; !p.done[t.Name] && (!p.failed || p.isFinal(t)) {
				return true
			}
		}
	}
	return false
}

func (p *player) groups() [2][]affinity.Task {
	return [...][]affinity.Task{p.run.Tasks, p.run.Finally}
}

func (p *player) isFinal(t *affinity.Task) bool {
	return slices.ContainsFunc(p.run.Finally, func(f affinity.Task) bool { return f.Name == t.Name })
}

// start adds the pods of a task: those that live, and for the others what is sent.
func (p *player) start(t *affinity.Task, live []*corev1.Pod) {
	p.begun[t.Name] = true
	var placement affinity.Placement
	if plan := p.scene.Plan; plan != nil {
		for _, is := range plan.Tasks {
			if is.Task == t.Name {
				placement = is
			}
		}
	}
	switch {
	case t.NoPod:
		p.done[t.Name], p.progressed = true, true
		return
	case placement.Refused != nil:
		p.fail(t.Name, placement.Refused.Field(nil).Error())
		return
	}
	for i := range max(t.FanOut, 1) {
		o := &one{task: t.Name, onNode: placement.Assistant}
		if i < len(live) {
			o.pod, o.created, o.live = live[i], true, true
		} else {
			o.pod = &corev1.Pod{}
			if spec := p.scene.Pods[t.Name]; spec != nil {
				o.pod.Spec = *spec.DeepCopy()
			}
			o.pod.Namespace, o.pod.Name = p.run.Namespace, p.run.Name+"-"+t.Name+"-pod"
			if t.FanOut > 1 {
				o.pod.Name = fmt.Sprintf("%s-%s-%d-pod", p.run.Name, t.Name, i)
			}
		}
		p.pods = append(p.pods, o)
	}
}

// fail records a task that Tekton does not try again.
func (p *player) fail(name, message string) {
	p.held = append(p.held, Held{Task: name, Failed: true, Message: message})
	p.done[name], p.failed, p.progressed = true, true, true
}

// ready starts the tasks whose turn it is.
func (p *player) ready() {
	failed := p.failed // tasks that are ready at the same time begin at the same time
	for i, group := range p.groups() {
		if i == 1 && !p.finalsBegin() {
			return
		}
		for j := range group {
			t := &group[j]
			first := !p.begun[t.Name] && !p.done[t.Name] && (!failed || i == 1)
			if first && !slices.ContainsFunc(t.RunAfter, func(before string) bool { return !p.done[before] }) {
				p.start(t, nil)
			}
		}
	}
}

// finalsBegin reports whether all other tasks are done, or will never begin.
func (p *player) finalsBegin() bool {
	for i := range p.run.Tasks {
		if name := p.run.Tasks[i].Name; !p.done[name] && (p.begun[name] || !p.failed) {
			return false
		}
	}
	return true
}

// prepared creates the claims of the plan, and reports whether tasks may begin. Tekton creates a claim that exceeds
// a quota later; the run fails because of any other refusal. Claims of a StatefulSet keep only its placeholder back.
func (p *player) prepared(m *Moment) bool {
	create := func(claim *corev1.PersistentVolumeClaim) error {
		d := p.free.Create(claim, admit.Attributes{})
		if d.Admitted() {
			p.free = p.free.After(d)
		}
		return d.Err()
	}
	for len(p.plan.Claims) > 0 {
		claim := &p.plan.Claims[0]
		if err := create(claim); err != nil {
			p.failed = !exceedsQuota(err)
			m.Held = append(m.Held, Held{Task: claim.Name, Failed: p.failed, Message: err.Error()})
			return false
		}
		p.plan.Claims = p.plan.Claims[1:]
	}
	for len(p.plan.Provisioned) > 0 {
		claim := &p.plan.Provisioned[0]
		if err := create(claim); err != nil {
			p.unbound = err.Error()
			break
		}
		p.plan.Provisioned = p.plan.Provisioned[1:]
	}
	return true
}

// moment creates the pods that are admitted, and ends those that run.
func (p *player) moment() (m Moment) {
	p.progressed = false
	now, up, exceeded := p.free, map[string]string{}, map[string]string{}
	var kept []existing
	freed := false
	store := func(pod *corev1.Pod) admit.Decision {
		d := now.Create(pod, admit.Attributes{})
		if d.Admitted() {
			now = now.After(d)
		}
		return d
	}
	if !p.prepared(&m) {
		return m
	}
	now = p.free
	p.ready()
	m.Held = append(m.Held, p.held...)
	p.held = nil
	for _, created := range []bool{true, false} { // those that exist count first
		for _, o := range p.pods {
			if o.ended || o.created != created {
				continue
			}
			if message, waits := exceeded[o.task]; waits { // so does another pod of the same task
				m.Held = append(m.Held, Held{Task: o.task, Message: message})
				continue
			}
			if o.holder && p.unbound != "" {
				up[o.task] = p.unbound
				m.Held = append(m.Held, Held{Task: o.task, Message: p.unbound})
				continue
			}
			if o.live {
				kept = append(kept, existing{o, o.pod})
				continue
			}
			d := store(o.pod)
			switch {
			case d.Admitted() || created:
				o.created = true
				kept = append(kept, existing{o, d.Object.(*corev1.Pod)})
			default:
				message := d.Err().Error()
				if o.holder {
					up[o.task] = message
				}
				failed := !o.holder && !exceedsQuota(d.Err())
				m.Held = append(m.Held, Held{Task: o.task, Failed: failed, Message: message})
				if !failed && !o.holder {
					exceeded[o.task] = message
				}
				if failed {
					o.ended, p.failed, p.progressed = true, true, true
					p.end(o.task)
				}
			}
		}
	}
	for _, k := range kept {
		m.add(k.stored, p.free)
		if k.one.holder {
			continue
		}
		if message, waits := up[k.one.onNode]; waits && k.one.onNode != "" {
			m.Held = append(m.Held, Held{Task: k.one.task, Message: "no node has its placeholder: " + message})
			continue
		}
		m.Running = append(m.Running, k.one.task)
		k.one.ended = true
		if k.one.live {
			p.gone.Live[k.one.task] = append(p.gone.Live[k.one.task], k.one.pod)
			freed = true
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

// release takes the pods that have ended out of the quotas. There are none of them before claims are created.
func (p *player) release() {
	ns, err := admit.Compile(p.opts.LimitRanges, p.gone.Free(p.opts.Quotas), p.opts.Admission)
	if err != nil {
		return // which it is not: less is used than before
	}
	p.free = ns
}

// existing is a pod that exists, as it is stored.
type existing struct {
	one    *one
	stored *corev1.Pod
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

// end records that a task is done, if all of its pods have ended.
func (p *player) end(name string) {
	for _, o := range p.pods {
		if o.task == name && !o.ended {
			return
		}
	}
	p.done[name] = true
}

// exceedsQuota reports whether Tekton tries again to create a pod.
//
// Source: isExceededResourceQuotaError of Tekton's pkg/reconciler/taskrun.
func exceedsQuota(err error) bool {
	return strings.Contains(err.Error(), "exceeded quota")
}
