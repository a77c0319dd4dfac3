package computeresources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)

// tektonTable is the first table of Tekton's "Compute Resources": what it calls a
// sidecar there is a third app container.
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
	check(t, "requests", computeresources.PodRequests(spec, computeresources.Options{}), list("cpu", "6"))
	check(t, "API limits", computeresources.PodLimits(spec, computeresources.Options{}), list("cpu", "5"))
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
	check(t, "requests", computeresources.PodRequests(spec, computeresources.Options{}), list("cpu", "6", "memory", "800m"))
}

// The quota of 10 CPU that refuses 20 steps with a limit of 1 CPU each.
func TestTektonTwentyStepsLimitTwentyCPU(t *testing.T) {
	spec := &corev1.PodSpec{}
	for range 20 {
		spec.Containers = append(spec.Containers, container("step", nil, list("cpu", "1")))
	}
	check(t, "API limits", computeresources.PodLimits(spec, computeresources.Options{}), list("cpu", "20"))
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
			// The document says 20m of shares: it leaves out that bar requests its limit.
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
			computeresources.ApplyRequestDefaults(&test.spec)
			check(t, "requests", computeresources.PodRequests(&test.spec, computeresources.Options{}), test.requests)
			check(t, "API limits", computeresources.PodLimits(&test.spec, computeresources.Options{}), test.limits)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, computeresources.Options{}), test.limits)
		})
	}
}

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
		{name: "no containers", want: list()},
		{
			name: "an init container above the sum counts alone",
			spec: pod([]corev1.Container{container("setup", list("cpu", "5"), nil)}, container("a", list("cpu", "1"), nil), container("b", list("cpu", "2"), nil)),
			want: list("cpu", "5"),
		},
		{
			name: "each resource has a maximum of its own",
			spec: pod([]corev1.Container{container("setup", list("cpu", "5", "memory", "1Gi"), nil)}, container("a", list("cpu", "1", "memory", "2Gi"), nil)),
			want: list("cpu", "5", "memory", "2Gi"),
		},
		{
			name: "a sidecar runs beside the init containers after it",
			spec: pod([]corev1.Container{sidecar("proxy", list("cpu", "1"), nil), container("setup", list("cpu", "3"), nil)}, container("a", list("cpu", "2"), nil)),
			want: list("cpu", "4"),
		},
		{
			name: "but not beside those before it",
			spec: pod([]corev1.Container{container("setup", list("cpu", "3"), nil), sidecar("proxy", list("cpu", "1"), nil)}, container("a", list("cpu", "1"), nil)),
			want: list("cpu", "3"),
		},
		{
			name: "zero is stated, not absent",
			spec: pod(nil, container("a", list("cpu", "0", "memory", "0"), nil)),
			want: list("cpu", "0", "memory", "0"),
		},
		{
			name: "extended resources and hugepages",
			spec: pod([]corev1.Container{container("setup", list("hugepages-2Mi", "8Mi"), nil)}, container("a", list("example.com/gpu", "1"), nil), container("b", list("example.com/gpu", "2"), nil)),
			want: list("hugepages-2Mi", "8Mi", "example.com/gpu", "3"),
		},
		{
			name: "100n and 100n are 200n",
			spec: pod(nil, container("a", list("cpu", "100n"), nil), container("b", list("cpu", "100n"), nil)),
			want: list("cpu", "200n"),
		},
		{
			name: "1E and 10E of memory",
			spec: pod(nil, container("a", list("memory", "1E"), nil), container("b", list("memory", "10E"), nil)),
			want: list("memory", "11E"),
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
			name: "overhead comes on top, also of what nothing else requests",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3")},
				Overhead:   list("cpu", "250m", "memory", "120Mi"),
			},
			want: list("cpu", "3250m", "memory", "120Mi"),
		},
		{
			name: "all exclusions",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "3")},
				Overhead:   list("cpu", "250m"),
			},
			opts: computeresources.Options{IgnoreContainers: true, IgnorePodLevel: true, ExcludeOverhead: true},
			want: list(),
		},
		{
			name: "missing requests, of init containers too, but not those stated as zero",
			spec: pod([]corev1.Container{container("setup", nil, nil)}, container("a", list("cpu", "0"), nil), container("b", nil, nil)),
			opts: computeresources.Options{MissingRequests: list("cpu", "100m", "memory", "200Mi")},
			want: list("cpu", "100m", "memory", "400Mi"),
		},
		{
			name: "claims come on top of the containers, and below the pod level",
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
			check(t, "requests", computeresources.PodRequests(&test.spec, test.opts), test.want)
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
			name: "an init container without a limit leaves the pod without one",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", nil, list("memory", "1Gi"))},
				Containers:     []corev1.Container{container("a", nil, list("cpu", "1", "memory", "1Gi"))},
			},
			api:     list("cpu", "1", "memory", "1Gi"),
			binding: list("memory", "1Gi"),
		},
		{
			name: "a sidecar with a limit of zero, too",
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
			name: "hugepages and extended resources are never unbounded",
			spec: corev1.PodSpec{Containers: []corev1.Container{
				container("a", nil, list("hugepages-2Mi", "4Mi", "example.com/gpu", "1")), container("b", nil, nil),
			}},
			api:     list("hugepages-2Mi", "4Mi", "example.com/gpu", "1"),
			binding: list("hugepages-2Mi", "4Mi", "example.com/gpu", "1"),
		},
		{
			name:    "claims extend limits that are declared, and hugepages",
			spec:    corev1.PodSpec{Containers: []corev1.Container{container("a", nil, list("cpu", "1"))}},
			opts:    computeresources.Options{ClaimedFromNode: list("cpu", "2", "memory", "1Gi", "hugepages-2Mi", "2Mi")},
			api:     list("cpu", "3", "hugepages-2Mi", "2Mi"),
			binding: list("cpu", "3", "hugepages-2Mi", "2Mi"),
		},
		{
			name:    "missing requests are no limits",
			spec:    corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}},
			opts:    computeresources.Options{MissingRequests: list("cpu", "1")},
			api:     list(),
			binding: list(),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check(t, "API limits", computeresources.PodLimits(&test.spec, test.opts), test.api)
			check(t, "binding limits", computeresources.BindingLimits(&test.spec, test.opts), test.binding)
		})
	}
}

// A pod-level request, an overhead, a claim or a total of the status such as 1.5Gi must
// not be handed out and then added to: three calls, one answer, and the pod as before.
func TestThreeCallsOneAnswer(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{container("a", list("memory", "1.5Gi"), nil)},
		Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1.5Gi")},
		Overhead:   list("memory", "128Mi"),
	}
	before := testkit.Fingerprint(spec)
	for range 3 {
		check(t, "requests", computeresources.PodRequests(spec, computeresources.Options{}), list("memory", "1664Mi"))
	}
	if testkit.Fingerprint(spec) != before {
		t.Error("the pod has changed")
	}
}

// What a pod states as a whole is complete. What it does not state is not, even if no
// container is asked.
func TestCompleteWithoutContainers(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers: []corev1.Container{container("a", list("cpu", "1", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi"))},
		Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "2")},
	}
	opts := computeresources.Options{IgnoreContainers: true}
	want := computeresources.Totals{MilliCPU: 2000, Complete: computeresources.Complete{CPU: true}}
	if got := computeresources.PodRequestTotals(spec, opts); got != want {
		t.Errorf("request totals = %v, want %v", got, want)
	}
	if got := computeresources.PodLimitTotals(spec, opts); got != want {
		t.Errorf("limit totals = %v, want %v", got, want)
	}
}

// Complete is asked of every view of a running pod.
func TestCompleteOfRunningPod(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "1"))}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", Resources: &corev1.ResourceRequirements{Limits: list("memory", "1Gi")}}}
	opts := computeresources.Options{Status: &pod.Status}
	if got := computeresources.PodLimitTotals(&pod.Spec, opts).Complete; got != (computeresources.Complete{}) {
		t.Errorf("complete limits: %v, want none: cpu is not in effect, memory not in the spec", got)
	}
	pod.Status.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "1", "memory", "1Gi")}
	if got := computeresources.PodLimitTotals(&pod.Spec, opts).Complete; got != (computeresources.Complete{CPU: true}) {
		t.Errorf("complete limits: %v, want cpu, which is in both", got)
	}
	opts.MissingRequests = list("memory", "1Gi")
	if got := computeresources.PodRequestTotals(&pod.Spec, opts).Complete; got != (computeresources.Complete{CPU: true, Memory: true}) {
		t.Errorf("complete requests: %v, want cpu, and memory, for which something stands in", got)
	}
}

// resource.Quantity's MilliValue of 1E and of 10P is 0. A pod that asks for so much does
// not ask for nothing.
func TestOneExaCPUIsNotZero(t *testing.T) {
	for _, cpu := range []string{"1E", "10P", "9223372036854775807", "18446744073709551621"} {
		spec := &corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", cpu), nil)}}
		check(t, "requests", computeresources.PodRequests(spec, computeresources.Options{}), list("cpu", cpu))
		if got := computeresources.PodRequestTotals(spec, computeresources.Options{}).MilliCPU; got != 1<<63-1 {
			t.Errorf("%s CPU are %dm, want them saturated", cpu, got)
		}
	}
}

func TestNilSpec(t *testing.T) {
	check(t, "requests", computeresources.PodRequests(nil, computeresources.Options{MissingRequests: list("cpu", "1")}), list())
	check(t, "API limits", computeresources.PodLimits(nil, computeresources.Options{}), list())
	check(t, "binding limits", computeresources.BindingLimits(nil, computeresources.Options{}), list())
	if got := computeresources.PodRequestTotals(nil, computeresources.Options{}); got != (computeresources.Totals{}) {
		t.Errorf("request totals = %v, want none", got)
	}
	if got := computeresources.PodLimitTotals(nil, computeresources.Options{}); got != (computeresources.Totals{}) {
		t.Errorf("limit totals = %v, want none", got)
	}
	if set := computeresources.ApplyRequestDefaults(nil); set != nil {
		t.Errorf("defaults of nothing: %v", set)
	}
	for ref := range computeresources.Containers(nil) {
		t.Errorf("container of nothing: %v", ref)
	}
}

func TestIntoReturnsTheListItFills(t *testing.T) {
	spec := tektonTable()
	dst := list("memory", "1Gi")
	got := computeresources.PodRequestsInto(dst, spec, computeresources.Options{})
	got["example.com/mark"] = dst["cpu"]
	if _, same := dst["example.com/mark"]; !same {
		t.Error("PodRequestsInto fills another list than it is given")
	}
	dst = computeresources.PodLimitsInto(dst, spec, computeresources.Options{})
	check(t, "limits", dst, list("cpu", "5"))
	check(t, "limits into nil", computeresources.PodLimitsInto(nil, spec, computeresources.Options{}), list("cpu", "5"))
	check(t, "nothing", computeresources.PodRequestsInto(dst, nil, computeresources.Options{}), list())
}

func check(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// A sum is written as its first amount above zero is, and the greater of two sums as it
// was: as the API server and kubectl print it.
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
		{"zero has no say", []string{"0", "1000Ki", "24k"}, "", "", "1048000", "1074789824"},
		{"exponent", []string{"1e3", "1e3"}, "", "", "2e3", "1073743824"},
		{"the greater sum", []string{"1k"}, "", "2Ki", "2Ki", "1048578Ki"},
		{"a fraction", []string{"1.5Gi", "0.5Gi"}, "", "", "2Gi", "3Gi"},
		{"set-up beside a sidecar", []string{"1"}, "1k", "1Mi", "1049576", "1074791400"},
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
			if test.setup != "" {
				spec.InitContainers = append(spec.InitContainers, container("i", list("memory", test.setup), nil))
			}
			got := computeresources.PodRequests(spec, computeresources.Options{})["memory"]
			if got.String() != test.want {
				t.Errorf("memory is %s, want %s", got.String(), test.want)
			}
			spec.Overhead = list("memory", "1Gi")
			got = computeresources.PodRequests(spec, computeresources.Options{})["memory"]
			if got.String() != test.wantWithOverhead {
				t.Errorf("with overhead, memory is %s, want %s", got.String(), test.wantWithOverhead)
			}
		})
	}
}
