package affinity

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
)

// Options select how a run is planned. The zero value is the default of Tekton, except for the
// image, which has no default.
type Options struct {
	Behavior Behavior
	// AutoCleanup deletes, with PerWorkspace, the claims that are made from templates
	// when the run is completed: "tekton.dev/auto-cleanup-pvc". With PerRun and
	// PerRunIsolated they are deleted in any case, with Disabled never.
	AutoCleanup bool
	// LabelClaims marks claims as TEP-0135 shows them: claims and the claim templates of
	// StatefulSets have a kind and an API version, the label tekton.dev/pipelineRun, the label
	// "tekton.dev/workspace" with the name of the workspace, and the
	// run as their owner. Tekton sets no labels, and no owner on claim templates of StatefulSets.
	LabelClaims bool
	// RejectSeveralClaims makes a run invalid if a task uses several claims with PerWorkspace.
	// Otherwise, only that task fails, as in Tekton: see Placement.Refused.
	RejectSeveralClaims bool
	Placeholder         Placeholder
}

// Placeholder is the container that holds the place of a run.
type Placeholder struct {
	// Image and Args have to make it run until it is stopped. Without an image, there
	// can be no plan with placeholders.
	Image string
	Args  []string
	// Requests are the requests of the placeholder. If nil, they are 50m of cpu and 100Mi of
	// memory. Package peak computes what a run requests at its peak.
	Requests corev1.ResourceList
	// Limits are the limits of the placeholder. If nil, they equal the requests, so that its pod is
	// Guaranteed; if empty, there are none.
	Limits corev1.ResourceList
	// SecurityContext is that of the container. If nil, it is empty.
	SecurityContext *corev1.SecurityContext
	// Defaults are for what the pod template of the run does not set: "default-affinity-assistant-pod-template" of
	// Tekton. Its Affinity is ignored, and its ServiceAccountName comes before that of the run.
	Defaults PodTemplate
}

// Plan has the objects to create for a run, what to set on its tasks, and what to delete at the
// end. All lists are sorted by name. A Plan shares no memory with the run, the options or other
// plans.
type Plan struct {
	Run      types.NamespacedName `json:"run,omitzero"`
	Behavior Behavior             `json:"behavior,omitempty"`
	// StatefulSets of placeholders are to be created, complete.
	StatefulSets []appsv1.StatefulSet `json:"statefulSets,omitempty"`
	// Claims are to be created before.
	Claims []corev1.PersistentVolumeClaim `json:"claims,omitempty"`
	// Provisioned are the claims that the StatefulSets will create.
	Provisioned []corev1.PersistentVolumeClaim `json:"provisioned,omitempty"`
	Workspaces  []Binding                      `json:"workspaces,omitempty"`
	// Tasks are those of the run, its Finally included.
	Tasks []Placement `json:"tasks,omitempty"`
	// DeleteStatefulSets and DeleteClaims are to be deleted when the run is completed,
	// in this order, as described at Cleanup. They do not include claims that existed before the run.
	DeleteStatefulSets []string `json:"deleteStatefulSets,omitempty"`
	DeleteClaims       []string `json:"deleteClaims,omitempty"`
}

// Binding is the claim and the placeholder of a workspace.
type Binding struct {
	Workspace string `json:"workspace,omitempty"`
	// Claim is the claim that a task mounts, or empty if the workspace has none.
	Claim string `json:"claim,omitempty"`
	// Assistant is the placeholder on whose node the workspace is used, if any.
	Assistant string `json:"assistant,omitempty"`
}

// Placement says where a task is to run.
type Placement struct {
	Task string `json:"task,omitempty"`
	// Assistant is the value of AssistantAnnotation. If it is empty, omit the annotation.
	Assistant string `json:"assistant,omitempty"`
	// Affinity is that of the pods: the one of the pod template, merged. It is nil if it
	// would be empty, and for a task without a pod.
	Affinity *corev1.Affinity `json:"affinity,omitempty"`
	// Refused is the reason why the task will fail, and nil if it can run: with PerWorkspace, it
	// uses more than one claim, and there may be no node with both volumes.
	Refused *computeresources.FieldError `json:"refused,omitempty"`
}

// PlanFor returns the plan for a run. The error, if any, wraps each *field.Error that
// Validate returns, and the plan is nil then. Two workspaces with the same claim have one placeholder, with
// the name of the last of them.
//
// The run is the owner of what is created. Its UID may be missing in a plan without claim templates,
// for example of a run that does not exist yet; set it before you create the objects, because the API
// server rejects an owner without a UID.
//
// Cost: proportional to the size of the plan, and to what Validate takes.
//
// Source: TEP-0135; createOrUpdateAffinityAssistantsAndPVCs of Tekton.
func PlanFor(run *Run, opts Options) (*Plan, error) {
	if err := aggregate.Of(Validate(run, opts)); err != nil {
		return nil, err
	}
	p := &planner{run: run, opts: opts, bindings: bind(run, opts.Behavior)}
	plan := &Plan{
		Run:          types.NamespacedName{Namespace: run.Namespace, Name: run.Name},
		Behavior:     opts.Behavior,
		StatefulSets: p.statefulSets(),
		Workspaces:   p.bindings,
		Tasks:        p.placements(),
	}
	if opts.Behavior.perRun() {
		plan.Provisioned = p.provisioned(&plan.StatefulSets[0])
	} else {
		plan.Claims = p.claims()
	}
	plan.DeleteStatefulSets, plan.DeleteClaims = Cleanup(run, opts)
	plan.sort()
	return plan, nil
}

func (p *Plan) sort() {
	slices.SortFunc(p.StatefulSets, func(a, b appsv1.StatefulSet) int { return cmp.Compare(a.Name, b.Name) })
	byName := func(a, b corev1.PersistentVolumeClaim) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(p.Claims, byName)
	slices.SortFunc(p.Provisioned, byName)
	slices.SortFunc(p.Workspaces, func(a, b Binding) int { return cmp.Compare(a.Workspace, b.Workspace) })
	slices.SortFunc(p.Tasks, func(a, b Placement) int { return cmp.Compare(a.Task, b.Task) })
}

// planner holds the data from which the parts of a plan are made.
type planner struct {
	run      *Run
	opts     Options
	bindings []Binding // in the order of the workspaces
}

// placements returns where each task runs. All workspaces of a task have one placeholder, or
// none. If a task uses several claims, it gets the placeholder of the last one.
func (p *planner) placements() []Placement {
	assistants := map[string]string{}
	for _, b := range p.bindings {
		assistants[b.Workspace] = b.Assistant
	}
	var placements []Placement
	for _, group := range p.run.groups() {
		for i := range group.tasks {
			task := &group.tasks[i]
			assistant := ""
			if p.opts.Behavior.perRun() {
				assistant = assistantName("", p.run.Name)
			}
			for _, workspace := range task.Workspaces {
				assistant = cmp.Or(assistants[workspace], assistant)
			}
			placement := Placement{
				Task: task.Name, Assistant: assistant,
				Refused: computeresources.FieldErrorOf(severalClaims(group.path.Index(i), task, p.bindings, p.opts)),
			}
			if !task.NoPod {
				placement.Affinity = TaskAffinity(p.run.affinity(task), assistant)
			}
			placements = append(placements, placement)
		}
	}
	return placements
}
