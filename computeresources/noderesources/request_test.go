package noderesources_test

import (
	"maps"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// pod returns a pod with these containers.
func pod(containers ...corev1.Container) *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: containers}}
}

// app returns a container with requests.
func app(requests ...string) corev1.Container {
	return testkit.Container("app", testkit.List(requests...), nil)
}

func TestRequestOf(t *testing.T) {
	const mebi = 1 << 20
	for _, test := range []struct {
		name    string
		pod     *corev1.Pod
		opts    computeresources.Options
		want    map[corev1.ResourceName]int64
		nonZero [2]int64
	}{
		{"nil pod", nil, none, nil, [2]int64{}},
		{"no containers", pod(), none, nil, [2]int64{}},
		{"a container without requests", pod(app()), none, nil, [2]int64{100, 200 * mebi}},
		{"cpu only", pod(app("cpu", "1")), none, map[corev1.ResourceName]int64{"cpu": 1000}, [2]int64{1000, 200 * mebi}},
		{"a request for zero is not missing", pod(app("cpu", "0", "memory", "0")), none, nil, [2]int64{}},
		{"one of two containers without cpu", pod(app("cpu", "1", "memory", "1Mi"), app("memory", "1Mi")), none,
			map[corev1.ResourceName]int64{"cpu": 1000, "memory": 2 * mebi}, [2]int64{1100, 2 * mebi}},
		{"rounded up once", pod(app("cpu", "100u", "memory", "500m"), app("cpu", "100u", "memory", "500m")), none,
			map[corev1.ResourceName]int64{"cpu": 1, "memory": 1}, [2]int64{1, 1}},
		{"beyond int64", pod(app("cpu", "10E", "memory", "10E")), none,
			map[corev1.ResourceName]int64{"cpu": math.MaxInt64, "memory": math.MaxInt64}, [2]int64{math.MaxInt64, math.MaxInt64}},
		{"scalar resources",
			pod(app("cpu", "1", "memory", "1Mi", "hugepages-2Mi", "4Mi", "nvidia.com/gpu", "2", "attachable-volumes-x", "1", "x.kubernetes.io/y", "3", "ephemeral-storage", "1Mi")), none,
			map[corev1.ResourceName]int64{"cpu": 1000, "memory": mebi, "hugepages-2Mi": 4 * mebi, "nvidia.com/gpu": 2, "attachable-volumes-x": 1, "x.kubernetes.io/y": 3, "ephemeral-storage": mebi},
			[2]int64{1000, mebi}},
		{"resources that the scheduler does not count", pod(app("cpu", "1", "memory", "1Mi", "pods", "3", "storage", "1", "requests.example.com/x", "1")), none,
			map[corev1.ResourceName]int64{"cpu": 1000, "memory": mebi}, [2]int64{1000, mebi}},
		{"containers are ignored", pod(app("cpu", "1")), computeresources.Options{IgnoreContainers: true}, nil, [2]int64{}},
		{"missing requests of the caller", pod(app()), computeresources.Options{MissingRequests: testkit.List("cpu", "7m")},
			map[corev1.ResourceName]int64{"cpu": 7}, [2]int64{7, 200 * mebi}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var spec *corev1.PodSpec
			if test.pod != nil {
				spec = &test.pod.Spec
			}
			for how, r := range map[string]noderesources.Request{
				"PodRequest": noderesources.PodRequest(test.pod, test.opts), "SpecRequest": noderesources.SpecRequest(spec, test.opts),
			} {
				got := map[corev1.ResourceName]int64{}
				for name := range r.Amounts(computeresources.Requests) {
					got[name] = amountOf(r, computeresources.Requests, name)
				}
				want := test.want
				if want == nil {
					want = map[corev1.ResourceName]int64{}
				}
				testkit.NoDiff(t, got, want, how)
				testkit.Equal(t, r.NonZero("ephemeral-storage"), amountOf(r, computeresources.Requests, "ephemeral-storage"), "non-zero ephemeral-storage")
				testkit.Equal(t, [2]int64{r.NonZero("cpu"), r.NonZero("memory")}, test.nonZero, how, "scores count")
				testkit.Equal(t, r.NonZero("nvidia.com/gpu"), test.want["nvidia.com/gpu"], how, "scores count")
			}
		})
	}
}

// Of a placed pod with pod-level requests, scores assume a default only of what neither it nor
// a container requests; of one to be placed, of each container, unless the pod sets it.
// A request of amounts is that of a container with them, for which scores assume nothing.
func TestRequestOfAmounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := allocatables().Draw(t, "amounts") // with pods, which do not count
		got := noderesources.RequestOf(list)
		complete := maps.Clone(list)
		if complete == nil {
			complete = corev1.ResourceList{}
		}
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			if _, ok := complete[name]; !ok {
				complete[name] = resource.Quantity{}
			}
		}
		spec := &corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: complete}}}}
		if want := noderesources.SpecRequest(spec, none); !got.Equal(want) {
			t.Fatalf("%v is %v, and as a container %v", list, got, want)
		}
	})
	got := noderesources.RequestOf(testkit.List("cpu", "1500u", "example.com/gpu", "1", "storage", "1", "pods", "7"))
	testkit.NoDiff(t, got.Amounts(computeresources.Requests), testkit.List("cpu", "2m", "example.com/gpu", "1"))
	testkit.NoDiff(t, got.Amounts(computeresources.Limits), corev1.ResourceList{})
	testkit.Equal(t, got.NonZero("memory"), 0)
}

func TestNonZeroOfPodLevelRequests(t *testing.T) {
	const mebi = 1 << 20
	for _, test := range []struct {
		name            string
		podLevel        corev1.ResourceList
		opts            computeresources.Options
		placed, placing [2]int64
	}{
		{"memory of the pod, cpu of one container", testkit.List("memory", "1Mi"), none, [2]int64{50, mebi}, [2]int64{150, mebi}},
		{"pod-level cpu and memory", testkit.List("cpu", "2", "memory", "1Mi"), none, [2]int64{2000, mebi}, [2]int64{2000, mebi}},
		{"pod-level cpu, no memory", testkit.List("cpu", "2"), none, [2]int64{2000, 400 * mebi}, [2]int64{2000, 400 * mebi}},
		{"no resource that can be set at pod level", testkit.List("example.com/x", "2"), none, [2]int64{150, 400 * mebi}, [2]int64{150, 400 * mebi}},
		{"pod level is ignored", testkit.List("cpu", "2"), computeresources.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, [2]int64{150, 400 * mebi}, [2]int64{150, 400 * mebi}},
	} {
		p := pod(app("cpu", "50m"), app())
		p.Spec.Resources = &corev1.ResourceRequirements{Requests: test.podLevel}
		r := noderesources.PodRequest(p, test.opts)
		testkit.Equal(t, [2]int64{r.NonZero("cpu"), r.NonZero("memory")}, test.placed, test.name, "placed")
		r = noderesources.SpecRequest(&p.Spec, test.opts)
		testkit.Equal(t, [2]int64{r.NonZero("cpu"), r.NonZero("memory")}, test.placing, test.name, "to be placed")
	}
}

// Pod-level limits are no requests: scores assume the default for each container.
func TestNonZeroOfPodLevelLimits(t *testing.T) {
	p := pod(app("memory", "1Mi"), app("cpu", "50m"))
	p.Spec.Resources = &corev1.ResourceRequirements{Limits: testkit.List("example.com/x", "1", "hugepages-2Mi", "2Mi")}
	r := noderesources.PodRequest(p, none)
	testkit.Equal(t, [2]int64{r.NonZero("cpu"), r.NonZero("memory")}, [2]int64{150, 201 << 20}, "scores count")
}

// Gates count for the limits of a pod as for its requests.
func TestLimitsWithoutPodLevel(t *testing.T) {
	p := pod(testkit.Container("a", testkit.List("cpu", "1"), testkit.List("cpu", "2")))
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3"), Limits: testkit.List("cpu", "4")}
	for _, test := range []struct {
		ignored bool
		want    [2]int64
	}{{false, [2]int64{3000, 4000}}, {true, [2]int64{1000, 2000}}} {
		opts := computeresources.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.OffIf(test.ignored)}}
		for how, r := range map[string]noderesources.Request{"PodRequest": noderesources.PodRequest(p, opts), "SpecRequest": noderesources.SpecRequest(&p.Spec, opts)} {
			got := [2]int64{amountOf(r, computeresources.Requests, "cpu"), amountOf(r, computeresources.Limits, "cpu")}
			testkit.Equal(t, got, test.want, how, "pod level ignored", test.ignored)
		}
	}
}

// The scheduler of 1.36 reserves the largest amount of each container.
func TestRequestOfMaxima(t *testing.T) {
	p := pod(testkit.Container("a", testkit.List("cpu", "2", "memory", "1Mi"), testkit.List("cpu", "2")), testkit.Container("b", testkit.List("cpu", "1"), testkit.List("cpu", "1")))
	for i, cpu := range []string{"1", "2"} {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: p.Spec.Containers[i].Name, AllocatedResources: testkit.List("cpu", cpu), Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", cpu), Limits: testkit.List("cpu", cpu)},
		})
	}
	for _, test := range []struct {
		maxima bool
		want   int64
	}{{false, 3000}, {true, 4000}} {
		r := noderesources.PodRequest(p, computeresources.Options{Kubernetes: computeresources.Kubernetes{Release: testkit.OlderIf(test.maxima)}})
		testkit.Equal(t, amountOf(r, computeresources.Requests, "cpu"), test.want, test.maxima)
		testkit.Equal(t, amountOf(r, computeresources.Limits, "cpu"), test.want, "limits", test.maxima)
		if got := r.NonZero("cpu"); got != test.want { // memory of b is a default, cpu is not
			t.Errorf("%v: scores count %d, want %d", test.maxima, got, test.want)
		}
	}
}

// Limits of 1.36 do not include what resource claims use of the node.
func TestRequestOfMaximaAndClaims(t *testing.T) {
	p := pod(testkit.Container("a", testkit.List("cpu", "1"), testkit.List("cpu", "2")))
	opts := computeresources.Options{ClaimedFromNode: testkit.List("cpu", "4")}
	for _, want := range []int64{6000, 2000} {
		for how, r := range map[string]noderesources.Request{"placed": noderesources.PodRequest(p, opts), "to be placed": noderesources.SpecRequest(&p.Spec, opts)} {
			testkit.Equal(t, amountOf(r, computeresources.Requests, "cpu"), 5000, how)
			testkit.Equal(t, amountOf(r, computeresources.Limits, "cpu"), want, how, "limits")
		}
		opts.Kubernetes.Release = "1.36"
	}
}

// A resize counts for a pod that is placed, and not for a spec.
func TestRequestWhileResized(t *testing.T) {
	p := pod(app("cpu", "1", "memory", "1Mi"))
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{
		Name: "app", AllocatedResources: testkit.List("cpu", "3", "memory", "1Mi"), Resources: &corev1.ResourceRequirements{Limits: testkit.List("cpu", "4")},
	}}
	testkit.Equal(t, amountOf(noderesources.PodRequest(p, none), computeresources.Limits, "cpu"), 4000, "placed: a limit of")
	testkit.Equal(t, amountOf(noderesources.PodRequest(p, none), computeresources.Requests, "cpu"), 3000, "placed")
	testkit.Equal(t, amountOf(noderesources.SpecRequest(&p.Spec, none), computeresources.Requests, "cpu"), 1000, "to be placed")
	p.Spec.Containers = append(p.Spec.Containers, testkit.Container("b", testkit.List("cpu", "1"), nil))
	testkit.Equal(t, noderesources.PodRequest(p, none).NonZero("cpu"), 4000, "placed, beside a container without memory: scores count")
}

// Overhead counts in addition to the defaults for scores.
func TestNonZeroCountsOverhead(t *testing.T) {
	p := pod(app())
	p.Spec.Overhead = testkit.List("cpu", "1")
	for how, r := range map[string]noderesources.Request{"placed": noderesources.PodRequest(p, none), "to be placed": noderesources.SpecRequest(&p.Spec, none)} {
		testkit.Equal(t, r.NonZero("cpu"), 1100, how, "scores count")
	}
}

func TestAmountsBelowZero(t *testing.T) {
	testkit.NoDiff(t, testkit.Texts(placed("cpu", "-1").Amounts(computeresources.Requests)), testkit.Texts(testkit.List("cpu", "-1")))
}

func TestLimitsOfRequest(t *testing.T) {
	p := pod(testkit.Container("a", testkit.List("example.com/a", "1"), testkit.List("cpu", "2", "example.com/a", "1", "example.com/b", "3", "storage", "1")))
	for _, r := range []noderesources.Request{noderesources.PodRequest(p, none), noderesources.SpecRequest(&p.Spec, none)} {
		for name, want := range map[corev1.ResourceName][2]int64{
			"cpu": {0, 2000}, "example.com/a": {1, 1}, "example.com/b": {0, 3}, "storage": {}, "memory": {}, "example.com/c": {},
		} {
			got := [2]int64{amountOf(r, computeresources.Requests, name), amountOf(r, computeresources.Limits, name)}
			testkit.Equal(t, got, want, name)
		}
		for _, list := range []computeresources.List{0, computeresources.Requests + computeresources.Limits} {
			if got := r.Amounts(list); got == nil || len(got) > 0 {
				t.Errorf("the unknown list %d has %v", list, got)
			}
		}
		if got, want := testkit.Texts(r.Amounts(computeresources.Limits)), testkit.Texts(testkit.List("cpu", "2", "example.com/a", "1", "example.com/b", "3")); !cmp.Equal(got, want) {
			t.Errorf("limits %v, want %v", got, want)
		}
	}
}

// Resources that are only limited are in the order of their names as well, whatever the order of a map is.
func TestLimitedResourcesAreSorted(t *testing.T) {
	limits := testkit.List("example.com/a", "1", "example.com/b", "1", "example.com/c", "1", "example.com/d", "1")
	p := pod(testkit.Container("app", nil, limits))
	ofPod, ofSpec := noderesources.PodRequest(p, none), noderesources.SpecRequest(&p.Spec, none)
	for range 20 {
		if r := noderesources.PodRequest(p, none); !reflect.DeepEqual(r, ofPod) {
			t.Fatalf("of a pod: %v, and then %v", ofPod, r)
		}
		if r := noderesources.SpecRequest(&p.Spec, none); !reflect.DeepEqual(r, ofSpec) {
			t.Fatalf("of a spec: %v, and then %v", ofSpec, r)
		}
	}
}

// Scores assume defaults for cpu and memory that a container does not request, whatever else it requests.
func TestNonZeroBesideOtherResources(t *testing.T) {
	requests := testkit.List("cpu", "50m", "memory", "1Mi", "nvidia.com/gpu", "1", "kubernetes.io/batch-cpu", "20")
	without := testkit.List("memory", "1Mi", "nvidia.com/gpu", "1")
	for _, test := range []struct {
		name   string
		status corev1.ContainerStatus
		opts   computeresources.Options
		want   int64
	}{
		{"requested", corev1.ContainerStatus{}, none, 50},
		{"allocated, too", corev1.ContainerStatus{AllocatedResources: requests}, none, 50},
		{"not allocated", corev1.ContainerStatus{AllocatedResources: without}, none, 100},
		{"not actuated", corev1.ContainerStatus{Resources: &corev1.ResourceRequirements{Requests: without}}, none, 100},
		{"under another name", corev1.ContainerStatus{}, computeresources.Options{CPUName: "kubernetes.io/batch-cpu"}, 20},
		{"not under another name", corev1.ContainerStatus{}, computeresources.Options{CPUName: "kubernetes.io/mid-cpu"}, 100},
		{"containers are ignored", corev1.ContainerStatus{}, computeresources.Options{IgnoreContainers: true}, 0},
	} {
		p := pod(testkit.Container("a", requests, nil))
		test.status.Name = "a"
		for _, isInit := range []bool{false, true} {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{test.status}
			if isInit {
				p.Spec.InitContainers, p.Spec.Containers = p.Spec.Containers, nil
				p.Status.InitContainerStatuses, p.Status.ContainerStatuses = p.Status.ContainerStatuses, nil
			}
			testkit.Equal(t, noderesources.PodRequest(p, test.opts).NonZero("cpu"), test.want, test.name)
		}
	}
	infeasible := pod(testkit.Container("a", requests, nil))
	infeasible.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodResizePending, Status: corev1.ConditionTrue, Reason: corev1.PodReasonInfeasible}}
	testkit.Equal(t, noderesources.PodRequest(infeasible, none).NonZero("cpu"), 100, "infeasible, and nothing allocated")
	two := pod(testkit.Container("a", requests, nil), testkit.Container("b", without, nil))
	testkit.Equal(t, noderesources.SpecRequest(&two.Spec, none).NonZero("cpu"), 150, "one of two containers")
}

// What scores count of cpu and memory does not depend on other resources.
func TestNonZeroWithoutOtherResources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := testkit.PodWith(testkit.Ordinary()).Draw(t, "pod")
		for _, c := range computeresources.Containers(&p.Spec) {
			if rapid.IntRange(0, 9).Draw(t, "whole") > 0 {
				c.Resources.Requests = testkit.List("cpu", "30m", "memory", "3Mi", "example.com/gpu", "1")
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "pod level") > 0 {
			p.Spec.Resources, p.Status.Resources, p.Status.AllocatedResources = nil, nil, nil
		}
		plain := p.DeepCopy()
		strip := func(lists ...corev1.ResourceList) {
			for _, list := range lists {
				maps.DeleteFunc(list, func(name corev1.ResourceName, _ resource.Quantity) bool { return name != "cpu" && name != "memory" })
			}
		}
		for _, c := range computeresources.Containers(&plain.Spec) {
			strip(c.Resources.Requests)
		}
		for _, statuses := range [][]corev1.ContainerStatus{plain.Status.ContainerStatuses, plain.Status.InitContainerStatuses} {
			for i := range statuses {
				strip(statuses[i].AllocatedResources)
				if r := statuses[i].Resources; r != nil {
					strip(r.Requests)
				}
			}
		}
		opts := computeresources.Options{IgnoreInitContainers: rapid.Bool().Draw(t, "no init containers"), Kubernetes: computeresources.Kubernetes{Release: testkit.OlderIf(rapid.Bool().Draw(t, "max per container"))}}
		for _, name := range []corev1.ResourceName{"cpu", "memory"} {
			testkit.Equal(t, noderesources.PodRequest(p, opts).NonZero(name), noderesources.PodRequest(plain, opts).NonZero(name), name, "of a pod")
			testkit.Equal(t, noderesources.SpecRequest(&p.Spec, opts).NonZero(name), noderesources.SpecRequest(&plain.Spec, opts).NonZero(name), name, "of a spec")
		}
	})
}

// Requests are equal if no question about nodes tells them apart.
func TestEqualRequests(t *testing.T) {
	of := func(requests, limits corev1.ResourceList) noderesources.Request {
		return noderesources.SpecRequest(&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", requests, limits)}}, none)
	}
	same := of(testkit.List("cpu", "1", "example.com/a", "1"), testkit.List("cpu", "2"))
	tests := []struct {
		name  string
		other noderesources.Request
		want  bool
	}{
		{"the same amounts", of(testkit.List("cpu", "1000m", "example.com/a", "1"), testkit.List("cpu", "2")), true},
		{"more", of(testkit.List("cpu", "2", "example.com/a", "1"), testkit.List("cpu", "2")), false},
		{"less", of(testkit.List("cpu", "500m", "example.com/a", "1"), testkit.List("cpu", "2")), false},
		{"another limit", of(testkit.List("cpu", "1", "example.com/a", "1"), testkit.List("cpu", "3")), false},
		{"another extended resource", of(testkit.List("cpu", "1", "example.com/b", "1"), testkit.List("cpu", "2")), false},
		{"no extended resource", of(testkit.List("cpu", "1"), testkit.List("cpu", "2")), false},
		{"nothing", noderesources.Request{}, false},
	}
	for _, test := range tests {
		testkit.Equal(t, same.Equal(test.other), test.want, test.name)
		testkit.Equal(t, test.other.Equal(same), test.want, test.name, "exchanged")
	}
}
