package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/steps"
)

// spelling is how a version of Tekton's API spells the fields that count here.
type spelling struct {
	resources, stepOverrides, sidecarOverrides string

	version steps.TaskRunVersion
}

var spellings = map[string]spelling{
	"tekton.dev/v1":      {"computeResources", "stepSpecs", "sidecarSpecs", steps.V1},
	"tekton.dev/v1beta1": {"resources", "stepOverrides", "sidecarOverrides", steps.V1Beta1},
}

// spelled returns the field of n that this version spells one way. To spell it as another
// version does is a fault, which Tekton would pass over.
func (m *manifest) spelled(n node, name func(spelling) string) node {
	ours := name(spellings[m.apiVersion])
	for _, other := range spellings {
		if theirs := n.child(name(other)); name(other) != ours && !theirs.missing() {
			theirs.fault("is spelled %s in %s", ours, m.apiVersion)
		}
	}
	return n.child(ours)
}

func resourcesField(s spelling) string        { return s.resources }
func stepOverridesField(s spelling) string    { return s.stepOverrides }
func sidecarOverridesField(s spelling) string { return s.sidecarOverrides }

// task is what counts here of a Task.
type task struct {
	steps, sidecars []part
	template        corev1.ResourceRequirements
}

// part is a step or a sidecar, or what a run overrides of it.
type part struct {
	name      string
	resources corev1.ResourceRequirements
}

// taskRun is a run of a task, or a pod, which is compared like one.
type taskRun struct {
	place
	objectName
	title         string
	apiVersion    string
	path          *field.Path // of what the run states of resources
	states        steps.TaskRun
	priorityClass string

	// Of task and pod, a run has one, and neither as long as its task is to be found: the
	// one that a taskRef names.
	task     *task
	pod      *corev1.PodSpec
	wanted   string
	wantedAt *field.Path
	taskRef  bool
	// notRead is why the task cannot be found: nothing is fetched.
	notRead string
}

func (in *input) addTask(m *manifest) {
	t := m.readTask(m.child("spec"))
	if m.readable() && in.checkTask(m.place, m.child("spec").path, t) {
		in.tasks[m.objectName] = t
	}
}

func (m *manifest) readTask(spec node) *task {
	return &task{
		steps:    m.readParts(spec.child("steps")),
		sidecars: m.readParts(spec.child("sidecars")),
		template: m.spelled(spec.child("stepTemplate"), resourcesField).requirements(),
	}
}

func (m *manifest) readParts(list node) (parts []part) {
	for _, n := range list.items() {
		parts = append(parts, part{n.child("name").text(), m.spelled(n, resourcesField).requirements()})
	}
	return parts
}

// checkTask reports whether Tekton takes a task, and notes why not.
func (in *input) checkTask(at place, path *field.Path, t *task) bool {
	var errs field.ErrorList
	if len(t.steps) == 0 {
		errs = append(errs, field.Required(path.Child("steps"), "a task has at least one"))
	}
	for field, parts := range map[string][]part{"steps": t.steps, "sidecars": t.sidecars} {
		errs = append(errs, duplicates(path.Child(field), parts)...)
	}
	slices.SortStableFunc(errs, func(a, b *field.Error) int { return cmp.Compare(a.Field, b.Field) })
	in.reject(at, errs)
	return len(errs) == 0
}

func duplicates(path *field.Path, parts []part) (errs field.ErrorList) {
	for i, p := range parts {
		same := func(other part) bool { return other.name == p.name }
		if p.name != "" && slices.ContainsFunc(parts[:i], same) {
			errs = append(errs, field.Duplicate(path.Index(i).Child("name"), p.name))
		}
	}
	return errs
}

func (in *input) addTaskRun(m *manifest) {
	spec := m.child("spec")
	run := m.newRun(m.name, "TaskRun "+m.namespace+"/"+m.name, spec)
	in.addRun(m, run, spec, "taskSpec", "taskRef")
}

// newRun returns a run that states what a node has, without its task.
func (m *manifest) newRun(name, title string, states node) *taskRun {
	return &taskRun{
		place: m.place, objectName: objectName{m.namespace, name}, title: title, apiVersion: m.apiVersion,
		path: states.path, states: m.readStates(states),
		priorityClass: states.child("podTemplate").child("priorityClassName").text(),
	}
}

// newPipelineTask returns the run of a task of a PipelineRun.
func (m *manifest) newPipelineTask(name string, states node) *taskRun {
	return m.newRun(m.name+"-"+name, fmt.Sprintf("PipelineRun %s/%s, task %s", m.namespace, m.name, name), states)
}

// readStates reads what a run states of resources.
func (m *manifest) readStates(n node) steps.TaskRun {
	states := steps.TaskRun{
		StepOverrides:    m.readOverrides(m.spelled(n, stepOverridesField)),
		SidecarOverrides: m.readOverrides(m.spelled(n, sidecarOverridesField)),
		StepPrefix:       steps.TektonStepPrefix,
		SidecarPrefix:    steps.TektonSidecarPrefix,
	}
	if task := n.child("computeResources"); !task.missing() {
		r := task.requirements()
		states.ComputeResources = &r
	}
	return states
}

func (m *manifest) readOverrides(list node) (overrides []steps.Override) {
	for _, p := range m.readParts(list) {
		overrides = append(overrides, steps.Override{Name: p.name, Resources: p.resources})
	}
	return overrides
}

// addRun adds a run whose task stands in one field of a node, or is named in another.
func (in *input) addRun(m *manifest, run *taskRun, n node, specField, refField string) {
	embedded, ref := n.child(specField), n.child(refField)
	switch {
	case embedded.missing() && ref.missing() && !m.readable(): // nor is perhaps what holds them
	case embedded.missing() && ref.missing():
		n.fault("expected exactly one, got neither: %v, %v", ref.path, embedded.path)
	case embedded.missing() && notRead(ref) != "":
		run.notRead, run.wantedAt = notRead(ref), ref.path
	case embedded.missing():
		run.wanted, run.wantedAt, run.taskRef = ref.child("name").text(), ref.path.Child("name"), true
	case !ref.missing():
		n.fault("expected exactly one, got both: %v, %v", ref.path, embedded.path)
	default:
		run.task = m.readTask(embedded)
		if m.readable() && !in.checkTask(m.place, embedded.path, run.task) {
			return
		}
	}
	if m.readable() {
		in.runs = append(in.runs, run)
	}
}

// notRead returns why what a reference names is no Task that can be in the input, or nothing.
func notRead(ref node) string {
	apiVersion, kind := ref.child("apiVersion").text(), cmp.Or(ref.child("kind").text(), "Task")
	group, _, _ := strings.Cut(apiVersion, "/")
	switch resolver, bundle := ref.child("resolver").text(), ref.child("bundle").text(); {
	case resolver != "":
		return fmt.Sprintf("the task of resolver %s is not fetched, and not compared", resolver)
	case bundle != "":
		return fmt.Sprintf("the task of bundle %s is not fetched, and not compared", bundle)
	case kind != "Task" || apiVersion != "" && group != "tekton.dev":
		return fmt.Sprintf("%s %s is no Task, and not compared", kind, ref.child("name").text())
	}
	return ""
}

// skip notes that a part of an object is not compared, which is no error.
func (in *input) skip(m *manifest, at node, text string) {
	in.failAll(m.place, skipped, []fault{{at.path.String(), text}})
}

// addPipelineRun adds a run for each task of a PipelineRun that is in it, and for each
// entry of taskRunSpecs whose task is not: what is wrong with that can still be said.
func (in *input) addPipelineRun(m *manifest) {
	spec := m.child("spec")
	entries := map[string]*taskRun{}
	var names []string
	for _, n := range spec.child("taskRunSpecs").items() {
		at := n.child("pipelineTaskName")
		name := at.text()
		run := m.newPipelineTask(name, n)
		run.wanted, run.wantedAt = name, at.path
		if entries[name] == nil {
			names = append(names, name)
		}
		entries[name] = run
	}
	pipeline, ref := spec.child("pipelineSpec"), spec.child("pipelineRef")
	switch resolver, bundle := ref.child("resolver").text(), ref.child("bundle").text(); {
	case ref.missing():
	case resolver != "":
		in.skip(m, ref, fmt.Sprintf("the Pipeline of resolver %s is not fetched, and its tasks are not compared", resolver))
	case bundle != "":
		in.skip(m, ref, fmt.Sprintf("the Pipeline of bundle %s is not fetched, and its tasks are not compared", bundle))
	default:
		in.skip(m, ref, fmt.Sprintf("Pipelines are not read, and the tasks of %q are not compared", ref.child("name").text()))
	}
	for _, n := range slices.Concat(pipeline.child("tasks").items(), pipeline.child("finally").items()) {
		name := n.child("name").text()
		run := entries[name]
		if run == nil {
			run = m.newPipelineTask(name, node{path: spec.path, faults: m.faults})
		}
		delete(entries, name)
		if !n.child("pipelineRef").missing() || !n.child("pipelineSpec").missing() {
			in.skip(m, n, "is a child run, and not compared")
			continue
		}
		in.addRun(m, run, n, "taskSpec", "taskRef")
	}
	for _, name := range names {
		if run := entries[name]; run != nil && m.readable() {
			if !ref.missing() { // its task is there, but not here
				run.notRead = fmt.Sprintf("the task of %q is not known, and not compared", name)
			}
			in.runs = append(in.runs, run)
		}
	}
}

// assignTasks gives runs the tasks that they name, wherever in the input they stand.
func (in *input) assignTasks() {
	for _, run := range in.runs {
		if run.taskRef {
			run.task = in.tasks[objectName{run.namespace, run.wanted}]
		}
	}
}
