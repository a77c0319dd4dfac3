package quota_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func namedQuota(spec corev1.ResourceQuotaSpec) *corev1.ResourceQuota {
	return &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "compute", Namespace: "team", ResourceVersion: "1"}, Spec: spec}
}

func errorTexts(errs field.ErrorList) (texts []string) {
	for _, err := range errs {
		texts = append(texts, err.Error())
	}
	return texts
}

func TestValidateObject(t *testing.T) {
	selector := func(expressions ...corev1.ScopedResourceSelectorRequirement) *corev1.ScopeSelector {
		return &corev1.ScopeSelector{MatchExpressions: expressions}
	}
	const existsOnly = "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
	tests := []struct {
		name string
		spec corev1.ResourceQuotaSpec
		want []string
	}{
		{"nothing", corev1.ResourceQuotaSpec{}, nil},
		{"names of all kinds", corev1.ResourceQuotaSpec{Hard: testkit.List("cpu", "1", "limits.memory", "1Gi", "requests.hugepages-2Mi", "2Mi", "nvidia.com/gpu", "1",
			"count/deployments.apps", "2", "services.nodeports", "0", "gold.storageclass.storage.k8s.io/requests.storage", "1Gi")}, nil},
		{"requests above limits", corev1.ResourceQuotaSpec{Hard: testkit.List("requests.cpu", "10", "limits.cpu", "1")}, nil},
		{"names", corev1.ResourceQuotaSpec{Hard: testkit.List("storage", "1", "unknown", "1", "-x", "1")}, []string{
			`spec.hard[-x]: Invalid value: "-x": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
			`spec.hard[-x]: Invalid value: "-x": must be a standard resource for quota`,
			`spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota`,
			`spec.hard[unknown]: Invalid value: "unknown": must be a standard resource type or fully qualified`,
			`spec.hard[unknown]: Invalid value: "unknown": must be a standard resource for quota`,
		}},
		{"amounts", corev1.ResourceQuotaSpec{Hard: testkit.List("cpu", "-1", "pods", "1500m", "requests.example.com/gpu", "1500m")}, []string{
			`spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.hard[pods]: Invalid value: "1500m": must be an integer`,
		}},
		{"scopes", corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1", "cpu", "1", "services", "1", "count/pods", "1"), Scopes: []corev1.ResourceQuotaScope{"Odd", "BestEffort", "NotBestEffort"}}, []string{
			`spec.scopes: Invalid value: ["Odd","BestEffort","NotBestEffort"]: unsupported scope`,
			`spec.scopes: Invalid value: ["Odd","BestEffort","NotBestEffort"]: unsupported scope applied to resource`,
			`spec.scopes: Invalid value: ["Odd","BestEffort","NotBestEffort"]: conflicting scopes`,
		}},
		{"a scope of claims", corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1", "requests.storage", "1Gi"),
			ScopeSelector: selector(corev1.ScopedResourceSelectorRequirement{ScopeName: "VolumeAttributesClass", Operator: "In", Values: []string{"gold"}})}, []string{
			`spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"VolumeAttributesClass","Operator":"In","Values":["gold"]}]}: unsupported scope applied to resource`,
		}},
		{"storage in a scope of claims", corev1.ResourceQuotaSpec{Hard: testkit.List("persistentvolumeclaims", "1", "requests.storage", "1Gi"),
			ScopeSelector: selector(corev1.ScopedResourceSelectorRequirement{ScopeName: "VolumeAttributesClass", Operator: "In", Values: []string{"gold"}})}, nil},
		{"storage in a scope of pods", corev1.ResourceQuotaSpec{Hard: testkit.List("requests.storage", "1Gi"), Scopes: []corev1.ResourceQuotaScope{"PriorityClass"}}, []string{
			`spec.scopes: Invalid value: ["PriorityClass"]: unsupported scope applied to resource`,
		}},
		{"an empty list of values", corev1.ResourceQuotaSpec{ScopeSelector: selector(corev1.ScopedResourceSelectorRequirement{ScopeName: "PriorityClass", Operator: "In", Values: []string{}})}, []string{
			"spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
		}},
		{"operators", corev1.ResourceQuotaSpec{ScopeSelector: selector(
			corev1.ScopedResourceSelectorRequirement{ScopeName: "Terminating", Operator: "In"},
			corev1.ScopedResourceSelectorRequirement{ScopeName: "PriorityClass", Operator: "Exists", Values: []string{"high"}},
			corev1.ScopedResourceSelectorRequirement{ScopeName: "NotTerminating", Operator: "Odd"},
		)}, []string{
			`spec.scopeSelector.matchExpressions.operator: Invalid value: "In": ` + existsOnly,
			"spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
			"spec.scopeSelector.matchExpressions.values: Invalid value: [\"high\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
			`spec.scopeSelector.matchExpressions.operator: Invalid value: "Odd": ` + existsOnly,
			`spec.scopeSelector.matchExpressions.operator: Invalid value: "Odd": not a valid selector operator`,
			`spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, errorTexts(quota.ValidateObject(nil, namedQuota(test.spec), computeresources.Kubernetes{})), test.want)
			q := namedQuota(test.spec)
			testkit.NoDiff(t, errorTexts(quota.ValidateObject(q, q.DeepCopy(), computeresources.Kubernetes{})), test.want, "update")
		})
	}
}

func TestValidateObjectBesideTheSpec(t *testing.T) {
	if got := quota.ValidateObject(nil, nil, computeresources.Kubernetes{}); got != nil {
		t.Errorf("nil: %v", got)
	}
	q := namedQuota(corev1.ResourceQuotaSpec{})
	q.Name = "Compute"
	q.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("odd", "1"), Used: testkit.List("cpu", "-1")}
	got := quota.ValidateObject(nil, q, computeresources.Kubernetes{})
	if len(got) != 4 || got[0].Field != "metadata.name" || got[1].Field != "status.hard[odd]" || got[3].Field != "status.used[cpu]" {
		t.Errorf("%v", got)
	}
}

func TestValidateObjectUpdate(t *testing.T) {
	old := namedQuota(corev1.ResourceQuotaSpec{Scopes: []corev1.ResourceQuotaScope{"Terminating", "PriorityClass"}})
	tests := []struct {
		name   string
		change func(*corev1.ResourceQuota)
		want   []string
	}{
		{"nothing", func(*corev1.ResourceQuota) {}, nil},
		{"limits", func(q *corev1.ResourceQuota) { q.Spec.Hard = testkit.List("cpu", "1") }, nil},
		{"the order of scopes", func(q *corev1.ResourceQuota) {
			q.Spec.Scopes = []corev1.ResourceQuotaScope{"PriorityClass", "Terminating"}
		}, nil},
		{"a scope twice", func(q *corev1.ResourceQuota) {
			q.Spec.Scopes = []corev1.ResourceQuotaScope{"Terminating", "PriorityClass", "Terminating"}
		}, nil},
		{"the scope selector", func(q *corev1.ResourceQuota) { q.Spec.ScopeSelector = &corev1.ScopeSelector{} }, nil},
		{"an invalid status is ignored", func(q *corev1.ResourceQuota) { q.Status.Hard = testkit.List("odd", "1") }, nil},
		{"scopes", func(q *corev1.ResourceQuota) { q.Spec.Scopes = q.Spec.Scopes[:1] }, []string{`spec.scopes: Invalid value: ["Terminating"]: field is immutable`}},
		{"the name", func(q *corev1.ResourceQuota) { q.Name = "other" }, []string{`metadata.name: Invalid value: "other": field is immutable`}},
		{"no version", func(q *corev1.ResourceQuota) { q.ResourceVersion = "" }, []string{`metadata.resourceVersion: Invalid value: "": must be specified for an update`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			updated := old.DeepCopy()
			test.change(updated)
			testkit.NoDiff(t, errorTexts(quota.ValidateObject(old, updated, computeresources.Kubernetes{})), test.want)
		})
	}
	if quota.ValidateObject(old, nil, computeresources.Kubernetes{}) != nil {
		t.Error("a nil quota has errors")
	}
}

func TestUnevaluated(t *testing.T) {
	q := namedQuota(corev1.ResourceQuotaSpec{Hard: testkit.List("cpu", "1", "services", "1", "nvidia.com/gpu", "1", "count/jobs.batch", "1", "limits.hugepages-2Mi", "2Mi", "requests.nvidia.com/gpu", "1")})
	q.Status.Hard = testkit.List("odd", "1")
	scoped := func(scope corev1.ResourceQuotaScope) *corev1.ResourceQuota {
		hard := testkit.List("pods", "1", "requests.nvidia.com/gpu", "1", "count/configmaps", "1", "persistentvolumeclaims", "1", "services", "1")
		return namedQuota(corev1.ResourceQuotaSpec{Hard: hard, Scopes: []corev1.ResourceQuotaScope{scope}})
	}
	pod, service := quota.Pod(&corev1.Pod{}, testkit.Now(), quota.PodOptions{}), quota.Service(&corev1.Service{})
	tests := []struct {
		name string
		got  []corev1.ResourceName
		want []corev1.ResourceName
	}{
		{"names that no kind of object uses", quota.Unevaluated(q, nil), []corev1.ResourceName{"limits.hugepages-2Mi", "nvidia.com/gpu"}},
		{"names that pods do not use", quota.Unevaluated(q, []quota.Object{pod}), []corev1.ResourceName{"count/jobs.batch", "limits.hugepages-2Mi", "nvidia.com/gpu", "services"}},
		{"names that pods and services do not use", quota.Unevaluated(q, []quota.Object{pod, {}, service}), []corev1.ResourceName{"count/jobs.batch", "limits.hugepages-2Mi", "nvidia.com/gpu"}},
		{"names that no object uses", quota.Unevaluated(q, []quota.Object{{}}), []corev1.ResourceName{"count/jobs.batch", "cpu", "limits.hugepages-2Mi", "nvidia.com/gpu", "requests.nvidia.com/gpu", "services"}},
		{"names outside a scope of pods", quota.Unevaluated(scoped("PriorityClass"), nil), []corev1.ResourceName{"count/configmaps", "persistentvolumeclaims", "services"}},
		{"names outside a scope of claims", quota.Unevaluated(scoped("VolumeAttributesClass"), nil), []corev1.ResourceName{"count/configmaps", "pods", "requests.nvidia.com/gpu", "services"}},
		{"names of services outside a scope of pods", quota.Unevaluated(scoped("BestEffort"), []quota.Object{service}), []corev1.ResourceName{"count/configmaps", "persistentvolumeclaims", "pods", "requests.nvidia.com/gpu", "services"}},
		{"unknown names of nil", quota.Unevaluated(nil, nil), nil},
		{"unevaluated names of nil", quota.Unevaluated(nil, []quota.Object{pod}), nil},
	}
	for _, test := range tests {
		testkit.NoDiff(t, test.got, test.want, test.name)
	}
}

// A valid quota has no list of errors, an amount may have two, and an update is about the new spec.
func TestErrorsOfAQuota(t *testing.T) {
	valid := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "q", ResourceVersion: "1"}, Spec: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1")}}
	if errs := quota.ValidateObject(nil, valid, computeresources.Kubernetes{}); errs != nil {
		t.Errorf("%v", errs)
	}
	if errs := quota.ValidateObject(valid, valid, computeresources.Kubernetes{}); errs != nil {
		t.Errorf("update: %v", errs)
	}
	invalid := valid.DeepCopy()
	invalid.Spec.Hard = testkit.List("pods", "-0.5")
	var details []string
	for _, err := range quota.ValidateObject(valid, invalid, computeresources.Kubernetes{}) {
		details = append(details, err.Field+" "+err.Detail)
	}
	testkit.NoDiff(t, details, []string{"spec.hard[pods] must be greater than or equal to 0", "spec.hard[pods] must be an integer"})
	if errs := quota.ValidateObject(invalid, valid, computeresources.Kubernetes{}); errs != nil {
		t.Errorf("a repair: %v", errs)
	}
}

// Scopes contradict each other within a list, and the scope selector is another list. The server has an error for each
// pair, but its message says it once.
func TestContradictingScopes(t *testing.T) {
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "q"}, Spec: corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1")}}
	q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating}
	q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopeNotTerminating, Operator: corev1.ScopeSelectorOpExists}}}
	if errs := quota.ValidateObject(nil, q, computeresources.Kubernetes{}); errs != nil {
		t.Errorf("of two lists: %v", errs)
	}
	q.Spec.ScopeSelector = nil
	q.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort}
	if errs := quota.ValidateObject(nil, q, computeresources.Kubernetes{}); len(errs) != 1 {
		t.Errorf("two pairs: %v", errs)
	}
}

// Each error has all scopes in it, so that many errors of many scopes would need the square of their memory.
func TestManyInvalidScopes(t *testing.T) {
	names := corev1.ResourceList{}
	for _, name := range testkit.QuotaNames() {
		names[name] = resource.MustParse("1")
	}
	for _, scope := range []corev1.ResourceQuotaScope{"Odd", corev1.ResourceQuotaScopeBestEffort} {
		testkit.GrowsLinearly(t, 1000, func(n int) func() {
			q := namedQuota(corev1.ResourceQuotaSpec{Hard: names, Scopes: slices.Repeat([]corev1.ResourceQuotaScope{scope}, n)})
			return func() { quota.ValidateObject(nil, q, computeresources.Kubernetes{}) }
		})
		testkit.GrowsLinearly(t, 1000, func(n int) func() {
			expressions := slices.Repeat([]corev1.ScopedResourceSelectorRequirement{{ScopeName: scope, Operator: corev1.ScopeSelectorOpExists}}, n)
			q := namedQuota(corev1.ResourceQuotaSpec{Hard: names, ScopeSelector: &corev1.ScopeSelector{MatchExpressions: expressions}})
			return func() { quota.ValidateObject(nil, q, computeresources.Kubernetes{}) }
		})
	}
}

// An older server has stored a fraction of a pod and a negative amount. The names are always checked.
func TestStoredQuotaAmountsByRelease(t *testing.T) {
	old := namedQuota(corev1.ResourceQuotaSpec{Hard: testkit.List("pods", "1500m", "memory", "-1Gi", "cpu", "-1", "odd", "1")})
	labelled := old.DeepCopy()
	labelled.Spec.Hard = testkit.List("pods", "1.5", "memory", "-1073741824", "cpu", "-2", "odd", "1")
	names := errorTexts(quota.ValidateObject(nil, namedQuota(corev1.ResourceQuotaSpec{Hard: testkit.List("odd", "1")}), computeresources.Kubernetes{}))
	for release, want := range map[string]bool{"1.36": true, "": true, "1.38": false} {
		kubernetes := computeresources.Kubernetes{Release: release}
		got := errorTexts(quota.ValidateObject(old, labelled, kubernetes))
		for _, path := range []string{"spec.hard[pods]", "spec.hard[memory]"} {
			testkit.Equal(t, slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, path) }), want, path, "is refused in", release, got)
		}
		testkit.Equal(t, slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, "spec.hard[cpu]") }), true, "a changed amount is refused in", release, got)
		for _, name := range names {
			testkit.Equal(t, slices.Contains(got, name), true, name, "in", release)
		}
		created := errorTexts(quota.ValidateObject(nil, old, kubernetes))
		testkit.Equal(t, slices.ContainsFunc(created, func(text string) bool { return strings.Contains(text, "spec.hard[pods]") }), true, "a creation in", release, created)
	}
}
