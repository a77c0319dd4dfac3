package limitrange_test

import (
	"encoding/json"
	"testing"

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
			found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Gates{}).Validate(spec)
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
	for also, want := range map[limitrange.ViolationCause]string{"": "", limitrange.RequestOut: `,"also":"request out of bounds"`} {
		v := limitrange.Violation{Type: container, Resource: "cpu", Bound: limitrange.Max, Cause: limitrange.NoLimit, Also: also}
		got, err := json.Marshal(v)
		want := `{"type":"Container","resource":"cpu","bound":"max","cause":"no limit"` + want + `,"enforced":"0"}`
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
		for _, v := range limitrange.Compile(order, computeresources.Gates{}).Validate(spec) {
			got = append(got, v.Ref.String()+" "+v.Bound.String()+" "+string(v.Resource)+" "+v.Source.Name)
		}
		testkit.NoDiff(t, got, want)
	}
}

func TestValidateClaim(t *testing.T) {
	policy := limitrange.Compile(
		[]*corev1.LimitRange{limitRange("b", corev1.LimitRangeItem{Type: claim, Min: list("storage", "1Gi"), Max: list("storage", "10Gi", "example.com/iops", "100"), MaxLimitRequestRatio: list("storage", "1")}),
			limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("storage", "2Gi")}, corev1.LimitRangeItem{Type: container, Max: list("storage", "1")})}, computeresources.Gates{},
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
			testkit.NoDiff(t, got, test.want)
		})
	}
	testkit.NoDiff(t, limitrange.Compile(nil, computeresources.Gates{}).ValidateClaim(nil), nil)
	testkit.NoDiff(t, (*limitrange.Policy)(nil).ValidateClaim(nil), nil)
}

func TestNothingToEnforce(t *testing.T) {
	spec := withContainers(testkit.Container("app", nil, nil))
	for name, policy := range map[string]*limitrange.Policy{
		"nil policy": nil, "no ranges": limitrange.Compile(nil, computeresources.Gates{}), "nil range": limitrange.Compile(nil, computeresources.Gates{}),
		"claims":      limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: claim, Min: list("cpu", "1")})}, computeresources.Gates{}),
		"other types": limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: "Other", Min: list("cpu", "1"), Default: list("cpu", "1")})}, computeresources.Gates{}),
		"defaults":    limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")})}, computeresources.Gates{}),
	} {
		testkit.NoDiff(t, policy.Validate(spec), nil, name)
	}
	testkit.NoDiff(t, limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")})}, computeresources.Gates{}).Validate(nil), nil, "nil spec")
	claims := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("storage", "1")})}, computeresources.Gates{})
	testkit.NoDiff(t, claims.ValidateClaim(&corev1.PersistentVolumeClaimSpec{}), nil)
}

// A violation that Validate does not return still has words.
func TestViolationsMadeByHand(t *testing.T) {
	for name, test := range map[string]struct {
		v    limitrange.Violation
		want string
	}{
		"bound that is not enforced": {limitrange.Violation{Bound: limitrange.DefaultLimit, Cause: limitrange.NoLimit}, "no limit"},
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
