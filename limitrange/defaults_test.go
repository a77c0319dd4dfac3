package limitrange_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestApplyDefaults(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	defaults := limitRange("defaults", corev1.LimitRangeItem{
		Type: container, Default: list("memory", "1Gi", "cpu", "1"), DefaultRequest: list("memory", "512Mi", "cpu", "500m"),
	})
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{
			testkit.Container("setup", nil, list("cpu", "2")),
			{Name: "proxy", RestartPolicy: &always, Resources: corev1.ResourceRequirements{Requests: list("cpu", "0", "memory", "0"), Limits: list("memory", "0")}},
		},
		Containers: []corev1.Container{
			testkit.Container("app", nil, nil),
			testkit.Container("done", list("cpu", "1", "memory", "1"), list("cpu", "1", "memory", "1")),
			testkit.Container("gpu", list("cpu", "1", "example.com/gpu", "1"), list("cpu", "1", "memory", "1")),
		},
		Resources: &corev1.ResourceRequirements{},
	}
	want := spec.DeepCopy()
	want.InitContainers[0].Resources = corev1.ResourceRequirements{Requests: list("cpu", "500m", "memory", "512Mi"), Limits: list("cpu", "2", "memory", "1Gi")}
	want.InitContainers[1].Resources.Limits = list("memory", "0", "cpu", "1")
	want.Containers[0].Resources = corev1.ResourceRequirements{Requests: list("cpu", "500m", "memory", "512Mi"), Limits: list("cpu", "1", "memory", "1Gi")}
	want.Containers[2].Resources.Requests = list("cpu", "1", "example.com/gpu", "1", "memory", "512Mi")
	set := limitrange.Compile([]*corev1.LimitRange{defaults}, computeresources.Kubernetes{}).ApplyDefaults(spec)
	testkit.NoDiff(t, spec, want)
	testkit.NoDiff(t, testkit.Strings(set), []string{
		"container app: set the cpu request to 500m (LimitRange team/defaults)",
		"container app: set the memory request to 512Mi (LimitRange team/defaults)",
		"container app: set the cpu limit to 1 (LimitRange team/defaults)",
		"container app: set the memory limit to 1Gi (LimitRange team/defaults)",
		"container gpu: set the memory request to 512Mi (LimitRange team/defaults)",
		"init container setup: set the cpu request to 500m (LimitRange team/defaults)",
		"init container setup: set the memory request to 512Mi (LimitRange team/defaults)",
		"init container setup: set the memory limit to 1Gi (LimitRange team/defaults)",
		"sidecar proxy: set the cpu limit to 1 (LimitRange team/defaults)",
	})
	const annotation = "LimitRanger plugin set: cpu, memory request for container app; cpu, memory limit for container app; " +
		"memory request for container gpu; cpu, memory request for init container setup; memory limit for init container setup; " +
		"cpu limit for init container proxy"
	testkit.Equal(t, limitrange.Annotation(set), annotation, "annotation")
	if set[8].Ref.Index != 1 || set[4].Ref.Index != 2 || set[4].Source != (sourceIn("defaults", 0)) {
		t.Errorf("%+v, %+v", set[8], set[4])
	}
}

// Each resource of each list comes from the first range, by namespace and name, that has a
// default for it. The annotation is that of the last one which gave any.
func TestDefaultsOfSeveralRanges(t *testing.T) {
	ranges := []*corev1.LimitRange{
		limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")}, corev1.LimitRangeItem{Type: pod, Default: list("cpu", "9", "memory", "9")}),
		limitRange("b", corev1.LimitRangeItem{Type: container, Default: list("cpu", "2", "memory", "2Gi"), DefaultRequest: list("cpu", "2")}),
		limitRange("c", corev1.LimitRangeItem{Type: container, Default: list("cpu", "3", "memory", "3Gi"), DefaultRequest: list("cpu", "3")}),
		nil,
	}
	for _, order := range permutations(ranges) {
		spec := withContainers(testkit.Container("app", nil, nil), testkit.Container("other", list("cpu", "1"), list("memory", "1Gi")))
		set := limitrange.Compile(order, computeresources.Kubernetes{}).ApplyDefaults(spec)
		want := withContainers(
			testkit.Container("app", list("cpu", "2"), list("cpu", "1", "memory", "2Gi")),
			testkit.Container("other", list("cpu", "1"), list("cpu", "1", "memory", "1Gi")),
		)
		testkit.NoDiff(t, spec, want)
		if got := limitrange.Annotation(set); got != "LimitRanger plugin set: cpu request for container app; memory limit for container app" {
			t.Fatalf("annotation %q", got)
		}
		var sources []string
		for _, d := range set {
			sources = append(sources, d.Source.Name)
		}
		testkit.NoDiff(t, sources, []string{"b", "a", "b", "a"})
	}
}

// A LimitRange is another one in another namespace.
func TestAnnotationOfOneNamespace(t *testing.T) {
	first, last := limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")}), limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("memory", "1")})
	last.Namespace = "zone"
	set := limitrange.Compile([]*corev1.LimitRange{first, last}, computeresources.Kubernetes{}).ApplyDefaults(withContainers(testkit.Container("app", nil, nil)))
	testkit.Equal(t, limitrange.Annotation(set), "LimitRanger plugin set: memory limit for container app", "annotation")
}

// The server would not store this LimitRange. If it did, the last item would count.
func TestDefaultsOfSeveralItems(t *testing.T) {
	lr := limitRange("a",
		corev1.LimitRangeItem{Type: container, Default: list("cpu", "3", "memory", "1Gi")},
		corev1.LimitRangeItem{Type: container, Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")},
	)
	spec := withContainers(testkit.Container("app", nil, nil))
	set := limitrange.Compile([]*corev1.LimitRange{lr, limitRange("b", corev1.LimitRangeItem{Type: container, Default: list("cpu", "9")})}, computeresources.Kubernetes{}).ApplyDefaults(spec)
	testkit.NoDiff(t, spec, withContainers(testkit.Container("app", list("cpu", "1"), list("cpu", "1", "memory", "1Gi"))))
	if set[0].Source != sourceIn("a", 1) || set[1].Source != sourceIn("a", 1) || set[2].Source != sourceIn("a", 0) {
		t.Errorf("%+v", set)
	}
	testkit.Equal(t, limitrange.Annotation(set), "LimitRanger plugin set: cpu request for container app; cpu, memory limit for container app", "annotation")
}

// There may be default requests without default limits.
func TestDefaultRequestsAlone(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", nil, nil)}}
	set := limitrange.Compile([]*corev1.LimitRange{limitRange("defaults", corev1.LimitRangeItem{Type: container, DefaultRequest: list("cpu", "1")})}, computeresources.Kubernetes{}).ApplyDefaults(spec)
	if want := "container app: set the cpu request to 1 (LimitRange team/defaults)"; len(set) != 1 || set[0].String() != want {
		t.Errorf("%v, want %s", set, want)
	}
	testkit.NoDiff(t, spec.Containers[0].Resources, corev1.ResourceRequirements{Requests: list("cpu", "1")})
}

func TestNothingToApply(t *testing.T) {
	some := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")})}, computeresources.Kubernetes{})
	bounds := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")})}, computeresources.Kubernetes{})
	ofClaims := limitrange.Compile([]*corev1.LimitRange{limitRange("a", corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Default: list("memory", "2"), DefaultRequest: list("memory", "1")})}, computeresources.Kubernetes{})
	spec := withContainers(testkit.Container("app", nil, list("cpu", "1")))
	before := spec.DeepCopy()
	for name, set := range map[string][]computeresources.Change{
		"nil policy": (*limitrange.Policy)(nil).ApplyDefaults(spec), "no ranges": limitrange.Compile(nil, computeresources.Kubernetes{}).ApplyDefaults(spec),
		"nil spec": some.ApplyDefaults(nil), "stated": some.ApplyDefaults(spec), "no defaults": bounds.ApplyDefaults(spec),
		"defaults of claims": ofClaims.ApplyDefaults(spec),
		"no containers":      some.ApplyDefaults(&corev1.PodSpec{}),
	} {
		testkit.NoDiff(t, set, nil, name)
	}
	testkit.NoDiff(t, spec, before)
	testkit.Equal(t, limitrange.Annotation(nil), "", "annotation")
}

// The server forbids defaults in an item of type Pod. If an item has them, neither the pod nor its
// containers get them.
func TestDefaultsOfTypePod(t *testing.T) {
	lr := limitRange("a", corev1.LimitRangeItem{Type: pod, Default: list("cpu", "2"), DefaultRequest: list("cpu", "1")})
	if errs := limitrange.ValidateObject(lr); len(errs) != 2 {
		t.Errorf("%v", errs)
	}
	spec := withContainers(testkit.Container("app", nil, nil))
	spec.Resources = &corev1.ResourceRequirements{Limits: list("memory", "1Gi")}
	want := spec.DeepCopy()
	testkit.NoDiff(t, limitrange.Compile([]*corev1.LimitRange{lr}, computeresources.Kubernetes{}).ApplyDefaults(spec), nil)
	testkit.NoDiff(t, spec, want)
}

func TestComplete(t *testing.T) {
	tests := []struct {
		name         string
		item, stored corev1.LimitRangeItem
	}{
		{
			name:   "only bounds",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "3")},
		},
		{
			name:   "only a default limit",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "2"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "only a default request",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "3"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "both",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "4"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), Max: list("cpu", "4"), Default: list("cpu", "3"), DefaultRequest: list("cpu", "2")},
		},
		{
			name:   "only a minimum",
			item:   corev1.LimitRangeItem{Type: container, Min: list("cpu", "1")},
			stored: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1"), DefaultRequest: list("cpu", "1")},
		},
		{
			name:   "a default limit without bounds",
			item:   corev1.LimitRangeItem{Type: container, Default: list("cpu", "1")},
			stored: corev1.LimitRangeItem{Type: container, Default: list("cpu", "1"), DefaultRequest: list("cpu", "1")},
		},
		{
			name: "each resource on its own, and zero is set",
			item: corev1.LimitRangeItem{Type: container, Min: list("cpu", "1", "memory", "1Gi"), Max: list("memory", "4Gi", "example.com/gpu", "2"), Default: list("cpu", "0"), MaxLimitRequestRatio: list("cpu", "2")},
			stored: corev1.LimitRangeItem{
				Type: container, Min: list("cpu", "1", "memory", "1Gi"), Max: list("memory", "4Gi", "example.com/gpu", "2"), MaxLimitRequestRatio: list("cpu", "2"),
				Default: list("cpu", "0", "memory", "4Gi", "example.com/gpu", "2"), DefaultRequest: list("cpu", "0", "memory", "4Gi", "example.com/gpu", "2"),
			},
		},
		{
			name:   "the server rounds up to milli-units",
			item:   corev1.LimitRangeItem{Type: pod, Min: list("cpu", "1500u"), Max: list("memory", "100n"), MaxLimitRequestRatio: list("cpu", "1000001n")},
			stored: corev1.LimitRangeItem{Type: pod, Min: list("cpu", "2m"), Max: list("memory", "1m"), MaxLimitRequestRatio: list("cpu", "2m")},
		},
		{
			name:   "defaults are rounded up to milli-units",
			item:   corev1.LimitRangeItem{Type: container, Default: list("cpu", "1500u"), DefaultRequest: list("memory", "100n")},
			stored: corev1.LimitRangeItem{Type: container, Default: list("cpu", "2m"), DefaultRequest: list("cpu", "2m", "memory", "1m")},
		},
		{
			name:   "other types have no defaults",
			item:   corev1.LimitRangeItem{Type: claim, Min: list("storage", "1"), Max: list("storage", "2")},
			stored: corev1.LimitRangeItem{Type: claim, Min: list("storage", "1"), Max: list("storage", "2")},
		},
		{name: "nothing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { testkit.NoDiff(t, limitrange.WithDefaults(test.item), test.stored) })
	}
}
