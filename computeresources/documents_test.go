package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// tektonTable is the first table of Tekton's "Compute Resources". Its sidecar is a third app
// container.
func tektonTable() *corev1.PodSpec {
	return &corev1.PodSpec{
		InitContainers: []corev1.Container{
			container("init-1", list("cpu", "1"), list("cpu", "2")),
			container("init-2", list("cpu", "2"), list("cpu", "3")),
		},
		Containers: []corev1.Container{
			container("app-1", list("cpu", "1"), list("cpu", "2")),
			container("app-2", list("cpu", "2"), list("cpu", "3")),
			container("sidecar-1", list("cpu", "3"), nil),
		},
	}
}

func TestTektonTableRequestsSixAndHasNoBindingLimit(t *testing.T) {
	spec := tektonTable()
	check(t, "requests", computeresources.SpecRequests(spec, computeresources.Options{}), list("cpu", "6"))
	check(t, "API limits", computeresources.SpecLimits(spec, computeresources.Options{}), list("cpu", "5"))
	check(t, "binding limits", computeresources.BindingLimits(spec, computeresources.Options{}), list())
}

// "LimitRange support in Pipeline" adds the init containers to the sum of the app
// containers: 2 + 6 = 8 CPU, and 200m + 800m = 1000m of memory. Its own sentence above
// the table, and every cluster, takes the greater of the two.
func TestTektonLimitRangeDocumentTwoPlusSixIsSix(t *testing.T) {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{
			container("initContainer1", list("cpu", "1", "memory", "100m"), nil),
			container("initContainer2", list("cpu", "2", "memory", "200m"), nil),
		},
		Containers: []corev1.Container{
			container("container1", list("cpu", "1", "memory", "50m"), nil),
			container("container2", list("cpu", "2", "memory", "250m"), nil),
			container("container3", list("cpu", "3", "memory", "500m"), nil),
		},
	}
	check(t, "requests", computeresources.SpecRequests(spec, computeresources.Options{}), list("cpu", "6", "memory", "800m"))
}

// The quota of 10 CPU that refuses 20 steps with a limit of 1 CPU each.
func TestTektonTwentyStepsLimitTwentyCPU(t *testing.T) {
	spec := &corev1.PodSpec{}
	for range 20 {
		spec.Containers = append(spec.Containers, container("step", nil, list("cpu", "1")))
	}
	check(t, "API limits", computeresources.SpecLimits(spec, computeresources.Options{}), list("cpu", "20"))
}

// The pods of the kubelet's "Pod level resource management", after the API server has
// filled in their requests. Pod2's "2Gii" is a mistake of that document for 2Gi.
func TestKubeletDocumentPods(t *testing.T) {
	tests := []struct {
		name             string
		spec             corev1.PodSpec
		requests, limits corev1.ResourceList
	}{
		{
			"Pod1", corev1.PodSpec{Containers: []corev1.Container{
				container("foo", nil, list("cpu", "10m", "memory", "1Gi")),
				container("bar", nil, list("cpu", "100m", "memory", "2Gi")),
			}},
			list("cpu", "110m", "memory", "3Gi"), list("cpu", "110m", "memory", "3Gi"),
		},
		{
			"Pod2", corev1.PodSpec{Containers: []corev1.Container{
				container("foo", nil, list("cpu", "20m", "memory", "2Gi")),
			}},
			list("cpu", "20m", "memory", "2Gi"), list("cpu", "20m", "memory", "2Gi"),
		},
		{
			"Pod3", corev1.PodSpec{Containers: []corev1.Container{
				container("foo", list("cpu", "20m", "memory", "1Gi"), list("cpu", "50m", "memory", "2Gi")),
				container("bar", nil, list("cpu", "100m", "memory", "1Gi")),
			}},
			// The document says 20m of shares: it overlooks that the request of bar is its limit.
			list("cpu", "120m", "memory", "2Gi"), list("cpu", "150m", "memory", "3Gi"),
		},
		{
			"Pod4", corev1.PodSpec{Containers: []corev1.Container{
				container("foo", list("cpu", "10m", "memory", "1Gi"), list("cpu", "20m", "memory", "2Gi")),
			}},
			list("cpu", "10m", "memory", "1Gi"), list("cpu", "20m", "memory", "2Gi"),
		},
		{
			"Pod5", corev1.PodSpec{Containers: []corev1.Container{container("foo", nil, nil), container("bar", nil, nil)}},
			list(), list(),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			computeresources.ApplyRequestDefaults(&test.spec, computeresources.Gates{})
			check(t, "requests", computeresources.SpecRequests(&test.spec, computeresources.Options{}), test.requests)
			check(t, "API limits", computeresources.SpecLimits(&test.spec, computeresources.Options{}), test.limits)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, computeresources.Options{}), test.limits)
		})
	}
}

// "Compute Resources in Tekton" says that Kubernetes makes no distinction between app containers and
// sidecars. A sidecar of Kubernetes is an init container that keeps running: it runs beside the app
// containers and beside the init containers after it.
func TestDivergenceSidecarsAreDistinguished(t *testing.T) {
	asApp := tektonTable()
	asApp.InitContainers[1].Resources.Requests = list("cpu", "5")
	check(t, "as an app container", computeresources.SpecRequests(asApp, computeresources.Options{}), list("cpu", "6"))

	always := corev1.ContainerRestartPolicyAlways
	asSidecar := tektonTable()
	asSidecar.InitContainers[1].Resources.Requests = list("cpu", "5")
	sidecar := asSidecar.Containers[2]
	sidecar.RestartPolicy = &always
	asSidecar.Containers = asSidecar.Containers[:2]
	asSidecar.InitContainers = append([]corev1.Container{sidecar}, asSidecar.InitContainers...)
	check(t, "as a sidecar", computeresources.SpecRequests(asSidecar, computeresources.Options{}), list("cpu", "8"))
}
