package affinity

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/taskgraph"
)

// Run is the input of a plan. A controller creates it from its own object. It is only read, and
// never retained.
type Run struct {
	Name, Namespace string
	UID             types.UID
	// Labels are those of the run, and of all that is made for it.
	Labels map[string]string
	// APIVersion and Kind are the type of the run. They default to "tekton.dev/v1" and
	// "PipelineRun".
	APIVersion, Kind string

	Workspaces []Workspace
	// OptionalWorkspaces are the names that the pipeline declares as optional. A task may use
	// one that is not among Workspaces: it runs without.
	OptionalWorkspaces []string
	// Tasks run as soon as those that they run after are done.
	Tasks []Task
	// Finally are the tasks that run when all Tasks are done, all at the same time.
	Finally []Task
	// PodTemplate applies to the pods of the run.
	PodTemplate PodTemplate
}

// Workspace is a volume that the tasks of a run share. It has an existing claim, a claim to create,
// or no claim: then it is an emptyDir, a Secret, a ConfigMap, or another volume that does not bind
// pods to a node.
type Workspace struct {
	Name string
	// ClaimName is an existing claim. It is never deleted.
	ClaimName string
	// ClaimTemplate is the claim to be made. Its name, if any, is the beginning of the
	// name of the claim.
	ClaimTemplate *corev1.PersistentVolumeClaim
}

// Task is a task of a run: one pod at a time, unless FanOut or NoPod is set.
type Task struct {
	Name string
	// Workspaces are those of the run that the task uses, by name. In Tekton, a task with its own
	// taskSpec uses those that its steps name, too, bound or not.
	Workspaces []string
	// RunAfter are the tasks that are done before this one begins: those that it names
	// itself, and those whose results it uses.
	RunAfter []string
	// ResultsOf are the tasks whose results it uses, which only peak.Play reads: without them, the task is skipped, or
	// fails. It has to run after them. Names that the run does not have are ignored.
	ResultsOf []string
	// ContinueOnError means that the run goes on if the task fails: "onError: continue".
	ContinueOnError bool
	// Retries is how often the task may be tried again.
	Retries int
	// Requests are the effective requests of one pod of the task (computeresources.SpecRequests).
	Requests corev1.ResourceList
	// Limits are the effective limits of one pod (computeresources.SpecLimits), which only quotas count: see
	// peak.ApplySizes.
	Limits corev1.ResourceList
	// FanOut is the number of pods that the task runs at the same time, as a matrix does. 0 means
	// 1.
	FanOut int
	// NoPod means that the task has no pod, like a custom task or a child run. Its Requests do not
	// count, and it may use any number of claims.
	NoPod bool
	// Affinity is that of the pod template of this task (spec.taskRunSpecs), which takes the
	// place of the one of the run. If nil, that of the run counts.
	Affinity *corev1.Affinity
}

// affinity returns the affinity of a task's pod template.
func (r *Run) affinity(task *Task) *corev1.Affinity {
	if task.Affinity != nil {
		return task.Affinity
	}
	return r.PodTemplate.Affinity
}

// PodTemplate applies to the pods of a run. The placeholder gets all of it, because the tasks have
// to be able to run on its node.
type PodTemplate struct {
	NodeSelector       map[string]string
	Tolerations        []corev1.Toleration
	Affinity           *corev1.Affinity
	ImagePullSecrets   []corev1.LocalObjectReference
	SecurityContext    *corev1.PodSecurityContext
	PriorityClassName  string
	ServiceAccountName string
}

// owner returns the owner reference to the run for objects that are created for it.
func (r *Run) owner() metav1.OwnerReference {
	isController, blocks := true, true
	owner := metav1.OwnerReference{
		APIVersion: r.APIVersion, Kind: r.Kind, Name: r.Name, UID: r.UID,
		Controller: &isController, BlockOwnerDeletion: &blocks,
	}
	if owner.APIVersion == "" {
		owner.APIVersion = "tekton.dev/v1"
	}
	if owner.Kind == "" {
		owner.Kind = "PipelineRun"
	}
	return owner
}

// taskGroup is a list of tasks of a run and its field path.
type taskGroup struct {
	path  *field.Path
	tasks []Task
}

// nodes returns what is validated of the tasks and their order.
func (g *taskGroup) nodes() []taskgraph.Task {
	nodes := make([]taskgraph.Task, len(g.tasks))
	for i := range g.tasks {
		t := &g.tasks[i]
		nodes[i] = taskgraph.Task{
			Path: g.path.Index(i), Name: t.Name, RunAfter: t.RunAfter,
			Requests: t.Requests, Retries: t.Retries, FanOut: t.FanOut,
		}
	}
	return nodes
}

func (r *Run) groups() [2]taskGroup {
	return [...]taskGroup{{field.NewPath("tasks"), r.Tasks}, {field.NewPath("finally"), r.Finally}}
}
