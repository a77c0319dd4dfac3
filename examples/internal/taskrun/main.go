// Package taskrun is the subcommand tekton: what the steps of runs request, and what becomes of their pods.
//
// main.go reads the objects, and runs.go finds the task of each run, and how far it is; timeline.go follows a PipelineRun,
// and report.go writes the pods that package steps makes of runs.
package taskrun

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"io"
	"maps"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity"
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
		if o.explain && o.Format == "yaml" {
			return errors.New("-explain is for text: -o yaml has the pods alone")
		}
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

// input has what was read, and the runs whose tasks are there.
type input struct {
	inventory.List
	refers pipelinerun.Objects // what runs refer to
	runs   []*run
	live   map[types.NamespacedName][]*corev1.Pod // the pods of runs of tasks, by run

	written map[types.NamespacedName]bool // PipelineRuns, with their TaskRuns
}

func read(o *options, s *command.Session) *input {
	in := &input{live: map[types.NamespacedName][]*corev1.Pod{}}
	o.Shared = pipelinerun.Configures
	in.Home, in.Check = cmp.Or(o.Namespace, corev1.NamespaceDefault), check
	reader := objects.Reader{Kinds: kinds(), Stdin: s.Stdin, Check: objects.Checked(o.Strict)}
	all := origin.Objects(reader, &o.Common, samples, "taskruns.tekton.dev", "pipelineruns.tekton.dev",
		"pipelines.tekton.dev",
		"tasks.tekton.dev", "limitranges", "resourcequotas", "pods")
	if o.Cluster {
		all = origin.Joined(all, origin.Optional(reader, &o.Common, "stepactions.tekton.dev"))
	}
	in.List.Read(all)
	if o.Cluster && !in.IsLost() {
		in.configureFrom(reader, o)
	}
	in.index(o)
	in.addRuns(o)
	return in
}

// index finds the configuration, what runs refer to, and the pods of TaskRuns.
func (in *input) index(o *options) {
	in.refers.Config.Tekton.Release = o.release
	for i, object := range in.Objects {
		in.refers.Add(object)
		switch object := object.(type) {
		case *corev1.ConfigMap:
			if key, err := in.refers.Config.Read(object); err != nil {
				in.Fail(in.Places[i], objects.Unreadable, "data."+key, err.Error())
			}
		case *corev1.Pod:
			if name := pipelinerun.PartOf(object, "TaskRun"); name != "" {
				key := types.NamespacedName{Namespace: object.Namespace, Name: name}
				in.live[key] = append(in.live[key], object)
			}
		}
	}
	if o.coschedule != "" {
		in.refers.Config.Behavior, _ = affinity.BehaviorOf(o.coschedule) // which was parsed
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
		in.List.Read(reader.File(name, bytes.NewReader(text)))
	}
}

// check returns why the API server, or Tekton's webhook, rejects an object. It completes quotas: one without a status is new, and
// nothing of it is used.
func check(object admit.APIObject) field.ErrorList {
	switch o := object.(type) {
	case *corev1.LimitRange:
		return limitrange.ValidateObject(o)
	case *corev1.ResourceQuota:
		errs := quota.ValidateObject(nil, o, computeresources.Kubernetes{})
		if o.Status.Hard == nil {
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
