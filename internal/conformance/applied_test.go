package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

// someOf draws some of three names, in any order.
func someOf(t *rapid.T, what string) []string {
	n := rapid.IntRange(0, 3).Draw(t, "number of "+what)
	if n == 0 {
		return nil
	}
	return rapid.Permutation([]string{"a", "b", "c"}).Draw(t, what)[:n]
}

func setOrNot[T any](t *rapid.T, what string, values ...T) (value T) {
	if rapid.Bool().Draw(t, what+" is set") {
		value = rapid.SampledFrom(values).Draw(t, what)
	}
	return value
}

func maybe[T any](t *rapid.T, what string, values ...T) *T {
	if !rapid.Bool().Draw(t, what+" is set") {
		return nil
	}
	value := rapid.SampledFrom(values).Draw(t, what)
	return &value
}

func drawMap(t *rapid.T, what string) map[string]string {
	var m map[string]string
	for _, name := range someOf(t, what) {
		if m == nil {
			m = map[string]string{}
		}
		m[name] = rapid.SampledFrom([]string{"1", "2"}).Draw(t, "value")
	}
	return m
}

// drawApplied draws a Deployment with a list, a map and a struct of each kind that kubectl merges in its own way.
func drawApplied(t *rapid.T) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: drawMap(t, "labels"), Annotations: drawMap(t, "annotations"), Finalizers: someOf(t, "finalizers")}}
	d.Spec.Replicas, d.Spec.Paused = maybe[int32](t, "replicas", 0, 1, 2), rapid.Bool().Draw(t, "paused")
	if labels := drawMap(t, "selector"); labels != nil {
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	}
	d.Spec.Strategy.Type = setOrNot(t, "strategy", appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType)
	if surge := maybe(t, "surge", intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromString("25%")); surge != nil {
		d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: surge}
	}
	spec := &d.Spec.Template.Spec
	spec.NodeSelector, spec.TerminationGracePeriodSeconds = drawMap(t, "node selector"), maybe[int64](t, "grace", 0, 30)
	if isRoot := maybe(t, "root", true, false); isRoot != nil {
		spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: isRoot, RunAsUser: maybe[int64](t, "user", 0, 1)}
	}
	for _, name := range someOf(t, "tolerations") {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{Key: name, Effect: setOrNot(t, "effect", corev1.TaintEffectNoExecute)})
	}
	for _, name := range someOf(t, "volumes") {
		v := corev1.Volume{Name: name}
		if rapid.Bool().Draw(t, "empty") {
			v.EmptyDir = &corev1.EmptyDirVolumeSource{Medium: rapid.SampledFrom([]corev1.StorageMedium{"Memory", "HugePages"}).Draw(t, "medium")}
		} else {
			v.ConfigMap = &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "map")},
				DefaultMode: maybe[int32](t, "mode", 0, 1)}
		}
		spec.Volumes = append(spec.Volumes, v)
	}
	for _, name := range someOf(t, "pull secrets") {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, corev1.LocalObjectReference{Name: name})
	}
	for _, name := range someOf(t, "spread") {
		spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, corev1.TopologySpreadConstraint{
			TopologyKey: name, MaxSkew: rapid.Int32Range(1, 2).Draw(t, "skew"), WhenUnsatisfiable: corev1.DoNotSchedule, MinDomains: maybe[int32](t, "domains", 1, 2)})
	}
	for _, name := range someOf(t, "containers") {
		spec.Containers = append(spec.Containers, drawAppliedContainer(t, name))
	}
	return d
}

func drawAppliedContainer(t *rapid.T, name string) corev1.Container {
	c := corev1.Container{Name: name, Image: setOrNot(t, "image", "x", "y"), Args: someOf(t, "args")}
	for _, env := range someOf(t, "env") {
		c.Env = append(c.Env, corev1.EnvVar{Name: env, Value: setOrNot(t, "env value", "1", "2")})
	}
	for _, mount := range someOf(t, "mounts") {
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{MountPath: "/" + mount, Name: mount, ReadOnly: rapid.Bool().Draw(t, "read only")})
	}
	for i, port := range someOf(t, "ports") {
		c.Ports = append(c.Ports, corev1.ContainerPort{ContainerPort: int32(port[0]), Name: fmt.Sprint(port, i), HostPort: setOrNot[int32](t, "host port", 1, 2)})
	}
	list := func(what string) corev1.ResourceList {
		var all corev1.ResourceList
		for name, value := range drawMap(t, what) {
			if all == nil {
				all = corev1.ResourceList{}
			}
			all[corev1.ResourceName(name)] = resource.MustParse(value)
		}
		return all
	}
	c.Resources = corev1.ResourceRequirements{Requests: list("requests"), Limits: list("limits")}
	return c
}

// written returns an object as a manifest has it, in which nothing is empty.
func written(t *rapid.T, obj any) []byte {
	var value any
	testkit.OK(t, json.Unmarshal(marshal(t, obj), &value))
	return marshal(t, withoutEmpty(value))
}

func marshal(t *rapid.T, value any) []byte {
	text, err := json.Marshal(value)
	testkit.OK(t, err)
	return text
}

// withoutEmpty returns a JSON value without empty maps and lists in it.
func withoutEmpty(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, field := range value {
			field = withoutEmpty(field)
			value[name] = field
			if of, ok := field.(map[string]any); field == nil || ok && len(of) == 0 {
				delete(value, name)
			}
			if of, ok := field.([]any); ok && len(of) == 0 {
				delete(value, name)
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutEmpty(value[i])
		}
	}
	return value
}

// sortedText returns the parts of a JSON text in order, so that lists are compared in any order.
func sortedText(text []byte) string {
	parts := strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune("{}[],", r) })
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// changedByOthers returns what became of a Deployment after it was applied. Nothing that was applied is gone: kubectl
// would add it with traces of its patch.
func changedByOthers(t *rapid.T, before *appsv1.Deployment) *appsv1.Deployment {
	stored := before.DeepCopy()
	stored.Spec.Replicas, stored.Spec.Paused = maybe[int32](t, "replicas by others", 0, 3), rapid.Bool().Draw(t, "paused by others")
	spec := &stored.Spec.Template.Spec
	spec.NodeSelector = drawMap(t, "node selector by others")
	for i := range spec.Containers {
		c := &spec.Containers[i]
		c.Image, c.TerminationMessagePath = setOrNot(t, "image by others", "z"), "/log"
		c.Env = slices.Insert(c.Env, rapid.IntRange(0, len(c.Env)).Draw(t, "place"), corev1.EnvVar{Name: "added", Value: "1"})
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{MountPath: "/token", Name: "token"})
	}
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "token"})
	spec.Containers = slices.Insert(spec.Containers, rapid.IntRange(0, len(spec.Containers)).Draw(t, "place"), corev1.Container{Name: "proxy"})
	return stored
}

// A Deployment that is applied over another one, of which a third one has been applied: the same is stored. Where
// elements are removed from a list, the order of what others have added depends on the memory of the list there.
func TestApplied(t *testing.T) {
	schema, err := strategicpatch.NewPatchMetaFromStruct(&appsv1.Deployment{})
	testkit.OK(t, err)
	rapid.Check(t, func(t *rapid.T) {
		before, manifest, stored := drawApplied(t), drawApplied(t), drawApplied(t)
		isOrdered := rapid.Bool().Draw(t, "nothing is removed")
		if isOrdered {
			before, manifest.Finalizers, stored.Finalizers = &appsv1.Deployment{}, nil, nil // whose order does not matter
		}
		if !isOrdered {
			stored = changedByOthers(t, before)
		}
		patch, err := strategicpatch.CreateThreeWayMergePatch(written(t, before), written(t, manifest), written(t, stored), schema, true)
		testkit.OK(t, err)
		text, err := strategicpatch.StrategicMergePatch(written(t, stored), patch, &appsv1.Deployment{})
		testkit.OK(t, err)
		want := &appsv1.Deployment{}
		if err := json.Unmarshal(written(t, json.RawMessage(text)), want); err != nil { // without null, where there is nothing to remove
			t.Fatal(err)
		}
		got := applied.Merge(before, manifest, stored)
		if isOrdered {
			testkit.NoDiff(t, string(written(t, got)), string(written(t, want)))
		}
		testkit.NoDiff(t, sortedText(written(t, got)), sortedText(written(t, want)))
	})
}
