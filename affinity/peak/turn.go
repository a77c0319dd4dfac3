package peak

import (
	"slices"

	"github.com/kubemath/kubemath/affinity"
)

// fate is what has become of a task.
type fate struct {
	begun, done bool
	lost        bool // it is done without results: it has failed, or was skipped
	skipped     bool // what runs after it is skipped as well
	failing     bool // a run of it has failed, and others may not have ended
}

// of returns the fate of a task.
func (p *player) of(name string) *fate {
	if p.fates[name] == nil {
		p.fates[name] = &fate{}
	}
	return p.fates[name]
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
			if t := &group[i]; !p.of(t.Name).done && (!p.failed || p.isFinal(t)) {
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

// ready starts the tasks whose turn it is. Those that are skipped, or have no pod, take no time. If a task lacks
// results that it uses, the run fails, and none of the others starts.
//
// Source: runNextSchedulableTask of Tekton's pkg/reconciler/pipelinerun.
func (p *player) ready() {
	for p.skip() {
	}
	next, invalid := p.next(), false
	for _, t := range next {
		if p.lacks(t) {
			p.fail(t.Name, "it uses a result of a task that has none")
			invalid = true
		}
	}
	for _, t := range next {
		if !invalid {
			p.start(t, nil, 0)
		}
	}
}

// next returns the tasks whose turn it is: each that was not begun, after what it runs after.
func (p *player) next() (all []*affinity.Task) {
	for i, group := range p.groups() {
		if i == 1 && !p.finalsBegin() {
			return all
		}
		for j := range group {
			t := &group[j]
			first := !p.of(t.Name).begun && !p.of(t.Name).done && (!p.failed || i == 1)
			if first && !slices.ContainsFunc(t.RunAfter, func(before string) bool { return !p.of(before).done }) {
				all = append(all, t)
			}
		}
	}
	return all
}

// skip ends tasks that never begin, and reports whether there was one.
//
// Source: skip and IsFinallySkipped of Tekton's pkg/reconciler/pipelinerun/resources.
func (p *player) skip() (some bool) {
	for _, t := range p.next() {
		lacks := p.lacks(t)
		if lacks && (t.ContinueOnError || p.isFinal(t)) || t.NoPod && !lacks {
			*p.of(t.Name), some = fate{done: true, lost: lacks, skipped: lacks}, true
		}
	}
	for i := range p.run.Tasks {
		t := &p.run.Tasks[i]
		after := slices.ContainsFunc(t.RunAfter, func(before string) bool { return p.of(before).skipped })
		if after && !p.of(t.Name).begun && !p.of(t.Name).done {
			*p.of(t.Name), some = fate{done: true, lost: true, skipped: true}, true
		}
	}
	return some
}

// lacks reports whether a task whose turn it is uses a result that there is not: the other task has failed, was
// skipped, or will never begin.
func (p *player) lacks(t *affinity.Task) bool {
	return slices.ContainsFunc(t.ResultsOf, func(name string) bool {
		other := p.task(name)
		return other != nil && (p.of(name).lost || !p.of(name).done)
	})
}

// task returns a task of the run, or nil.
func (p *player) task(name string) *affinity.Task {
	for _, group := range p.groups() {
		for i := range group {
			if group[i].Name == name {
				return &group[i]
			}
		}
	}
	return nil
}

// finalsBegin reports whether all other tasks are done, or will never begin.
func (p *player) finalsBegin() bool {
	for i := range p.run.Tasks {
		if name := p.run.Tasks[i].Name; !p.of(name).done && (p.of(name).begun || !p.failed) {
			return false
		}
	}
	return true
}

// end records that a task is done, if all of its pods have ended. It has failed if one of them did.
func (p *player) end(name string) {
	failed := p.of(name).failing
	for _, o := range p.pods {
		if o.task == name && !o.ended {
			return
		}
		failed = failed || o.task == name && o.refused
	}
	p.of(name).done = true
	if failed {
		p.lose(name)
	}
}

// lose records that a task has failed, and with it the run, unless it goes on.
func (p *player) lose(name string) {
	t := p.task(name)
	f := p.of(name)
	f.done, f.lost, p.progressed = true, true, true
	p.failed = p.failed || t == nil || !t.ContinueOnError
}

// fail records a task that Tekton does not try again.
func (p *player) fail(name, message string) {
	p.held = append(p.held, Held{Task: name, Failed: true, Message: message})
	p.lose(name)
}

// refuse ends a pod that Tekton does not try to create again.
func (p *player) refuse(o *one) {
	o.ended, o.refused = true, true
	p.end(o.task)
}
