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

// AllSet considers every view of a running pod.
func TestCompleteOfRunningPod(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "1"))}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "a", Resources: &corev1.ResourceRequirements{Limits: list("memory", "1Gi")}}}
	var opts computeresources.Options
	testkit.Equal(t, computeresources.PodTotals(pod, computeresources.Limits, opts).AllSet, (computeresources.AllSet{}), "complete limits")
	pod.Status.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "1", "memory", "1Gi")}
	testkit.Equal(t, computeresources.PodTotals(pod, computeresources.Limits, opts).AllSet, (computeresources.AllSet{CPU: true}), "complete limits")
	pod.Status.Resources.Limits["cpu"] = resource.MustParse("0")
	testkit.Equal(t, computeresources.PodTotals(pod, computeresources.Limits, opts).AllSet, (computeresources.AllSet{}), "complete limits")
	below, all := list("cpu", "-1", "memory", "1"), list("cpu", "1", "memory", "1")
	total := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", all, all)}}}
	total.Status = corev1.PodStatus{AllocatedResources: below, Resources: &corev1.ResourceRequirements{Requests: below, Limits: below}}
	for _, list := range lists {
		testkit.Equal(t, computeresources.PodTotals(total, list, opts).AllSet, (computeresources.AllSet{Memory: true}), "complete", list, "s")
	}
	opts.MissingRequests = list("memory", "1Gi")
	testkit.Equal(t, computeresources.PodTotals(pod, computeresources.Requests, opts).AllSet, (computeresources.AllSet{CPU: true, Memory: true}), "complete requests")
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
	testkit.NoDiff(t, computeresources.ApplyRequestDefaults(nil, computeresources.Gates{}), nil, "defaults of nothing")
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
		AllSet: computeresources.AllSet{CPU: true, Memory: true, EphemeralStorage: true},
	}
	for _, spec := range testkit.ManyContainers(2500, list("cpu", "281474976710656m", "memory", "4Pi", "ephemeral-storage", "4Pi")) {
		check(t, "requests", computeresources.SpecRequests(spec, computeresources.Options{}), want)
		check(t, "limits", computeresources.SpecLimits(spec, computeresources.Options{}), want)
		checkTotals(t, "requests", computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{}), all)
		checkTotals(t, "limits", computeresources.SpecTotals(spec, computeresources.Limits, computeresources.Options{}), all)
	}
}

// Amounts that are held behind a pointer, such as 1.5Gi, are copied from every source.
func TestResultsOwnTheirDecimals(t *testing.T) {
	half := func() corev1.ResourceList { return list("memory", "1.5Gi") }
	both := func() *corev1.ResourceRequirements {
		return &corev1.ResourceRequirements{Requests: half(), Limits: half()}
	}
	empty := corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}}
	whole := *empty.DeepCopy()
	whole.Resources = both()
	ofContainer := corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "a", AllocatedResources: half(), Resources: both()}}}
	ofPod := corev1.PodStatus{AllocatedResources: half(), Resources: both()}
	var none corev1.PodStatus
	tests := []struct {
		name   string
		spec   corev1.PodSpec
		status corev1.PodStatus
		opts   computeresources.Options
	}{
		{"container", corev1.PodSpec{Containers: []corev1.Container{{Resources: *both()}}}, none, computeresources.Options{}},
		{"init container", corev1.PodSpec{InitContainers: []corev1.Container{{Resources: *both()}}}, none, computeresources.Options{}},
		{"sidecar", corev1.PodSpec{InitContainers: []corev1.Container{testkit.Sidecar("a", half(), half())}}, none, computeresources.Options{}},
		{"pod", whole, none, computeresources.Options{}},
		{"missing requests", empty, none, computeresources.Options{MissingRequests: half()}},
		{"claims", empty, none, computeresources.Options{ClaimedFromNode: half()}},
		{"statuses of containers", empty, ofContainer, computeresources.Options{}},
		{"status of the pod", empty, ofPod, computeresources.Options{}},
		{"status of the pod, for the pod level", whole, ofPod, computeresources.Options{}},
	}
	for _, test := range tests {
		for _, overhead := range []corev1.ResourceList{nil, half()} {
			t.Run(test.name, func(t *testing.T) {
				pod := &corev1.Pod{Spec: test.spec, Status: test.status}
				pod.Spec.Overhead = overhead
				testkit.Contract(t, func() any { return computeresources.PodRequests(pod, test.opts) }, pod, test.opts)
				testkit.Contract(t, func() any { return computeresources.PodLimits(pod, test.opts) }, pod, test.opts)
				testkit.Contract(t, func() any { return computeresources.SpecRequests(&pod.Spec, test.opts) }, pod, test.opts)
				testkit.Contract(t, func() any { return computeresources.SpecLimits(&pod.Spec, test.opts) }, pod, test.opts)
			})
		}
	}
}

// A sum has the format of its first amount, which may have none, as arithmetic leaves it.
func TestFirstFormatCounts(t *testing.T) {
	formats := []resource.Format{resource.BinarySI, resource.DecimalSI, resource.DecimalExponent, ""}
	of := func(format resource.Format) corev1.ResourceList {
		return corev1.ResourceList{
			"cpu": *resource.NewQuantity(1<<30, format), "memory": *resource.NewQuantity(1<<30, format), "ephemeral-storage": *resource.NewQuantity(1<<30, format),
		}
	}
	for _, first := range formats {
		for _, second := range formats {
			spec := &corev1.PodSpec{Containers: []corev1.Container{container("a", of(first), of(first)), container("b", of(second), of(second))}}
			for what, sums := range map[string]corev1.ResourceList{
				"requests":                 computeresources.SpecRequests(spec, computeresources.Options{}),
				"limits":                   computeresources.SpecLimits(spec, computeresources.Options{}),
				"requests beside statuses": computeresources.PodRequests(&corev1.Pod{Spec: *spec, Status: corev1.PodStatus{ContainerStatuses: make([]corev1.ContainerStatus, 1)}}, computeresources.Options{}),
			} {
				for name, sum := range sums {
					if sum.Format != first || sum.Value() != 2<<30 {
						t.Errorf("%s: %q and %q of %s are %d in %q", what, first, second, name, sum.Value(), sum.Format)
					}
				}
			}
		}
	}
}
