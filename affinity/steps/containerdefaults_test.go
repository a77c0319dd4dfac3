package steps_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func needs(requests, limits corev1.ResourceList) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: requests, Limits: limits}
}

// The example of Tekton's documentation, and what is more specific than what.
func TestContainerDefaults(t *testing.T) {
	requirements := map[string]corev1.ResourceRequirements{
		"prepare":                needs(testkit.List("cpu", "100m", "memory", "64Mi"), testkit.List("cpu", "100m", "memory", "64Mi")),
		"place-scripts":          {},
		"prefix-scripts":         needs(testkit.List("cpu", "250m"), nil),
		"prefix-sidecar":         needs(testkit.List("cpu", "300m"), nil),
		"prefix-sidecar-scripts": needs(nil, testkit.List("memory", "128Mi")),
		"step-build":             needs(testkit.List("cpu", "1"), nil),
		"default":                needs(testkit.List("cpu", "50m"), nil),
		"prefix-odd":             {},
	}
	set := needs(testkit.List("cpu", "7", "memory", "7Gi"), testkit.List("cpu", "7"))
	for _, test := range []struct {
		name string
		has  corev1.ResourceRequirements
		want string
	}{
		{"prepare", set, "cpu request 7 -> 100m, cpu limit 7 -> 100m, memory request 7Gi -> 64Mi, memory limit -> 64Mi [prepare]"},
		{"place-scripts", set, "cpu request 7 -> 50m, cpu limit 7 -> , memory request 7Gi ->  [default]"},
		{"scripts-0", corev1.ResourceRequirements{}, "cpu request -> 250m [prefix-scripts]"},
		{"scripts-0", set, ""},
		{"prefix-scripts", corev1.ResourceRequirements{}, "cpu request -> 50m [default]"},
		{"scripts", corev1.ResourceRequirements{}, "cpu request -> 50m [default]"},
		{"sidecar-scripts-1", corev1.ResourceRequirements{}, "memory limit -> 128Mi [prefix-sidecar-scripts]"},
		{"sidecar-tekton-log-results", set, "cpu request 7 -> 300m, cpu limit 7 -> , memory request 7Gi ->  [prefix-sidecar]"},
		{"step-build", corev1.ResourceRequirements{}, "cpu request -> 1 [step-build]"},
		{"step-build", needs(nil, testkit.List("memory", "1Gi")), ""},
		{"odd-1", corev1.ResourceRequirements{}, "cpu request -> 50m [default]"},
		{"default", corev1.ResourceRequirements{}, "cpu request -> 50m [default]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := &corev1.PodSpec{InitContainers: []corev1.Container{{Name: test.name, Resources: *test.has.DeepCopy()}}}
			for range 20 { // keys are in a map
				var words []string
				key := ""
				for _, c := range steps.ContainerDefaults(spec, requirements) {
					from, to := "", ""
					if c.From != nil {
						from = " " + c.From.String()
					}
					if c.To != nil {
						to = c.To.String()
					}
					words = append(words, fmt.Sprintf("%s %s%s -> %s", c.Resource, c.List, from, to))
					key = " " + strings.TrimPrefix(c.Source.Field, "default-container-resource-requirements")
				}
				testkit.Equal(t, strings.Join(words, ", ")+key, test.want)
			}
		})
	}
}

// Without a key for a container of Tekton's, nothing changes. An amount beyond int64 is not shared.
func TestContainerDefaultsOfOthers(t *testing.T) {
	spec := pod(testkit.Container("a", nil, nil), testkit.Container("place-scripts", testkit.List("cpu", "1"), nil))
	requirements := map[string]corev1.ResourceRequirements{"a": needs(testkit.List("cpu", "1000000000000000000001"), nil)}
	changes := steps.ContainerDefaults(spec, requirements)
	testkit.Equal(t, len(changes), 1)
	testkit.Equal(t, changes[0].Ref.Name, "a")
	testkit.Contract(t, func() any { return steps.ContainerDefaults(spec, requirements) }, spec, requirements)
}

// Once applied, nothing is left to change, the amounts are those of the key, and the requirements are not shared.
func TestContainerDefaultsAreApplied(t *testing.T) {
	names := rapid.SampledFrom([]string{"prepare", "place-scripts", "step-a", "step-b", "scripts-0", "sidecar-scripts-1", "sidecar-tekton-log-results"})
	keys := rapid.SampledFrom([]string{"prepare", "step-a", "prefix-step", "prefix-scripts", "prefix-sidecar", "prefix-sidecar-scripts", "default"})
	amounts := rapid.Custom(func(t *rapid.T) corev1.ResourceRequirements {
		list := func(label string) corev1.ResourceList {
			if rapid.Bool().Draw(t, label) {
				return nil
			}
			return testkit.List("cpu", fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "cpu")))
		}
		return needs(list("no requests"), list("no limits"))
	})
	rapid.Check(t, func(t *rapid.T) {
		requirements := rapid.MapOf(keys, amounts).Draw(t, "requirements")
		spec := &corev1.PodSpec{}
		for range rapid.IntRange(0, 4).Draw(t, "containers") {
			c := corev1.Container{Name: names.Draw(t, "name"), Resources: amounts.Draw(t, "resources")}
			if rapid.Bool().Draw(t, "init") {
				spec.InitContainers = append(spec.InitContainers, c)
			} else {
				spec.Containers = append(spec.Containers, c)
			}
		}
		testkit.Contract(t, func() any { return steps.ContainerDefaults(spec, requirements) }, spec, requirements)
		before, applied := testkit.Fingerprint(requirements), spec.DeepCopy()
		testkit.OK(t, computeresources.ApplyChanges(applied, steps.ContainerDefaults(spec, requirements)))
		for _, c := range steps.ContainerDefaults(applied, requirements) {
			t.Fatalf("not applied: %v", c)
		}
		for _, c := range computeresources.Containers(applied) {
			for name := range c.Resources.Requests {
				c.Resources.Requests[name] = testkit.List("x", "99")["x"]
			}
		}
		testkit.Equal(t, testkit.Fingerprint(requirements), before)
	})
}
