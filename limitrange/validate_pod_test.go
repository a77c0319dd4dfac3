package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// What bounds of type Pod apply to: the formula for the pod's requests, but for overhead
// and pod-level hugepages.
func TestBoundsOfPods(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	base := func() *corev1.PodSpec {
		one := list("cpu", "1", "hugepages-2Mi", "2Mi")
		return &corev1.PodSpec{
			InitContainers: []corev1.Container{
				{Name: "s", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: one, Limits: one}},
				testkit.Container("i", list("cpu", "4"), list("cpu", "5")),
			},
			Containers: []corev1.Container{testkit.Container("a", one, one), testkit.Container("b", one, one)},
		}
	}
	with := func(change func(*corev1.PodSpec)) *corev1.PodSpec {
		spec := base()
		change(spec)
		return spec
	}
	tests := []struct {
		name           string
		spec           *corev1.PodSpec
		resource       string
		request, limit string // "" if not set
	}{
		{"an init container and a sidecar", base(), "cpu", "5", "6"},
		{"overhead does not count", with(func(s *corev1.PodSpec) { s.Overhead = list("cpu", "10") }), "cpu", "5", "6"},
		{"the pod level", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "7"), Limits: list("cpu", "8")}
		}), "cpu", "7", "8"},
		{"the pod level, of more than integers hold", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "20E"), Limits: list("cpu", "20E")}
		}), "cpu", "20E", "20E"},
		{"the pod level, of fractions", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("memory", "1.5"), Limits: list("memory", "1.5")}
		}), "memory", "1.5", "1.5"},
		{"the pod level, of zero", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "0")}
		}), "cpu", "0", "6"},
		{"the limit of the pod level", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "8")}
		}), "cpu", "5", "8"},
		{"memory of the pod level", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("memory", "7"), Limits: list("memory", "8")}
		}), "memory", "7", "8"},
		{"hugepages of the pod level do not count", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi"), Limits: list("hugepages-2Mi", "8Mi")}
		}), "hugepages-2Mi", "6Mi", "6Mi"},
		{"a resource that is not set", base(), "memory", "", ""},
		{"nil", nil, "cpu", "", ""},
		{"a hundred containers", many(100), "cpu", "100", "200"},
		{"more containers than integers add up", many(1001), "cpu", "1001", "2002"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check := func(item corev1.LimitRangeItem) computeresources.Problems[*limitrange.Violation] {
				item.Type = pod
				return limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Gates{}).Validate(test.spec)
			}
			if test.request == "" {
				for _, item := range []corev1.LimitRangeItem{{Min: list(test.resource, "0")}, {Max: list(test.resource, "1")}, {MaxLimitRequestRatio: list(test.resource, "1")}} {
					if found := check(item); len(found) != 1 || found[0].Cause != limitrange.NoRequest && found[0].Cause != limitrange.NoLimit {
						t.Errorf("%v", found)
					}
				}
				return
			}
			request, limit := quantity(test.request), quantity(test.limit)
			if found := check(corev1.LimitRangeItem{Min: corev1.ResourceList{corev1.ResourceName(test.resource): request}}); limit.Cmp(request) >= 0 && found != nil {
				t.Errorf("at the minimum: %v", found)
			}
			testkit.NoDiff(t, check(corev1.LimitRangeItem{Max: corev1.ResourceList{corev1.ResourceName(test.resource): limit}}), nil, "at the maximum")
			found := check(corev1.LimitRangeItem{Min: list(test.resource, "1000E")})
			if len(found) != 1 || found[0].Ref != (computeresources.Ref{Kind: computeresources.Pod}) || found[0].Request.Cmp(request) != 0 || found[0].Limit.Cmp(limit) != 0 {
				t.Errorf("%+v", found)
			}
			request.Add(quantity("1m"))
			if found := check(corev1.LimitRangeItem{Min: corev1.ResourceList{corev1.ResourceName(test.resource): request}}); len(found) != 1 {
				t.Errorf("just below the minimum: %v", found)
			}
			limit.Sub(quantity("1m"))
			if found := check(corev1.LimitRangeItem{Max: corev1.ResourceList{corev1.ResourceName(test.resource): limit}}); len(found) != 1 {
				t.Errorf("just above the maximum: %v", found)
			}
		})
	}
}

func many(n int) *corev1.PodSpec {
	spec := &corev1.PodSpec{}
	for range n {
		spec.Containers = append(spec.Containers, testkit.Container("c", list("cpu", "1"), list("cpu", "2")))
	}
	return spec
}

// Amounts that are small one by one need not add up within 64 bits.
func TestBoundsOfManyContainers(t *testing.T) {
	lr := limitRange("a", corev1.LimitRangeItem{Type: pod, Max: testkit.List("memory", "4Pi")})
	for _, spec := range testkit.ManyContainers(2500, testkit.List("memory", "4Pi")) {
		got := limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Gates{}).Validate(spec)
		if len(got) != 1 || got[0].Cause != limitrange.LimitOut || got[0].Type != pod {
			t.Errorf("violations: %v", got)
		}
	}
}

// Pod-level amounts replace those of the containers, for cpu and memory only.
func TestBoundsOfPodsAsAWhole(t *testing.T) {
	for _, test := range []struct {
		name, containers, whole, most string
		want                          int
	}{
		{"cpu", "1", "3", "2", 1}, {"cpu", "3", "1", "2", 0},
		{"memory", "1", "3", "2", 1}, {"memory", "3", "1", "2", 0},
		{"hugepages-1", "1", "3", "2", 0}, {"hugepages-1", "3", "1", "2", 1},
		{"example.com/gpu", "1", "3", "2", 0}, {"example.com/gpu", "3", "1", "2", 1},
	} {
		stated, whole := list(test.name, test.containers), list(test.name, test.whole)
		spec := withContainers(testkit.Container("app", stated, stated))
		spec.Resources = &corev1.ResourceRequirements{Requests: whole, Limits: whole}
		if found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list(test.name, test.most)})}, computeresources.Gates{}).Validate(spec); len(found) != test.want {
			t.Errorf("%s of %s, as a whole %s: %v", test.name, test.containers, test.whole, found)
		}
	}
}

// Pod-level amounts that do not fit integers are compared exactly.
func TestBoundsOfPodsAsAWholeBeyondIntegers(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "1")})}, computeresources.Gates{})
	for amounts, want := range map[[2]string]int{{"100n", "1"}: 0, {"100n", "1000000001n"}: 1, {"500m", "1E"}: 1, {"500m", "999999999n"}: 0} {
		spec := withContainers(testkit.Container("app", nil, nil))
		spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", amounts[0]), Limits: list("cpu", amounts[1])}
		if found := policy.Validate(spec); len(found) != want {
			t.Errorf("requests %s, limits %s: %v, want %d violations", amounts[0], amounts[1], found, want)
		}
	}
}
