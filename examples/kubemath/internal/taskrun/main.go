// Package taskrun is the subcommand tekton: what the steps of runs request.
//
// tekton.go has the objects of Tekton, main.go finds the task of each run, and report.go writes the pods that package
// steps makes of them.
package taskrun

import (
	"cmp"
	"embed"
	"fmt"
	"io"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/command"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/origin"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

//go:embed samples/*.yaml
var samples embed.FS

var kinds = objects.Kinds{
	{"tekton.dev/v1", "Task"}:        reflect.TypeFor[inventory.Manifest[taskSpec]](),
	{"tekton.dev/v1", "TaskRun"}:     reflect.TypeFor[inventory.Manifest[taskRunSpec]](),
	{"tekton.dev/v1", "Pipeline"}:    reflect.TypeFor[inventory.Manifest[pipelineSpec]](),
	{"tekton.dev/v1", "PipelineRun"}: reflect.TypeFor[inventory.Manifest[pipelineRunSpec]](),
	{"v1", "LimitRange"}:             reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:          reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "Node"}:                   reflect.TypeFor[corev1.Node](),
	{"v1", "Pod"}:                    reflect.TypeFor[corev1.Pod](),
	{"v1", "ConfigMap"}:              reflect.TypeFor[corev1.ConfigMap](),
}

// Run is the subcommand, and returns its exit code.
var Run = command.Answering(parse, answer)

type options struct {
	command.Common
	inits   []string
	explain bool
}

func parse(args []string, stdout, stderr io.Writer) (o options, err error) {
	flags := command.NewFlags(&o.Common, "tekton",
		"What the steps of Tekton's runs request, and why.",
		"some input could not be read, or there was no run",
		"a run would be rejected or fail, by Tekton or by the API server", stdout, stderr,
		"text", "yaml")
	flags.Func("init", "add this init container to TaskRuns; may be repeated", command.Append(&o.inits))
	flags.BoolVar(&o.explain, "explain", false, "where each amount of the pod comes from, and how it becomes Guaranteed")
	err = o.Parse(args, nil)
	return o, err
}

func answer(o options, s *command.Session) {
	in := read(&o, s)
	o.Kubernetes = origin.Kubernetes(&o.Common, in.Kubelets(), o.Say)
	for _, r := range in.runs {
		in.List.Problems = append(in.List.Problems, objects.Guarded(r.Place, func() { in.write(s, &o, r) })...)
	}
	if tekton := func(r *run) bool { return r.settings != nil }; o.Format != "yaml" && len(o.inits) == 0 &&
		slices.ContainsFunc(in.runs, tekton) {
		s.Hang("", "Not counted yet: Tekton's own containers prepare and, if a step has a script or a workingDir, "+
			"place-scripts and working-dir-initializer; -init NAME adds one.")
	}
	inventory.Complain(s, &in.List)
	if len(in.runs) == 0 {
		s.Say(command.Unread, "the input has no run of a known task, and no Pod")
	}
}

// input has what was read, and the runs whose tasks are there.
type input struct {
	inventory.List
	tasks     map[types.NamespacedName]*taskSpec
	pipelines map[types.NamespacedName]*pipelineSpec
	defaults  map[string]corev1.ResourceRequirements // of Tekton's configuration
	runs      []*run
}

// run is a run of a task, or a pod.
type run struct {
	objects.Place
	types.NamespacedName
	title    string
	spec     *corev1.PodSpec
	settings []steps.TaskRun // one, or none for a pod
}

func read(o *options, s *command.Session) *input {
	in := &input{tasks: map[types.NamespacedName]*taskSpec{}, pipelines: map[types.NamespacedName]*pipelineSpec{}}
	in.Home, in.Check = cmp.Or(o.Namespace, corev1.NamespaceDefault), check
	reader := objects.Reader{Kinds: kinds, Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	in.List.Read(origin.Objects(reader, &o.Common, samples, "taskruns.tekton.dev", "pipelineruns.tekton.dev",
		"pipelines.tekton.dev",
		"tasks.tekton.dev", "limitranges", "resourcequotas", "pods"))
	for i, object := range in.Objects {
		name := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		switch o := object.(type) {
		case *inventory.Manifest[taskSpec]:
			in.tasks[name] = &o.Spec
		case *inventory.Manifest[pipelineSpec]:
			in.pipelines[name] = &o.Spec
		case *corev1.ConfigMap:
			in.configure(in.Places[i], o)
		}
	}
	for i, object := range in.Objects {
		at, name := in.Places[i], types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
		switch object := object.(type) {
		case *inventory.Manifest[taskRunSpec]:
			in.add(at, name, "TaskRun "+name.String(), "spec", &object.Spec.source, &object.Spec.settings, o.inits)
		case *inventory.Manifest[pipelineRunSpec]:
			in.addPipelineRun(at, name, &object.Spec, o.inits)
		case *corev1.Pod:
			in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: "Pod " + name.String(), spec: &object.Spec})
		}
	}
	return in
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
	case *inventory.Manifest[taskSpec]:
		return o.Spec.check(field.NewPath("spec"))
	}
	return nil
}

// check returns why Tekton rejects a task.
func (t *taskSpec) check(path *field.Path) (errs field.ErrorList) {
	if len(t.Steps) == 0 {
		errs = append(errs, field.Required(path.Child("steps"), "a task has at least one"))
	}
	for i, list := range [][]part{t.Steps, t.Sidecars} {
		known := map[string]bool{"": true}
		for j, name := range names(list) {
			if known[name] && name != "" {
				errs = append(errs, field.Duplicate(path.Child([]string{"steps", "sidecars"}[i]).Index(j).Child("name"), name))
			}
			known[name] = true
		}
	}
	return errs
}

// The name and the key of Tekton's configuration of containers.
const (
	configMap = "config-defaults"
	configKey = "default-container-resource-requirements"
)

// configure sets the requirements of containers by name, if a ConfigMap is Tekton's.
func (in *input) configure(at objects.Place, c *corev1.ConfigMap) {
	text, has := c.Data[configKey]
	if c.Name != configMap || !has {
		return
	}
	amounts := map[string]struct{ Requests, Limits map[corev1.ResourceName]any }{}
	err := yaml.Unmarshal([]byte(text), &amounts)
	in.defaults = map[string]corev1.ResourceRequirements{}
	list := func(amounts map[corev1.ResourceName]any) corev1.ResourceList {
		all := corev1.ResourceList{}
		for name, amount := range amounts {
			q, failed := quantity.Parse(fmt.Sprint(amount))
			if failed != nil {
				err = failed
			}
			all[name] = q
		}
		return all
	}
	for name, r := range amounts {
		in.defaults[name] = corev1.ResourceRequirements{Requests: list(r.Requests), Limits: list(r.Limits)}
	}
	if err != nil {
		in.defaults = nil
		in.Fail(at, objects.Unreadable, "data."+configKey, err.Error())
	}
}

// add adds a run, if its task is known.
func (in *input) add(at objects.Place, name types.NamespacedName, title, path string, from *source, set *settings,
	inits []string) {
	task := from.TaskSpec
	skip := func(why string) { in.Fail(at, objects.Skipped, path, why+", and not considered") }
	ref := from.TaskRef
	switch {
	case (ref == nil) == (task == nil):
		in.Fail(at, objects.Invalid, path, "expected exactly one of taskRef and taskSpec")
		return
	case task != nil && task.APIVersion != "" && task.Kind != "":
		skip("a custom task, " + task.Kind + " of " + task.APIVersion)
		return
	case task != nil:
		if errs := task.check(field.NewPath(path, "taskSpec")); len(errs) > 0 {
			in.Fail(at, objects.Invalid, errs[0].Field, errs[0].ErrorBody())
			return
		}
	case ref.Resolver != "":
		skip("the task of resolver " + ref.Resolver + " is not fetched")
		return
	case ref.APIVersion != "" && ref.Kind != "": // by which Tekton knows custom tasks
		skip("a custom task, " + ref.Kind + " of " + ref.APIVersion)
		return
	default:
		task = in.tasks[types.NamespacedName{Namespace: name.Namespace, Name: ref.Name}]
		if task == nil {
			in.Fail(at, objects.Unreadable, path+".taskRef.name", fmt.Sprintf("%q is not a Task in the input", ref.Name))
			return
		}
	}
	in.runs = append(in.runs, &run{Place: at, NamespacedName: name, title: title,
		spec: task.pod(set.PodTemplate.PriorityClassName, inits), settings: []steps.TaskRun{set.run(task)}})
}

// addPipelineRun adds the runs of the tasks of a PipelineRun.
func (in *input) addPipelineRun(at objects.Place, name types.NamespacedName, spec *pipelineRunSpec, inits []string) {
	pipeline, path := spec.PipelineSpec, "spec.pipelineSpec"
	ref := spec.PipelineRef
	switch {
	case (ref == nil) == (pipeline == nil):
		in.Fail(at, objects.Invalid, "spec", "expected exactly one of pipelineRef and pipelineSpec")
		return
	case ref != nil && ref.Resolver != "":
		in.Fail(at, objects.Skipped, "spec.pipelineRef",
			"the Pipeline of resolver "+ref.Resolver+" is not fetched, and not considered")
		return
	case ref != nil:
		path = "Pipeline " + ref.Name + ": spec"
		pipeline = in.pipelines[types.NamespacedName{Namespace: name.Namespace, Name: ref.Name}]
		if pipeline == nil {
			in.Fail(at, objects.Unreadable, "spec.pipelineRef.name", fmt.Sprintf("%q is not a Pipeline in the input", ref.Name))
			return
		}
	}
	for i, t := range slices.Concat(pipeline.Tasks, pipeline.Finally) {
		list := "tasks"
		if i >= len(pipeline.Tasks) {
			list, i = "finally", i-len(pipeline.Tasks)
		}
		path := fmt.Sprintf("%s.%s[%d]", path, list, i)
		if len(t.PipelineRef)+len(t.PipelineSpec) > 0 {
			in.Fail(at, objects.Skipped, path, "a run of another Pipeline, and not considered")
			continue
		}
		set := settings{}
		for _, s := range spec.TaskRunSpecs {
			if s.PipelineTaskName == t.Name {
				set = s.settings
			}
		}
		set.PodTemplate.PriorityClassName = cmp.Or(set.PodTemplate.PriorityClassName,
			spec.TaskRunTemplate.PodTemplate.PriorityClassName)
		in.add(at, types.NamespacedName{Namespace: name.Namespace, Name: name.Name + "-" + t.Name},
			fmt.Sprintf("PipelineRun %v, task %s", name, t.Name), path, &t.source, &set, inits)
	}
}
