package admit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

func spec(containers ...corev1.Container) *corev1.PodSpec { return &pod(containers...).Spec }

// ofPolicy returns a namespace with LimitRanges as they are: the API server would complete or refuse
// some of them.
func ofPolicy(ranges []*corev1.LimitRange) *admit.Namespace {
	return admit.OfPolicy(limitrange.Compile(ranges, computeresources.Kubernetes{}))
}

func TestViolationsInWords(t *testing.T) {
	for _, test := range []struct {
		item           corev1.LimitRangeItem
		request, limit string
		want           string
	}{
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "", "1", "container app: no cpu request, but LimitRange shop/a has a minimum of 200m: set a request of at least 200m"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "199m", "", "container app: request cpu 199m is below the minimum 200m of LimitRange shop/a: raise the request"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "200m", "199m", "container app: limit cpu 199m is below the minimum 200m of LimitRange shop/a: raise the limit"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "100m", "199m", "container app: request cpu 100m is below the minimum 200m of LimitRange shop/a: raise the request"},
		{corev1.LimitRangeItem{Min: list("cpu", "-1")}, "", "", "container app: no cpu request, but LimitRange shop/a has a minimum of -1: set a request of at least -1"},
		{corev1.LimitRangeItem{Min: list("cpu", "-1")}, "-2", "", "container app: request cpu -2 is below the minimum -1 of LimitRange shop/a: raise the request"},
		{corev1.LimitRangeItem{Max: list("cpu", "-1")}, "", "1", "container app: limit cpu 1 is above the maximum -1 of LimitRange shop/a: no amount meets it"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "-1")}, "1", "1", "container app: limit cpu 1 is 1 times its request 1, but LimitRange shop/a allows -1 times: no positive amounts meet it"},
		{corev1.LimitRangeItem{Max: list("cpu", "2")}, "1", "", "container app: no cpu limit, but LimitRange shop/a has a maximum of 2: set a limit of at most 2"},
		{corev1.LimitRangeItem{Max: list("cpu", "2")}, "1", "2001m", "container app: limit cpu 2001m is above the maximum 2 of LimitRange shop/a: lower the limit"},
		{corev1.LimitRangeItem{Max: list("cpu", "2")}, "2001m", "2", "container app: request cpu 2001m is above the maximum 2 of LimitRange shop/a: lower the request"},
		{corev1.LimitRangeItem{Max: list("cpu", "2")}, "4", "3", "container app: limit cpu 3 is above the maximum 2 of LimitRange shop/a: lower the limit"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}, "1", "1501m", "container app: limit cpu 1501m is 1.501 times its request 1, but LimitRange shop/a allows 1.5 times: request at least 1001m, or set a limit of at most 1500m"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}, "", "1", "container app: no cpu request above zero, but LimitRange shop/a allows a limit of 1.5 times the request: set both"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}, "0", "1", "container app: no cpu request above zero, but LimitRange shop/a allows a limit of 1.5 times the request: set both"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}, "1", "", "container app: no cpu limit above zero, but LimitRange shop/a allows one of 1.5 times the request: set both"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.5")}, "1", "0", "container app: no cpu limit above zero, but LimitRange shop/a allows one of 1.5 times the request: set both"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "500m")}, "1", "1", "container app: limit cpu 1 is 1 times its request 1, but LimitRange shop/a allows 0.5 times: no positive amounts meet it"},
		{corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "", "container app: no cpu limit, and request cpu 0 is above the maximum -1 of LimitRange shop/a: no amount meets it"},
		{corev1.LimitRangeItem{Max: list("cpu", "-1")}, "0", "0", "container app: limit cpu 0 is above the maximum -1 of LimitRange shop/a: no amount meets it"},
		{corev1.LimitRangeItem{Max: list("cpu", "0")}, "0", "1", "container app: limit cpu 1 is above the maximum 0 of LimitRange shop/a: lower the limit"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "1.125")}, "1", "2", "container app: limit cpu 2 is 2 times its request 1, but LimitRange shop/a allows 1.125 times: request at least 1778m, or set a limit of at most 1125m"},
		{corev1.LimitRangeItem{MaxLimitRequestRatio: list("cpu", "10")}, "1", "20", "container app: limit cpu 20 is 20 times its request 1, but LimitRange shop/a allows 10 times: request at least 2, or set a limit of at most 10"},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "2", "", "container app: no cpu limit, and request cpu 2 is above the maximum 1 of LimitRange shop/a: set a limit of at most 1 and lower the request"},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "1001m", "", "container app: no cpu limit, and request cpu 1001m is above the maximum 1 of LimitRange shop/a: set a limit of at most 1 and lower the request"},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "1", "", "container app: no cpu limit, but LimitRange shop/a has a maximum of 1: set a limit of at most 1"},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "", "", "container app: no cpu limit, but LimitRange shop/a has a maximum of 1: set a limit of at most 1"},
		{corev1.LimitRangeItem{Max: list("cpu", "1")}, "2", "2", "container app: limit cpu 2 is above the maximum 1 of LimitRange shop/a: lower the limit"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "", "100m", "container app: no cpu request, and limit cpu 100m is below the minimum 200m of LimitRange shop/a: set a request of at least 200m and raise the limit"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "", "200m", "container app: no cpu request, but LimitRange shop/a has a minimum of 200m: set a request of at least 200m"},
		{corev1.LimitRangeItem{Min: list("cpu", "200m")}, "", "", "container app: no cpu request, but LimitRange shop/a has a minimum of 200m: set a request of at least 200m"},
	} {
		c := corev1.Container{Name: "app"}
		if test.request != "" {
			c.Resources.Requests = list("cpu", test.request)
		}
		if test.limit != "" {
			c.Resources.Limits = list("cpu", test.limit)
		}
		test.item.Type = corev1.LimitTypeContainer
		found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", test.item)}, computeresources.Kubernetes{}).Validate(nil, spec(c))
		if len(found) != 1 {
			t.Errorf("%v, want %s", found, test.want)
			continue
		}
		testkit.Equal(t, admit.RefusalOf(found[0]).Error(), test.want)
	}
}

func TestViolationsOfPodsAndClaimsInWords(t *testing.T) {
	lr := limitRange("a",
		corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: list("cpu", "1"), Min: list("memory", "1Gi"), MaxLimitRequestRatio: list("cpu", "2")},
		corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Min: list("storage", "2Gi")})
	policy := limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{})
	found := policy.Validate(nil, spec(testkit.Container("a", list("cpu", "500m"), list("cpu", "1")), testkit.Container("b", list("cpu", "100m"), list("cpu", "1"))))
	var got []string
	for _, v := range append(found, policy.ValidateClaim(nil, &volumeClaim("1Gi").Spec)...) {
		got = append(got, admit.RefusalOf(v).Error())
	}
	if diff := cmp.Diff([]string{
		"pod: no memory request, but LimitRange shop/a has a minimum of 1Gi: set a request of at least 1Gi",
		"pod: limit cpu 2 is above the maximum 1 of LimitRange shop/a: lower the limit",
		"pod: limit cpu 2 is 3.333 times its request 600m, but LimitRange shop/a allows 2 times: request at least 1, or set a limit of at most 1200m",
		"claim: request storage 1Gi is below the minimum 2Gi of LimitRange shop/a: raise the request",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRefusalsInWords(t *testing.T) {
	item := func(item corev1.LimitRangeItem) corev1.LimitRangeItem {
		item.Type = corev1.LimitTypeContainer
		return item
	}
	always := corev1.ContainerRestartPolicyAlways
	tests := []struct {
		name   string
		ranges []*corev1.LimitRange
		spec   *corev1.PodSpec
		want   []string
	}{
		{
			"above the default limit",
			[]*corev1.LimitRange{limitRange("team-defaults", item(corev1.LimitRangeItem{Default: list("cpu", "1")}))},
			spec(testkit.Container("app", list("cpu", "2"), nil)),
			[]string{"container app: request cpu 2 is above the default limit 1 from LimitRange shop/team-defaults: set a limit or lower the request"},
		},
		{
			"above the limit", nil,
			&corev1.PodSpec{
				InitContainers: []corev1.Container{testkit.Container("setup", list("cpu", "2", "memory", "1"), list("cpu", "1", "memory", "1"))},
				Containers:     []corev1.Container{testkit.Container("app", list("memory", "2Gi", "cpu", "2"), list("cpu", "1", "memory", "1Gi"))},
			},
			[]string{
				"container app: request cpu 2 is above its limit 1: raise the limit or lower the request",
				"container app: request memory 2Gi is above its limit 1Gi: raise the limit or lower the request",
				"init container setup: request cpu 2 is above its limit 1: raise the limit or lower the request",
			},
		},
		{
			"defaults reversed",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{Default: list("cpu", "1")})), limitRange("b", item(corev1.LimitRangeItem{DefaultRequest: list("cpu", "2")}))},
			spec(testkit.Container("app", nil, nil)),
			[]string{"container app: the default request cpu 2 from LimitRange shop/b is above the default limit 1 from LimitRange shop/a: set both"},
		},
		{
			"a resource that cannot be overcommitted",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{Default: list("example.com/gpu", "2")}))},
			spec(testkit.Container("app", list("example.com/gpu", "1"), nil), testkit.Container("b", list("example.com/gpu", "3"), list("example.com/gpu", "1"))),
			[]string{
				"container app: request example.com/gpu 1 is below the default limit 2 from LimitRange shop/a: set both to the same amount",
				"container b: request example.com/gpu 3 is above its limit 1: set both to the same amount",
			},
		},
		{
			"otherwise invalid", nil,
			spec(testkit.Container("app", list("cpu", "-1m", "example.com/gpu", "1"), nil)),
			[]string{
				"container app: cpu request -1m: must be greater than or equal to 0: set a request of zero or more",
				"container app: example.com/gpu request 1: Limit must be set for non overcommitable resources: set a limit of 1",
			},
		},
		{
			"the pod level", nil,
			&corev1.PodSpec{
				Containers: []corev1.Container{testkit.Container("app", list("cpu", "3"), nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "1")},
			},
			[]string{
				"pod: request cpu 2 is above its limit 1: raise the limit or lower the request",
				"pod: cpu request 2: must be greater than or equal to aggregate container requests of 3: raise the pod-level request to 3, or lower those of the containers",
			},
		},
		{
			"defaults out of bounds",
			[]*corev1.LimitRange{
				limitRange("a", item(corev1.LimitRangeItem{Default: list("cpu", "4"), DefaultRequest: list("cpu", "100m")})),
				limitRange("b", item(corev1.LimitRangeItem{Max: list("cpu", "2"), Min: list("cpu", "200m"), MaxLimitRequestRatio: list("cpu", "10")})),
			},
			&corev1.PodSpec{
				InitContainers: []corev1.Container{{Name: "proxy", RestartPolicy: &always}},
				Containers:     []corev1.Container{testkit.Container("app", list("cpu", "1"), nil)},
			},
			[]string{
				"sidecar proxy: the default request cpu 100m from LimitRange shop/a is below the minimum 200m of LimitRange shop/b: set a request",
				"sidecar proxy: the default limit cpu 4 from LimitRange shop/a is above the maximum 2 of LimitRange shop/b: set a limit",
				"sidecar proxy: the default limit cpu 4 from LimitRange shop/a is 40 times the default request 100m from LimitRange shop/a, but LimitRange shop/b allows 10 times: request at least 400m, or set a limit of at most 1",
				"container app: the default limit cpu 4 from LimitRange shop/a is above the maximum 2 of LimitRange shop/b: set a limit",
			},
		},
		{
			"a default request above the maximum",
			[]*corev1.LimitRange{limitRange("a", item(corev1.LimitRangeItem{DefaultRequest: list("cpu", "4"), Max: list("cpu", "2")}))},
			spec(testkit.Container("app", nil, nil)),
			[]string{"container app: no cpu limit, and the default request cpu 4 from LimitRange shop/a is above the maximum 2 of LimitRange shop/a: set a limit of at most 2"},
		},
		{
			"a request that follows the limit",
			[]*corev1.LimitRange{limitRange("b", item(corev1.LimitRangeItem{Min: list("cpu", "200m")}))},
			spec(testkit.Container("app", nil, list("cpu", "100m"))),
			[]string{"container app: request cpu 100m, which follows the limit, is below the minimum 200m of LimitRange shop/b: raise the limit"},
		},
		{
			"requests beside others that follow the limit",
			[]*corev1.LimitRange{limitRange("b", item(corev1.LimitRangeItem{Min: list("cpu", "200m")}))},
			spec(
				testkit.Container("app", nil, list("cpu", "1")),
				testkit.Container("other", list("cpu", "100m"), list("cpu", "1", "memory", "1Gi")),
			),
			[]string{"container other: request cpu 100m is below the minimum 200m of LimitRange shop/b: raise the request"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, r := range ofPolicy(test.ranges).Create(&corev1.Pod{Spec: *test.spec}, admit.Attributes{}).Refusals {
				if r.Failure != nil {
					continue // a negative amount also fails without quotas
				}
				got = append(got, r.Error())
				if (r.Violation == nil) == (r.Invalid == nil) || (r.Amount == nil) != (r.Invalid == nil) {
					t.Errorf("%v: violation %v, invalid %v, amount %v", r, r.Violation, r.Invalid, r.Amount)
				}
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}

// The remedy for a request above the limit depends on which of the two is a default. The server sets
// requests to limits before defaults, so no pod has a default request and a limit of the author.
func TestRemedyOfMismatch(t *testing.T) {
	invalid := computeresources.Validate(nil, spec(testkit.Container("app", list("cpu", "2"), list("cpu", "1"))), computeresources.Kubernetes{})
	of := func(l computeresources.List) computeresources.Change {
		to := list("cpu", "1")["cpu"]
		return computeresources.Change{Ref: invalid[0].Ref, List: l, Resource: "cpu", To: &to, Source: computeresources.Source{Kind: "LimitRange", Name: "a"}}
	}
	for _, test := range []struct {
		name     string
		defaults []computeresources.Change
		want     string
	}{
		{"neither", nil, "raise the limit or lower the request"},
		{"a default request", []computeresources.Change{of(computeresources.Requests)}, "set a request or raise the limit"},
		{"a default limit", []computeresources.Change{of(computeresources.Limits)}, "set a limit or lower the request"},
		{"both", []computeresources.Change{of(computeresources.Requests), of(computeresources.Limits)}, "set both"},
	} {
		testkit.Equal(t, admit.RefusalOfMismatch(invalid[0], test.defaults).Remedy, test.want, test.name, "by default: remedy")
	}
}

func TestDefaultsOfRefusals(t *testing.T) {
	namespace := ofPolicy([]*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", "4", "memory", "1"), DefaultRequest: list("cpu", "1")}),
		limitRange("b", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "2")}),
	})
	d := namespace.Create(pod(testkit.Container("app", list("memory", "2"), nil)), admit.Attributes{})
	var got []string
	for _, r := range d.Refusals {
		for _, c := range r.Defaults {
			got = append(got, string(r.Resource)+": "+c.String())
		}
		testkit.Equal(t, r.Ref, computeresources.Ref{Kind: computeresources.App, Name: "app"}, "what", r.What, "is about")
	}
	if diff := cmp.Diff([]string{
		"memory: container app: set the memory limit to 1 (LimitRange shop/a)",
		"cpu: container app: set the cpu request to 1 (LimitRange shop/a)", "cpu: container app: set the cpu limit to 4 (LimitRange shop/a)",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Following the remedy for a ratio satisfies it.
func TestRemedyForRatio(t *testing.T) {
	for _, test := range []struct{ resource, request, limit, ratio, want string }{
		{"cpu", "1m", "10", "3", "request at least 3334m, or set a limit of at most 3m"},
		{"memory", "1Gi", "4Gi", "3", "request at least 1431655766, or set a limit of at most 3Gi"},
		{"memory", "100", "40E", "3", "request at least 13333333333333333334, or set a limit of at most 300"},
		{"cpu", "20P", "100E", "2", "request at least 50E, or set a limit of at most 40P"},
		{"cpu", "20E", "100E", "2", "request at least 50E, or set a limit of at most 40E"},
		{"memory", "3", "9", "1.5", "request at least 6, or set a limit of at most 4"},
		{"memory", "3", "7", "1", "request at least 7, or set a limit of at most 3"},
		{"example.com/gpu", "2", "7", "1.5", "request at least 5, or set a limit of at most 3"},
		{"memory", "1Gi", "4G", "3", "request at least 1333333334, or set a limit of at most 3221225472"},
		{"memory", "1Mi", "3145728k", "3", "request at least 1000Mi, or set a limit of at most 3145728"},
		{"memory", "-1", "7", "1.5", ""},
	} {
		item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, MaxLimitRequestRatio: list(test.resource, test.ratio)}
		found := limitrange.Compile([]*corev1.LimitRange{limitRange("a", item)}, computeresources.Kubernetes{}).Validate(nil, &pod(testkit.Container("app", list(test.resource, test.request), list(test.resource, test.limit))).Spec)
		if test.want == "" {
			if found != nil {
				t.Errorf("%v", found)
			}
			continue
		}
		if len(found) != 1 || !strings.HasSuffix(admit.RefusalOf(found[0]).Error(), ": "+test.want) {
			t.Errorf("%v\nwant %s", found, test.want)
		}
	}
}

// Refusals that no pod of the tests above has.
func TestOtherRefusalsInWords(t *testing.T) {
	claims := pod(testkit.Container("app", nil, nil))
	claims.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "gpu"}}
	claims.Spec.Resources = &corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}}
	classless := pod(testkit.Container("app", nil, nil))
	classless.Spec.PriorityClassName = "high"
	running := stored(pod(testkit.Container("app", list("cpu", "1"), nil)))
	running.Spec.NodeName, running.Status.Phase, running.Status.QOSClass = "n", corev1.PodRunning, corev1.PodQOSBurstable
	larger := running.DeepCopy()
	larger.Spec.Containers[0].Resources.Requests = list("cpu", "3")
	largest := running.DeepCopy()
	largest.Spec.Containers[0].Resources.Requests = list("cpu", "3", "memory", "1Gi")
	renamed := running.DeepCopy()
	renamed.Spec.Containers[0].Name = "other"
	windows := running.DeepCopy()
	windows.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
	negative := pod(testkit.Container("app", nil, nil))
	size := list("x", "-1Gi")["x"]
	negative.Spec.Volumes = []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &size}}}}
	small := &corev1.Node{Status: corev1.NodeStatus{Allocatable: list("cpu", "2")}}
	namespace := func(opts admit.Options) *admit.Namespace { return compile(t, nil, nil, opts) }
	scopes := []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopeBestEffort, Operator: corev1.ScopeSelectorOpExists},
		{ScopeName: corev1.ResourceQuotaScopeNotTerminating, Operator: corev1.ScopeSelectorOpExists},
	}
	limited := admit.Options{Limited: []quota.LimitedResource{{Resource: "pods", MatchScopes: scopes}}}
	for _, test := range []struct {
		name            string
		d               admit.Decision
		ref, path, want string
	}{
		{"claims at pod level", namespace(admit.Options{}).Create(claims, admit.Attributes{}), "pod", "spec.resources.claims",
			"pod: claims may not be set for Resources at pod-level: set the claims on the containers"},
		{"an unknown class", namespace(admit.Options{PriorityClasses: []*schedulingv1.PriorityClass{}}).Create(classless, admit.Attributes{}), "pod", "spec.priorityClassName",
			"pod: the PriorityClass high does not exist: create it, or name another one"},
		{"a node that is too small", namespace(admit.Options{}).Update(running, larger, admit.Attributes{Subresource: "resize", Node: small}), "unspecified", "spec",
			"node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000: request less, or create the pod again on a larger node"},
		{"a node that is too small in two resources", namespace(admit.Options{}).Update(running, largest, admit.Attributes{Subresource: "resize", Node: small}), "unspecified", "spec",
			"node didn't have enough allocatable resources: cpu, requested: 3000, allocatable: 2000; memory, requested: 1073741824, allocatable: 0: request less, or create the pod again on a larger node"},
		{"a resize that renames a container", namespace(admit.Options{}).Update(running, renamed, admit.Attributes{Subresource: "resize"}), "container other", "spec.containers[0].name",
			"container other: containers may not be renamed or reordered on resize: send the containers in the order of the pod"},
		{"a resize of a windows pod", namespace(admit.Options{}).Update(windows, windows, admit.Attributes{Subresource: "resize"}), "unspecified", "[]",
			"pod: windows pods cannot be resized: create the pod again with the new amounts"},
		{"a volume below zero", namespace(admit.Options{}).Create(negative, admit.Attributes{}), "pod", "spec.volumes[0].emptyDir.sizeLimit",
			`pod: the size limit -1Gi of volume "tmp" is below zero: set a size limit of zero or more`},
		{"scopes without a quota", namespace(limited).Create(pod(testkit.Container("app", nil, nil)), admit.Attributes{}), "unspecified", "spec",
			"no quota of the namespace allows objects within BestEffort and NotTerminating: change what puts the object within the scope, or ask for a ResourceQuota with that scope"},
	} {
		if len(test.d.Refusals) != 1 {
			t.Errorf("%s: %v", test.name, test.d.Refusals)
			continue
		}
		r := test.d.Refusals[0]
		testkit.NoDiff(t, []string{r.Ref.String(), r.Path, r.Error()}, []string{test.ref, test.path, test.want}, test.name)
		if r.Node != nil { // of one resource
			names := resourcelist.ResourceNames(r.Node.Requested)
			testkit.Equal(t, r.Resource == names[0], len(names) == 1, test.name)
		}
	}
	testkit.Equal(t, (&admit.Refusal{What: "no remedy is known"}).Error(), "no remedy is known")
}

// Each cause has a remedy.
func TestRemedies(t *testing.T) {
	four, two := list("cpu", "4")["cpu"], list("cpu", "2")["cpu"]
	for cause, want := range map[computeresources.InvalidCause]string{
		computeresources.InvalidName:         "remove the request, or use the name of a resource",
		computeresources.NotPodLevel:         "set the request on a container",
		computeresources.Negative:            "set a request of zero or more",
		computeresources.NotInteger:          "set a whole number as the request",
		computeresources.NotPageMultiple:     "set a multiple of the page size as the request",
		computeresources.LimitMissing:        "set a limit of 4",
		computeresources.HugePagesAlone:      "set cpu or memory as well",
		computeresources.BelowContainers:     "raise the pod-level request to 2, or lower those of the containers",
		computeresources.AbovePodLevel:       "lower the limit to 2, or raise that of the pod",
		computeresources.PodLevelOnWindows:   "set resources on the containers only",
		computeresources.ClaimsAtPodLevel:    "set the claims on the containers",
		computeresources.InvalidClaim:        "refer once to each claim, by its name in spec.resourceClaims",
		computeresources.InvalidResizePolicy: "set NotRequired, once for cpu and once for memory",
		"another one":                        "",
	} {
		testkit.Equal(t, admit.RemedyOfInvalid(&computeresources.InvalidResource{Cause: cause, List: computeresources.Requests, Amount: &four, Against: &two}), want, cause)
	}
	const again, order, restart = "create the pod again with the new amounts", "send the containers in the order of the pod", "set the resize policy RestartContainer for memory when the pod is created"
	const keep, others = "keep it, or set another amount", "change cpu and memory only, or create the pod again"
	for cause, want := range map[computeresources.ResizeCause]string{
		computeresources.ResizeInvalid:                 again,
		computeresources.ResizeOfStaticPod:             "change the manifest of the static pod on its node",
		computeresources.ResizeOfWindowsPod:            again,
		computeresources.ResizeChangesClass:            "choose amounts that keep the class",
		computeresources.ResizeUnsupportedByNode:       again,
		computeresources.ResizePodLevelDisabled:        again,
		computeresources.ResizeOfPodLevel:              again,
		computeresources.ResizeRemovesPodLevel:         keep,
		computeresources.ResizeRemovesAmount:           keep,
		computeresources.ResizeLowersMemoryLimit:       restart,
		computeresources.ResizeAddsMemoryLimit:         restart,
		computeresources.ResizeOfOtherThanCompute:      others,
		computeresources.ResizeOfSidecar:               others,
		computeresources.ResizeWithNodeClaims:          again,
		computeresources.ResizeAddsOrRemovesContainers: order,
		computeresources.ResizeRenamesContainer:        order,
		computeresources.ResizeOfInitContainer:         again,
		computeresources.ResizeRestartsInitContainer:   "set the resize policy NotRequired when the pod is created",
		computeresources.ResizeNodeLacksFeatures:       again,
		computeresources.ResizeNodeIsNotLinux:          again,
		computeresources.ResizeNodeIsTooSmall:          "request less, or create the pod again on a larger node",
	} {
		testkit.Equal(t, admit.RemedyOfResize(cause), want, cause)
	}
	source := computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "q", Field: "spec.hard"}
	three := []corev1.ResourceName{"cpu", "memory", "pods"}
	for _, test := range []struct {
		failure quota.Failure
		want    string
	}{
		{quota.Failure{Cause: quota.ExceededQuota, Source: source, Resources: three[:1], Requested: list("cpu", "3"), Used: list("cpu", "2"), Hard: list("cpu", "4")},
			"ResourceQuota shop/q lacks cpu=1: request less, or raise the quota"},
		{quota.Failure{Cause: quota.MustSpecify, Source: source, Resources: three[:2], MissingRequired: []quota.MissingResource{{Resource: "cpu", Containers: []string{"app", "proxy"}}, {Resource: "memory", Containers: []string{"app"}}}},
			"ResourceQuota shop/q requires cpu of app and proxy, memory of app: set it, or set a default in a LimitRange"},
		{quota.Failure{Cause: quota.StatusUnknown, Source: source, Resources: three}, "ResourceQuota shop/q has no status of cpu, memory and pods: wait for the quota controller"},
		{quota.Failure{Cause: quota.NegativeUsage, Resources: three[:2]}, "the object uses a negative amount of cpu and memory: set amounts of zero or more"},
		{quota.Failure{Cause: quota.UncoveredResources, Resources: three[:1]}, "no quota of the namespace allows cpu: do not use it, or ask for a ResourceQuota that covers it"},
		{quota.Failure{Cause: quota.InvalidScope, Source: source, Detail: "x"}, (&quota.Failure{Cause: quota.InvalidScope, Source: source, Detail: "x"}).Error() + ": correct the scope selector"},
		{quota.Failure{Cause: "another one"}, (&quota.Failure{Cause: "another one"}).Error() + ": "},
	} {
		what, remedy := admit.WordsOfFailure(&test.failure)
		testkit.Equal(t, what+": "+remedy, test.want, test.failure.Cause)
	}
}

// An entry of a container is a claim or a resize policy.
func TestWordsOfEntries(t *testing.T) {
	web := bare()
	web.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: "hugepages-2Mi", RestartPolicy: corev1.NotRequired}}
	web.Spec.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
	var words []string
	for _, refusal := range compile(t, nil, nil, admit.Options{}).Create(web, admit.Attributes{}).Refusals {
		words = append(words, refusal.What)
	}
	testkit.NoDiff(t, words, []string{
		`container c: invalid claim: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`,
		`container c: invalid resize policy: Unsupported value: "hugepages-2Mi": supported values: "cpu", "memory"`,
	})
}
