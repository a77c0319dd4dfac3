package taskrun

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kubemath/kubemath/examples/internal/objects"
)

// pipeline has the fields of a Pipeline that are read.
type pipeline struct {
	tasks []pipelineTask
}

// pipelineTask is a task of a Pipeline, of tasks or of finally.
type pipelineTask struct {
	name string
	source
}

// pipelineRun is a PipelineRun that is being read.
type pipelineRun struct {
	*manifest
	priorityClass string
	names         []string // of the entries of taskRunSpecs, in order
	entries       map[string]*taskRun

	// wanted names the Pipeline, unless it is embedded in the run, or is not fetched.
	wanted string
	ref    node
}

func (in *input) addPipeline(m *manifest) {
	p := in.readPipeline(m, m.child("spec"))
	if m.readable() {
		in.replaces("Pipeline", m)
		in.pipelines[m.objectName] = p
	}
}

// readPipeline reads the tasks of a Pipeline. Tasks that Tekton rejects are omitted, with a note.
func (in *input) readPipeline(m *manifest, spec node) *pipeline {
	p := &pipeline{}
	for _, n := range slices.Concat(spec.child("tasks").items(), spec.child("finally").items()) {
		t := pipelineTask{name: n.child("name").text()}
		ok := true
		switch {
		case !n.child("pipelineRef").missing() || !n.child("pipelineSpec").missing():
			t.source = source{notRead: "is a child run, which is not compared", wantedAt: n.path}
		case combinesNothing(n.child("matrix")):
			t.source = source{notRead: "has an empty array, so Tekton skips the task", wantedAt: n.path.Child("matrix")}
		default:
			t.source, ok = in.readSource(m, n, "taskSpec", "taskRef")
		}
		if ok {
			p.tasks = append(p.tasks, t)
		}
	}
	return p
}

// combinesNothing reports whether a parameter of a matrix is an empty array.
func combinesNothing(matrix node) bool {
	return slices.ContainsFunc(matrix.child("params").items(), func(p node) bool {
		values, isList := p.mapping()["value"].([]any)
		return isList && len(values) == 0
	})
}

// addPipelineRun adds a run for each known task of a PipelineRun, and for each entry of taskRunSpecs
// whose task is unknown, because it may have faults as well.
func (in *input) addPipelineRun(m *manifest) {
	spec := m.child("spec")
	embedded, ref := spec.child("pipelineSpec"), spec.child("pipelineRef")
	r := &pipelineRun{manifest: m, ref: ref, entries: map[string]*taskRun{}}
	r.priorityClass = cmp.Or(priorityClassOf(spec.child("taskRunTemplate")), priorityClassOf(spec))
	for _, n := range spec.child("taskRunSpecs").items() {
		at := n.child("pipelineTaskName")
		name := at.text()
		run := r.newRunOf(name, n)
		run.source = source{wanted: name, wantedAt: at.path}
		if r.entries[name] == nil {
			r.names = append(r.names, name)
		}
		r.entries[name] = run
	}
	var runs []*taskRun
	switch unfetched := notFetched(ref, "Pipeline"); {
	case embedded.missing() && ref.missing():
		if m.readable() { // and so is what holds them
			spec.fault("expected exactly one, got neither: %v, %v", ref.path, embedded.path)
		}
	case ref.missing():
		runs = r.runsOf(in.readPipeline(m, embedded))
	case !embedded.missing():
		spec.fault("expected exactly one, got both: %v, %v", ref.path, embedded.path)
	case unfetched != "":
		in.failAll(m.Place, objects.Skipped, []fault{{ref.path.String(), unfetched + ", and its tasks are not compared"}})
		in.unresolved = true
		runs = r.withoutTasks()
	default:
		r.wanted = ref.child("name").text()
		runs = []*taskRun{{of: r}}
	}
	if m.readable() {
		in.runs = append(in.runs, runs...)
	}
}

// newRunOf returns the run of a task, with the amounts of an entry of taskRunSpecs.
func (r *pipelineRun) newRunOf(name string, states node) *taskRun {
	run := r.newRun(r.name+"-"+name, fmt.Sprintf("PipelineRun %s/%s, task %s", r.namespace, r.name, name), states)
	run.priorityClass = cmp.Or(run.priorityClass, r.priorityClass)
	return run
}

// runsOf returns the runs of the tasks of a Pipeline, and of the entries that belong to no task.
func (r *pipelineRun) runsOf(p *pipeline) (runs []*taskRun) {
	for _, t := range p.tasks {
		run := r.entries[t.name]
		if run == nil {
			run = r.newRunOf(t.name, node{path: r.child("spec").path, faults: r.faults})
		}
		delete(r.entries, t.name)
		run.source = t.source
		if r.wanted != "" { // the reference is in the Pipeline
			run.via = fmt.Sprintf("task %q of Pipeline %s: ", t.name, r.wanted)
			run.wantedAt = r.ref.path.Child("name")
		}
		runs = append(runs, run)
	}
	return append(runs, r.rest()...)
}

// rest returns the entries that belong to no task.
func (r *pipelineRun) rest() (runs []*taskRun) {
	for _, name := range r.names {
		if run := r.entries[name]; run != nil {
			runs = append(runs, run)
		}
	}
	return runs
}

// withoutTasks returns the entries of a run whose tasks are not embedded.
func (r *pipelineRun) withoutTasks() []*taskRun {
	runs := r.rest()
	for _, run := range runs {
		run.notRead = fmt.Sprintf("the task of %q is unknown, and not compared", run.wanted)
	}
	return runs
}

// assignPipelines replaces the runs of Pipelines that are referenced by name by the runs of their tasks.
// The Pipelines may come later in the input.
func (in *input) assignPipelines() {
	var runs []*taskRun
	for _, run := range in.runs {
		r := run.of
		if r == nil {
			runs = append(runs, run)
			continue
		}
		if p := in.pipelines[objectName{r.namespace, r.wanted}]; p != nil {
			runs = append(runs, r.runsOf(p)...)
			continue
		}
		in.failAll(r.Place, objects.Unreadable, []fault{{r.ref.path.Child("name").String(), fmt.Sprintf("%q is not a Pipeline in the input", r.wanted)}})
		in.unresolved = true
		runs = append(runs, r.withoutTasks()...)
	}
	in.runs = runs
}
