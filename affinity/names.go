package affinity

import (
	"crypto/sha256"
	"encoding/hex"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/placeholder"
)

// Names by which the parts of a plan, and the pods of the cluster, find each other.
const (
	// AssistantAnnotation holds, on a task, the name of its placeholder.
	AssistantAnnotation = "pipeline.tekton.dev/affinity-assistant"

	// runLabel holds the name of the run.
	runLabel = "tekton.dev/pipelineRun"
	// workspaceLabel holds the name of the workspace that a claim is made for.
	workspaceLabel = "tekton.dev/workspace"
)

// AssistantName returns the name of the StatefulSet of a workspace's placeholder in a run: "affinity-assistant-"
// and ten hexadecimal digits, 29 characters. The zero Workspace has that of the placeholder of a whole run. The
// digits come from both names without a separator, as everywhere Tekton runs: workspace "src" of run "build-1" has
// the placeholder of workspace "srcb" of run "uild-1". [FindCollisions] finds such pairs.
//
// Source: GetAffinityAssistantName of Tekton.
func (w Workspace) AssistantName(run string) string { return assistantName(w.Name, run) }

func assistantName(workspace, run string) string {
	return placeholder.Component + "-" + digits(workspace+run)
}

// GeneratedClaimName returns the name of the claim that is created from the template of the workspace if there
// is no placeholder for the run: the name of the template, or "pvc" if it has none, a hyphen, and
// ten hexadecimal digits. The owner is the UID of the run. The length of the name is not limited.
//
// If there is a placeholder for the run, its StatefulSet makes the claim. With the name of the run as placeholderOf,
// the result is the name of that claim: the other one, shortened as in VolumeName because the volume of
// a StatefulSet has the name of the claim template, then a hyphen, AssistantName of the run, and "-0".
//
// Source: GeneratePVCNameFromWorkspaceBinding and getPersistentVolumeClaimNameWithAffinityAssistant of
// Tekton.
func (w Workspace) GeneratedClaimName(owner types.UID, placeholderOf string) string {
	prefix := "pvc"
	if w.ClaimTemplate != nil && w.ClaimTemplate.Name != "" {
		prefix = w.ClaimTemplate.Name
	}
	name := prefix + "-" + digits(w.Name+string(owner))
	if placeholderOf == "" {
		return name
	}
	return VolumeName(name) + "-" + assistantName("", placeholderOf) + "-0"
}

const (
	maxVolumeName = 63
	keptOfVolume  = 52
)

// VolumeName returns the name of a claim as the claim template, and the volume, of a StatefulSet:
// the same up to 63 characters, and of a longer one the first 52, a hyphen, and ten hexadecimal
// digits of all of it.
//
// Source: sanitizeVolumeName of Tekton.
func VolumeName(claim string) string {
	if len(claim) <= maxVolumeName {
		return claim
	}
	return claim[:keptOfVolume] + "-" + digits(claim)
}

func digits(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:10]
}
