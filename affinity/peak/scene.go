package peak

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota"
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
	// Succeeded and Failed are the tasks whose runs have ended, once for each of the runs: a task with a FanOut is done
	// when all of them have ended, and has failed if one of them did.
	Succeeded, Failed []string
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
				release(own.Status.Used, q, pod)
			}
		}
		all = append(all, own)
	}
	return all
}

// release subtracts from used what a quota counts of a pod. Amounts keep their format, whatever the order of pods.
func release(used corev1.ResourceList, q *corev1.ResourceQuota, pod *corev1.Pod) {
	usage, err := quota.Pod(pod, time.Time{}, quota.PodOptions{}).UsageIn(q)
	if err != nil {
		return // it counts nothing of the pod
	}
	for name, amount := range usage {
		if was, known := used[name]; known {
			left := quantity.Minus(was, amount)
			left.Format = was.Format
			used[name] = left
		}
	}
}

// begin adds the placeholders and claims of the plan, and the pods that live.
func (p *player) begin() {
	p.fates, p.gone.Live = map[string]*fate{}, map[string][]*corev1.Pod{}
	ended := p.finish()
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
		if live := p.scene.Live[task.Name]; len(live)+ended[task.Name] > 0 {
			p.start(&task, live, ended[task.Name])
		}
	}
}

// finish ends the tasks that are done. Of the others, it returns how many of their pods have ended.
//
// Source: isSuccessful and isFailure of Tekton's pkg/reconciler/pipelinerun/resources.
func (p *player) finish() map[string]int {
	ended := map[string]int{}
	for _, name := range slices.Concat(p.scene.Succeeded, p.scene.Failed) {
		ended[name]++
	}
	for _, name := range p.scene.Failed {
		p.of(name).failing = true
	}
	for _, name := range slices.Concat(p.scene.Succeeded, p.scene.Failed) {
		t := p.task(name)
		switch {
		case t != nil && ended[name] < t.FanOut:
			continue
		case p.of(name).failing:
			p.lose(name)
		default:
			p.of(name).done = true
		}
	}
	for name := range ended {
		if p.of(name).done {
			delete(ended, name)
		}
	}
	return ended
}
