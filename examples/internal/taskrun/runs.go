package taskrun

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
	"github.com/kubemath/kubemath/quota/admit"
)

// run is a run of a task, a pod, or what becomes of a PipelineRun.
type run struct {
	objects.Place
	types.NamespacedName
	title    string
	spec     *corev1.PodSpec
	settings []steps.TaskRun // one, or none for a pod
	state    string          // of a run that has begun
	refused  string          // why Tekton fails a task of a PipelineRun
	invalid  string          // why Tekton rejects the PipelineRun because of it
	task     string          // of a PipelineRun
	pod      string          // the name of the pod
	blamed   string          // what Tekton says is wrong if its pod is refused
	play     *play           // of a PipelineRun
	part     *play           // that a task is a part of
}

// addRuns adds the runs and pods of the input, or its Tasks and Pipelines if it has none.
func (in *input) addRuns(o *options) {
	in.writePipelineRuns(o)
	for i, object := range in.Objects {
		at, name := in.Places[i], types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		if !o.Rows.Selects(object) {
			continue
		}
		switch object := object.(type) {
		case *taskRun:
			in.addTaskRun(at, name, object, o)
		case *pipelineRun:
			in.addPipelineRun(at, name, object, o)
		case *corev1.Pod:
			if pipelinerun.PartOf(object, "TaskRun") == "" {
				in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: "Pod " + name.String(), spec: &object.Spec, pod: name.Name, state: stateOfPod(object)})
			}
		}
	}
	if !slices.ContainsFunc(in.Objects, isRun) {
		in.addUnused(o)
	}
}

func (in *input) addTaskRun(at objects.Place, name types.NamespacedName, o *taskRun, opts *options) {
	if in.written[types.NamespacedName{Namespace: o.Namespace, Name: pipelinerun.PartOf(o, "PipelineRun")}] {
		return // with its PipelineRun
	}
	pod := in.refers.Alone(o)
	if in.lacks(at, &pod, "spec", o.APIVersion) {
		return
	}
	if pod.Note != "" {
		in.Fail(at, objects.Skipped, "spec", pod.Note)
	}
	r := newRun(at, name, "TaskRun "+name.String(), &pod, len(o.Status.RetriesStatus), opts)
	r.state = in.stateOf(name, &o.Status)
	if live := in.livePod(name); live != nil {
		r.spec, r.settings, r.pod = &live.Spec, nil, live.Name
	}
	in.runs = append(in.runs, r)
}

// writePipelineRuns notes which PipelineRuns are written, with their TaskRuns: those that are selected, and whose tasks are known.
func (in *input) writePipelineRuns(opts *options) {
	in.written = map[types.NamespacedName]bool{}
	for _, o := range inventory.Of[*pipelineRun](&in.List) {
		r := pipelinerun.Run{Object: o}
		_, missing := r.Pipeline(&in.refers)
		in.written[types.NamespacedName{Namespace: o.Namespace, Name: o.Name}] = missing == "" && opts.Rows.Selects(o)
	}
}

// addPipelineRun adds the runs of the tasks of a PipelineRun, and what becomes of them.
func (in *input) addPipelineRun(at objects.Place, name types.NamespacedName, o *pipelineRun, opts *options) {
	r := pipelinerun.Run{Object: o}
	notes := r.Identify()
	spec, missing := r.Pipeline(&in.refers)
	if missing != "" {
		grade := objects.Unreadable
		switch {
		case (o.Spec.PipelineRef == nil) == (o.Spec.PipelineSpec == nil):
			grade = objects.Invalid
		case o.Spec.PipelineRef.Resolver != "" || o.Spec.PipelineRef.Bundle != "":
			grade, missing = objects.Skipped, missing+", and not considered"
		}
		in.Fail(at, grade, "spec", missing)
		return
	}
	if errs := r.CheckEntries(spec); len(errs) > 0 {
		in.Fail(at, objects.Invalid, errs[0].Field, errs[0].ErrorBody())
		return
	}
	planned, pods, unknown := r.ToRun(spec, &in.refers)
	p := &play{run: planned, notes: append(notes, unknown...)}
	if !in.plan(at, p, o) {
		return
	}
	path, before := "spec.pipelineSpec", len(in.runs)
	switch {
	case o.Status.PipelineSpec != nil:
		path = "status.pipelineSpec"
	case o.Spec.PipelineRef != nil:
		path = "Pipeline " + o.Spec.PipelineRef.Name + ": spec"
	}
	for i := range pods {
		list, index := "tasks", i
		if i >= len(spec.Tasks) {
			list, index = "finally", i-len(spec.Tasks)
		}
		in.addTask(at, name, cmp.Or(spec.Version, o.APIVersion), &pods[i], fmt.Sprintf("%s.%s[%d]", path, list, index), p, opts)
	}
	in.follow(p, name)
	p.tasks = in.runs[before:len(in.runs):len(in.runs)]
	in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: "PipelineRun " + name.String(), play: p})
}

func (in *input) addTask(at objects.Place, of types.NamespacedName, version string, pod *pipelinerun.TaskPod, path string,
	p *play, opts *options) {
	if in.lacks(at, pod, path, version) {
		p.incomplete = p.incomplete || pod.Custom == ""
		return
	}
	if pod.Spec == nil { // it is skipped
		return
	}
	first := types.NamespacedName{Namespace: of.Namespace, Name: affinity.TaskRunName(of.Name, pod.Task, 0, pod.FanOut)}
	r := newRun(at, first, fmt.Sprintf("PipelineRun %v, task %s", of, pod.Task), pod, 0, opts)
	r.part = p
	if errs := steps.ValidateTaskRun(pod.Run, field.NewPath("spec", "taskRunSpecs").Index(pod.Entry)); len(errs) > 0 {
		r.invalid = errs[0].Error()
		p.invalid = cmp.Or(p.invalid, r.invalid)
	}
	if pod.FanOut <= 1 {
		r.state = in.stateOf(first, in.statusOf(first))
	}
	if r.state == "" && p.ended != "" {
		r.state = "its PipelineRun " + p.ended
	}
	for _, placement := range p.plan.Tasks {
		if placement.Task == pod.Task && placement.Refused != nil {
			r.refused = placement.Refused.Field(nil).Error()
		}
	}
	in.runs = append(in.runs, r)
}

// addUnused adds Tasks and Pipelines of an input without runs, as if they were run as they are.
func (in *input) addUnused(o *options) {
	for i, object := range in.Objects {
		at, name := in.Places[i], types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		before := len(in.runs)
		switch object := object.(type) {
		case *task:
			alone := &taskRun{ObjectMeta: object.ObjectMeta, Spec: pipelinerun.RunOfTask(&object.Spec)}
			alone.APIVersion = object.APIVersion
			in.addTaskRun(at, name, alone, o)
		case *pipeline:
			alone := &pipelineRun{ObjectMeta: object.ObjectMeta, Spec: pipelinerun.RunOfPipeline(&object.Spec)}
			alone.APIVersion = object.APIVersion
			in.addPipelineRun(at, name, alone, o)
		}
		for _, r := range in.runs[before:] {
			r.title = strings.Replace(r.title, "Run ", " ", 1) // Task a, Pipeline b
		}
	}
}

func isRun(o admit.APIObject) bool {
	switch o.(type) {
	case *taskRun, *pipelineRun, *corev1.Pod:
		return true
	}
	return false
}

// newRun returns the run of a task, with the init containers that something else adds to the pods of a cluster.
func newRun(at objects.Place, name types.NamespacedName, title string, pod *pipelinerun.TaskPod, retries int, opts *options) *run {
	for _, init := range opts.inits {
		pod.Spec.InitContainers = append(pod.Spec.InitContainers, corev1.Container{Name: init})
	}
	return &run{Place: at, NamespacedName: name, title: title, spec: pod.Spec, settings: []steps.TaskRun{pod.Run}, task: pod.Task,
		pod: affinity.PodName(name.Name, retries), blamed: pod.Blamed}
}

func (in *input) livePod(name types.NamespacedName) *corev1.Pod {
	for _, pod := range in.live[name] {
		if !computeresources.HasEnded(pod) {
			return pod
		}
	}
	return nil
}

// stateOfPod says how far a pod is that exists, or "".
func stateOfPod(pod *corev1.Pod) string {
	switch {
	case computeresources.HasEnded(pod):
		return "has ended"
	case pod.UID != "" || pod.Status.Phase != "":
		return "exists"
	}
	return ""
}

// stateOf says how far a run is that has begun, or "".
func (in *input) stateOf(name types.NamespacedName, status *pipelinerun.Status) string {
	if pod := in.livePod(name); status.State() == "" && pod != nil {
		return "runs as pod " + pod.Name
	}
	return status.State()
}

// statusOf returns the status of a TaskRun, or an empty one if there is no such TaskRun.
func (in *input) statusOf(name types.NamespacedName) *pipelinerun.Status {
	for _, o := range inventory.In[*taskRun](&in.List, name.Namespace) {
		if o.Name == name.Name {
			return &o.Status
		}
	}
	return &pipelinerun.Status{}
}

// lacks records why the pod of a task is not known, and reports whether it is not: Tekton rejects its matrix or its task, it
// has none, or the task is not in the input or not fetched.
func (in *input) lacks(at objects.Place, pod *pipelinerun.TaskPod, path, apiVersion string) bool {
	switch {
	case pod.Invalid != "":
		in.Fail(at, objects.Invalid, path, pod.Invalid)
	case pod.Custom != "":
		in.Fail(at, objects.Skipped, path, pod.Custom+", and not considered")
	case pod.Refers == (pod.Own != nil):
		in.Fail(at, objects.Invalid, path, "expected exactly one of taskRef and taskSpec")
	case pod.Fetched:
		in.Fail(at, objects.Skipped, path, pod.Missing+", and not considered")
	case pod.Missing != "":
		in.Fail(at, objects.Unreadable, path, pod.Missing)
	case pod.Own != nil:
		errs := pod.Own.Check(field.NewPath(path).Child("taskSpec"), apiVersion)
		if len(errs) > 0 {
			in.Fail(at, objects.Invalid, errs[0].Field, errs[0].ErrorBody())
		}
		return len(errs) > 0
	default:
		return false
	}
	return true
}
