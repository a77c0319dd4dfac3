package quota_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// admit returns copies of the quotas with the object added, and the failures.
func admit(old, object quota.Object, quotas []*corev1.ResourceQuota, opts quota.AdmitOptions) ([]*corev1.ResourceQuota, computeresources.Problems[*quota.Failure]) {
	v := quota.Admit(old, object, quotas, opts)
	return v.After(quotas, 1), v.Failures
}

func messages(failures computeresources.Problems[*quota.Failure]) (m []string) {
	for _, f := range failures {
		m = append(m, f.Error())
	}
	return m
}

// used are the usages of quotas by name.
func used(quotas []*corev1.ResourceQuota) map[string]corev1.ResourceList {
	m := map[string]corev1.ResourceList{}
	for _, q := range quotas {
		m[q.Name] = q.Status.Used
	}
	return m
}

func selecting(q *corev1.ResourceQuota, scopes ...scope) *corev1.ResourceQuota {
	q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: scopes}
	return q
}

func TestAdmit(t *testing.T) {
	half := container("app", list("cpu", "500m"), list("cpu", "1"))
	near := scope{ScopeName: "PriorityClass", Operator: "Near"}
	absent := scope{ScopeName: "PriorityClass", Operator: "DoesNotExist"}
	exists := scope{ScopeName: "PriorityClass", Operator: "Exists"}
	type quotas = []*corev1.ResourceQuota
	for _, test := range []struct {
		name   string
		quotas quotas
		object quota.Object
		opts   quota.AdmitOptions
		used   map[string]corev1.ResourceList // of an admission
		want   []string
	}{
		{"no quotas", nil, podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{}, nil},
		{
			"what fits", quotas{withStatus("q", list("pods", "2", "limits.cpu", "2", "memory", "0"), list("pods", "1", "limits.cpu", "1", "memory", "0"))},
			podOf(container("app", list("memory", "0"), list("cpu", "1"))), quota.AdmitOptions{},
			map[string]corev1.ResourceList{"q": list("pods", "2", "limits.cpu", "2", "memory", "0")}, nil,
		},
		{
			"what a quota has ceased to limit", quotas{withStatus("q", list("pods", "2"), list("pods", "1", "limits.cpu", "1"))},
			podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("pods", "2", "limits.cpu", "1")}, nil,
		},
		{
			"what does not, in several quotas, by name", quotas{
				withStatus("z", list("limits.cpu", "10", "pods", "5"), list("limits.cpu", "9500m", "pods", "5")),
				withStatus("b", list("pods", "1"), list("pods", "0")),
				withStatus("a", list("requests.cpu", "1"), list("requests.cpu", "600m")),
			}, podOf(half), quota.AdmitOptions{}, nil, []string{
				"exceeded quota: a, requested: requests.cpu=500m, used: requests.cpu=600m, limited: requests.cpu=1",
				"exceeded quota: z, requested: limits.cpu=1,pods=1, used: limits.cpu=9500m,pods=5, limited: limits.cpu=10,pods=5",
			},
		},
		{
			"what must be specified, and does not fit", quotas{withStatus("q", list("memory", "1Gi", "limits.memory", "1Gi", "pods", "1"), list("memory", "0", "limits.memory", "0", "pods", "1"))},
			podOf(half, container("b", list("memory", "1"), nil)), quota.AdmitOptions{}, nil, []string{
				"failed quota: q: must specify limits.memory for: app,b; memory for: app",
				"exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1",
			},
		},
		{
			"usage unknown", quotas{withStatus("q", list("pods", "1", "cpu", "1", "services", "1"), list("pods", "0"))},
			podOf(half), quota.AdmitOptions{}, nil, []string{"status unknown for quota: q, resources: cpu,pods"},
		},
		{
			"usage unknown of what does not matter", quotas{withStatus("q", list("pods", "1", "services", "1"), list("pods", "0"))},
			podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("pods", "1")}, nil,
		},
		{
			"status missing", quotas{{ObjectMeta: metav1.ObjectMeta{Name: "q"}, Spec: corev1.ResourceQuotaSpec{Hard: list("pods", "0")}}},
			podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": nil}, nil,
		},
		{
			"limits missing from the status", quotas{{ObjectMeta: metav1.ObjectMeta{Name: "q"}, Spec: corev1.ResourceQuotaSpec{Hard: list("pods", "0")}, Status: corev1.ResourceQuotaStatus{Used: list("pods", "0")}}},
			podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("pods", "0")}, nil,
		},
		{
			"one of two limits missing from the status", quotas{withoutLimits(withStatus("q", list("pods", "5", "cpu", "0"), list("pods", "1", "cpu", "0")), "cpu")},
			podOf(half), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("pods", "2", "cpu", "0")}, nil,
		},
		{
			"a quota without a status covers nothing", quotas{withoutLimits(withStatus("q", list("pods", "5"), nil), "pods")},
			podOf(half), quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"pods"}}}},
			nil, []string{"insufficient quota to consume: count/pods,pods"},
		},
		{
			"another namespace, another scope, another kind", quotas{
				func() *corev1.ResourceQuota {
					q := withStatus("n", list("pods", "0"), nil)
					q.Namespace = "other"
					return q
				}(),
				selecting(withStatus("s", list("pods", "0"), nil), exists),
				withStatus("k", list("services", "0"), nil),
			},
			quota.Pod(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}}, time.Time{}, quota.PodOptions{}), quota.AdmitOptions{},
			map[string]corev1.ResourceList{"n": nil, "s": nil, "k": nil}, nil,
		},
		{
			"an invalid selector, even of a quota for other objects", quotas{
				selecting(withStatus("b", list("services", "0"), nil), near), withStatus("a", list("pods", "0"), list("pods", "0")),
			}, podOf(half), quota.AdmitOptions{}, nil, []string{
				"exceeded quota: a, requested: pods=1, used: pods=0, limited: pods=0",
				`error matching scopes of quota b, err: error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`,
			},
		},
		{
			"less than nothing", quotas{withStatus("q", list("limits.cpu", "1", "cpu", "1", "pods", "0"), list("limits.cpu", "5", "cpu", "5", "pods", "0"))},
			podOf(container("a", list("cpu", "-1"), list("cpu", "-1", "memory", "-1"))), quota.AdmitOptions{}, nil, []string{
				"quota usage is negative for resource(s): cpu,limits.cpu,limits.memory,requests.cpu",
				"exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
			},
		},
		{
			"zero, where more is used than allowed", quotas{withStatus("q", list("services", "1", "services.nodeports", "1"), list("services", "0", "services.nodeports", "5"))},
			quota.Service(&corev1.Service{}), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("services", "1", "services.nodeports", "5")}, nil,
		},
		{
			"beyond int64", quotas{withStatus("q", list("limits.cpu", "9223372036854775807"), list("limits.cpu", "9223372036854775807"))},
			podOf(half), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: limits.cpu=1, used: limits.cpu=9223372036854775807, limited: limits.cpu=9223372036854775807"},
		},
		{
			"less than nothing allowed", quotas{withStatus("q", list("pods", "-1"), list("pods", "0"))},
			podOf(), quota.AdmitOptions{}, nil, []string{"exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=-1"},
		},
		{
			"more used than nothing", quotas{withStatus("q", list("pods", "1"), list("pods", "-1"))},
			podOf(), quota.AdmitOptions{}, map[string]corev1.ResourceList{"q": list("pods", "0")}, nil,
		},
		{
			"a subresource", quotas{withStatus("q", list("pods", "0"), list("pods", "0"))}, podOf(), quota.AdmitOptions{Subresource: "eviction"},
			map[string]corev1.ResourceList{"q": list("pods", "0")}, nil,
		},
		{
			"two quotas of one name", quotas{withStatus("q", list("pods", "0"), list("pods", "0")), withStatus("q", list("count/pods", "0"), list("count/pods", "0"))},
			podOf(), quota.AdmitOptions{}, nil, []string{
				"exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0",
				"exceeded quota: q, requested: count/pods=1, used: count/pods=0, limited: count/pods=0",
			},
		},
		{
			"other objects", quotas{withStatus("q", list("count/deployments.apps", "1"), list("count/deployments.apps", "1"))},
			quota.Counted(schema.GroupResource{Group: "apps", Resource: "deployments"}, nil), quota.AdmitOptions{}, nil,
			[]string{"exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=1, limited: count/deployments.apps=1"},
		},
		{
			"limited by default", quotas{withStatus("q", list("requests.cpu", "1"), list("requests.cpu", "0"))}, podOf(half),
			quota.AdmitOptions{Limited: []quota.LimitedResource{
				{Resource: "pods", MatchContains: []string{"cpu", "memory"}}, {Resource: "services", MatchContains: []string{"pods"}},
				{APIGroup: "metrics", Resource: "pods", MatchContains: []string{"pods"}},
			}}, nil, []string{"insufficient quota to consume: cpu,limits.cpu"},
		},
		{
			"limited by default, and covered", quotas{withStatus("a", list("requests.cpu", "1"), list("requests.cpu", "0")), withStatus("b", list("cpu", "1", "limits.cpu", "1"), list("cpu", "0", "limits.cpu", "0"))},
			podOf(half), quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"cpu"}}}},
			map[string]corev1.ResourceList{"a": list("requests.cpu", "500m"), "b": list("cpu", "500m", "limits.cpu", "1")}, nil,
		},
		{
			"zero needs no cover", nil, quota.Service(&corev1.Service{}),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "services", MatchContains: []string{"services.loadbalancers"}}}},
			map[string]corev1.ResourceList{}, nil,
		},
		{
			"scopes limited by default, in the order of the configuration", nil, podOf(half),
			quota.AdmitOptions{Limited: []quota.LimitedResource{
				{Resource: "pods", MatchScopes: []scope{absent, exists}}, {Resource: "services", MatchScopes: []scope{{ScopeName: "NotBestEffort", Operator: "Exists"}}},
			}}, nil, []string{"insufficient quota to match these scopes: [{PriorityClass DoesNotExist []} {NotBestEffort Exists []}]"},
		},
		{
			"scopes limited by default, and covered", quotas{selecting(withStatus("q", list("services", "0"), nil), absent)}, podOf(half),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchScopes: []scope{absent}}}},
			map[string]corev1.ResourceList{"q": nil}, nil,
		},
		{
			"scopes limited by default, and covered by others", quotas{selecting(withStatus("q", list("pods", "1"), list("pods", "0")), exists)}, podOf(half),
			quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchScopes: []scope{absent}}}},
			nil, []string{"insufficient quota to match these scopes: [{PriorityClass DoesNotExist []}]"},
		},
		{
			"an invalid scope of the configuration", nil, podOf(half), quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchScopes: []scope{near}}}},
			nil, []string{`error on matching scope {PriorityClass Near []}: failed to parse and convert selector: "Near" is not a valid scope selector operator`},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			after, failures := admit(quota.Object{}, test.object, test.quotas, test.opts)
			testkit.NoDiff(t, messages(failures), test.want, "failures")
			if test.want != nil {
				if after != nil {
					t.Errorf("quotas after a refusal: %v", after)
				}
				return
			}
			if diff := cmp.Diff(test.used, used(after)); diff != "" || after == nil {
				t.Errorf("used (-want +got):\n%s", diff)
			}
		})
	}
}

// withoutLimits returns a quota whose status lacks some of its limits.
func withoutLimits(q *corev1.ResourceQuota, names ...corev1.ResourceName) *corev1.ResourceQuota {
	for _, name := range names {
		delete(q.Status.Hard, name)
	}
	return q
}

// Limits that the status of a quota does not have yet are not enforced, and the assessment says which.
func TestUnenforced(t *testing.T) {
	hard := list("services", "1", "requests.cpu", "100m", "pods", "1")
	never := withoutLimits(withStatus("never", hard, nil), "services", "requests.cpu", "pods")
	partly := withoutLimits(withStatus("partly", hard, list("services", "0", "pods", "0")), "requests.cpu")
	other := withoutLimits(withStatus("other", list("services", "1", "pods", "1"), list("pods", "0")), "services")
	scoped := withoutLimits(withStatus("scoped", list("pods", "1"), nil), "pods")
	scoped.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	elsewhere := withoutLimits(withStatus("elsewhere", hard, nil), "pods", "requests.cpu")
	elsewhere.Namespace = "b"
	full := withoutLimits(withStatus("full", list("count/pods", "0", "requests.cpu", "1"), list("count/pods", "0")), "requests.cpu")
	stale := withStatus("stale", list("pods", "1"), nil)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", ResourceVersion: "1"}, Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "1"), nil)}}}
	object := quota.Pod(pod, time.Time{}, quota.PodOptions{})
	quotas := []*corev1.ResourceQuota{partly, nil, never, other, scoped, elsewhere, full, stale}
	source := func(name, field string) computeresources.Source {
		return computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: name, Field: field}
	}
	want := computeresources.Problems[*quota.Failure]{
		{Cause: quota.StatusUnknown, Source: source("full", "status.hard"), Resources: []corev1.ResourceName{"requests.cpu"}},
		{Cause: quota.StatusUnknown, Source: source("never", "status.hard"), Resources: []corev1.ResourceName{"pods", "requests.cpu"}},
		{Cause: quota.StatusUnknown, Source: source("partly", "status.hard"), Resources: []corev1.ResourceName{"requests.cpu"}},
	}
	fit := quota.Replicas(object, []*corev1.ResourceQuota{never}, quota.AdmitOptions{})
	testkit.NoDiff(t, fit.Unenforced, want[1:2], "of replicas")
	v := quota.Admit(quota.Object{}, object, quotas, quota.AdmitOptions{})
	testkit.NoDiff(t, v.Unenforced, want)
	if diff := cmp.Diff([]string{"exceeded quota: full, requested: count/pods=1, used: count/pods=0, limited: count/pods=0", "status unknown for quota: stale, resources: pods"}, messages(v.Failures)); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	v = quota.Admit(object, object, quotas, quota.AdmitOptions{Subresource: "resize"})
	testkit.NoDiff(t, v.Unenforced, want, "of a resize")
	after := quota.Admit(quota.Object{}, object, quotas[:4], quota.AdmitOptions{}).After(quotas[:4], 1)
	if got := after[2].Status.Used; len(got) > 0 {
		t.Errorf("used of a quota without a status: %v", got)
	}
}

// What is added to a quota is stored as text and read again.
func TestAfterHasTheFormatThatIsRead(t *testing.T) {
	object := podOf(container("a", list("memory", "512Mi"), nil), container("b", list("memory", "1e9"), nil))
	after := []*corev1.ResourceQuota{withStatus("q", list("memory", "4Gi"), list("memory", "0"))}
	for _, want := range []string{"1536870912", "3073741824"} {
		after, _ = admit(quota.Object{}, object, after, quota.AdmitOptions{})
		if used := after[0].Status.Used["memory"]; used.String() != want || used.Format != resource.DecimalSI {
			t.Errorf("used %s in the format %s, want %s", used.String(), used.Format, want)
		}
	}
}

// Quotas that are gone since Admit are not in the result.
func TestAfterOfMissingQuotas(t *testing.T) {
	object := podOf(container("a", list("cpu", "1"), nil))
	v := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{withStatus("q", list("cpu", "4"), list("cpu", "0"))}, quota.AdmitOptions{})
	for _, quotas := range [][]*corev1.ResourceQuota{{}, {nil}} {
		testkit.NoDiff(t, v.After(quotas, 1), quotas)
	}
	for _, index := range []int{-1, 1} {
		other := quota.Assessment{Increases: []quota.Increase{{Index: index, Usage: list("cpu", "1")}}}
		quotas := []*corev1.ResourceQuota{withStatus("q", list("cpu", "4"), list("cpu", "0"))}
		testkit.NoDiff(t, other.After(quotas, 1), quotas)
	}
}

// So many objects are added, none for a number below 1.
func TestAfterOfSeveralObjects(t *testing.T) {
	quotas := []*corev1.ResourceQuota{withStatus("q", list("cpu", "9", "services", "9"), list("cpu", "1", "services", "1"))}
	v := quota.Admit(quota.Object{}, podOf(container("a", list("cpu", "2"), nil)), quotas, quota.AdmitOptions{})
	v.Increases = append(v.Increases, quota.Increase{Index: 0}) // of nothing
	for n, cpu := range map[int64]string{-1: "1", 0: "1", 1: "3", 2: "5", 3: "7"} {
		testkit.NoDiff(t, v.After(quotas, n)[0].Status.Used, list("cpu", cpu, "services", "1"), n)
	}
	testkit.NoDiff(t, quota.Admit(quota.Object{}, quota.Object{}, quotas, quota.AdmitOptions{}), quota.Assessment{}, "no object")
}

// Increases name the quotas that count the object, and what each of them limits of its usage, or of the part of it
// that is new.
func TestIncreases(t *testing.T) {
	service := func(ports int, version string) quota.Object {
		s := &corev1.Service{Spec: corev1.ServiceSpec{Type: corev1.ServiceTypeNodePort, Ports: make([]corev1.ServicePort, ports)}}
		s.ResourceVersion = version
		return quota.Service(s)
	}
	quotas := []*corev1.ResourceQuota{
		withStatus("pods", list("pods", "5"), list("pods", "0")),
		nil,
		withStatus("ports", list("services.nodeports", "5", "services.loadbalancers", "1"), list("services.nodeports", "2", "services.loadbalancers", "0")),
		withStatus("both", list("services", "5", "services.nodeports", "9"), list("services", "1", "services.nodeports", "2")),
	}
	source := func(name string) computeresources.Source {
		return computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: name, Field: "status.used"}
	}
	for _, test := range []struct {
		name  string
		old   quota.Object
		ports int
		want  []quota.Increase
	}{
		{"creation", quota.Object{}, 3, []quota.Increase{
			{Index: 2, Source: source("ports"), Usage: list("services.nodeports", "3")},
			{Index: 3, Source: source("both"), Usage: list("services", "1", "services.nodeports", "3")},
		}},
		{"update", service(2, "7"), 3, []quota.Increase{
			{Index: 2, Source: source("ports"), Usage: list("services.nodeports", "1")},
			{Index: 3, Source: source("both"), Usage: list("services.nodeports", "1")},
		}},
		{"update that uses less", service(4, "7"), 3, nil},
		{"refused", quota.Object{}, 4, nil},
	} {
		got := quota.Admit(test.old, service(test.ports, "7"), quotas, quota.AdmitOptions{}).Increases
		testkit.NoDiff(t, got, test.want, test.name)
	}
}

// Increases share no amounts, not even those that need arbitrary precision.
func TestIncreasesOwnTheirAmounts(t *testing.T) {
	of := func(name string) *corev1.ResourceQuota { return withStatus(name, list("x", "1e30"), list("x", "0")) }
	object := quota.Object{}.WithUsage(list("x", "12345678901234567890123"))
	got := quota.Admit(quota.Object{}, object, []*corev1.ResourceQuota{of("a"), of("b")}, quota.AdmitOptions{}).Increases
	q := got[0].Usage["x"]
	q.AsDec().SetUnscaled(7) // writes to the amount
	testkit.NoDiff(t, got[1].Usage, list("x", "12345678901234567890123"))
}

// causes is compared with the constants by the tests of the architecture.
var causes = []quota.FailureCause{
	quota.InvalidScope, quota.MustSpecify, quota.StatusUnknown, quota.NegativeUsage, quota.UncoveredResources, quota.UncoveredScopes, quota.ExceededQuota,
}

// Which fields of a failure are set.
func TestFailureFields(t *testing.T) {
	pod := podOf(container("a", list("cpu", "-1"), nil))
	quotas := []*corev1.ResourceQuota{
		withStatus("m", list("memory", "1"), list("memory", "0")), withStatus("e", list("pods", "1"), list("pods", "1")), withStatus("s", list("pods", "1"), nil),
		selecting(withStatus("i", list("pods", "1"), nil), scope{ScopeName: "PriorityClass"}),
	}
	covered := scope{ScopeName: "NotBestEffort", Operator: "Exists"}
	got := quota.Admit(quota.Object{}, pod, quotas, quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"count/"}, MatchScopes: []scope{covered}}}}).Failures
	source := func(name, path string) computeresources.Source {
		return computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: name, Field: path}
	}
	want := computeresources.Problems[*quota.Failure]{
		{Cause: quota.NegativeUsage, Resources: []corev1.ResourceName{"cpu", "requests.cpu"}},
		{Cause: quota.UncoveredResources, Resources: []corev1.ResourceName{"count/pods"}},
		{Cause: quota.UncoveredScopes, Scopes: []scope{covered}},
		{
			Cause: quota.ExceededQuota, Source: source("e", "spec.hard"), Resources: []corev1.ResourceName{"pods"},
			Requested: list("pods", "1"), Used: list("pods", "1"), Hard: list("pods", "1"),
		},
		{Cause: quota.InvalidScope, Source: source("i", "spec.scopeSelector"), Detail: `error on matching scope {PriorityClass  []}: failed to parse and convert selector: "" is not a valid scope selector operator`},
		{
			Cause: quota.MustSpecify, Source: source("m", "spec.hard"), Resources: []corev1.ResourceName{"memory"},
			MissingRequired: []quota.MissingResource{{Resource: "memory", Containers: []string{"a"}}},
		},
		{Cause: quota.StatusUnknown, Source: source("s", "status"), Resources: []corev1.ResourceName{"pods"}},
	}
	testkit.NoDiff(t, got, want)
	for _, cause := range causes {
		if !slices.ContainsFunc(want, func(f *quota.Failure) bool { return f.Cause == cause }) {
			t.Errorf("no failure with the cause %s", cause)
		}
	}
}

// Failures are sorted by namespace before name.
func TestFailuresByNamespace(t *testing.T) {
	a, b := withStatus("a", list("pods", "0"), list("pods", "0")), withStatus("b", list("pods", "0"), list("pods", "0"))
	a.Namespace, b.Namespace = "y", "x"
	failures := quota.Admit(quota.Object{}, podOf(), []*corev1.ResourceQuota{a, b}, quota.AdmitOptions{}).Failures
	if len(failures) != 2 || failures[0].Source.Namespace != "x" || failures[1].Source.Namespace != "y" {
		t.Errorf("failures %v", failures)
	}
}
