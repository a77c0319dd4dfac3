package replay_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// coscheduled is a PipelineRun, and Tekton's result for it.
type coscheduled struct {
	Name        string
	PipelineRun string
	UID         types.UID
	Labels      map[string]string
	Affinity    *corev1.Affinity
	Workspaces  []struct {
		Name, ClaimName string
		TemplateSet     bool
		Template        string // its name
		EmptyDir        bool
	}
	Want struct {
		Annotation                  map[string]map[string]string // by behavior and workspace
		ClaimName                   map[string]string
		PerPipelineRunAssistantName string
		PerWorkspaceAssistantName   map[string]string
		StatefulSetClaimName        map[string]string
		StatefulSets                map[string]appsv1.StatefulSet
		OnlyOnePVC                  bool
	}
}

// behaviors are those of Tekton, by Tekton's names.
var behaviors = map[string]affinity.Behavior{
	"AffinityAssistantDisabled":                    affinity.Disabled,
	"AffinityAssistantPerWorkspace":                affinity.PerWorkspace,
	"AffinityAssistantPerPipelineRun":              affinity.PerRun,
	"AffinityAssistantPerPipelineRunWithIsolation": affinity.PerRunIsolated,
}

// replayAffinity compares names, claims, annotations, StatefulSets, and which tasks are
// rejected.
func replayAffinity(t *testing.T, raw json.RawMessage) bool {
	var c coscheduled
	decode(t, raw, &c)
	sets, claims, provisioned := map[string]appsv1.StatefulSet{}, map[string]string{}, map[string]string{}
	for spelling, behavior := range behaviors {
		plan := c.plan(t, behavior)
		annotations := map[string]string{}
		for _, b := range plan.Workspaces {
			annotations[b.Workspace] = b.Assistant
			if c.templated(b.Workspace) && behavior == affinity.PerWorkspace {
				claims[b.Workspace] = b.Claim
			}
			if c.templated(b.Workspace) && behavior == affinity.PerRun {
				provisioned[b.Workspace] = b.Claim
			}
		}
		testkit.NoDiff(t, annotations, c.Want.Annotation[spelling], c.Name, "annotations", spelling)
		for _, set := range plan.StatefulSets {
			sets[c.key(spelling, behavior, set.Name)] = set
		}
	}
	compare := func(what string, want, got any) {
		t.Helper()
		testkit.NoDiff(t, got, want, cmpopts.EquateEmpty(), cmp.Comparer(sameAmount), c.Name, what)
	}
	compare("StatefulSets", c.Want.StatefulSets, sets)
	compare("claims", c.Want.ClaimName, claims)
	compare("claims of StatefulSets", c.Want.StatefulSetClaimName, provisioned)
	compare("name for the run", c.Want.PerPipelineRunAssistantName, affinity.Workspace{}.AssistantName(c.PipelineRun))
	perWorkspace := map[string]string{}
	for _, w := range c.Workspaces {
		perWorkspace[w.Name] = affinity.Workspace{Name: w.Name}.AssistantName(c.PipelineRun)
	}
	for name := range perWorkspace {
		if _, recorded := c.Want.PerWorkspaceAssistantName[name]; !recorded {
			delete(perWorkspace, name)
		}
	}
	compare("names for workspaces", c.Want.PerWorkspaceAssistantName, perWorkspace)
	compare("only one claim", c.Want.OnlyOnePVC, c.onlyOne())
	return true
}

func sameAmount(a, b resource.Quantity) bool { return a.Cmp(b) == 0 }

// run returns the run without tasks.
func (c *coscheduled) run() *affinity.Run {
	run := &affinity.Run{Name: c.PipelineRun, UID: c.UID, Labels: c.Labels, PodTemplate: affinity.PodTemplate{Affinity: c.Affinity}}
	for _, w := range c.Workspaces {
		workspace := affinity.Workspace{Name: w.Name, ClaimName: w.ClaimName}
		if w.TemplateSet {
			workspace.ClaimTemplate = &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{"storage": resource.MustParse("1Gi")}},
			}}
			workspace.ClaimTemplate.Name = w.Template
		}
		run.Workspaces = append(run.Workspaces, workspace)
	}
	return run
}

func (c *coscheduled) options(b affinity.Behavior) affinity.Options {
	return affinity.Options{Behavior: b, Placeholder: affinity.Placeholder{Image: "nop", Args: []string{"tekton_run_indefinitely"}}}
}

func (c *coscheduled) plan(t *testing.T, b affinity.Behavior) *affinity.Plan {
	t.Helper()
	plan, err := affinity.PlanFor(c.run(), c.options(b))
	if err != nil {
		t.Fatalf("%s: %v: %v", c.Name, b, err)
	}
	return plan
}

func (c *coscheduled) templated(workspace string) bool {
	for _, w := range c.Workspaces {
		if w.Name == workspace {
			return w.TemplateSet
		}
	}
	return false
}

// key returns the key of a recorded StatefulSet.
func (c *coscheduled) key(spelling string, b affinity.Behavior, name string) string {
	if b == affinity.PerWorkspace {
		for _, w := range c.Workspaces {
			if (affinity.Workspace{Name: w.Name}).AssistantName(c.PipelineRun) == name {
				return spelling + "/" + w.Name
			}
		}
	}
	return spelling
}

// onlyOne reports whether a task may use all workspaces where each claim has its own
// placeholder.
func (c *coscheduled) onlyOne() bool {
	run := c.run()
	task := affinity.Task{Name: "task"}
	for _, w := range c.Workspaces {
		task.Workspaces = append(task.Workspaces, w.Name)
	}
	run.Tasks = []affinity.Task{task}
	opts := c.options(affinity.PerWorkspace)
	opts.RejectSeveralClaims = true
	return len(affinity.Validate(run, opts)) == 0
}
