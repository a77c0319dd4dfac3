package comparison

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/kubemath/kubemath/examples/internal/hook"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// notInstalled is what becomes of a hook for another occasion.
const notInstalled whatif.Action = "NotInstalled"

// hooks run apart from the other objects. Those of the past have ended.
type hooks struct {
	in                   *Input
	before, after, never []Object // what has become of them
	lost                 []Pod    // what was preempted for them
}

func hooksOf(in *Input) *hooks {
	h := &hooks{in: in}
	nothing, _ := (&whatif.Cluster{}).Delete(in.Change.HooksOf(hook.Never)...)
	for _, o := range nothing.Objects {
		h.never = append(h.never, Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name, Action: notInstalled,
			Hook: "a hook for tests, a deletion or a rollback"})
	}
	return h
}

// run runs the hooks of a phase, one after the other, and returns the cluster afterwards. A Job or Pod has ended then, and uses
// nothing any more but its number, unless it is deleted.
func (h *hooks) run(c *whatif.Cluster, phase hook.Phase) *whatif.Cluster {
	for _, o := range h.in.Change.HooksOf(phase) {
		r, after := c.Apply(o)
		d := &Difference{In: h.in, Before: c, After: after}
		d.AddPods(r.Pods)
		h.lost = append(h.lost, slices.DeleteFunc(d.Pods(), func(p Pod) bool { return !p.Preempted })...)
		described := d.Object(&r.Objects[0])
		if described.Fails() {
			d.Remedy(&described, o, c, nil)
		}
		if phase == hook.Before {
			described.Hook = "a hook: nothing else is created before it has succeeded"
			h.before = append(h.before, described)
		} else {
			described.Hook = "a hook: it runs after all others"
			h.after = append(h.after, described)
		}
		c = after
		if hook.Ends(o) {
			c = ended(c, o)
		}
	}
	return c
}

func ended(c *whatif.Cluster, object admit.APIObject) *whatif.Cluster {
	_, c = c.Delete(object)
	if job, is := object.DeepCopyObject().(*batchv1.Job); is && !hook.IsDeleted(object) {
		suspend := true // so that it has no pods
		job.Spec.Suspend = &suspend
		_, c = c.Apply(job)
	}
	return c
}
