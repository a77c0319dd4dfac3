package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSpecWarnings(t *testing.T) {
	claim := corev1.PersistentVolumeClaimTemplate{}
	claim.Spec.Resources = corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1500m"), Limits: testkit.List("storage", "0.1")}
	spec := &corev1.PodSpec{
		Volumes:        []corev1.Volume{{}, {VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &claim}}}},
		Overhead:       testkit.List("memory", "1.5", "ephemeral-storage", "500m", "cpu", "0.1"),
		Containers:     []corev1.Container{testkit.Container("app", testkit.List("memory", "512m", "cpu", "512m", "ephemeral-storage", "1m"), testkit.List("memory", "1.5Gi", "ephemeral-storage", "0.1"))},
		InitContainers: []corev1.Container{testkit.Container("setup", testkit.List("memory", "999999999n"), testkit.List("ephemeral-storage", "1.5"))},
		Resources:      &corev1.ResourceRequirements{Limits: testkit.List("memory", "512m")},
	}
	const invalid = " is invalid, must be an integer"
	want := []string{
		`spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "1500m"` + invalid,
		`spec.volumes[1].ephemeral.volumeClaimTemplate.spec.resources.limits[storage]: fractional byte value "100m"` + invalid,
		`spec.overhead[memory]: fractional byte value "1500m"` + invalid,
		`spec.overhead[ephemeral-storage]: fractional byte value "500m"` + invalid,
		`spec.initContainers[0].resources.limits[ephemeral-storage]: fractional byte value "1500m"` + invalid,
		`spec.containers[0].resources.requests[memory]: fractional byte value "512m"` + invalid,
		`spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value "100m"` + invalid,
		`spec.containers[0].resources.requests[ephemeral-storage]: fractional byte value "1m"` + invalid,
	}
	testkit.NoDiff(t, computeresources.SpecWarnings(spec, nil), want)
	testkit.Equal(t, `spec.template.spec.containers[0].resources.requests[memory]: fractional byte value "512m"`+invalid, computeresources.SpecWarnings(spec, field.NewPath("spec", "template", "spec"))[5], "in a template")
	if computeresources.SpecWarnings(nil, nil) != nil || computeresources.SpecWarnings(&corev1.PodSpec{}, nil) != nil {
		t.Error("nothing has warnings")
	}
}

func TestVolumeClaimWarnings(t *testing.T) {
	spec := &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: testkit.List("storage", "1.5"), Limits: testkit.List("storage", "1.5Gi")}}
	want := []string{`spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer`}
	testkit.NoDiff(t, computeresources.VolumeClaimWarnings(spec, nil), want)
	testkit.NoDiff(t, computeresources.VolumeClaimWarnings(nil, nil), nil, "nil")
}
