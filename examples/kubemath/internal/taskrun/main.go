// Package taskrun is the subcommand tekton: what the steps of runs request, and what becomes of their pods.
//
// main.go finds the task of each run, timeline.go follows a PipelineRun, and report.go writes the pods that package
// steps makes of them.
package taskrun

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

//go:embed samples/*.yaml
var samples embed.FS

func kinds() objects.Kinds {
	all := objects.Kinds{
		{"v1", "LimitRange"}:    reflect.TypeFor[corev1.LimitRange](),
		{"v1", "ResourceQuota"}: reflect.TypeFor[corev1.ResourceQuota](),
		{"v1", "Node"}:          reflect.TypeFor[corev1.Node](),
		{"v1", "Pod"}:           reflect.TypeFor[corev1.Pod](),
		{"v1", "ConfigMap"}:     reflect.TypeFor[corev1.ConfigMap](),
	}
	maps.Copy(all, pipelinerun.Kinds())
	return all
}

// The objects of the reader.
type (
	task        = pipelinerun.Object[pipelinerun.TaskSpec]
	pipeline    = pipelinerun.Object[pipelinerun.PipelineSpec]
	taskRun     = pipelinerun.Object[pipelinerun.TaskRunSpec]
	pipelineRun = pipelinerun.Object[pipelinerun.RunSpec]
)

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	inits      []string
	explain    bool
	release    string
	coschedule string
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "tekton",
		"What the steps of Tekton's runs request, and what becomes of their pods.",
		"some input could not be read, or there was no run",
		"a run would be rejected, wait or fail, by Tekton or by the API server", stdout, stderr,
		"text", "yaml")
	flags.Func("init", "add this init container to TaskRuns; may be repeated", command.Append(&o.inits))
	flags.BoolVar(&o.explain, "explain", false, "where each amount comes from, and how it is Guaranteed")
	flags.StringVar(&o.release, "tekton", "", "the release of Tekton, such as v1.13.0, which alone sets amounts for its containers")
	flags.StringVar(&o.coschedule, "coschedule", "",
		"the `FLAG`; default: that of the input")
	err = o.Parse(args, func() error {
		_, err := affinity.BehaviorOf(o.coschedule)
		return err
	})
	return o, err
}

func answer(o options, s *command.Session) {
	in := read(&o, s)
	o.Kubernetes = origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	for _, r := range in.runs {
		in.List.Problems = append(in.List.Problems, objects.Guarded(r.Place, func() { in.write(s, &o, r) })...)
	}
	inventory.Complain(s, &in.List)
	if len(in.runs) == 0 {
		s.Say(command.Unread, "the input has no run of a known task, and no Pod")
	}
}

// input has what was read, and the runs whose tasks are there.
type input struct {
	inventory.List
	refers pipelinerun.Objects // what runs refer to
	runs   []*run
	live   map[types.NamespacedName][]*corev1.Pod // the pods of runs of tasks, by run
}

// run is a run of a task, a pod, or what becomes of a PipelineRun.
type run struct {
	objects.Place
	types.NamespacedName
	title    string
	spec     *corev1.PodSpec
	settings []steps.TaskRun // one, or none for a pod
	state    string          // of a run that has begun
	refused  string          // why Tekton fails a task of a PipelineRun
	play     *play           // of a PipelineRun
	part     *play           // that a task is a part of
}

func read(o *options, s *command.Session) *input {
	in := &input{live: map[types.NamespacedName][]*corev1.Pod{}}
	in.Home, in.Check = cmp.Or(o.Namespace, corev1.NamespaceDefault), check
	reader := objects.Reader{Kinds: kinds(), Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	if o.Cluster && len(o.Files) == 0 {
		in.configureFrom(reader, o)
	}
	in.List.Read(origin.Objects(reader, &o.Common, samples, "taskruns.tekton.dev", "pipelineruns.tekton.dev",
		"pipelines.tekton.dev",
		"tasks.tekton.dev", "limitranges", "resourcequotas", "pods"))
	in.refers.Config.Tekton.Release = o.release
	for i, object := range in.Objects {
		in.refers.Add(object)
		switch object := object.(type) {
		case *corev1.ConfigMap:
			if key, err := in.refers.Config.Read(object); err != nil {
				in.Fail(in.Places[i], objects.Unreadable, "data."+key, err.Error())
			}
		case *corev1.Pod:
			if name := ofTaskRun(object); name != "" {
				key := types.NamespacedName{Namespace: object.Namespace, Name: name}
				in.live[key] = append(in.live[key], object)
			}
		}
	}
	if o.coschedule != "" {
		in.refers.Config.Behavior, _ = affinity.BehaviorOf(o.coschedule) // which was parsed
	}
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
			if ofTaskRun(object) == "" {
				in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: "Pod " + name.String(), spec: &object.Spec})
			}
		}
	}
	if len(in.runs) == 0 && !slices.ContainsFunc(in.Objects, isRun) {
		in.addUnused(o)
	}
	return in
}

// isRun reports whether an object is a run, or a pod.
func isRun(o admit.APIObject) bool {
	switch o.(type) {
	case *taskRun, *pipelineRun, *corev1.Pod:
		return true
	}
	return false
}

// addUnused adds Tasks and Pipelines of an input without runs, as if they were run as they are.
func (in *input) addUnused(o *options) {
	for i, object := range in.Objects {
		at, name := in.Places[i], types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		switch object := object.(type) {
		case *task:
			alone := &taskRun{ObjectMeta: object.ObjectMeta}
			alone.APIVersion, alone.Spec = object.APIVersion, pipelinerun.RunOfTask(&object.Spec)
			before := len(in.runs)
			in.addTaskRun(at, name, alone, o)
			for _, r := range in.runs[before:] {
				r.title = "Task " + name.String()
			}
		case *pipeline:
			alone := &pipelineRun{ObjectMeta: object.ObjectMeta}
			alone.APIVersion, alone.Spec = object.APIVersion, pipelinerun.RunOfPipeline(&object.Spec)
			before := len(in.runs)
			in.addPipelineRun(at, name, alone, o)
			for _, r := range in.runs[before:] {
				r.title = strings.Replace(r.title, "PipelineRun ", "Pipeline ", 1)
			}
		}
	}
}

// configureFrom reads Tekton's configuration from its own namespace of a cluster.
func (in *input) configureFrom(reader objects.Reader, o *options) {
	for _, name := range []string{"config-defaults", "feature-flags"} {
		text, err := origin.Kubectl(&o.Common, "get", "configmap", name, "--namespace=tekton-pipelines", "--output=json")
		if err != nil {
			o.Say("Tekton's ConfigMap " + name + " is not considered: " + err.Error())
			continue
		}
		in.List.Read(reader.File(name, bytesReader(text)))
	}
}

// ofTaskRun returns the name of the TaskRun that a pod belongs to, or "".
func ofTaskRun(pod *corev1.Pod) string {
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil && owner.Kind == "TaskRun" {
		return owner.Name
	}
	return pod.Labels["tekton.dev/taskRun"]
}

// check returns why the API server, or Tekton's webhook, rejects an object. It completes LimitRanges and quotas: a quota
// without a status is new, and nothing of it is used.
func check(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *corev1.LimitRange:
		for i, item := range o.Spec.Limits {
			o.Spec.Limits[i] = limitrange.WithDefaults(item)
		}
		return limitrange.ValidateObject(o)
	case *corev1.ResourceQuota:
		errs := quota.ValidateObject(nil, o, computeresources.Kubernetes{})
		if len(errs) == 0 && o.Status.Hard == nil {
			o.Status, _ = quota.CalculateUsage(nil, o) // there is no object to go wrong
		}
		return errs
	case *corev1.Pod:
		if len(o.Spec.Containers) == 0 {
			return field.ErrorList{field.Required(field.NewPath("spec", "containers"), "")}
		}
	case *task:
		return o.Spec.Check(field.NewPath("spec"), o.APIVersion)
	}
	return nil
}

// checkTask returns what is wrong with the task of a run: one that is in it, or one that it refers to.
func checkTask(spec *pipelinerun.TaskSpec, refers bool, path, apiVersion string) *field.Error {
	at := field.NewPath(path)
	if refers == (spec != nil) {
		return field.Invalid(at, nil, "expected exactly one of taskRef and taskSpec")
	}
	if spec != nil {
		if errs := spec.Check(at.Child("taskSpec"), apiVersion); len(errs) > 0 {
			return errs[0]
		}
	}
	return nil
}

// addTaskRun adds a TaskRun, if its task is known.
func (in *input) addTaskRun(at objects.Place, name types.NamespacedName, o *taskRun, opts *options) {
	if o.PartOf("PipelineRun") != "" && in.has("PipelineRun", o.Namespace, o.PartOf("PipelineRun")) {
		return // which is written as a part of it
	}
	pod, custom := in.refers.Alone(o)
	if custom != "" {
		in.Fail(at, objects.Skipped, "spec", custom+", and not considered")
		return
	}
	if in.fails(at, o.Spec.TaskSpec, o.Spec.TaskRef != nil, "spec", o.APIVersion) {
		return
	}
	if pod.Missing != "" {
		in.misses(at, "spec", &pod)
		return
	}
	if pod.Note != "" {
		in.Fail(at, objects.Skipped, "spec", pod.Note)
	}
	r := &run{Place: at, NamespacedName: name, title: "TaskRun " + name.String(), spec: pod.Spec, settings: []steps.TaskRun{pod.Run}}
	r.addInits(opts.inits)
	r.state = in.stateOf(name, &o.Status)
	if live := in.livePod(name); live != nil {
		r.spec, r.settings = &live.Spec, nil
	}
	in.runs = append(in.runs, r)
}

// livePod returns the pod of a TaskRun that has not ended, or nil.
func (in *input) livePod(name types.NamespacedName) *corev1.Pod {
	for _, pod := range in.live[name] {
		if !computeresources.HasEnded(pod) {
			return pod
		}
	}
	return nil
}

// stateOf says how far a run is that has begun, or "".
func (in *input) stateOf(name types.NamespacedName, status *pipelinerun.Status) string {
	ended, failed := status.Ended()
	pod := in.livePod(name)
	switch {
	case failed:
		return "has failed"
	case ended:
		return "is completed"
	case pod != nil:
		return "runs as pod " + pod.Name
	}
	return ""
}

// has reports whether the input has an object of Tekton.
func (in *input) has(kind, namespace, name string) bool {
	return slices.ContainsFunc(in.Objects, func(o admit.APIObject) bool {
		r, is := o.(*pipelineRun)
		return is && kind == "PipelineRun" && r.Namespace == namespace && r.Name == name
	})
}

// fails records what is wrong with the task of a run, and reports whether there is anything.
func (in *input) fails(at objects.Place, spec *pipelinerun.TaskSpec, refers bool, path, apiVersion string) bool {
	err := checkTask(spec, refers, path, apiVersion)
	switch {
	case err == nil:
		return false
	case err.Type == field.ErrorTypeInvalid:
		in.Fail(at, objects.Invalid, err.Field, err.Detail)
	default:
		in.Fail(at, objects.Invalid, err.Field, err.ErrorBody())
	}
	return true
}

// misses records that a task is not in the input, or not fetched.
func (in *input) misses(at objects.Place, path string, pod *pipelinerun.TaskPod) {
	if pod.Fetched {
		in.Fail(at, objects.Skipped, path, pod.Missing+", and not considered")
		return
	}
	in.Fail(at, objects.Unreadable, path, pod.Missing)
}

// addInits adds init containers that something else adds to the pods of a cluster.
func (r *run) addInits(names []string) {
	for _, name := range names {
		r.spec.InitContainers = append(r.spec.InitContainers, corev1.Container{Name: name})
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
			grade, missing = objects.Invalid, "expected exactly one of pipelineRef and pipelineSpec"
		case o.Spec.PipelineRef.Resolver != "" || o.Spec.PipelineRef.Bundle != "":
			grade, missing = objects.Skipped, missing+", and not considered"
		}
		in.Fail(at, grade, "spec", missing)
		return
	}
	planned, pods, unknown := r.ToRun(spec, &in.refers)
	p := &play{run: planned, notes: append(notes, unknown...)}
	if !in.plan(at, p, o) {
		return
	}
	path, before := "spec.pipelineSpec", len(in.runs)
	if o.Spec.PipelineRef != nil {
		path = "Pipeline " + o.Spec.PipelineRef.Name + ": spec"
	}
	for i := range pods {
		list, index := "tasks", i
		if i >= len(spec.Tasks) {
			list, index = "finally", i-len(spec.Tasks)
		}
		in.addTask(at, name, o, &pods[i], fmt.Sprintf("%s.%s[%d]", path, list, index), p, opts)
	}
	in.follow(p, name)
	p.tasks = in.runs[before:len(in.runs):len(in.runs)]
	in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: "PipelineRun " + name.String(), play: p})
}

// addTask adds the run of a task of a PipelineRun.
func (in *input) addTask(at objects.Place, of types.NamespacedName, o *pipelineRun, pod *pipelinerun.TaskPod, path string,
	p *play, opts *options) {
	switch {
	case pod.Invalid != "":
		p.incomplete = true
		in.Fail(at, objects.Invalid, path, pod.Invalid)
		return
	case pod.Custom != "":
		in.Fail(at, objects.Skipped, path, pod.Custom+", and not considered")
		return
	case pod.Spec == nil: // its matrix has no combination
		return
	case in.fails(at, pod.Own, pod.Refers, path, o.APIVersion):
		p.incomplete = true
		return
	case pod.Missing != "":
		p.incomplete = true
		in.misses(at, path, pod)
		return
	}
	r := &run{Place: at, NamespacedName: types.NamespacedName{Namespace: of.Namespace, Name: of.Name + "-" + pod.Task},
		title: fmt.Sprintf("PipelineRun %v, task %s", of, pod.Task), spec: pod.Spec, settings: []steps.TaskRun{pod.Run}, part: p}
	r.addInits(opts.inits)
	r.state = in.stateOf(r.NamespacedName, in.statusOf(r.NamespacedName))
	for _, placement := range p.plan.Tasks {
		if placement.Task == pod.Task && placement.Refused != nil {
			r.refused = placement.Refused.Field(nil).Error()
		}
	}
	in.runs = append(in.runs, r)
}

// statusOf returns the status of a TaskRun, which is empty if it is not there.
func (in *input) statusOf(name types.NamespacedName) *pipelinerun.Status {
	for _, object := range in.Objects {
		if o, is := object.(*taskRun); is && o.Namespace == name.Namespace && o.Name == name.Name {
			return &o.Status
		}
	}
	return &pipelinerun.Status{}
}
