package tekton

import (
	"slices"
	"strings"

	tekton "github.com/tektoncd/pipeline/pkg/apis/pipeline/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

// excuse is the decision because of which an amount may differ. It holds for as few amounts as possible.
type excuse struct {
	decision string
	holds    func(r Run, s slot) bool
}

var excuses = []excuse{
	{"docs/decisions/limitrange.md#aggregate-without-order", func(r Run, s slot) bool {
		theirs, err := r.VirtualRange()
		ours := limitrange.AggregateOf(r.Ranges).Item(corev1.LimitTypeContainer)
		return err == nil && len(r.Ranges) > 1 && isStep(s) && s.list == computeresources.Requests &&
			(differsIn(theirs.DefaultRequest, ours.DefaultRequest, s.resource) || differsIn(theirs.Min, ours.Min, s.resource))
	}},
	{"docs/decisions/affinity.md#configuration-is-not-shared", func(r Run, s slot) bool {
		keys := keysOf(r, s.container)
		return !isStep(s) && len(r.Ranges) > 0 && s.list == computeresources.Requests && slices.ContainsFunc(r.Task.Steps, func(step tekton.Step) bool {
			return slices.ContainsFunc(keysOf(r, "step-"+step.Name), func(key string) bool { return slices.Contains(keys, key) })
		})
	}},
	{"docs/decisions/affinity.md#longest-prefix-wins", func(r Run, s slot) bool {
		keys := keysOf(r, s.container)
		return len(keys) > 1 && strings.HasPrefix(keys[0], "prefix-") && strings.HasPrefix(keys[1], "prefix-")
	}},
}

func isStep(s slot) bool { return strings.HasPrefix(s.container, "step-") }

func has(list corev1.ResourceList, name corev1.ResourceName) bool {
	_, found := list[name]
	return found
}

func differsIn(a, b corev1.ResourceList, name corev1.ResourceName) bool {
	x, y := a[name], b[name]
	return x.Cmp(y) != 0
}

// keysOf returns the keys of the configuration that a container may get, the most specific first: its name, or else
// all prefixes, or else the default.
func keysOf(r Run, container string) (keys []string) {
	set := func(key string) bool {
		d, found := r.Defaults[key]
		return found && d.Size() > 0
	}
	if set(container) {
		return []string{container}
	}
	for key := range r.Defaults {
		if prefix, is := strings.CutPrefix(key, "prefix-"); is && set(key) && strings.HasPrefix(container, prefix+"-") {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 && set("default") {
		keys = []string{"default"}
	}
	return keys
}
