package peak

import (
	"slices"

	"github.com/kubemath/kubemath/affinity"
)

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

// end records that a task is done, if all of its pods have ended.
func (p *player) end(name string) {
	for _, o := range p.pods {
		if o.task == name && !o.ended {
			return
		}
	}
	p.done[name] = true
}

// fail records a task that Tekton does not try again.
func (p *player) fail(name, message string) {
	p.held = append(p.held, Held{Task: name, Failed: true, Message: message})
	p.done[name], p.failed, p.progressed = true, true, true
}

// refuse ends a pod that Tekton does not try to create again.
func (p *player) refuse(o *one) {
	o.ended, p.failed, p.progressed = true, true, true
	p.end(o.task)
}
