package limitrange_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// All ways to break a bound, in the words of the server and in ours.
func TestViolations(t *testing.T) {
	min := corev1.LimitRangeItem{Min: list("cpu", "200m")}
	max := corev1.LimitRangeItem{Max: list("cpu", "2")}
	ratio := corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}
	tests := []struct {
		name            string
		item            corev1.LimitRangeItem
		request, limit  string
		bound           limitrange.Bound
		cause           limitrange.Cause
		server, inWords string
	}{
		{name: "at the minimum", item: min, request: "200m", limit: "200m"},
		{name: "at the minimum, without a limit", item: min, request: "200m"},
		{
			"no request", min, "", "1", limitrange.Min, limitrange.NoRequest, "minimum cpu usage per Container is 200m.  No request is specified",
			"container app: no cpu request, but LimitRange team/a has a minimum of 200m: set a request of at least 200m",
		},
		{
			"request below min", min, "199m", "", limitrange.Min, limitrange.RequestOut, "minimum cpu usage per Container is 200m, but request is 199m",
			"container app: request cpu 199m is below the minimum 200m of LimitRange team/a: raise the request",
		},
		{
			"limit below min", min, "200m", "199m", limitrange.Min, limitrange.LimitOut, "minimum cpu usage per Container is 200m, but limit is 199m",
			"container app: limit cpu 199m is below the minimum 200m of LimitRange team/a: raise the limit",
		},
		{
			"both below min", min, "100m", "199m", limitrange.Min, limitrange.RequestOut, "minimum cpu usage per Container is 200m, but request is 100m",
			"container app: request cpu 100m is below the minimum 200m of LimitRange team/a: raise the request",
		},
		{name: "at the maximum", item: max, request: "2", limit: "2"},
		{name: "at the maximum, without a request", item: max, limit: "2"},
		{
			"no limit", max, "1", "", limitrange.Max, limitrange.NoLimit, "maximum cpu usage per Container is 2.  No limit is specified",
			"container app: no cpu limit, but LimitRange team/a has a maximum of 2: set a limit of at most 2",
		},
		{
			"limit above max", max, "1", "2001m", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 2, but limit is 2001m",
			"container app: limit cpu 2001m is above the maximum 2 of LimitRange team/a: lower the limit",
		},
		{
			"request above max", max, "2001m", "2", limitrange.Max, limitrange.RequestOut, "maximum cpu usage per Container is 2, but request is 2001m",
			"container app: request cpu 2001m is above the maximum 2 of LimitRange team/a: lower the request",
		},
		{
			"both above max", max, "4", "3", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 2, but limit is 3",
			"container app: limit cpu 3 is above the maximum 2 of LimitRange team/a: lower the limit",
		},
		{name: "at the ratio", item: ratio, request: "1", limit: "1.5"},
		{
			"above the ratio", ratio, "1", "1501m", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 1500m, but provided ratio is 1.501000",
			"container app: limit cpu 1501m is 1.501 times its request 1, but LimitRange team/a allows 1.5 times: request at least 1001m, or set a limit of at most 1500m",
		},
		{
			"ratio without a request", ratio, "", "1", limitrange.Ratio, limitrange.NoRequest, "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0",
			"container app: no cpu request above zero, but LimitRange team/a allows a limit of 1.5 times the request: set both",
		},
		{
			"ratio with a request of zero", ratio, "0", "1", limitrange.Ratio, limitrange.NoRequest, "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0",
			"container app: no cpu request above zero, but LimitRange team/a allows a limit of 1.5 times the request: set both",
		},
		{
			"ratio without a limit", ratio, "1", "", limitrange.Ratio, limitrange.NoLimit, "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0",
			"container app: no cpu limit above zero, but LimitRange team/a allows one of 1.5 times the request: set both",
		},
		{
			"ratio with a limit of zero", ratio, "1", "0", limitrange.Ratio, limitrange.NoLimit, "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0",
			"container app: no cpu limit above zero, but LimitRange team/a allows one of 1.5 times the request: set both",
		},
		{
			"ratio below 1", corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "500m")}, "1", "1", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 500m, but provided ratio is 1.000000",
			"container app: limit cpu 1 is 1 times its request 1, but LimitRange team/a allows 0.5 times: no positive amounts meet it",
		},
		{
			"no limit below a negative maximum", corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "", limitrange.Max, limitrange.NoLimit, "maximum cpu usage per Container is -1.  No limit is specified",
			"container app: no cpu limit, but LimitRange team/a has a maximum of -1: no amount meets it",
		},
		{
			"above a negative maximum", corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "0", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is -1, but limit is 0",
			"container app: limit cpu 0 is above the maximum -1 of LimitRange team/a: no amount meets it",
		},
		{
			"a maximum of zero", corev1.LimitRangeItem{Max: list("cpu", "0")}, "0", "1", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 0, but limit is 1",
			"container app: limit cpu 1 is above the maximum 0 of LimitRange team/a: lower the limit",
		},
		{
			"ratio 10", corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "10")}, "1", "20", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000",
			"container app: limit cpu 20 is 20 times its request 1, but LimitRange team/a allows 10 times: request at least 2, or set a limit of at most 10",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			item := test.item
			item.Type = container
			spec := withContainers(corev1.Container{Name: "app"})
			var request, limit corev1.ResourceList
			if test.request != "" {
				request = list("cpu", test.request)
			}
			if test.limit != "" {
				limit = list("cpu", test.limit)
			}
			spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: request, Limits: limit}
			found := limitrange.Compile(limitRange("a", item)).Validate(spec)
			if test.server == "" {
				if found != nil {
					t.Errorf("%v", found)
				}
				return
			}
			if len(found) != 1 {
				t.Fatalf("%d violations: %v", len(found), found)
			}
			v := found[0]
			if got := v.Error(); got != test.server {
				t.Errorf("Error:\n%s\nwant\n%s", got, test.server)
			}
			if got := v.Diagnosis().String(); got != test.inWords {
				t.Errorf("Diagnosis:\n%s\nwant\n%s", got, test.inWords)
			}
			if v.Type != container || v.Ref != app(0, "app") || v.Resource != "cpu" || v.Bound != test.bound || v.Cause != test.cause || v.Source != (limitrange.Source{Namespace: "team", Name: "a"}) {
				t.Errorf("%+v", v)
			}
			for got, want := range map[*resource.Quantity]string{v.Request: test.request, v.Limit: test.limit} {
				if (got == nil) != (want == "") || got != nil && got.Cmp(quantity(want)) != 0 {
					t.Errorf("found %v, want %s", got, want)
				}
			}
			if (v.Ratio != 0) != (v.Cause == limitrange.RatioOut) {
				t.Errorf("ratio %v", v.Ratio)
			}
		})
	}
}

func TestViolationsAreSorted(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	bounds := func(limitType corev1.LimitType) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: limitType, Min: list("memory", "100", "cpu", "100"), Max: list("memory", "1", "cpu", "1"), MaxLimitRequestRatio: list("cpu", "1")}
	}
	ranges := []*corev1.LimitRange{limitRange("b", bounds(pod), bounds(container)), limitRange("a", bounds(container)), nil}
	both := list("cpu", "2", "memory", "2")
	half := list("cpu", "1", "memory", "2")
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{testkit.Container("i", half, both), {Name: "s", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: half, Limits: both}}},
		Containers:     []corev1.Container{testkit.Container("c", half, both)},
	}
	var want []string
	for _, ref := range []string{"init container i", "sidecar s", "container c"} {
		for _, bound := range []string{"min cpu", "min memory", "max cpu", "max memory", "maxLimitRequestRatio cpu"} {
			want = append(want, ref+" "+bound+" a", ref+" "+bound+" b")
		}
	}
	for _, bound := range []string{"min cpu", "min memory", "max cpu", "max memory", "maxLimitRequestRatio cpu"} {
		want = append(want, "pod "+bound+" b")
	}
	for _, order := range permutations(ranges) {
		var got []string
		for _, v := range limitrange.Compile(order...).Validate(spec) {
			got = append(got, v.Ref.String()+" "+v.Bound.String()+" "+string(v.Resource)+" "+v.Source.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

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
		request, limit string // "" if not stated
	}{
		{"an init container beside a sidecar", base(), "cpu", "5", "6"},
		{"overhead does not count", with(func(s *corev1.PodSpec) { s.Overhead = list("cpu", "10") }), "cpu", "5", "6"},
		{"the pod as a whole", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "7"), Limits: list("cpu", "8")}
		}), "cpu", "7", "8"},
		{"the pod as a whole, of more than integers hold", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "20E"), Limits: list("cpu", "20E")}
		}), "cpu", "20E", "20E"},
		{"the pod as a whole, of fractions", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("memory", "1.5"), Limits: list("memory", "1.5")}
		}), "memory", "1.5", "1.5"},
		{"the pod as a whole, of zero", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "0")}
		}), "cpu", "0", "6"},
		{"the limit of the pod as a whole", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "8")}
		}), "cpu", "5", "8"},
		{"memory of the pod as a whole", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("memory", "7"), Limits: list("memory", "8")}
		}), "memory", "7", "8"},
		{"hugepages of the pod as a whole do not count", with(func(s *corev1.PodSpec) {
			s.Resources = &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi"), Limits: list("hugepages-2Mi", "8Mi")}
		}), "hugepages-2Mi", "6Mi", "6Mi"},
		{"stated by no one", base(), "memory", "", ""},
		{"nil", nil, "cpu", "", ""},
		{"a hundred containers", many(100), "cpu", "100", "200"},
		{"more containers than integers add up", many(1001), "cpu", "1001", "2002"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			check := func(item corev1.LimitRangeItem) []limitrange.Violation {
				item.Type = pod
				return limitrange.Compile(limitRange("a", item)).Validate(test.spec)
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
			if found := check(corev1.LimitRangeItem{Max: corev1.ResourceList{corev1.ResourceName(test.resource): limit}}); found != nil {
				t.Errorf("at the maximum: %v", found)
			}
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

func TestPodMessages(t *testing.T) {
	lr := limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "1"), Min: list("memory", "1Gi"), MaxLimitRequestRatio: list("cpu", "2")})
	spec := withContainers(testkit.Container("a", list("cpu", "500m"), list("cpu", "1")), testkit.Container("b", list("cpu", "100m"), list("cpu", "1")))
	var server, words []string
	for _, v := range limitrange.Compile(lr).Validate(spec) {
		server, words = append(server, v.Error()), append(words, v.Diagnosis().String())
	}
	if diff := cmp.Diff([]string{
		"minimum memory usage per Pod is 1Gi.  No request is specified",
		"maximum cpu usage per Pod is 1, but limit is 2",
		"cpu max limit to request ratio per Pod is 2, but provided ratio is 3.333333",
	}, server); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"pod: no memory request, but LimitRange team/a has a minimum of 1Gi: set a request of at least 1Gi",
		"pod: limit cpu 2 is above the maximum 1 of LimitRange team/a: lower the limit",
		"pod: limit cpu 2 is 3.333 times its request 600m, but LimitRange team/a allows 2 times: request at least 1, or set a limit of at most 1200m",
	}, words); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValidateClaim(t *testing.T) {
	policy := limitrange.Compile(
		limitRange("b", corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi", "example.com/iops", "100"), MaxLimitRequestRatio: list("storage", "1")}),
		limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("storage", "2Gi")}, corev1.LimitRangeItem{Type: container, Max: list("storage", "1")}),
	)
	of := func(requests, limits corev1.ResourceList) *corev1.PersistentVolumeClaimSpec {
		return &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: requests, Limits: limits}}
	}
	iops := func(storage string) corev1.ResourceList { return list("storage", storage, "example.com/iops", "100") }
	nothing := []string{
		"minimum storage usage per PersistentVolumeClaim is 2Gi.  No request is specified",
		"minimum storage usage per PersistentVolumeClaim is 1Gi.  No request is specified",
		"maximum example.com/iops usage per PersistentVolumeClaim is 100.  No request is specified",
		"maximum storage usage per PersistentVolumeClaim is 10Gi.  No request is specified",
	}
	tests := []struct {
		name string
		spec *corev1.PersistentVolumeClaimSpec
		want []string
	}{
		{"nil", nil, nothing},
		{"nothing", of(nil, nil), nothing},
		{"at the minimum", of(iops("2Gi"), nil), nil},
		{"at the maximum", of(iops("10Gi"), nil), nil},
		{"limits do not count", of(iops("10Gi"), list("storage", "1", "example.com/iops", "900")), nil},
		{"below", of(iops("2147483647"), nil), []string{"minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 2147483647"}},
		{"above", of(iops("10737418241"), nil), []string{"maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 10737418241"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, v := range policy.ValidateClaim(test.spec) {
				got = append(got, v.Error())
				if v.Type != claim || v.Limit != nil || v.Ref != (computeresources.Ref{}) {
					t.Errorf("%+v", v)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if got := policy.ValidateClaim(of(iops("1Gi"), nil))[0].Diagnosis().String(); got != "claim: request storage 1Gi is below the minimum 2Gi of LimitRange team/a: raise the request" {
		t.Error(got)
	}
	if found := limitrange.Compile().ValidateClaim(nil); found != nil {
		t.Errorf("%v", found)
	}
	if found := (*limitrange.Policy)(nil).ValidateClaim(nil); found != nil {
		t.Errorf("%v", found)
	}
}

func TestNothingToEnforce(t *testing.T) {
	spec := withContainers(testkit.Container("app", nil, nil))
	for name, policy := range map[string]*limitrange.Policy{
		"nil policy": nil, "no ranges": limitrange.Compile(), "nil range": limitrange.Compile(nil),
		"claims":      limitrange.Compile(limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("cpu", "1")})),
		"other types": limitrange.Compile(limitRange("a", corev1.LimitRangeItem{Type: "Other", Min: list("cpu", "1"), Default: list("cpu", "1")})),
		"defaults":    limitrange.Compile(limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")})),
	} {
		if found := policy.Validate(spec); found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
	if found := limitrange.Compile(limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")})).Validate(nil); found != nil {
		t.Errorf("nil spec: %v", found)
	}
	claims := limitrange.Compile(limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("storage", "1")}))
	if found := claims.ValidateClaim(&corev1.PersistentVolumeClaimSpec{}); found != nil {
		t.Errorf("%v", found)
	}
}

// How the server rounds: in thousandths as long as all three fit, then in whole units.
func TestPrecision(t *testing.T) {
	tests := []struct {
		name           string
		item           corev1.LimitRangeItem
		request, limit string
		want           int
	}{
		{"thousandths count", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "2", 1},
		{"finer parts are rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999000001n", "2", 0},
		{"the largest limit beside which thousandths count", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854775", 1},
		{"beside a larger limit, the request is rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854776", 0},
		{"and so is the bound", corev1.LimitRangeItem{Max: list("memory", "9223372036854775.5")}, "1", "9223372036854776", 0},
		{"beyond 64 bits, amounts are as they are", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20000000000000000001", 1},
		{"beyond 64 bits, equal", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20E", 0},
		{"beyond 64 bits below zero", corev1.LimitRangeItem{Min: list("memory", "-20E")}, "-20000000000000000001", "1", 1},
		{"a ratio in floating point that exceeds by its rounding", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.1")}, "100m", "1610m", 1},
		{"a ratio in floating point that does not", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.2")}, "100m", "1620m", 0},
		{"a ratio of whole units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "9223372036854776", "18446744073709552", 0},
		{"a ratio of rounded units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1500m", "9223372036854776", 0},
		{"a huge ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1", "9223372036854780", 1},
		{"beyond 64 bits, a ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "10E", "30E", 1},
		{"beyond 64 bits, a ratio that is met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "4")}, "10E", "30E", 0},
		{"a request that rounds to one thousandth", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "1n", "2m", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.item.Type = container
			spec := withContainers(testkit.Container("app", list("memory", test.request), list("memory", test.limit)))
			if found := limitrange.Compile(limitRange("a", test.item)).Validate(spec); len(found) != test.want {
				t.Errorf("%d violations, want %d: %v", len(found), test.want, found)
			}
		})
	}
}

// Whoever follows the remedy for a ratio meets it.
func TestRemedyForRatio(t *testing.T) {
	for _, test := range []struct{ resource, request, limit, ratio, want string }{
		{"cpu", "1m", "10", "3", "request at least 3334m, or set a limit of at most 3m"},
		{"memory", "1Gi", "4Gi", "3", "request at least 1431655766, or set a limit of at most 3Gi"},
		{"memory", "100", "40E", "3", "request at least 13333333333333333334, or set a limit of at most 300"},
		{"cpu", "20P", "100E", "2", "request at least 50E, or set a limit of at most 40P"},
		{"cpu", "20E", "100E", "2", "request at least 50E, or set a limit of at most 40E"},
		{"example.com/gpu", "2", "7", "1.5", "request at least 5, or set a limit of at most 3"},
		{"memory", "-1", "7", "1.5", ""},
	} {
		item := corev1.LimitRangeItem{Type: container, MaxLimitRequestRatio: list(test.resource, test.ratio)}
		found := limitrange.Compile(limitRange("a", item)).Validate(withContainers(testkit.Container("app", list(test.resource, test.request), list(test.resource, test.limit))))
		if test.want == "" {
			if found != nil {
				t.Errorf("%v", found)
			}
			continue
		}
		if len(found) != 1 || !strings.HasSuffix(found[0].Diagnosis().String(), ": "+test.want) {
			t.Errorf("%v\nwant %s", found, test.want)
		}
	}
}
