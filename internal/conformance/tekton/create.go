package tekton

import (
	"context"
	"fmt"
	"slices"

	"github.com/tektoncd/pipeline/pkg/apis/config"
	"github.com/tektoncd/pipeline/pkg/apis/pipeline"
	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	"github.com/tektoncd/pipeline/pkg/pod"
	"github.com/tektoncd/pipeline/pkg/transformers"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/version"
	discovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/kubernetes/fake"
	listers "k8s.io/client-go/listers/core/v1"
)

// Run is a TaskRun with its Task, and where it runs. LimitRanges and quotas are used in their order.
type Run struct {
	Task     tekton.TaskSpec
	Spec     tekton.TaskRunSpec
	Defaults map[string]corev1.ResourceRequirements
	Ranges   []*corev1.LimitRange
	Quotas   []*corev1.ResourceQuota

	ResultsSidecar bool // results are read from the logs of a sidecar, if the task has any
	NativeSidecars bool // sidecars are init containers that restart
}

// Stage is how far a pod of Tekton has come.
type Stage int

// The stages, in the order of Tekton. A pod of a stage has all that an earlier one has.
const (
	OfTask     Stage = iota // what the containers of the task set
	OfTemplate              // the step template
	OfRun                   // step and sidecar specs, and task-level requirements
	OfConfig                // default-container-resource-requirements
	OfRanges                // LimitRanges, as Tekton reads them: the pod that it creates
)

var (
	images = pipeline.Images{
		EntrypointImage: "entrypoint", ShellImage: "shell", WorkingDirInitImage: "workingdir", NopImage: "nop",
		SidecarLogResultsImage: "results", ShellImageWin: "shell-win",
	}
	client = newClient()
)

// newClient returns a cluster with a service account, whose version has sidecars.
func newClient() *fake.Clientset {
	c := fake.NewSimpleClientset(&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: "shop"}})
	c.Discovery().(*discovery.FakeDiscovery).FakedServerVersion = &version.Info{Major: "1", Minor: "36"}
	return c
}

// Create returns the pod that Tekton creates, or that of an earlier stage. The run is only read.
//
// The requirements of its configuration are copied first, since the transformer for LimitRanges writes into them.
//
// Source: createPod of pkg/reconciler/taskrun/taskrun.go, v1.15.0, from "podbuilder := podconvert.Builder{" to the error
// of Build: Builder.Build, with the transformers for the configuration, for LimitRanges and for the affinity assistant.
// What it does before, with parameters and workspaces, sets no resources.
func (r Run) Create(upTo Stage) (*corev1.Pod, error) {
	own := make(map[string]corev1.ResourceRequirements, len(r.Defaults))
	for key, requirements := range r.Defaults {
		own[key] = *requirements.DeepCopy()
	}
	return r.createWith(own, upTo)
}

// createWith is Create with requirements of the configuration that are not copied, as in Tekton.
func (r Run) createWith(defaults map[string]corev1.ResourceRequirements, upTo Stage) (*corev1.Pod, error) {
	task, run := r.Task.DeepCopy(), &tekton.TaskRun{ObjectMeta: metav1.ObjectMeta{Name: "run", Namespace: "shop", UID: "1"}}
	r.Spec.DeepCopyInto(&run.Spec)
	run.Spec.ServiceAccountName = "default"
	if upTo < OfTemplate {
		task.StepTemplate = nil
	}
	if upTo < OfRun {
		run.Spec.StepSpecs, run.Spec.SidecarSpecs, run.Spec.ComputeResources = nil, nil, nil
	}
	ctx := config.ToContext(context.Background(), r.config(defaults, upTo))
	builder := pod.Builder{Images: images, KubeClient: client, EntrypointCache: entrypoints{}}
	chain := []pod.Transformer{
		transformers.DefaultResourceRequirements(ctx),
		transformers.ComputeResources(ctx, run.Namespace, lister{r.rangesUpTo(upTo)}),
		transformers.AffinityAssistant(ctx, run.Annotations),
	}
	return builder.Build(ctx, run, *task, chain...)
}

// config returns the configuration of Tekton: its defaults, with requirements of containers.
func (r Run) config(defaults map[string]corev1.ResourceRequirements, upTo Stage) *config.Config {
	c := config.FromContextOrDefaults(context.Background())
	flags := *c.FeatureFlags
	flags.EnableKubernetesSidecar = r.NativeSidecars
	if r.ResultsSidecar {
		flags.ResultExtractionMethod = config.ResultExtractionMethodSidecarLogs
	}
	c.FeatureFlags = &flags
	if upTo >= OfConfig {
		own := *c.Defaults
		own.DefaultContainerResourceRequirements = defaults
		c.Defaults = &own
	}
	return c
}

func (r Run) rangesUpTo(upTo Stage) (all []*corev1.LimitRange) {
	if upTo >= OfRanges {
		for _, lr := range r.Ranges {
			all = append(all, lr.DeepCopy())
		}
	}
	return all
}

// VirtualRange returns the item of the LimitRange that Tekton reads instead of those of the namespace.
func (r Run) VirtualRange() (corev1.LimitRangeItem, error) {
	lr, err := transformers.VirtualLimitRange("shop", lister{r.rangesUpTo(OfRanges)})
	if err != nil || lr == nil {
		return corev1.LimitRangeItem{}, err
	}
	for _, item := range lr.Spec.Limits {
		if item.Type == corev1.LimitTypeContainer {
			return item, nil
		}
	}
	return corev1.LimitRangeItem{}, nil
}

// Validate returns why Tekton rejects the run: its webhook, or, for overrides without a step or sidecar, its reconciler
// before it creates a pod.
//
// Source: validateOverrides of pkg/reconciler/taskrun/validate_taskrun.go, v1.15.0, which is not exported.
func (r Run) Validate() error {
	ctx := context.Background()
	run := &tekton.TaskRun{ObjectMeta: metav1.ObjectMeta{Name: "run", Namespace: "shop"}, Spec: *r.Spec.DeepCopy()}
	run.Spec.TaskRef = &tekton.TaskRef{Name: "task"}
	run.SetDefaults(ctx)
	if err := run.Validate(ctx); err != nil {
		return err
	}
	for _, o := range r.Spec.StepSpecs {
		if !slices.ContainsFunc(r.Task.Steps, func(s tekton.Step) bool { return s.Name == o.Name }) {
			return fmt.Errorf("invalid StepOverride: No Step named %s", o.Name)
		}
	}
	for _, o := range r.Spec.SidecarSpecs {
		if !slices.ContainsFunc(r.Task.Sidecars, func(s tekton.Sidecar) bool { return s.Name == o.Name }) {
			return fmt.Errorf("invalid SidecarOverride: No Sidecar named %s", o.Name)
		}
	}
	return nil
}

// entrypoints are never asked, because each step has a command.
type entrypoints struct{ pod.EntrypointCache }

// lister lists LimitRanges of one namespace in their order.
type lister struct{ ranges []*corev1.LimitRange }

func (l lister) LimitRanges(string) listers.LimitRangeNamespaceLister {
	return namespaceLister{lister: l}
}

func (l lister) List(labels.Selector) ([]*corev1.LimitRange, error) { return l.ranges, nil }

type namespaceLister struct {
	lister
	listers.LimitRangeNamespaceLister
}

func (l namespaceLister) List(s labels.Selector) ([]*corev1.LimitRange, error) {
	return l.lister.List(s)
}
