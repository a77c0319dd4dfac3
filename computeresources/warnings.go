package computeresources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// SpecWarnings returns the warnings of the API server about the amounts of a new pod or of a template, word for
// word: requests and limits of memory and ephemeral-storage that are not a whole number of bytes, such as memory:
// 512m. Path is the path of the spec. Nil means spec, as in a Pod; for a Deployment, pass field.NewPath("spec",
// "template", "spec"). It checks claim templates of ephemeral volumes, then overhead, then containers in the order
// of Containers. The server does not check pod-level resources, and does not warn when a pod is updated or resized.
// A nil spec has no warnings.
//
// As on the server, amounts are rounded up to milli-units first. Warnings that are not about
// amounts are not included.
//
// Source: GetWarningsForPod and GetWarningsForPodTemplate of k8s.io/kubernetes/pkg/api/pod.
func SpecWarnings(spec *corev1.PodSpec, path *field.Path) []string {
	if spec == nil {
		return nil
	}
	ws := warnings{path: orSpec(path)}
	for i := range spec.Volumes {
		if ephemeral := spec.Volumes[i].Ephemeral; ephemeral != nil && ephemeral.VolumeClaimTemplate != nil {
			prefix := fmt.Sprintf("volumes[%d].ephemeral.volumeClaimTemplate.spec.", i)
			ws.addClaim(prefix, &ephemeral.VolumeClaimTemplate.Spec)
		}
	}
	for _, name := range inBytes() {
		ws.add("overhead", name, spec.Overhead)
	}
	for ref, c := range Containers(spec) {
		resources := fmt.Sprintf("%s[%d].resources.", ref.Kind.list(), ref.Index)
		for _, name := range inBytes() {
			ws.add(resources+"limits", name, c.Resources.Limits)
			ws.add(resources+"requests", name, c.Resources.Requests)
		}
	}
	return ws.texts
}

// orSpec returns path, or spec for nil.
func orSpec(path *field.Path) *field.Path {
	if path == nil {
		return field.NewPath("spec")
	}
	return path
}

// inBytes returns the resources of pods that the server warns about.
func inBytes() [2]corev1.ResourceName {
	return [2]corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
}

// warnings collects the warnings about a spec.
type warnings struct {
	path  *field.Path
	texts []string
}

func (ws *warnings) addClaim(prefix string, spec *corev1.PersistentVolumeClaimSpec) {
	ws.add(prefix+"resources.requests", corev1.ResourceStorage, spec.Resources.Requests)
	ws.add(prefix+"resources.limits", corev1.ResourceStorage, spec.Resources.Limits)
}

// add adds a warning if the amount in a list, at a path relative to the spec, has a part of a byte.
func (ws *warnings) add(at string, name corev1.ResourceName, list corev1.ResourceList) {
	amount := quantity.Find(list, name)
	if amount == nil {
		return
	}
	if stored, _ := quantity.RoundUp(*amount); !quantity.IsWhole(stored) {
		ws.texts = append(ws.texts, fmt.Sprintf("%v.%s[%s]: fractional byte value %q is invalid, must be an integer",
			ws.path, at, name, quantity.Text(&stored)))
	}
}
