package limitrange_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

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
		name           string
		item           corev1.LimitRangeItem
		request, limit string
		bound          limitrange.Bound
		cause          limitrange.ViolationCause
		server         string
	}{
		{name: "at the minimum", item: min, request: "200m", limit: "200m"},
		{name: "at the minimum, without a limit", item: min, request: "200m"},
		{"no request", min, "", "1", limitrange.Min, limitrange.NoRequest, "minimum cpu usage per Container is 200m.  No request is specified"},
		{"request below min", min, "199m", "", limitrange.Min, limitrange.RequestOut, "minimum cpu usage per Container is 200m, but request is 199m"},
		{"limit below min", min, "200m", "199m", limitrange.Min, limitrange.LimitOut, "minimum cpu usage per Container is 200m, but limit is 199m"},
		{"both below min", min, "100m", "199m", limitrange.Min, limitrange.RequestOut, "minimum cpu usage per Container is 200m, but request is 100m"},
		{"no request, but a minimum below zero", corev1.LimitRangeItem{Min: list("cpu", "-1")}, "", "", limitrange.Min, limitrange.NoRequest, "minimum cpu usage per Container is -1.  No request is specified"},
		{"a request below a minimum below zero", corev1.LimitRangeItem{Min: list("cpu", "-1")}, "-2", "", limitrange.Min, limitrange.RequestOut, "minimum cpu usage per Container is -1, but request is -2"},
		{"a maximum below zero", corev1.LimitRangeItem{Max: list("cpu", "-1")}, "", "1", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is -1, but limit is 1"},
		{"a ratio below zero", corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "-1")}, "1", "1", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is -1, but provided ratio is 1.000000"},
		{name: "at the maximum", item: max, request: "2", limit: "2"},
		{name: "at the maximum, without a request", item: max, limit: "2"},
		{"no limit", max, "1", "", limitrange.Max, limitrange.NoLimit, "maximum cpu usage per Container is 2.  No limit is specified"},
		{"limit above max", max, "1", "2001m", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 2, but limit is 2001m"},
		{"request above max", max, "2001m", "2", limitrange.Max, limitrange.RequestOut, "maximum cpu usage per Container is 2, but request is 2001m"},
		{"both above max", max, "4", "3", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 2, but limit is 3"},
		{name: "at the ratio", item: ratio, request: "1", limit: "1.5"},
		{"above the ratio", ratio, "1", "1501m", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 1500m, but provided ratio is 1.501000"},
		{"ratio without a request", ratio, "", "1", limitrange.Ratio, limitrange.NoRequest, "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0"},
		{"ratio with a request of zero", ratio, "0", "1", limitrange.Ratio, limitrange.NoRequest, "cpu max limit to request ratio per Container is 1500m, but no request is specified or request is 0"},
		{"ratio without a limit", ratio, "1", "", limitrange.Ratio, limitrange.NoLimit, "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0"},
		{"ratio with a limit of zero", ratio, "1", "0", limitrange.Ratio, limitrange.NoLimit, "cpu max limit to request ratio per Container is 1500m, but no limit is specified or limit is 0"},
		{"ratio below 1", corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "500m")}, "1", "1", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 500m, but provided ratio is 1.000000"},
		{"no limit below a negative maximum", corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "", limitrange.Max, limitrange.NoLimit, "maximum cpu usage per Container is -1.  No limit is specified"},
		{"above a negative maximum", corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "0", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is -1, but limit is 0"},
		{"a maximum of zero", corev1.LimitRangeItem{Max: list("cpu", "0")}, "0", "1", limitrange.Max, limitrange.LimitOut, "maximum cpu usage per Container is 0, but limit is 1"},
		{"ratio 10", corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "10")}, "1", "20", limitrange.Ratio, limitrange.RatioOut, "cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000"},
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
			found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Kubernetes{}).Validate(nil, spec)
			if test.server == "" {
				testkit.NoDiff(t, found, nil)
				return
			}
			if len(found) != 1 {
				t.Fatalf("%d violations: %v", len(found), found)
			}
			v := found[0]
			testkit.Equal(t, v.Error(), test.server, "Error:")
			if v.Type != container || v.Ref != app(0, "app") || v.Resource != "cpu" || v.Bound != test.bound || v.Cause != test.cause || v.Source != sourceIn("a", 0) {
				t.Errorf("%+v", v)
			}
			for got, want := range map[*resource.Quantity]string{v.Request: test.request, v.Limit: test.limit} {
				if (got == nil) != (want == "") || got != nil && got.Cmp(quantity(want)) != 0 {
					t.Errorf("found %v, want %s", got, want)
				}
			}
			testkit.Equal(t, (v.Ratio != 0), (v.Cause == limitrange.RatioOut), "ratio", v.Ratio)
		})
	}
}

// The other cause is in JSON only if there is one.
func TestViolationsBesideMissingAmountsAsJSON(t *testing.T) {
	for also, want := range map[limitrange.ViolationCause]string{"": "", limitrange.RequestOut: `,"also":"RequestOut"`} {
		v := limitrange.Violation{Type: container, Resource: "cpu", Bound: limitrange.Max, Cause: limitrange.NoLimit, Also: also}
		got, err := json.Marshal(v)
		want := `{"type":"Container","resource":"cpu","bound":"max","cause":"NoLimit"` + want + `,"enforced":"0"}`
		if err != nil || string(got) != want {
			t.Errorf("%s, %v, want %s", got, err, want)
		}
		var read limitrange.Violation
		if err := json.Unmarshal(got, &read); err != nil || read.Also != also {
			t.Errorf("%+v, %v", read, err)
		}
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
		for _, v := range limitrange.Compile(order, computeresources.Kubernetes{}).Validate(nil, spec) {
			got = append(got, v.Ref.String()+" "+v.Bound.String()+" "+string(v.Resource)+" "+v.Source.Name)
		}
		testkit.NoDiff(t, got, want)
	}
}

func TestValidateClaim(t *testing.T) {
	policy := limitrange.Compile(
		[]*corev1.LimitRange{limitRange("b", corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi", "example.com/iops", "100"), MaxLimitRequestRatio: list("storage", "1")}),
			limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("storage", "2Gi")}, corev1.LimitRangeItem{Type: container, Max: list("storage", "1")})}, computeresources.Kubernetes{},
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
			for _, v := range policy.ValidateClaim(nil, test.spec) {
				got = append(got, v.Error())
				if v.Type != claim || v.Limit != nil || v.Ref != (computeresources.Ref{}) {
					t.Errorf("%+v", v)
				}
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
	testkit.NoDiff(t, limitrange.Compile(nil, computeresources.Kubernetes{}).ValidateClaim(nil, nil), nil)
	testkit.NoDiff(t, (*limitrange.Policy)(nil).ValidateClaim(nil, nil), nil)
}

func TestNothingToEnforce(t *testing.T) {
	spec := withContainers(testkit.Container("app", nil, nil))
	for name, policy := range map[string]*limitrange.Policy{
		"nil policy": nil, "no ranges": limitrange.Compile(nil, computeresources.Kubernetes{}), "nil range": limitrange.Compile(nil, computeresources.Kubernetes{}),
		"claims":      limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("cpu", "1")})}, computeresources.Kubernetes{}),
		"other types": limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: "Other", Min: list("cpu", "1"), Default: list("cpu", "1")})}, computeresources.Kubernetes{}),
		"defaults":    limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")})}, computeresources.Kubernetes{}),
	} {
		testkit.NoDiff(t, policy.Validate(nil, spec), nil, name)
	}
	testkit.NoDiff(t, limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")})}, computeresources.Kubernetes{}).Validate(nil, nil), nil, "nil spec")
	claims := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("storage", "1")})}, computeresources.Kubernetes{})
	testkit.NoDiff(t, claims.ValidateClaim(nil, &corev1.PersistentVolumeClaimSpec{}), nil)
}

// A violation that Validate does not return still has words.
func TestViolationsMadeByHand(t *testing.T) {
	for name, test := range map[string]struct {
		v    limitrange.Violation
		want string
	}{
		"bound that is not enforced": {limitrange.Violation{Bound: limitrange.DefaultLimit, Cause: limitrange.NoLimit}, "NoLimit"},
		"no amounts":                 {limitrange.Violation{Type: container, Resource: "cpu", Bound: limitrange.Max, Cause: limitrange.RequestOut}, "maximum cpu usage per Container is 0, but request is 0"},
		"a ratio as cause of a minimum": {
			limitrange.Violation{Type: "Pod", Resource: "cpu", Bound: limitrange.Min, Cause: limitrange.RatioOut}, "minimum cpu usage per Pod is 0",
		},
		"a request as cause of a ratio": {
			limitrange.Violation{Type: "Pod", Resource: "cpu", Bound: limitrange.Ratio, Cause: limitrange.RequestOut}, "cpu max limit to request ratio per Pod is 0",
		},
	} {
		testkit.Equal(t, test.v.Error(), test.want, name)
	}
}

// How the server rounds: in milli-units as long as all three fit, then in whole units.
func TestPrecision(t *testing.T) {
	tests := []struct {
		name           string
		item           corev1.LimitRangeItem
		request, limit string
		want           int
	}{
		{"milli-units count", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "2", 1},
		{"finer parts are rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999000001n", "2", 0},
		{"the largest limit compared in milli-units", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854775", 1},
		{"with a larger limit, the request is rounded up", corev1.LimitRangeItem{Min: list("memory", "2")}, "1999m", "9223372036854776", 0},
		{"with a larger limit, the bound is rounded up", corev1.LimitRangeItem{Max: list("memory", "9223372036854775.5")}, "1", "9223372036854776", 0},
		{"beyond 64 bits, amounts are compared exactly", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20000000000000000001", 1},
		{"beyond 64 bits, equal", corev1.LimitRangeItem{Max: list("memory", "20E")}, "1", "20E", 0},
		{"beyond 64 bits below zero", corev1.LimitRangeItem{Min: list("memory", "-20E")}, "-20000000000000000001", "1", 1},
		{"a ratio in floating point that exceeds by its rounding", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.1")}, "100m", "1610m", 1},
		{"a ratio in floating point that does not exceed", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "16.2")}, "100m", "1620m", 0},
		{"a ratio of whole units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "9223372036854776", "18446744073709552", 0},
		{"a ratio of rounded units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1500m", "9223372036854776", 0},
		{"a huge ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854777")}, "1", "9223372036854780", 1},
		{"a huge ratio that is just met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "10P")}, "1", "10P", 0},
		{"the largest ratio that milli-units count for, which the quotient exceeds by its rounding", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "9223372036854775")}, "2", "18446744073709550", 1},
		{"beyond 64 bits, a ratio", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "10E", "30E", 1},
		{"beyond 64 bits, a ratio that is met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "4")}, "10E", "30E", 0},
		{"a bound in milli-units and a whole one", corev1.LimitRangeItem{Max: list("memory", "1500m"), MaxLimitRequestRatio: list("memory", "2")}, "1", "2", 1},
		{"with a ratio beyond milli-units, the request is rounded up", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "10P")}, "500m", "9000000000000000", 0},
		{"with a minimum beyond milli-units, limits are rounded up", corev1.LimitRangeItem{Min: list("memory", "9223372036854776")}, "9223372036854776", "9223372036854775.5", 0},
		{"with a maximum beyond milli-units, all are rounded up", corev1.LimitRangeItem{Max: list("memory", "9223372036854775.5")}, "1", "9223372036854775.9", 0},
		{"a quotient of amounts below zero, one of them beyond 64 bits of milli-units", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1e12")}, "-1", "-1e17", 1},
		{"a quotient of amounts below zero that is met", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "1e17")}, "-1", "-1e17", 0},
		{"a request that rounds to one milli-unit", corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "2")}, "1n", "2m", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.item.Type = container
			spec := withContainers(testkit.Container("app", list("memory", test.request), list("memory", test.limit)))
			if found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", test.item)}, computeresources.Kubernetes{}).Validate(nil, spec); len(found) != test.want {
				t.Errorf("%d violations, want %d: %v", len(found), test.want, found)
			}
		})
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
				return limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Kubernetes{}).Validate(nil, test.spec)
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
		got := limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}).Validate(nil, spec)
		if len(got) != 1 || got[0].Cause != limitrange.LimitOut || got[0].Type != pod {
			t.Errorf("violations: %v", got)
		}
	}
}

// Sums that fit no milli-units or no int64, and amounts that only some containers set.
func TestBoundsOfSumsOfContainers(t *testing.T) {
	same := func(n int, requests, limits corev1.ResourceList) *corev1.PodSpec {
		return withContainers(slices.Repeat([]corev1.Container{testkit.Container("", requests, limits)}, n)...)
	}
	tests := []struct {
		name string
		item corev1.LimitRangeItem
		spec *corev1.PodSpec
		want limitrange.ViolationCause
	}{
		{"two parts of a milli-unit are less than two", corev1.LimitRangeItem{Min: list("cpu", "2m")}, same(2, list("cpu", "1n"), nil), limitrange.RequestOut},
		{"limits only", corev1.LimitRangeItem{Min: list("cpu", "0")}, same(2, nil, list("cpu", "1")), limitrange.NoRequest},
		{"more than an int64", corev1.LimitRangeItem{Max: list("cpu", "1")}, same(1<<15, nil, list("cpu", "281474976710656m")), limitrange.LimitOut},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.item.Type = corev1.LimitTypePod
			found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", test.item)}, computeresources.Kubernetes{}).Validate(nil, test.spec)
			if len(found) != 1 || found[0].Cause != test.want {
				t.Errorf("%v, want %s", found, test.want)
			}
		})
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
		if found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list(test.name, test.most)})}, computeresources.Kubernetes{}).Validate(nil, spec); len(found) != test.want {
			t.Errorf("%s of %s, as a whole %s: %v", test.name, test.containers, test.whole, found)
		}
	}
}

// Pod-level amounts that do not fit integers are compared exactly.
func TestBoundsOfPodsAsAWholeBeyondIntegers(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "1")})}, computeresources.Kubernetes{})
	for amounts, want := range map[[2]string]int{{"100n", "1"}: 0, {"100n", "1000000001n"}: 1, {"500m", "1E"}: 1, {"500m", "999999999n"}: 0} {
		spec := withContainers(testkit.Container("app", nil, nil))
		spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", amounts[0]), Limits: list("cpu", amounts[1])}
		if found := policy.Validate(nil, spec); len(found) != want {
			t.Errorf("requests %s, limits %s: %v, want %d violations", amounts[0], amounts[1], found, want)
		}
	}
}

func messagesOf(errs field.ErrorList) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return all
}

func TestViolationsByField(t *testing.T) {
	policy := limitrange.Compile([]*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{
			Type: container, Min: list("cpu", "200m", "memory", "1Gi"), Max: list("cpu", "1", "ephemeral-storage", "1Gi"),
			MaxLimitRequestRatio: list("cpu", "2"),
		}),
		limitRange("b", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "3")}),
		limitRange("c", corev1.LimitRangeItem{Type: claim, Min: list("storage", "2Gi")}),
	}, computeresources.Kubernetes{})
	spec := withContainers(testkit.Container("app", list("cpu", "100m"), list("cpu", "4")))
	violations := policy.Validate(nil, spec)
	want := []string{
		`spec.containers[0].resources.requests[cpu]: Invalid value: "100m": minimum cpu usage per Container is 200m, but request is 100m`,
		`spec.containers[0].resources.requests[memory]: Required value: minimum memory usage per Container is 1Gi.  No request is specified`,
		`spec.containers[0].resources.limits[cpu]: Invalid value: "4": maximum cpu usage per Container is 1, but limit is 4`,
		`spec.containers[0].resources.limits[ephemeral-storage]: Required value: maximum ephemeral-storage usage per Container is 1Gi.  No limit is specified`,
		`spec.containers[0].resources.limits[cpu]: Invalid value: "4": cpu max limit to request ratio per Container is 2, but provided ratio is 40.000000`,
		`spec: Forbidden: maximum cpu usage per Pod is 3, but limit is 4`,
	}
	testkit.NoDiff(t, messagesOf(violations.ErrorList(nil)), want)
	template := field.NewPath("spec", "template", "spec")
	testkit.Equal(t, violations.ErrorList(template)[0].Field, "spec.template.spec.containers[0].resources.requests[cpu]", "below a template")
	testkit.Equal(t, violations.ErrorList(template)[5].Field, "spec.template.spec", "of the pod below a template")
	ofClaim := policy.ValidateClaim(nil, &corev1.PersistentVolumeClaimSpec{Resources: corev1.VolumeResourceRequirements{Requests: list("storage", "1Gi")}})
	wantOfClaim := []string{`spec.resources.requests[storage]: Invalid value: "1Gi": minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi`}
	testkit.NoDiff(t, messagesOf(ofClaim.ErrorList(nil)), wantOfClaim)
	testkit.Equal(t, ofClaim[0].Ref, (computeresources.Ref{}), "the part of a claim")
}

func TestConflictsByField(t *testing.T) {
	conflicts := computeresources.Problems[*limitrange.Conflict]{
		{Cause: limitrange.LimitBelowMin, Type: container, Ref: app(1, "app"), Resource: "cpu", Values: []limitrange.BoundValue{
			{Ref: app(1, "app"), Resource: "cpu", Bound: limitrange.Limit, Amount: quantity("1")},
			{Type: container, Resource: "cpu", Bound: limitrange.Min, Amount: quantity("2"), Source: sourceIn("a", 0)},
		}},
		{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{
			{Type: pod, Resource: "cpu", Bound: limitrange.Max, Amount: quantity("1"), Source: sourceIn("a", 1)},
			{Resource: "requests.cpu", Bound: limitrange.Remaining, Amount: quantity("500m"), Source: computeresources.Source{Kind: "ResourceQuota", Name: "compute"}},
		}},
		{Cause: limitrange.MaxBelowZero, Type: pod, Resource: "memory", Values: []limitrange.BoundValue{
			{Type: pod, Resource: "memory", Bound: limitrange.Max, Amount: quantity("-1")},
		}},
	}
	want := []string{
		"spec.containers[1].resources: Forbidden: container app cpu: the limit is below min: limit 1, min 2 of LimitRange team/a",
		"spec: Forbidden: cpu: no amount satisfies all of: Pod cpu max 1 of LimitRange team/a; requests.cpu remaining 500m of ResourceQuota compute",
		"spec: Forbidden: Pod memory: max is below zero: max -1",
	}
	testkit.NoDiff(t, messagesOf(conflicts.ErrorList(nil)), want)
	err := conflicts.Err()
	var first *limitrange.Conflict
	if !errors.As(err, &first) || first.Resource != "cpu" {
		t.Fatalf("%v holds no conflict", err)
	}
}

// A cluster without pod-level resources does not keep them, and bounds of type Pod apply to
// what the containers need.
func TestIgnorePodLevel(t *testing.T) {
	ranges := []*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: pod, Max: list("cpu", "1")})}
	of := func(ofPod, ofContainer string) *corev1.PodSpec {
		spec := withContainers(testkit.Container("app", list("cpu", ofContainer), list("cpu", ofContainer)))
		spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", ofPod), Limits: list("cpu", ofPod)}
		return spec
	}
	with, without := limitrange.Compile(ranges, computeresources.Kubernetes{}), limitrange.Compile(ranges, computeresources.Kubernetes{PodLevelResources: new(bool)})
	for _, test := range []struct {
		name                  string
		spec                  *corev1.PodSpec
		wantWith, wantWithout int
	}{
		{"pod level above the maximum", of("2", "1"), 1, 0},
		{"pod level above the maximum, in arbitrary precision", of("2", "1.0000000001"), 1, 1},
		{"containers above the maximum", of("1", "2"), 0, 1},
	} {
		if got := with.Validate(nil, test.spec); len(got) != test.wantWith {
			t.Errorf("%s: %v, want %d", test.name, got, test.wantWith)
		}
		if got := without.Validate(nil, test.spec); len(got) != test.wantWithout {
			t.Errorf("%s, ignored: %v, want %d", test.name, got, test.wantWithout)
		}
	}
}

func TestTextOfBounds(t *testing.T) {
	names := []string{"min", "max", "maxLimitRequestRatio", "default", "defaultRequest", "remaining", "overhead", "request", "limit"}
	for i, want := range bounds {
		text, err := want.MarshalText()
		var got limitrange.Bound
		if err != nil || string(text) != names[i] || want.String() != names[i] || got.UnmarshalText(text) != nil || got != want {
			t.Errorf("bound %d: %q, %v, read as %v, want %s", want, text, err, got, names[i])
		}
	}
	for undefined, want := range map[limitrange.Bound]string{0: "unspecified", 99: "unknown"} {
		testkit.Equal(t, undefined.String(), want, "Bound of", undefined)
	}
	if text, err := limitrange.Bound(99).MarshalText(); err == nil {
		t.Errorf("an undefined bound: %q", text)
	}
}
