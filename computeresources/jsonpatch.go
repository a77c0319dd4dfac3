package computeresources

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// JSONPatch returns the JSON patch (RFC 6902) that changes a spec as ApplyChanges does, for the Patch of an
// AdmissionResponse: one operation for each amount that differs, or for the list or the resources of a
// container that had none before. The patch of changes that leave every amount as it is has no operations: [].
//
// The path is that of the spec in the object that is patched. Nil means spec, as in a Pod; for a
// Deployment, pass field.NewPath("spec", "template", "spec"). Spec is what the object has before, such as in
//
//	patch, err := computeresources.JSONPatch(&pod.Spec, namespace.Create(pod, req).Changes, nil)
//
// It is only read. Operations are in the order of the containers, init containers first, and then the pod;
// requests come before limits, and resources by name. A change that ApplyChanges refuses is the same
// error. Amounts have their canonical text.
func JSONPatch(spec *corev1.PodSpec, changes []Change, path *field.Path) ([]byte, error) {
	if len(changes) == 0 {
		return []byte("[]"), nil
	}
	var after corev1.PodSpec
	if spec != nil {
		after = *spec // ApplyChanges copies all that it changes
	}
	if err := ApplyChanges(&after, changes); err != nil {
		return nil, err
	}
	changed := map[int]Ref{}
	for i := range changes {
		part, _ := changes[i].Ref.In(spec)
		changed[part.position(spec)] = part
	}
	operations := []patchOperation{}
	for _, position := range slices.Sorted(maps.Keys(changed)) {
		ref := changed[position]
		at := pointerTo(ref.Path(path)) + "/resources"
		operations = appendResources(operations, at, ref.Resources(spec), ref.Resources(&after))
	}
	return json.Marshal(operations)
}

// patchOperation is an operation of a JSON patch. Its value is an amount, a list or resources as they are
// written, and nothing if it removes.
type patchOperation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// appendResources appends what changes the resources at a JSON pointer, which are nil before if the pod has no
// pod-level ones.
func appendResources(
	operations []patchOperation, at string, before, after *corev1.ResourceRequirements,
) []patchOperation {
	if before == nil || len(before.Requests) == 0 && len(before.Limits) == 0 && len(before.Claims) == 0 {
		value := map[string]any{}
		for _, list := range [...]List{Requests, Limits} {
			if amounts := list.Of(after); len(amounts) > 0 {
				value[list.key()] = texts(amounts)
			}
		}
		if len(value) == 0 {
			return operations
		}
		return append(operations, patchOperation{"add", at, value})
	}
	for _, list := range [...]List{Requests, Limits} {
		operations = appendList(operations, at+"/"+list.key(), list.Of(before), list.Of(after))
	}
	return operations
}

// key returns the name of the list in JSON.
func (l List) key() string { return l.String() + "s" }

// appendList appends what changes the list at a JSON pointer.
func appendList(operations []patchOperation, at string, before, after corev1.ResourceList) []patchOperation {
	if len(before) == 0 {
		if len(after) > 0 {
			operations = append(operations, patchOperation{"add", at, texts(after)})
		}
		return operations
	}
	for _, name := range quantity.Names(before, after) {
		was, isOld := before[name]
		is, isNew := after[name]
		entry := at + "/" + escaped(string(name))
		switch {
		case !isNew:
			operations = append(operations, patchOperation{Op: "remove", Path: entry})
		case !isOld:
			operations = append(operations, patchOperation{"add", entry, quantity.Text(&is)})
		case quantity.Text(&was) != quantity.Text(&is):
			operations = append(operations, patchOperation{"replace", entry, quantity.Text(&is)})
		}
	}
	return operations
}

// texts returns a list as it is written.
func texts(list corev1.ResourceList) map[corev1.ResourceName]string {
	written := make(map[corev1.ResourceName]string, len(list))
	for name, q := range list {
		written[name] = quantity.Text(&q)
	}
	return written
}

// escaped returns a name as a token of a JSON pointer (RFC 6901).
func escaped(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// pointerTo returns a path as a JSON pointer: spec.containers[0] is /spec/containers/0.
func pointerTo(path *field.Path) string {
	var pointer strings.Builder
	rest := path.String()
	for rest != "" {
		end := strings.IndexAny(rest, ".[")
		token, next := rest, ""
		switch {
		case rest[0] == '[':
			token, next, _ = strings.Cut(rest[1:], "]")
			next = strings.TrimPrefix(next, ".")
		case end >= 0 && rest[end] == '.':
			token, next = rest[:end], rest[end+1:]
		case end >= 0:
			token, next = rest[:end], rest[end:]
		}
		pointer.WriteString("/" + escaped(token))
		rest = next
	}
	return pointer.String()
}
