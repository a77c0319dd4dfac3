package computeresources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Warning is an amount that the API server accepts with a warning: a fraction of a byte, such as
// memory: 512m.
type Warning struct {
	// Field is the path of the amount relative to the spec: containers[0].resources.limits[memory].
	Field string
	// Ref is the container; it is zero for overhead, and for claims for storage.
	Ref Ref
	// List is the list of the amount. It is unspecified for overhead.
	List     List
	Resource corev1.ResourceName
	Amount   *resource.Quantity
}

// String returns Text with the path of a Pod.
func (w Warning) String() string { return w.Text(nil) }

// Text returns the warning of the API server, word for word. Path is the path of the spec. Nil
// means spec, as in a Pod or a PersistentVolumeClaim; for a Deployment, pass field.NewPath("spec",
// "template", "spec").
func (w Warning) Text(path *field.Path) string {
	if path == nil {
		path = field.NewPath("spec")
	}
	return fmt.Sprintf("%v.%s: fractional byte value %q is invalid, must be an integer", path, w.Field, quantity.Text(w.Amount))
}

// Warnings are the warnings of the API server, in its order.
type Warnings []Warning

// Texts returns the warnings of the API server: see Warning.Text. It is nil if there are none.
func (ws Warnings) Texts(path *field.Path) []string {
	var texts []string
	for _, w := range ws {
		texts = append(texts, w.Text(path))
	}
	return texts
}

// SpecWarnings returns the warnings of the API server about the amounts of a new pod or of a
// template: requests and limits of memory and ephemeral-storage that are not a whole number of
// bytes. It checks claim templates of ephemeral volumes, then overhead, then containers in the
// order of Containers. The server does not check pod-level resources, and does not warn when a pod
// is updated or resized. A nil spec has no warnings. The result owns its quantities.
//
// As on the server, amounts are rounded up to milli-units first. Warnings that are not about
// amounts are not included.
//
// Source: GetWarningsForPod and GetWarningsForPodTemplate of k8s.io/kubernetes/pkg/api/pod.
func SpecWarnings(spec *corev1.PodSpec) Warnings {
	if spec == nil {
		return nil
	}
	var ws Warnings
	for i := range spec.Volumes {
		if ephemeral := spec.Volumes[i].Ephemeral; ephemeral != nil && ephemeral.VolumeClaimTemplate != nil {
			prefix := fmt.Sprintf("volumes[%d].ephemeral.volumeClaimTemplate.spec.", i)
			ws = ws.addClaim(prefix, &ephemeral.VolumeClaimTemplate.Spec)
		}
	}
	for _, name := range inBytes() {
		ws = ws.add(Warning{Field: "overhead", Resource: name}, spec.Overhead)
	}
	for ref, c := range Containers(spec) {
		resources := fmt.Sprintf("%s[%d].resources.", ref.Kind.list(), ref.Index)
		for _, name := range inBytes() {
			ws = ws.add(Warning{Field: resources + "limits", Ref: ref, List: Limits, Resource: name}, c.Resources.Limits)
			ws = ws.add(Warning{Field: resources + "requests", Ref: ref, List: Requests, Resource: name}, c.Resources.Requests)
		}
	}
	return ws
}

// VolumeClaimWarnings returns the warnings of the API server about the amounts of a
// PersistentVolumeClaim that is created or updated: storage that is not a whole number of bytes. A
// nil spec has no warnings. The result owns its quantities.
//
// Source: GetWarningsForPersistentVolumeClaimSpec of k8s.io/kubernetes/pkg/api/persistentvolumeclaim.
func VolumeClaimWarnings(spec *corev1.PersistentVolumeClaimSpec) Warnings {
	if spec == nil {
		return nil
	}
	return Warnings(nil).addClaim("", spec)
}

// inBytes returns the resources of pods that the server warns about.
func inBytes() [2]corev1.ResourceName {
	return [2]corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
}

func (ws Warnings) addClaim(prefix string, spec *corev1.PersistentVolumeClaimSpec) Warnings {
	ws = ws.add(Warning{Field: prefix + "resources.requests", List: Requests, Resource: corev1.ResourceStorage}, spec.Resources.Requests)
	return ws.add(Warning{Field: prefix + "resources.limits", List: Limits, Resource: corev1.ResourceStorage}, spec.Resources.Limits)
}

// add adds a warning, whose Field is the list, if it has a part of a byte.
func (ws Warnings) add(w Warning, list corev1.ResourceList) Warnings {
	amount := quantity.Find(list, w.Resource)
	if amount == nil {
		return ws
	}
	if stored, _ := quantity.RoundUp(*amount); quantity.IsWhole(stored) {
		return ws
	}
	w.Field, w.Amount = w.Field+"["+string(w.Resource)+"]", quantity.Clone(amount)
	return append(ws, w)
}
