package computeresources_test

import (
	"math"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)

func TestPodRequests(t *testing.T) {
	pod := func(init []corev1.Container, apps ...corev1.Container) corev1.PodSpec {
		return corev1.PodSpec{InitContainers: init, Containers: apps}
	}
	tests := []struct {
		name string
		spec corev1.PodSpec
		opts computeresources.Options
		want corev1.ResourceList
	}{
		{
			name: "an init container above the sum counts alone",
			spec: pod([]corev1.Container{container("setup", list("cpu", "5"), nil)}, container("a", list("cpu", "1"), nil), container("b", list("cpu", "2"), nil)),
			want: list("cpu", "5"),
		},
		{
			name: "a sidecar runs beside the init containers after it",
			spec: pod([]corev1.Container{sidecar("proxy", list("cpu", "1"), nil), container("setup", list("cpu", "3"), nil)}, container("a", list("cpu", "2"), nil)),
			want: list("cpu", "4"),
		},
		{
			name: "a sidecar does not run beside the init containers before it",
			spec: pod([]corev1.Container{container("setup", list("cpu", "3"), nil), sidecar("proxy", list("cpu", "1"), nil)}, container("a", list("cpu", "1"), nil)),
			want: list("cpu", "3"),
		},
		{
			name: "init containers that are ignored, but not sidecars",
			spec: pod([]corev1.Container{container("setup", list("cpu", "5"), nil), sidecar("proxy", list("cpu", "1"), nil), container("wait", list("cpu", "6", "example.com/disk", "1"), nil)}, container("a", list("cpu", "2"), nil)),
			opts: computeresources.Options{IgnoreInitContainers: true},
			want: list("cpu", "3"),
		},
		{
			name: "pod-level requests replace the sum, and may stand alone",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3", "hugepages-2Mi", "4Mi", "ephemeral-storage", "9Gi")},
			},
			want: list("cpu", "3", "memory", "1Gi", "hugepages-2Mi", "4Mi"),
		},
		{
			name: "pod-level limits alone change no request",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "3")},
			},
			want: list("cpu", "1"),
		},
		{
			name: "overhead is added, even to resources that nothing else requests",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3")},
				Overhead:   list("cpu", "250m", "memory", "120Mi"),
			},
			want: list("cpu", "3250m", "memory", "120Mi"),
		},
		{
			name: "missing requests of app and init containers count, requests of zero do not",
			spec: pod([]corev1.Container{container("setup", nil, nil)}, container("a", list("cpu", "0"), nil), container("b", nil, nil)),
			opts: computeresources.Options{MissingRequests: list("cpu", "100m", "memory", "200Mi")},
			want: list("cpu", "100m", "memory", "400Mi"),
		},
		{
			name: "missing requests of a resource that no container names",
			spec: pod(nil, container("a", list("cpu", "1"), nil), container("b", nil, nil)),
			opts: computeresources.Options{MissingRequests: list("example.com/gpu", "2")},
			want: list("cpu", "1", "example.com/gpu", "4"),
		},
		{
			name: "claims are added to the containers, and pod-level requests replace the sum",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "4Gi")},
			},
			opts: computeresources.Options{ClaimedFromNode: list("cpu", "2", "memory", "1Gi", "hugepages-1Gi", "1Gi")},
			want: list("cpu", "3", "memory", "4Gi", "hugepages-1Gi", "1Gi"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, "requests", computeresources.SpecRequests(&test.spec, test.opts), test.want)
		})
	}
}

func TestPodLimits(t *testing.T) {
	tests := []struct {
		name         string
		spec         corev1.PodSpec
		opts         computeresources.Options
		api, binding corev1.ResourceList
	}{
		{name: "no containers", api: list(), binding: list()},
		{
			name: "overhead is added to limits that are not zero",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1", "memory", "0"))},
				Overhead:   list("cpu", "250m", "memory", "120Mi", "ephemeral-storage", "1Gi"),
			},
			api:     list("cpu", "1250m", "memory", "0"),
			binding: list("cpu", "1250m"),
		},
		{
			name: "a limit that negative overhead brings to zero or below does not bind",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1Gi"))},
				Overhead:   list("cpu", "-2", "memory", "-1Gi", "ephemeral-storage", "-2Gi"),
			},
			api:     list("cpu", "-1", "memory", "0", "ephemeral-storage", "-1Gi"),
			binding: list(),
		},
		{
			name: "an init container without a limit leaves the pod without one",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", nil, list("memory", "1Gi"))},
				Containers:     []corev1.Container{container("a", nil, list("cpu", "1", "memory", "1Gi"))},
			},
			api:     list("cpu", "1", "memory", "1Gi"),
			binding: list("memory", "1Gi"),
		},
		{
			name: "a sidecar with a limit of zero leaves the pod without a limit",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", nil, list("cpu", "0"))},
				Containers:     []corev1.Container{container("a", nil, list("cpu", "1"))},
			},
			api:     list("cpu", "1"),
			binding: list(),
		},
		{
			name: "a pod-level limit binds without any of the containers",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("memory", "1Gi")), container("b", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "2")},
			},
			api:     list("cpu", "2", "memory", "1Gi"),
			binding: list("cpu", "2"),
		},
		{
			name: "a pod-level limit of zero is no limit",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, list("cpu", "1"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "0")},
			},
			api:     list("cpu", "0"),
			binding: list(),
		},
		{
			name:    "claims extend limits that are declared, and hugepages",
			spec:    corev1.PodSpec{Containers: []corev1.Container{container("a", nil, list("cpu", "1"))}},
			opts:    computeresources.Options{ClaimedFromNode: list("cpu", "2", "memory", "1Gi", "hugepages-2Mi", "2Mi")},
			api:     list("cpu", "3", "hugepages-2Mi", "2Mi"),
			binding: list("cpu", "3", "hugepages-2Mi", "2Mi"),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, "API limits", computeresources.SpecLimits(&test.spec, test.opts), test.api)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, test.opts), test.binding)
		})
	}
}

// allSet returns the resources that are all set.
func allSet(totals computeresources.Totals) string {
	var set []string
	for _, of := range []struct {
		name string
		set  bool
	}{{"CPU", totals.CPUAllSet}, {"Memory", totals.MemoryAllSet}, {"EphemeralStorage", totals.EphemeralStorageAllSet}} {
		if of.set {
			set = append(set, of.name)
		}
	}
	return strings.Join(set, ", ")
}

// What is all set considers every view of a running pod.
func TestCompleteOfRunningPod(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "1"))}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", Resources: &corev1.ResourceRequirements{Limits: list("memory", "1Gi")}}}
	var opts computeresources.Options
	testkit.Equal(t, allSet(computeresources.PodTotals(pod, computeresources.Limits, opts)), "", "complete limits")
	pod.Status.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "1", "memory", "1Gi")}
	testkit.Equal(t, allSet(computeresources.PodTotals(pod, computeresources.Limits, opts)), "CPU", "complete limits")
	pod.Status.Resources.Limits["cpu"] = resource.MustParse("0")
	testkit.Equal(t, allSet(computeresources.PodTotals(pod, computeresources.Limits, opts)), "", "complete limits")
	below, all := list("cpu", "-1", "memory", "1"), list("cpu", "1", "memory", "1")
	total := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", all, all)}}}
	total.Status = corev1.PodStatus{AllocatedResources: below, Resources: &corev1.ResourceRequirements{Requests: below, Limits: below}}
	for _, list := range lists {
		testkit.Equal(t, allSet(computeresources.PodTotals(total, list, opts)), "Memory", "complete", list, "s")
	}
	opts.MissingRequests = list("memory", "1Gi")
	testkit.Equal(t, allSet(computeresources.PodTotals(pod, computeresources.Requests, opts)), "CPU, Memory", "complete requests")
}

// resource.Quantity's MilliValue of 1E and of 10P is 0. Such a request must not count as zero.
func TestOneExaCPUIsNotZero(t *testing.T) {
	for _, cpu := range []string{"1E", "10P", "9223372036854775807", "18446744073709551621"} {
		spec := &corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", cpu), nil)}}
		check(t, "requests", computeresources.SpecRequests(spec, computeresources.Options{}), list("cpu", cpu))
		if got := computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}).MilliCPU; got != 1<<63-1 {
			t.Errorf("%s CPU are %dm, want them saturated", cpu, got)
		}
	}
}

func TestNilSpec(t *testing.T) {
	check(t, "requests", computeresources.SpecRequests(nil, computeresources.Options{MissingRequests: list("cpu", "1")}), list())
	check(t, "API limits", computeresources.SpecLimits(nil, computeresources.Options{}), list())
	check(t, "requests of a nil pod", computeresources.PodRequests(nil, computeresources.Options{MissingRequests: list("cpu", "1")}), list())
	check(t, "limits of a nil pod", computeresources.PodLimits(nil, computeresources.Options{}), list())
	checkTotals(t, "requests of a nil pod", computeresources.PodTotals(nil, computeresources.Requests, computeresources.Options{}), computeresources.Totals{})
	checkTotals(t, "limits of a nil pod", computeresources.PodTotals(nil, computeresources.Limits, computeresources.Options{}), computeresources.Totals{})
	check(t, "binding limits", computeresources.BindingLimits(nil, computeresources.Options{}), list())
	checkTotals(t, "requests", computeresources.SpecTotals(nil, computeresources.Requests, computeresources.Options{}), computeresources.Totals{})
	checkTotals(t, "limits", computeresources.SpecTotals(nil, computeresources.Limits, computeresources.Options{}), computeresources.Totals{})
	testkit.NoDiff(t, computeresources.ApplyRequestDefaults(nil, computeresources.Kubernetes{}), nil, "defaults of nothing")
	for ref := range computeresources.Containers(nil) {
		t.Errorf("container of nothing: %v", ref)
	}
}

func TestIntoReturnsTheListItFills(t *testing.T) {
	spec := tektonTable()
	dst := list("memory", "1Gi")
	got := computeresources.SpecRequestsInto(dst, spec, computeresources.Options{})
	got["example.com/mark"] = dst["cpu"]
	if _, same := dst["example.com/mark"]; !same {
		t.Error("PodRequestsInto fills another list than it is given")
	}
	dst = computeresources.PodLimitsInto(dst, &corev1.Pod{Spec: *spec}, computeresources.Options{})
	check(t, "limits", dst, list("cpu", "5"))
	check(t, "limits into nil", computeresources.PodLimitsInto(nil, &corev1.Pod{Spec: *spec}, computeresources.Options{}), list("cpu", "5"))
	check(t, "nothing", computeresources.SpecRequestsInto(dst, nil, computeresources.Options{}), list())
}

func check(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	testkit.NoDiff(t, got, want, what)
}

func checkTotals(t *testing.T, what string, got, want computeresources.Totals) {
	t.Helper()
	testkit.NoDiff(t, got, want, "totals of", what)
}

// A sum has the format of its first amount above zero, and the greater of two sums keeps its
// format, as in the API server and kubectl.
func TestSumsKeepTheirFormat(t *testing.T) {
	tests := []struct {
		name             string
		apps             []string
		sidecar, setup   string // memory
		want             string
		wantWithOverhead string // 1Gi of it, by the general path
	}{
		{"binary", []string{"1Gi", "512Mi"}, "", "", "1536Mi", "2560Mi"},
		{"decimal", []string{"1G", "500M"}, "", "", "1500M", "2573741824"},
		{"binary first", []string{"1Ki", "1k"}, "", "", "2024", "1073743848"},
		{"decimal first", []string{"24", "1000Ki"}, "", "", "1024024", "1074765848"},
		{"binary first, even", []string{"1Ki", "1024"}, "", "", "2Ki", "1048578Ki"},
		{"decimal first, even", []string{"1024", "1Ki"}, "", "", "2048", "1073743872"},
		{"zero has no say", []string{"0", "1000Ki", "24k"}, "", "", "1048000", "1074789824"},
		{"exponent", []string{"1e3", "1e3"}, "", "", "2e3", "1073743824"},
		{"the greater sum", []string{"1k"}, "", "2Ki", "2Ki", "1048578Ki"},
		{"as much as the rest", []string{"1024"}, "", "1Ki", "1024", "1073742848"},
		{"set-up as much as the one before", nil, "", "1Ki 1024", "1Ki", "1048577Ki"},
		{"a fraction", []string{"1.5Gi", "0.5Gi"}, "", "", "2Gi", "3Gi"},
		{"the app container before a sidecar", []string{"1024"}, "1Ki", "", "2048", "1073743872"},
		{"init container with a sidecar", []string{"1"}, "1k", "1Mi", "1049576", "1074791400"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			spec := &corev1.PodSpec{}
			for _, memory := range test.apps {
				spec.Containers = append(spec.Containers, container("a", list("memory", memory), nil))
			}
			if test.sidecar != "" {
				spec.InitContainers = append(spec.InitContainers, sidecar("s", list("memory", test.sidecar), nil))
			}
			for _, memory := range strings.Fields(test.setup) {
				spec.InitContainers = append(spec.InitContainers, container("i", list("memory", memory), nil))
			}
			got := computeresources.SpecRequests(spec, computeresources.Options{})["memory"]
			testkit.Equal(t, got.String(), test.want, "memory")
			spec.Overhead = list("memory", "1Gi")
			got = computeresources.SpecRequests(spec, computeresources.Options{})["memory"]
			testkit.Equal(t, got.String(), test.wantWithOverhead, "with overhead, memory")
		})
	}
}

// Of equal amounts, that of the spec decides the format.
func TestViewsKeepTheFirstFormat(t *testing.T) {
	own, inEffect := list("memory", "1Gi"), list("memory", "1073741824")
	containers := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", own, own)}}}
	containers.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "a", AllocatedResources: inEffect, Resources: &corev1.ResourceRequirements{Requests: inEffect, Limits: inEffect},
	}}
	whole := &corev1.Pod{Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: own, Limits: own}}}
	whole.Status.Resources = &corev1.ResourceRequirements{Requests: inEffect, Limits: inEffect}
	whole.Status.AllocatedResources = inEffect
	for name, pod := range map[string]*corev1.Pod{"containers": containers, "as a whole": whole} {
		requests, limits := computeresources.PodRequests(pod, computeresources.Options{})["memory"], computeresources.PodLimits(pod, computeresources.Options{})["memory"]
		if requests.String() != "1Gi" || limits.String() != "1Gi" {
			t.Errorf("%s: requests %s, limits %s, want 1Gi", name, requests.String(), limits.String())
		}
	}
}

// The sum of small amounts may still exceed 64 bits.
func TestManyContainers(t *testing.T) {
	want := list("cpu", "703687441776640", "memory", "11258999068426240000", "ephemeral-storage", "11258999068426240000")
	all := computeresources.Totals{
		MilliCPU: 2500 << 48, Memory: math.MaxInt64, EphemeralStorage: math.MaxInt64,
		CPUAllSet: true, MemoryAllSet: true, EphemeralStorageAllSet: true,
	}
	for _, spec := range testkit.ManyContainers(2500, list("cpu", "281474976710656m", "memory", "4Pi", "ephemeral-storage", "4Pi")) {
		check(t, "requests", computeresources.SpecRequests(spec, computeresources.Options{}), want)
		check(t, "limits", computeresources.SpecLimits(spec, computeresources.Options{}), want)
		checkTotals(t, "requests", computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}), all)
		checkTotals(t, "limits", computeresources.SpecTotals(spec, computeresources.Limits, computeresources.Options{}), all)
	}
}

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
			computeresources.ApplyRequestDefaults(&test.spec, computeresources.Kubernetes{})
			check(t, "requests", computeresources.SpecRequests(&test.spec, computeresources.Options{}), test.requests)
			check(t, "API limits", computeresources.SpecLimits(&test.spec, computeresources.Options{}), test.limits)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, computeresources.Options{}), test.limits)
		})
	}
}

// "Compute Resources in Tekton" says that Kubernetes makes no distinction between app containers and
// sidecars. A sidecar of Kubernetes is an init container that keeps running: it runs beside the app
// containers and beside the init containers after it.
// See docs/decisions/computeresources.md#sidecars-are-distinguished.
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
