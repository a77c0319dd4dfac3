package peak

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

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
	p.unbound = ""
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

// creation creates the pods of one moment.
type creation struct {
	player   *player
	moment   *Moment
	now      *admit.Namespace  // with the pods that are created
	existing []existing        // in the order in which they were created
	missing  map[string]string // why placeholders do not exist, by StatefulSet
	exceeded map[string]string // which quota a pod of a task exceeds, by task
	tried    map[*one]bool
}

// existing is a pod that exists, as it is stored.
type existing struct {
	one    *one
	stored *corev1.Pod
}

// createAll creates the pods that are admitted and were not tried yet. Those that exist count first.
func (c *creation) createAll() {
	for _, created := range []bool{true, false} {
		for _, o := range c.player.pods {
			if !o.ended && o.created == created && !c.tried[o] {
				c.tried[o] = true
				c.create(o)
			}
		}
	}
}

// create creates a pod, if it may be. Another pod of a task that waits for a quota waits as well.
func (c *creation) create(o *one) {
	message, waits := c.exceeded[o.task]
	switch {
	case waits:
		c.hold(o, message, false)
	case o.holder && c.player.unbound != "":
		c.miss(o, c.player.unbound)
	case o.live:
		c.existing = append(c.existing, existing{o, o.pod})
	default:
		c.send(o)
	}
}

// send sends a pod to the API server. A pod that was created before is not refused again.
func (c *creation) send(o *one) {
	d := c.now.Create(o.pod, admit.Attributes{})
	if d.Admitted() {
		c.now = c.now.After(d)
	}
	switch {
	case d.Admitted() || o.created:
		o.created = true
		c.existing = append(c.existing, existing{o, d.Object.(*corev1.Pod)})
	case o.holder:
		c.miss(o, d.Err().Error())
	case exceedsQuota(d.Err()):
		c.exceeded[o.task] = d.Err().Error()
		c.hold(o, d.Err().Error(), false)
	default:
		c.hold(o, d.Err().Error(), true)
		c.player.refuse(o)
	}
}

// miss records a placeholder that does not exist.
func (c *creation) miss(o *one, message string) {
	c.missing[o.task] = message
	c.hold(o, message, false)
}

func (c *creation) hold(o *one, message string, failed bool) {
	c.moment.Held = append(c.moment.Held, Held{Task: o.task, Failed: failed, Message: message})
}

// runs reports whether a pod that exists runs. Otherwise it waits for its placeholder.
func (c *creation) runs(o *one) bool {
	message, waits := c.missing[o.onNode]
	if !waits || o.onNode == "" {
		return true
	}
	c.hold(o, "no node has its placeholder: "+message, false)
	return false
}

// exceedsQuota reports whether Tekton tries again to create a pod.
//
// Source: isExceededResourceQuotaError of Tekton's pkg/reconciler/taskrun.
func exceedsQuota(err error) bool {
	return strings.Contains(err.Error(), "exceeded quota")
}
