package affinity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/affinity"
)

// If two workspaces use one claim, Tekton creates the placeholder of the last one and sends the
// tasks of the other to a placeholder that does not exist, so they wait forever.
func TestDivergenceSharedClaim(t *testing.T) {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
	run.Tasks = []affinity.Task{{Name: "both", Workspaces: []string{"maven", "cache"}}, {Name: "first", Workspaces: []string{"cache"}}, {Name: "last", Workspaces: []string{"maven"}}}
	run.Finally = nil
	plan := planFor(t, run, with(affinity.PerWorkspace))
	last := affinity.AssistantName("maven", "build")
	var sets []string
	for _, set := range plan.StatefulSets {
		sets = append(sets, set.Name)
	}
	if diff := cmp.Diff([]string{last, sourceAssistant}, sets); diff != "" {
		t.Errorf("placeholders (-want +got):\n%s", diff)
	}
	for _, p := range plan.Tasks {
		if p.Assistant != last {
			t.Errorf("%s goes to %s", p.Task, p.Assistant)
		}
	}
}

// Tekton mounts such a claim twice if there is one placeholder for the run.
func TestDivergenceClaimIsMountedOnce(t *testing.T) {
	run := buildRun()
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "maven", ClaimName: "build-cache-pvc"})
	spec := planFor(t, run, with(affinity.PerRun)).StatefulSets[0].Spec.Template.Spec
	if len(spec.Volumes) != 1 || spec.Volumes[0].Name != "workspace-0" {
		t.Errorf("volumes %v", spec.Volumes)
	}
}

// The document labels the placeholder per-pipelinerun-affinity-assistant, but its tasks select
// affinity-assistant, which matches nothing. Tekton labels all placeholders affinity-assistant, and we
// do the same.
func TestDivergenceLabelsOfTheDocument(t *testing.T) {
	plan := planFor(t, buildRun(), with(affinity.PerRun))
	labels := plan.StatefulSets[0].Spec.Template.Labels
	for key, value := range plan.Tasks[0].Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector.MatchLabels {
		if labels[key] != value {
			t.Errorf("tasks look for %s=%s, the placeholder has %s", key, value, labels[key])
		}
	}
	if labels["app.kubernetes.io/component"] != "affinity-assistant" {
		t.Errorf("labels %v", labels)
	}
}
