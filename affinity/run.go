package affinity

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Run is what a planner has to know of a run: a controller fills it from its own object.
// Nothing here is ever written, or kept.
type Run struct {
	Name, Namespace string
	UID             types.UID
	// Labels are those of the run. All that is made for it has them, too.
	Labels map[string]string
	// APIVersion and Kind say of which type the run is. Empty ones are "tekton.dev/v1"
	// and "PipelineRun".
	APIVersion, Kind string

	Workspaces []Workspace
	// OptionalWorkspaces are the names that the pipeline declares as optional. A task may use
	// one that is not among Workspaces: it runs without.
	OptionalWorkspaces []string
	// Tasks run as soon as those that they run after are done.
	Tasks []Task
	// Finally are the tasks that run when all Tasks are done, all of them at once.
	Finally []Task
	// PodTemplate is what the run says of its pods.
	PodTemplate PodTemplate
}

// Workspace is a volume that the tasks of a run share. It has a claim that is there
// already, or one that is to be made, or no claim at all: then it is an emptyDir, a
// Secret, a ConfigMap, or anything else that holds no pod on a node.
type Workspace struct {
	Name string
	// ClaimName is the claim that is there. It is never deleted.
	ClaimName string
	// ClaimTemplate is the claim to be made. Its name, if any, is the beginning of the
	// name of the claim.
	ClaimTemplate *corev1.PersistentVolumeClaim
}

// Task is a task of a run: one pod at a time, unless it says otherwise.
type Task struct {
	Name string
	// Workspaces are those of the run that the task uses, by name. In Tekton, a task with its own
	// taskSpec uses those that its steps name, too, bound or not.
	Workspaces []string
	// RunAfter are the tasks that are done before this one begins: those that it names
	// itself, and those whose results it uses.
	RunAfter []string
	// Retries is how often the task may be tried again.
	Retries int
	// Requests is what one pod of the task requests in all
	// (computeresources.SpecRequests).
	Requests corev1.ResourceList
	// FanOut is how many pods the task runs at once, as a matrix does; 0 stands for 1.
	FanOut int
	// NoPod says that the task has no pod of its own: a custom task, or a child run. Its
	// Requests do not count, and it may use any number of claims.
	NoPod bool
	// Affinity is that of the pod template of this task (spec.taskRunSpecs), which takes the
	// place of the one of the run. If nil, that of the run counts.
	Affinity *corev1.Affinity
}

// affinity returns that of the pod template of a task.
func (r *Run) affinity(task *Task) *corev1.Affinity {
	if task.Affinity != nil {
		return task.Affinity
	}
	return r.PodTemplate.Affinity
}

// PodTemplate is what a run says of its pods. The placeholder has to be found on a node
// where the tasks may go, so it gets all of it.
type PodTemplate struct {
	NodeSelector       map[string]string
	Tolerations        []corev1.Toleration
	Affinity           *corev1.Affinity
	ImagePullSecrets   []corev1.LocalObjectReference
	SecurityContext    *corev1.PodSecurityContext
	PriorityClassName  string
	ServiceAccountName string
}

// owner returns the reference by which the run owns what is made for it.
func (r *Run) owner() metav1.OwnerReference {
	yes := true
	blocks := true
	owner := metav1.OwnerReference{
		APIVersion: r.APIVersion, Kind: r.Kind, Name: r.Name, UID: r.UID,
		Controller: &yes, BlockOwnerDeletion: &blocks,
	}
	if owner.APIVersion == "" {
		owner.APIVersion = "tekton.dev/v1"
	}
	if owner.Kind == "" {
		owner.Kind = "PipelineRun"
	}
	return owner
}

// taskGroup is a list of tasks of a run, and where it stands.
type taskGroup struct {
	path  *field.Path
	tasks []Task
}

func (r *Run) groups() [2]taskGroup {
	return [...]taskGroup{{field.NewPath("tasks"), r.Tasks}, {field.NewPath("finally"), r.Finally}}
}
