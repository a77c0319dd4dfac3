// Package pipelinerun reads Tekton's objects, in each version of its API: what a run is for package affinity, and the pods
// of its tasks for package steps.
package pipelinerun

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Object is an object of Tekton.
type Object[S any] = inventory.Manifest[S, Status]

// PartOf returns the name of the object of a kind that one belongs to, or "".
func PartOf(o metav1.Object, kind string) string {
	if owner := metav1.GetControllerOfNoCopy(o); owner != nil && owner.Kind == kind {
		return owner.Name
	}
	return o.GetLabels()["tekton.dev/"+strings.ToLower(kind[:1])+kind[1:]]
}

// Status is how far a run is.
type Status struct {
	PodName string
	// RetriesStatus has those of earlier tries.
	RetriesStatus []struct{}
	Conditions    []struct{ Type, Status, Reason, Message string }
	// PipelineSpec and TaskSpec are what a run that has begun runs: also what a resolver has fetched.
	PipelineSpec *PipelineSpec
	TaskSpec     *TaskSpec
}

// Ended reports whether a run is completed, and whether it failed.
func (s *Status) Ended() (ended, failed bool) {
	for _, c := range s.Conditions {
		if c.Type == "Succeeded" && c.Status != "Unknown" {
			return true, c.Status == "False"
		}
	}
	return false, false
}

// State says how a run has ended, "" if it has not.
func (s *Status) State() string {
	ended, failed := s.Ended()
	switch {
	case failed:
		return "has failed"
	case ended:
		return "is completed"
	}
	return ""
}

// TaskRunSpec is the spec of a TaskRun.
type TaskRunSpec struct {
	Settings
	TaskRef  *reference
	TaskSpec *TaskSpec
	Debug    *struct{ Breakpoints any }
}

// Settings are what a run sets of a task, in either version of the API.
type Settings struct {
	ComputeResources               *corev1.ResourceRequirements
	StepSpecs, StepOverrides       []container
	SidecarSpecs, SidecarOverrides []container
	PodTemplate                    *podTemplate
}

// StepAction is the spec of a StepAction.
type StepAction = container

// Kinds are those of Tekton's objects.
func Kinds() objects.Kinds {
	kinds := objects.Kinds{}
	for _, version := range []string{"v1", "v1beta1", "v1alpha1"} {
		of := func(kind string) [2]string { return [2]string{"tekton.dev/" + version, kind} }
		kinds[of("PipelineRun")] = reflect.TypeFor[Object[RunSpec]]()
		kinds[of("Pipeline")] = reflect.TypeFor[Object[PipelineSpec]]()
		kinds[of("TaskRun")] = reflect.TypeFor[Object[TaskRunSpec]]()
		kinds[of("Task")] = reflect.TypeFor[Object[TaskSpec]]()
		kinds[of("StepAction")] = reflect.TypeFor[Object[StepAction]]()
	}
	return kinds
}

// Objects are those that runs refer to, by namespace and name, and the configuration of Tekton.
type Objects struct {
	Pipelines   map[string]PipelineSpec
	Tasks       map[string]TaskSpec
	StepActions map[string]*StepAction
	Config      Config

	begun map[begun]*TaskSpec
}

// begun is a task of a PipelineRun that has a TaskRun.
type begun struct{ namespace, run, task string }

// Add adds an object, and reports whether it is one that runs refer to.
func (in *Objects) Add(object any) bool {
	if in.Tasks == nil {
		in.Pipelines, in.Tasks = map[string]PipelineSpec{}, map[string]TaskSpec{}
		in.StepActions, in.begun = map[string]*StepAction{}, map[begun]*TaskSpec{}
	}
	switch o := object.(type) {
	case *Object[PipelineSpec]:
		spec := o.Spec
		spec.Version = o.APIVersion
		in.Pipelines[o.Namespace+"/"+o.Name] = spec
	case *Object[TaskSpec]:
		in.Tasks[o.Namespace+"/"+o.Name] = o.Spec
	case *Object[StepAction]:
		in.StepActions[o.Namespace+"/"+o.Name] = &o.Spec
	case *Object[TaskRunSpec]:
		in.begun[begun{o.Namespace, PartOf(o, "PipelineRun"), o.Labels[TaskLabel]}] = o.Status.TaskSpec
		return false
	default:
		return false
	}
	return true
}

// TaskLabel is the label of a TaskRun with the name of its task in the Pipeline.
const TaskLabel = "tekton.dev/pipelineTask"

// Config is what Tekton's ConfigMaps set: config-defaults and feature-flags.
type Config struct {
	ContainerDefaults map[string]corev1.ResourceRequirements
	Tekton            steps.Tekton
	Behavior          affinity.Behavior

	podTemplate, assistant *podTemplate
	minutes, matrix        *int
}

func (c *Config) combinations() int {
	most := 256
	return *cmp.Or(c.matrix, &most)
}

func (c *Config) timeout() time.Duration {
	hour := 60
	return time.Duration(*cmp.Or(c.minutes, &hour)) * time.Minute
}

// Configures reports whether an object is a ConfigMap of Tekton.
func Configures(kind, name string) bool {
	return kind == "ConfigMap" && (name == "config-defaults" || name == "feature-flags")
}

// Read reads a ConfigMap, if it is one of Tekton's. It returns why a key cannot be read.
func (c *Config) Read(m *corev1.ConfigMap) (key string, err error) {
	switch m.Name {
	case "config-defaults":
		return c.readDefaults(m.Data)
	case "feature-flags":
		return c.readFlags(m.Data)
	}
	return "", nil
}

// ContainerKey is the key of the requirements of containers.
const ContainerKey = "default-container-resource-requirements"

func (c *Config) readDefaults(data map[string]string) (string, error) {
	if text, has := data[ContainerKey]; has {
		defaults, err := requirementsOf(text)
		c.ContainerDefaults = defaults
		if err != nil {
			return ContainerKey, err
		}
	}
	for key, to := range map[string]**int{"default-timeout-minutes": &c.minutes, "default-max-matrix-combinations-count": &c.matrix} {
		if text, has := data[key]; has {
			n, err := strconv.Atoi(text)
			if err != nil {
				return key, err
			}
			*to = &n
		}
	}
	for key, to := range map[string]**podTemplate{"default-pod-template": &c.podTemplate, "default-affinity-assistant-pod-template": &c.assistant} {
		if text, has := data[key]; has {
			*to = &podTemplate{}
			if err := yaml.Unmarshal([]byte(text), *to); err != nil {
				return key, err
			}
		}
	}
	return "", nil
}

// Assistant returns the part of default-affinity-assistant-pod-template that counts.
func (c *Config) Assistant() affinity.PodTemplate {
	own := c.assistant.planned()
	own.Affinity = nil
	if c.assistant != nil {
		own.ServiceAccountName = c.assistant.ServiceAccountName
	}
	return own
}

// readFlags reads feature-flags. A cluster has native sidecars since Kubernetes 1.29.
func (c *Config) readFlags(data map[string]string) (key string, err error) {
	c.Tekton.ResultsSidecar = data["results-from"] == "sidecar-logs"
	c.Tekton.NativeSidecars = strings.EqualFold(data["enable-kubernetes-sidecar"], "true")
	c.Behavior, err = affinity.BehaviorOf(data["coschedule"])
	if err != nil {
		return "coschedule", err
	}
	return "", nil
}

// requirementsOf reads the requirements of containers by name.
func requirementsOf(text string) (map[string]corev1.ResourceRequirements, error) {
	amounts := map[string]struct{ Requests, Limits map[corev1.ResourceName]any }{}
	err := yaml.Unmarshal([]byte(text), &amounts)
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
	defaults := map[string]corev1.ResourceRequirements{}
	for name, r := range amounts {
		defaults[name] = corev1.ResourceRequirements{Requests: list(r.Requests), Limits: list(r.Limits)}
	}
	if err != nil {
		return nil, err
	}
	return defaults, nil
}

// Alone returns the pod of a TaskRun, or why it has none: a task that is unknown, or one that Tekton rejects.
func (in *Objects) Alone(o *Object[TaskRunSpec]) (pod TaskPod) {
	t := pipelineTask{TaskRef: o.Spec.TaskRef, TaskSpec: o.Spec.TaskSpec}
	if why := t.withoutPod(); why != "" {
		return TaskPod{Custom: why}
	}
	spec, missing := t.spec(o.Namespace, in, o.Status.TaskSpec)
	pod = TaskPod{Task: o.Name, Note: spec.missingAction(o.Namespace, in)}
	pod.of(o.Namespace, &t, missing)
	pod.Spec, pod.Run = spec.pod(o.Namespace, in, &o.Spec.Settings, o.Spec.PodTemplate.over(in.Config.podTemplate))
	pod.Run.Scripts = pod.Run.Scripts || o.Spec.Debug != nil && o.Spec.Debug.Breakpoints != nil
	return pod
}

// RunOfTask returns a run of a task as it is.
func RunOfTask(t *TaskSpec) TaskRunSpec { return TaskRunSpec{TaskSpec: t} }

// RunOfPipeline returns a run of a Pipeline as it is, whose workspaces have no claims.
func RunOfPipeline(p *PipelineSpec) RunSpec {
	run := RunSpec{PipelineSpec: p}
	for _, w := range p.Workspaces {
		run.Workspaces = append(run.Workspaces, boundWorkspace{Name: w.Name})
	}
	return run
}
