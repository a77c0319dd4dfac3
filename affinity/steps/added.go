package steps

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// Tekton is the installation that creates the pods of a cluster. The zero value is the newest release with its
// default configuration.
type Tekton struct {
	// Release is that of Tekton Pipelines, such as "v1.13.0"; empty is the newest. Only v1.13.0 sets amounts for
	// the containers that it adds.
	Release string `json:"release,omitempty"`
	// ResultsSidecar means that results are read from the logs of a sidecar: the feature flag results-from is
	// "sidecar-logs".
	ResultsSidecar bool `json:"resultsSidecar,omitempty"`
	// NativeSidecars means that sidecars are init containers that restart: the feature flag
	// enable-kubernetes-sidecar, in a cluster of Kubernetes 1.29 or later.
	NativeSidecars bool `json:"nativeSidecars,omitempty"`
	// Complete means that pods have all their containers, as those that are read from a cluster: none is added.
	Complete bool `json:"complete,omitempty"`
}

// The containers that Tekton adds to pods.
const (
	prepareName    = "prepare"
	scriptsName    = "place-scripts"
	workingDirName = "working-dir-initializer"
	resultsName    = "sidecar-tekton-log-results"
)

// internalContainers are those that Tekton adds to pods.
func internalContainers() []string {
	return []string{prepareName, scriptsName, workingDirName, resultsName}
}

// TektonContainers returns the pod of a task with the containers that Tekton adds to it, without amounts:
//
//   - the init container prepare, always;
//   - the init container place-scripts, if one of runs has Scripts;
//   - the init container working-dir-initializer, if a step has a working directory that is relative or below
//     /workspace;
//   - the sidecar sidecar-tekton-log-results, if one of runs has Results and the installation reads them from logs.
//
// The init containers are the first ones; the sidecar is last, among the init containers with NativeSidecars. A
// container that spec has already, by its name, is not added. A pod without steps is not Tekton's, and is returned
// as it is. The result is a copy; that of a nil spec is an empty pod.
//
// WholePod, AdmittedPod and Guaranteed add them themselves; their Changes are those of this pod.
//
// Source: Build of Tekton's pkg/pod, with convertScripts and workingDirInit.
func TektonContainers(spec *corev1.PodSpec, runs []TaskRun, in Tekton) *corev1.PodSpec {
	own := changed(spec, nil)
	if in.Complete || count(own, TektonStep) == 0 {
		return own
	}
	var inits []corev1.Container
	for name, needed := range map[string]bool{
		prepareName:    true,
		scriptsName:    slices.ContainsFunc(runs, func(r TaskRun) bool { return r.Scripts }),
		workingDirName: slices.ContainsFunc(own.Containers, initializesWorkingDir),
	} {
		if needed && !hasContainer(own, name) {
			inits = append(inits, corev1.Container{Name: name})
		}
	}
	slices.SortFunc(inits, func(a, b corev1.Container) int {
		return slices.Index(internalContainers(), a.Name) - slices.Index(internalContainers(), b.Name)
	})
	own.InitContainers = append(inits, own.InitContainers...)
	results := slices.ContainsFunc(runs, func(r TaskRun) bool { return r.Results })
	switch {
	case !results || !in.ResultsSidecar || hasContainer(own, resultsName):
	case in.NativeSidecars:
		always := corev1.ContainerRestartPolicyAlways
		own.InitContainers = append(own.InitContainers, corev1.Container{Name: resultsName, RestartPolicy: &always})
	default:
		own.Containers = append(own.Containers, corev1.Container{Name: resultsName})
	}
	return own
}

// hasContainer reports whether a pod has a container of that name.
func hasContainer(spec *corev1.PodSpec, name string) bool {
	for _, c := range computeresources.Containers(spec) {
		if c.Name == name {
			return true
		}
	}
	return false
}

// initializesWorkingDir reports whether Tekton creates the working directory of a container: a step's, if it is
// relative or below /workspace.
func initializesWorkingDir(c corev1.Container) bool {
	dir := path.Clean(c.WorkingDir)
	return strings.HasPrefix(c.Name, TektonStepPrefix) && c.WorkingDir != "" &&
		(!path.IsAbs(dir) || strings.HasPrefix(dir, "/workspace/"))
}

// ownAmounts returns the amounts that a release of Tekton sets for the containers that it adds, as requests and as
// limits. The Source of a change is Tekton, with its release.
//
// Source: pkg/pod of v1.13.0. v1.13.1 has none again, as before.
func (t Tekton) ownAmounts(spec *corev1.PodSpec) (changes []computeresources.Change) {
	if strings.TrimPrefix(t.Release, "v") != "1.13.0" {
		return nil
	}
	amounts := map[string][2]string{
		prepareName: {"10m", "32Mi"}, scriptsName: {"100m", "32Mi"},
		workingDirName: {"10m", "16Mi"}, resultsName: {"50m", "32Mi"},
	}
	for ref, c := range computeresources.Containers(spec) {
		own, known := amounts[c.Name]
		if !known || len(c.Resources.Requests)+len(c.Resources.Limits) > 0 {
			continue
		}
		list := corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse(own[0]), corev1.ResourceMemory: resource.MustParse(own[1]),
		}
		before := len(changes)
		changes = appendReplacements(changes, ref, &c.Resources, &corev1.ResourceRequirements{Requests: list, Limits: list})
		for i := range changes[before:] {
			changes[before+i].Source = computeresources.Source{Kind: "Tekton", Name: t.Release}
		}
	}
	return changes
}
