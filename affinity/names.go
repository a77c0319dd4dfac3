package affinity

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

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

// TaskRunName returns the name of the TaskRun of a task of a run. With a fanOut above 1, it is that of the combination
// of the matrix with this number, from 0; otherwise, the number is ignored.
//
// Source: getNewRunNames of Tekton.
func TaskRunName(run, task string, number, fanOut int) string {
	if fanOut <= 1 {
		return childName(run, "-"+task)
	}
	suffix := "-" + strconv.Itoa(number)
	name := childName(run, "-"+task+suffix)
	if strings.HasSuffix(name, suffix) {
		return name
	}
	name = childName(run, "-"+task)
	return name[:min(len(name), maxName-len("-"+strconv.Itoa(fanOut)))] + suffix
}

// PodName returns the name of the pod that Tekton creates for a TaskRun that was tried again so often.
//
// Source: Build of Tekton's pkg/pod.
func PodName(taskRun string, retries int) string {
	suffix := "-pod"
	if retries > 0 {
		suffix += "-retry" + strconv.Itoa(retries)
	}
	return childName(taskRun, suffix)
}

const (
	maxName  = 63
	keptName = maxName - 2*md5.Size // beside a sum in hexadecimal digits
)

// childName returns a name for what belongs to parent: both, or, if that is too long, the beginning and a sum.
//
// Source: ChildName of knative.dev/pkg/kmeta.
func childName(parent, suffix string) string {
	if len(parent)+len(suffix) <= maxName {
		return parent + suffix
	}
	if len(suffix) < keptName {
		sum := md5.Sum([]byte(parent))
		return parent[:keptName-len(suffix)] + hex.EncodeToString(sum[:]) + suffix
	}
	sum := md5.Sum([]byte(parent + suffix))
	name := parent[:min(len(parent), keptName)] + hex.EncodeToString(sum[:])
	name += suffix[:max(maxName-len(name), 0)]
	return strings.TrimRightFunc(name, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
