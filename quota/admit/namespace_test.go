package admit_test

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

func list(pairs ...string) corev1.ResourceList { return testkit.List(pairs...) }

func limitRange(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: items}}
	lr.Namespace, lr.Name = "shop", name
	return lr
}

func resourceQuota(name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}
	q.Namespace, q.Name = "shop", name
	return q
}

func compile(t testkit.TB, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, opts admit.Options) *admit.Namespace {
	t.Helper()
	namespace, err := admit.Compile(ranges, quotas, opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return namespace
}

func pointer[T any](v T) *T { return &v }

// Objects that the API server would not store give an error with the object, the field and the
// value.
func TestCompileErrors(t *testing.T) {
	crossed := limitRange("crossed", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Min: list("cpu", "2"), Max: list("cpu", "1")})
	selector := resourceQuota("selector", list("pods", "-1"), nil)
	selector.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpExists},
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: "Like", Values: []string{"high"}},
	}}
	limited := []quota.LimitedResource{
		{Resource: "pods", MatchScopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn}}},
		{Resource: "pods", MatchScopes: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopeVolumeAttributesClass, Operator: "Like"}}},
	}
	namespace, err := admit.Compile([]*corev1.LimitRange{nil, crossed}, []*corev1.ResourceQuota{selector, nil}, admit.Options{Limited: limited, Incomplete: []string{"StorageClass", "StorageClasses"}})
	if namespace != nil {
		t.Error("a namespace was compiled")
	}
	var got []string
	if errs, ok := err.(interface{ Errors() []error }); ok {
		for _, err := range errs.Errors() {
			got = append(got, err.Error())
		}
	}
	want := []string{
		`LimitRange shop/crossed: spec.limits[0].min[cpu]: "2": min value 2 is greater than max value 1`,
		`LimitRange shop/crossed: spec.limits[0].defaultRequest[cpu]: "1": min value 2 is greater than default request value 1`,
		`LimitRange shop/crossed: spec.limits[0].default[cpu]: "2": min value 2 is greater than default value 1`,
		`ResourceQuota shop/selector: spec.hard[pods]: "-1": must be greater than or equal to 0`,
		`ResourceQuota shop/selector: spec.scopeSelector.matchExpressions.operator: "Like": not a valid selector operator`,
		`ResourceQuota shop/selector: status.hard[pods]: "-1": must be greater than or equal to 0`,
		`ResourceQuotaConfiguration: limitedResources[0].matchScopes[0]: "PriorityClass In []": failed to parse and convert selector: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`,
		`ResourceQuotaConfiguration: limitedResources[1].matchScopes[0]: "VolumeAttributesClass Like []": failed to parse and convert selector: "Like" is not a valid scope selector operator`,
		`Options: incomplete[1]: "StorageClasses": supported values: "PriorityClass", "RuntimeClass", "StorageClass"`,
	}
	testkit.NoDiff(t, got, want)
}

func TestNoNamespace(t *testing.T) {
	var none *admit.Namespace
	testkit.Equal(t, len(none.LimitRanges())+len(none.Quotas()), 0)
}

// A compiled namespace shares no memory with its inputs.
func TestCompileCopies(t *testing.T) {
	maximum := limitRange("max", corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("cpu", "1")})
	count := resourceQuota("count", list("pods", "1"), list("pods", "0"))
	opts := admit.Options{
		Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"memory"}, MatchScopes: []corev1.ScopedResourceSelectorRequirement{
			{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"high"}},
		}}},
		ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"},
	}
	kubernetes := reflect.ValueOf(&opts.Kubernetes).Elem()
	for i := range kubernetes.NumField() {
		if gate, ok := kubernetes.Field(i).Addr().Interface().(**bool); ok {
			*gate = testkit.Off()
		}
	}
	given := testkit.Fingerprint(opts)
	namespace := compile(t, []*corev1.LimitRange{maximum}, []*corev1.ResourceQuota{count}, opts)
	sent := pod(testkit.Container("app", list("memory", "1Gi"), list("cpu", "2")))
	want := testkit.Fingerprint([]any{visible(namespace.Create(sent, admit.Attributes{})), namespace.Quotas()})
	testkit.Scramble(maximum)
	testkit.Scramble(count)
	testkit.Scramble(opts)
	testkit.Scramble(namespace.Quotas())
	testkit.Scramble(namespace.LimitRanges())
	if got := testkit.Fingerprint(admit.OptionsOf(namespace)); got != given {
		t.Errorf("the options changed from\n%s\nto\n%s", given, got)
	}
	if got := testkit.Fingerprint([]any{visible(namespace.Create(sent, admit.Attributes{})), namespace.Quotas()}); got != want {
		t.Errorf("changed from\n%s\nto\n%s", want, got)
	}
}

// A namespace has gates of its own: those of the caller, and those that it returns, may change.
func TestNamespaceOwnsItsGates(t *testing.T) {
	gates := computeresources.Kubernetes{
		PodLevelResources: testkit.Off(), PodLevelResourcesFixDefaulting: testkit.Off(), PodLevelResourcesFixKubeletQOSClass: testkit.Off(),
		InPlacePodLevelResourcesVerticalScaling: testkit.Off(), InPlacePodVerticalScalingInitContainers: testkit.Off(), NodeDeclaredFeatures: testkit.Off(),
		MaxUnavailableStatefulSet: testkit.Off(), StatefulSetRecreateStrategy: testkit.Off(), MemoryQoS: testkit.Off(),
	}
	want := testkit.Separate(gates)
	namespace := compile(t, nil, nil, admit.Options{Kubernetes: gates})
	testkit.NoDiff(t, namespace.Kubernetes(), want)
	testkit.Contract(t, func() any { return namespace.Kubernetes() }, gates)
	testkit.Scramble(gates)
	testkit.Scramble(namespace.Kubernetes())
	testkit.NoDiff(t, namespace.Kubernetes(), want)
}
