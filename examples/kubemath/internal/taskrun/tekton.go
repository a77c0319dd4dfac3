package taskrun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/examples/internal/objects"
)

// spelling has the names of fields in a version of Tekton's API.
type spelling struct {
	resources, stepOverrides, sidecarOverrides string
}

var spellings = map[string]spelling{
	"tekton.dev/v1":      {"computeResources", "stepSpecs", "sidecarSpecs"},
	"tekton.dev/v1beta1": {"resources", "stepOverrides", "sidecarOverrides"},
}

// spelled returns the field of n with the name in this version. A name of another version is an error,
// although Tekton would ignore it.
func (m *manifest) spelled(n node, name func(spelling) string) node {
	ours := name(spellings[m.apiVersion])
	for _, other := range spellings {
		if theirs := n.child(name(other)); name(other) != ours && !theirs.missing() {
			theirs.fault("is called %s in %s", ours, m.apiVersion)
		}
	}
	return n.child(ours)
}

func resourcesField(s spelling) string        { return s.resources }
func stepOverridesField(s spelling) string    { return s.stepOverrides }
func sidecarOverridesField(s spelling) string { return s.sidecarOverrides }

// task has the fields of a Task that are read.
type task struct {
	steps, sidecars []part
	template        corev1.ResourceRequirements
}

// part is a step or a sidecar, or the override of one by a run.
type part struct {
	name      string
	resources corev1.ResourceRequirements
}

// taskRun is a run of a task, or a pod, which is compared like one.
type taskRun struct {
	objects.Place
	objectName
	title         string
	apiVersion    string
	path          *field.Path // of the amounts of the run
	states        steps.TaskRun
	priorityClass string

	// A run has either the task of its source, or a pod, or neither until its task is found.
	source
	pod *corev1.PodSpec
	// of is the run of a Pipeline by name that this run stands for until the tasks are known.
	of *pipelineRun
}

// source is where the task of a run is: in the run itself, elsewhere in the input, or not in the
// input.
type source struct {
	task     *task
	wanted   string // the name of a task
	wantedAt *field.Path
	taskRef  bool // it is that of a Task
	// notRead is why the task cannot be found: nothing is fetched.
	notRead string
	// via is the path from the run to the reference, if that is in another object.
	via string
}

func (in *input) addTask(m *manifest) {
	t := m.readTask(m.child("spec"))
	if m.readable() && in.checkTask(m.Place, m.child("spec").path, t) {
		in.replaces("Task", m)
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

// checkTask reports whether Tekton accepts a task, and records why not.
func (in *input) checkTask(at objects.Place, path *field.Path, t *task) bool {
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
	var ok bool
	if run.source, ok = in.readSource(m, spec, "taskSpec", "taskRef"); ok && m.readable() {
		in.runs = append(in.runs, run)
	}
}

// newRun returns a run with the amounts of a node, without its task.
func (m *manifest) newRun(name, title string, states node) *taskRun {
	return &taskRun{
		Place: m.Place, objectName: objectName{m.namespace, name}, title: title, apiVersion: m.apiVersion,
		path: states.path, states: m.readStates(states),
		priorityClass: priorityClassOf(states),
	}
}

// priorityClassOf returns that of the pod template of a node, with either field name.
func priorityClassOf(n node) string {
	template := n.child("podTemplate")
	if template.missing() {
		template = n.child("taskPodTemplate")
	}
	return template.child("priorityClassName").text()
}

// readStates reads the resources that a run sets.
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

// readSource reads where the task of a node is: embedded in one field, or referenced by another. It
// reports whether Tekton accepts the task, if it is embedded.
func (in *input) readSource(m *manifest, n node, specField, refField string) (source, bool) {
	embedded, ref := n.child(specField), n.child(refField)
	switch {
	case embedded.missing() && ref.missing():
		if m.readable() { // and so is what holds them
			n.fault("expected exactly one, got neither: %v, %v", ref.path, embedded.path)
		}
	case embedded.missing() && notRead(ref) != "":
		return source{notRead: notRead(ref), wantedAt: ref.path}, true
	case embedded.missing():
		return source{wanted: ref.child("name").text(), wantedAt: ref.path.Child("name"), taskRef: true}, true
	case !ref.missing():
		n.fault("expected exactly one, got both: %v, %v", ref.path, embedded.path)
	case isCustom(embedded):
		return source{notRead: customTask(embedded), wantedAt: embedded.path}, true
	default:
		t := m.readTask(embedded)
		return source{task: t}, !m.readable() || in.checkTask(m.Place, embedded.path, t)
	}
	return source{}, false
}

// isCustom reports whether a reference or a task is of a custom type. Tekton treats it as custom if
// it states both an apiVersion and a kind.
func isCustom(n node) bool {
	return n.child("apiVersion").text() != "" && n.child("kind").text() != ""
}

func customTask(n node) string {
	apiVersion, kind := n.child("apiVersion").text(), n.child("kind").text()
	what := strings.TrimSpace(kind + " " + n.child("name").text())
	if group, _, _ := strings.Cut(apiVersion, "/"); group == "tekton.dev" && kind == "Task" {
		return fmt.Sprintf("%s of %s is a custom task for Tekton, since it has an apiVersion, and not compared", what, apiVersion)
	}
	return fmt.Sprintf("%s of %s is a custom task, and not compared", what, apiVersion)
}

// notRead returns why the target of a reference cannot be a Task in the input, or "".
func notRead(ref node) string {
	switch text := notFetched(ref, "task"); {
	case text != "":
		return text + ", and not compared"
	case isCustom(ref):
		return customTask(ref)
	case ref.child("kind").text() == "ClusterTask":
		return fmt.Sprintf("ClusterTask %s is not read, and not compared", ref.child("name").text())
	}
	return ""
}

// notFetched returns a note if a reference is to a resolver or a bundle, which is not fetched, or "".
func notFetched(ref node, what string) string {
	switch resolver, bundle := ref.child("resolver").text(), ref.child("bundle").text(); {
	case resolver != "":
		return fmt.Sprintf("the %s of resolver %s is not fetched", what, resolver)
	case bundle != "":
		return fmt.Sprintf("the %s of bundle %s is not fetched", what, bundle)
	}
	return ""
}

// assignTasks sets the tasks that runs name. The tasks may come later in the input.
func (in *input) assignTasks() {
	for _, run := range in.runs {
		if run.taskRef {
			run.task = in.tasks[objectName{run.namespace, run.wanted}]
		}
	}
}
