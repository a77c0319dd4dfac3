package affinity

import (
	"crypto/sha256"
	"encoding/hex"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/placeholder"
)

// Names by which the parts of a plan, and the pods of the cluster, find each other.
const (
	// Component is the value of ComponentLabel on everything made for a placeholder,
	// and the beginning of its name: "affinity-assistant".
	Component = placeholder.Component
	// ComponentLabel is the label that placeholders have in common: they keep away from
	// each other by it. It is "app.kubernetes.io/component".
	ComponentLabel = placeholder.ComponentLabel
	// RunLabel holds the name of the run.
	RunLabel = "tekton.dev/pipelineRun"
	// AssistantAnnotation holds, on a task, the name of its placeholder.
	AssistantAnnotation = "pipeline.tekton.dev/affinity-assistant"

	// workspaceLabel holds the name of the workspace that a claim is made for.
	workspaceLabel = "tekton.dev/workspace"
)

// AssistantName returns the name of a placeholder's StatefulSet: "affinity-assistant-"
// and ten hexadecimal digits, 29 characters. The workspace is empty for the placeholder
// of a whole run. The digits come from both names without a separator, as everywhere
// Tekton runs: workspace "src" of run "build-1" has the placeholder of workspace "srcb"
// of run "uild-1". [FindCollisions] finds such pairs.
//
// Source: GetAffinityAssistantName of Tekton.
func AssistantName(workspace, run string) string {
	return Component + "-" + digits(workspace+run)
}

// ClaimName returns the name of the claim that is created from the template of a workspace if there
// is no placeholder for the run: the name of the template, or "pvc" if it has none, a hyphen, and
// ten hexadecimal digits. The owner is the UID of the run. The length of the name is not limited.
//
// Source: GeneratePVCNameFromWorkspaceBinding of Tekton.
func ClaimName(template, workspace string, owner types.UID) string {
	if template == "" {
		template = "pvc"
	}
	return template + "-" + digits(workspace+string(owner))
}

// ProvisionedClaimName returns the name of the claim that the StatefulSet of a run's placeholder
// makes from the template of a workspace: ClaimName, a hyphen, AssistantName of the run, and "-0".
// The volume of a StatefulSet has the name of the claim template, so ClaimName is shortened as in
// VolumeName.
//
// Source: getPersistentVolumeClaimNameWithAffinityAssistant of Tekton.
func ProvisionedClaimName(template, workspace string, owner types.UID, run string) string {
	return VolumeName(ClaimName(template, workspace, owner)) + "-" + AssistantName("", run) + "-0"
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
