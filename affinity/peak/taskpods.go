package peak

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
)

// one is a pod of a run, or a placeholder.
type one struct {
	task    string
	pod     *corev1.Pod
	created bool
	live    bool   // the quotas count it
	onNode  string // the placeholder that it needs
	holder  bool
	ended   bool
	refused bool // so that it has ended
}

// start adds the pods of a task that have not ended: those that live, and for the others what is sent.
func (p *player) start(t *affinity.Task, live []*corev1.Pod, ended int) {
	p.of(t.Name).begun = true
	var placement affinity.Placement
	if plan := p.scene.Plan; plan != nil {
		for _, is := range plan.Tasks {
			if is.Task == t.Name {
				placement = is
			}
		}
	}
	if placement.Refused != nil {
		p.fail(t.Name, placement.Refused.Field(nil).Error())
		return
	}
	for i := ended; i < max(t.FanOut, 1); i++ {
		o := &one{task: t.Name, onNode: placement.Assistant}
		if i-ended < len(live) {
			o.pod, o.created, o.live = live[i-ended], true, true
		} else {
			o.pod = &corev1.Pod{}
			if spec := p.scene.Pods[t.Name]; spec != nil {
				o.pod.Spec = *spec.DeepCopy()
			}
			o.pod.Namespace = p.run.Namespace
			o.pod.Name = affinity.PodName(affinity.TaskRunName(p.run.Name, t.Name, i, t.FanOut), 0)
		}
		p.pods = append(p.pods, o)
	}
}
