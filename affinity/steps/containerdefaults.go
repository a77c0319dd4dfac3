package steps

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// ContainerDefaults returns the changes that Tekton makes to a pod because of
// default-container-resource-requirements in its ConfigMap config-defaults, before LimitRanges are looked at. The
// keys of requirements are the name of a container; "prefix-" and the beginning of names, up to a dash:
// prefix-scripts for scripts-0; or "default" for all others. The key that is the most specific counts, of several
// prefixes the longest. Only a container without requests and limits gets them, or one of Tekton's own: prepare,
// place-scripts, working-dir-initializer and sidecar-tekton-log-results, whose own amounts are replaced, and
// removed if they are not among them. Requirements without amounts are ignored.
//
// The Source of a change is the ConfigMap, with the key in its field. The spec is not changed. The
// changes share no memory with requirements, nor does what computeresources.ApplyChanges writes. A nil spec has no
// containers.
//
// Cost: for each container, a lookup and a comparison with each prefix.
//
// Source: updateResourceRequirements of Tekton's pkg/internal/defaultresourcerequirements, which uses prefixes in
// the order of a map, and writes the lists of the configuration into each pod.
func ContainerDefaults(
	spec *corev1.PodSpec, requirements map[string]corev1.ResourceRequirements,
) (changes []computeresources.Change) {
	for ref, c := range computeresources.Containers(spec) {
		isInternal := slices.Contains(internalContainers(), c.Name)
		if !isInternal && len(c.Resources.Requests)+len(c.Resources.Limits) > 0 {
			continue
		}
		key, found := keyFor(c.Name, requirements)
		if !found {
			continue
		}
		source := computeresources.Source{Kind: "ConfigMap", Name: "config-defaults",
			Field: "default-container-resource-requirements[" + key + "]"}
		wanted := requirements[key]
		before := len(changes)
		changes = appendReplacements(changes, ref, &c.Resources, &wanted)
		for i := range changes[before:] {
			changes[before+i].Source = source
		}
	}
	return changes
}

const (
	defaultKey = "default"
	keyPrefix  = "prefix-"
)

// keyFor returns the most specific key with amounts for a container.
func keyFor(name string, requirements map[string]corev1.ResourceRequirements) (best string, found bool) {
	has := func(key string) bool {
		r, ok := requirements[key]
		return ok && len(r.Requests)+len(r.Limits) > 0
	}
	if name != defaultKey && !strings.HasPrefix(name, keyPrefix) && has(name) {
		return name, true
	}
	for key := range requirements {
		prefix, ok := strings.CutPrefix(key, keyPrefix)
		if ok && has(key) && strings.HasPrefix(name, prefix+"-") && len(key) > len(best) {
			best, found = key, true
		}
	}
	if !found && has(defaultKey) {
		return defaultKey, true
	}
	return best, found
}
