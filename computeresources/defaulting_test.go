package computeresources_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Up to 1.36, the server also sets pod-level defaults when it decodes a pod.
func TestApplyRequestDefaults(t *testing.T) {
	tests := []struct {
		name string
		spec corev1.PodSpec
		want corev1.PodSpec
		set  []string
	}{
		{
			name: "a request follows from the limit, in every kind of container",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", nil, list("cpu", "1")), sidecar("proxy", nil, list("memory", "1.5Gi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "100m"), list("memory", "1Gi", "cpu", "2"))},
			},
			want: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", list("cpu", "1"), list("cpu", "1")), sidecar("proxy", list("memory", "1.5Gi"), list("memory", "1.5Gi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "100m", "memory", "1Gi"), list("memory", "1Gi", "cpu", "2"))},
			},
			set: []string{"container app: set the memory request to 1Gi", "init container setup: set the cpu request to 1", "sidecar proxy: set the memory request to 1536Mi"},
		},
		{
			name: "a request of zero is not missing",
			spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "0"), list("cpu", "1"))}},
			want: corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "0"), list("cpu", "1"))}},
		},
		{
			name: "the pod requests what its containers do, then its limits",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "ephemeral-storage", "1Gi"), nil), container("b", nil, list("cpu", "2"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "8", "memory", "8Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "ephemeral-storage", "1Gi"), nil), container("b", list("cpu", "2"), list("cpu", "2"))},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "8", "memory", "8Gi"), Requests: list("cpu", "3", "memory", "8Gi")},
			},
			set: []string{"container b: set the cpu request to 2", "pod: set the cpu request to 3", "pod: set the memory request to 8Gi"},
		},
		{
			name: "without limits of the pod, only hugepages follow",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "1", "hugepages-2Mi", "4Mi")), container("b", nil, list("hugepages-2Mi", "2Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1", "hugepages-2Mi", "4Mi"), list("cpu", "1", "hugepages-2Mi", "4Mi")), container("b", list("hugepages-2Mi", "2Mi"), list("hugepages-2Mi", "2Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi", "cpu", "1", "hugepages-2Mi", "6Mi"), Limits: list("hugepages-2Mi", "6Mi")},
			},
			set: []string{
				"container a: set the hugepages-2Mi request to 4Mi", "container b: set the hugepages-2Mi request to 2Mi",
				"pod: set the hugepages-2Mi limit to 6Mi", "pod: set the cpu request to 1", "pod: set the hugepages-2Mi request to 6Mi",
			},
		},
		{
			name: "a pod that requests hugepages itself gets no limit for them",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{Requests: list("hugepages-2Mi", "8Mi")},
			},
		},
		{
			name: "empty pod-level resources are not changed",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
				Resources:  &corev1.ResourceRequirements{},
			},
		},
		{
			name: "resources that cannot be set at pod level get no pod-level default",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "8Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "8Gi")},
			},
		},
		{
			name: "requests of containers do not default to overhead or pod-level resources",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Overhead:   list("cpu", "250m"),
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi"), Limits: list("memory", "2Gi")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1"), nil)},
				Overhead:   list("cpu", "250m"),
				Resources:  &corev1.ResourceRequirements{Requests: list("memory", "1Gi", "cpu", "1"), Limits: list("memory", "2Gi")},
			},
			set: []string{"pod: set the cpu request to 1"},
		},
		{
			// The server stores 2m as the limit of the sidecar.
			name: "all amounts are rounded up to milli-units",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", list("cpu", "0"), list("cpu", "0.0015", "memory", "64Mi"))},
				Containers:     []corev1.Container{container("app", list("memory", "1n"), list("cpu", "100u", "memory", "1.0001"))},
				Overhead:       list("cpu", "1u"),
			},
			want: corev1.PodSpec{
				InitContainers: []corev1.Container{sidecar("proxy", list("cpu", "0", "memory", "64Mi"), list("cpu", "2m", "memory", "64Mi"))},
				Containers:     []corev1.Container{container("app", list("cpu", "1m", "memory", "1m"), list("cpu", "1m", "memory", "1001m"))},
				Overhead:       list("cpu", "1m"),
			},
			set: []string{"container app: set the cpu request to 1m", "sidecar proxy: set the memory request to 64Mi"},
		},
		{
			name: "the pod-level request is the sum before rounding, rounded",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "100u"), nil), container("b", list("cpu", "200u"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "1500u")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", list("cpu", "1m"), nil), container("b", list("cpu", "1m"), nil)},
				Resources:  &corev1.ResourceRequirements{Limits: list("cpu", "2m"), Requests: list("cpu", "1m")},
			},
			set: []string{"pod: set the cpu request to 1m"},
		},
		{
			name: "requests of a pod without containers are rounded",
			spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1500u")}},
			want: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "2m")}},
		},
		{
			name: "pod-level requests are rounded if there are no limits",
			spec: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1500u")},
			},
			want: corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "2m")},
			},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			later := test.spec.DeepCopy()
			in136 := computeresources.Kubernetes{Release: "1.36"}
			set := testkit.Strings(computeresources.ApplyRequestDefaults(&test.spec, in136))
			testkit.NoDiff(t, test.spec, test.want, "spec")
			testkit.NoDiff(t, set, test.set, "reported")
			if set := computeresources.ApplyPodLevelDefaults(&test.spec, in136); set != nil {
				t.Errorf("set before it is stored: %v", set)
			}
			set = testkit.Strings(computeresources.ApplyRequestDefaults(later, computeresources.Kubernetes{}))
			isOfPod := func(text string) bool { return strings.HasPrefix(text, "pod: ") }
			testkit.NoDiff(t, set, slices.DeleteFunc(test.set, isOfPod), "reported in 1.37", cmpopts.EquateEmpty())
		})
	}
}

func TestApplyPodLevelDefaults(t *testing.T) {
	podLevel := func(requests, limits corev1.ResourceList) *corev1.ResourceRequirements {
		return &corev1.ResourceRequirements{Requests: requests, Limits: limits}
	}
	limited := func(name string) corev1.Container { // with the requests that follow
		return container(name, list("cpu", "1", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi"))
	}
	for _, test := range []struct {
		name        string
		inits, apps []corev1.Container
		has, want   *corev1.ResourceRequirements
		set         []string
		opts        computeresources.Kubernetes
	}{
		{name: "without spec.resources", apps: []corev1.Container{limited("a")}},
		{name: "empty", apps: []corev1.Container{limited("a")}, has: podLevel(nil, nil), want: podLevel(nil, nil)},
		{
			name: "limits follow those of the containers",
			apps: []corev1.Container{limited("a")}, has: podLevel(list("cpu", "1"), nil),
			want: podLevel(list("cpu", "1", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi")),
			set:  []string{"pod: set the memory request to 1Gi", "pod: set the cpu limit to 1", "pod: set the memory limit to 1Gi"},
		},
		{
			name: "a request above the limits of the containers is the limit",
			apps: []corev1.Container{limited("a"), limited("b")}, has: podLevel(list("cpu", "3"), nil),
			want: podLevel(list("cpu", "3", "memory", "2Gi"), list("cpu", "3", "memory", "2Gi")),
			set:  []string{"pod: set the memory request to 2Gi", "pod: set the cpu limit to 3", "pod: set the memory limit to 2Gi"},
		},
		{
			name: "one container without a limit, whose request counts",
			apps: []corev1.Container{limited("a"), container("b", list("memory", "1Gi"), list("cpu", "0"))}, has: podLevel(nil, list("cpu", "4")),
			want: podLevel(list("cpu", "1", "memory", "2Gi"), list("cpu", "4")),
			set:  []string{"pod: set the cpu request to 1", "pod: set the memory request to 2Gi"},
		},
		{
			name:  "init containers have to limit, too",
			inits: []corev1.Container{container("setup", nil, list("memory", "4Gi"))}, apps: []corev1.Container{limited("a")},
			has: podLevel(list("memory", "1Gi"), nil), want: podLevel(list("cpu", "1", "memory", "1Gi"), list("memory", "4Gi")),
			set: []string{"pod: set the cpu request to 1", "pod: set the memory limit to 4Gi"},
		},
		{
			name: "limits become requests where no container requests",
			apps: []corev1.Container{container("a", nil, nil)}, has: podLevel(nil, list("cpu", "2", "memory", "1Gi")),
			want: podLevel(list("cpu", "2", "memory", "1Gi"), list("cpu", "2", "memory", "1Gi")),
			set:  []string{"pod: set the cpu request to 2", "pod: set the memory request to 1Gi"},
		},
		{
			name: "containers request more than the pod may, which validation refuses",
			apps: []corev1.Container{container("a", list("cpu", "2", "memory", "1Gi"), nil)}, has: podLevel(nil, list("cpu", "1", "memory", "2Gi")),
			want: podLevel(list("cpu", "2", "memory", "1Gi"), list("cpu", "1", "memory", "2Gi")),
			set:  []string{"pod: set the cpu request to 2", "pod: set the memory request to 1Gi"},
		},
		{
			name: "hugepages are limited first",
			apps: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi")), container("b", nil, nil)},
			has:  podLevel(list("memory", "1Gi"), nil),
			want: podLevel(list("memory", "1Gi", "hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi")),
			set:  []string{"pod: set the hugepages-2Mi limit to 4Mi", "pod: set the hugepages-2Mi request to 4Mi"},
		},
		{
			name: "hugepages that the pod requests are limited at last",
			apps: []corev1.Container{container("a", list("hugepages-2Mi", "4Mi"), list("hugepages-2Mi", "4Mi"))},
			has:  podLevel(list("hugepages-2Mi", "8Mi"), nil), want: podLevel(list("hugepages-2Mi", "8Mi"), list("hugepages-2Mi", "8Mi")),
			set: []string{"pod: set the hugepages-2Mi limit to 8Mi"},
		},
		{
			name: "what cannot be set at pod level", apps: []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), list("ephemeral-storage", "1Gi"))},
			has: podLevel(list("ephemeral-storage", "8Gi"), nil), want: podLevel(list("ephemeral-storage", "8Gi"), nil),
		},
		{name: "no containers", has: podLevel(list("cpu", "1"), nil), want: podLevel(list("cpu", "1"), nil)},
		{
			name: "up to 1.36", apps: []corev1.Container{limited("a")}, has: podLevel(list("cpu", "1"), nil), want: podLevel(list("cpu", "1"), nil),
			opts: computeresources.Kubernetes{Release: "1.36"},
		},
		{
			name: "without pod-level resources", apps: []corev1.Container{limited("a")}, has: podLevel(list("cpu", "1"), nil), want: podLevel(list("cpu", "1"), nil),
			opts: computeresources.Kubernetes{PodLevelResources: testkit.Off()},
		},
		{
			name: "without the gate", apps: []corev1.Container{limited("a")}, has: podLevel(list("cpu", "1"), nil), want: podLevel(list("cpu", "1"), nil),
			opts: computeresources.Kubernetes{PodLevelResourcesFixDefaulting: testkit.Off()},
		},
		{
			name: "with the gate in 1.36", apps: []corev1.Container{limited("a")}, has: podLevel(list("cpu", "1", "memory", "1Gi"), list("memory", "1Gi")),
			want: podLevel(list("cpu", "1", "memory", "1Gi"), list("cpu", "1", "memory", "1Gi")),
			opts: computeresources.Kubernetes{Release: "1.36", PodLevelResourcesFixDefaulting: testkit.On()}, set: []string{"pod: set the cpu limit to 1"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			spec := &corev1.PodSpec{InitContainers: test.inits, Containers: test.apps, Resources: test.has, Overhead: list("cpu", "250m")}
			want := spec.DeepCopy()
			want.Resources = test.want
			testkit.NoDiff(t, testkit.Strings(computeresources.ApplyPodLevelDefaults(spec, test.opts)), test.set, "reported")
			testkit.NoDiff(t, spec, want, "spec")
			if again := computeresources.ApplyPodLevelDefaults(spec, test.opts); again != nil {
				t.Errorf("applied again, it sets %v", again)
			}
		})
	}
	if set := computeresources.ApplyPodLevelDefaults(nil, computeresources.Kubernetes{}); set != nil {
		t.Errorf("of nothing: %v", set)
	}
}

func amount(s string) *resource.Quantity {
	q := resource.MustParse(s)
	return &q
}

func TestChangeString(t *testing.T) {
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	proxy := computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}
	for want, change := range map[string]computeresources.Change{
		"container app: set the cpu request to 100m":                     {Ref: app, List: computeresources.Requests, Resource: "cpu", To: amount("100m")},
		"sidecar proxy: change the cpu request from 100m to 200m":        {Ref: proxy, List: computeresources.Requests, Resource: "cpu", From: amount("100m"), To: amount("200m")},
		"pod: remove the memory limit 1Gi":                               {Ref: computeresources.Ref{Kind: computeresources.Pod}, List: computeresources.Limits, Resource: "memory", From: amount("1Gi")},
		"container app: set the memory limit to 1Gi (LimitRange team/a)": {Ref: app, List: computeresources.Limits, Resource: "memory", To: amount("1Gi"), Source: computeresources.Source{Kind: "LimitRange", Namespace: "team", Name: "a"}},
		"unspecified: remove the  unspecified ":                          {},
	} {
		testkit.Equal(t, change.String(), want)
	}
}

func TestSourceString(t *testing.T) {
	for want, source := range map[string]computeresources.Source{
		"pod":                      {},
		"LimitRanges and quotas":   {Kind: "LimitRanges and quotas"},
		"LimitRange defaults":      {Kind: "LimitRange", Name: "defaults", Field: "spec.limits[0]"},
		"LimitRange team/defaults": {Kind: "LimitRange", Namespace: "team", Name: "defaults", Field: "spec.limits[0]"},
	} {
		testkit.Equal(t, source.String(), want)
	}
}

func TestApplyChanges(t *testing.T) {
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	setup := computeresources.Ref{Kind: computeresources.Init, Name: "setup"}
	proxy := computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}
	pod := computeresources.Ref{Kind: computeresources.Pod}
	const requests, limits = computeresources.Requests, computeresources.Limits
	spec := func(of func(*corev1.PodSpec)) *corev1.PodSpec {
		s := &corev1.PodSpec{
			InitContainers: []corev1.Container{container("setup", nil, nil), sidecar("proxy", nil, list("cpu", "1"))},
			Containers:     []corev1.Container{container("app", list("cpu", "1"), nil)},
		}
		of(s)
		return s
	}
	unchanged := func(*corev1.PodSpec) {}
	tests := []struct {
		name    string
		changes []computeresources.Change
		want    *corev1.PodSpec
		err     string
	}{
		{"none", nil, spec(unchanged), ""},
		{"a request that was not set", []computeresources.Change{{Ref: setup, List: requests, Resource: "cpu", To: amount("2")}},
			spec(func(s *corev1.PodSpec) { s.InitContainers[0].Resources.Requests = list("cpu", "2") }), ""},
		{"a limit that was set, with another From", []computeresources.Change{{Ref: proxy, List: limits, Resource: "cpu", From: amount("7"), To: amount("2")}},
			spec(func(s *corev1.PodSpec) { s.InitContainers[1].Resources.Limits = list("cpu", "2") }), ""},
		{"removed", []computeresources.Change{{Ref: app, List: requests, Resource: "cpu", From: amount("1")}},
			spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = list() }), ""},
		{"the last one counts", []computeresources.Change{{Ref: app, List: requests, Resource: "cpu", To: amount("2")}, {Ref: app, List: requests, Resource: "cpu", To: amount("3")}},
			spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = list("cpu", "3") }), ""},
		{"pod-level resources", []computeresources.Change{{Ref: pod, List: limits, Resource: "memory", To: amount("1Gi")}},
			spec(func(s *corev1.PodSpec) { s.Resources = &corev1.ResourceRequirements{Limits: list("memory", "1Gi")} }), ""},
		{"remove missing pod-level resources", []computeresources.Change{{Ref: pod, List: limits, Resource: "memory"}}, spec(unchanged), ""},
		{"remove missing amount", []computeresources.Change{{Ref: setup, List: limits, Resource: "memory"}}, spec(unchanged), ""},
		{"container name not in the spec", []computeresources.Change{{Ref: app, List: requests, Resource: "cpu", To: amount("2")}, {Ref: computeresources.Ref{Kind: computeresources.App, Name: "gone"}, List: requests, Resource: "cpu", To: amount("3")}},
			spec(unchanged), "container gone: set the cpu request to 3: index 0: not in the pod spec"},
		{"index out of range", []computeresources.Change{{Ref: computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "app"}, List: requests, Resource: "cpu", To: amount("3")}},
			spec(func(s *corev1.PodSpec) { s.Containers[0].Resources.Requests = list("cpu", "3") }), ""}, // the name counts
		{"negative index", []computeresources.Change{{Ref: computeresources.Ref{Kind: computeresources.App, Index: -1}, List: requests, Resource: "cpu", To: amount("3")}},
			spec(unchanged), "container : set the cpu request to 3: index -1: not in the pod spec"},
		{"no part", []computeresources.Change{{List: requests, Resource: "cpu", To: amount("3")}},
			spec(unchanged), "unspecified: set the cpu request to 3: index 0: not in the pod spec"},
		{"no list", []computeresources.Change{{Ref: app, List: requests, Resource: "cpu", To: amount("2")}, {Ref: app, Resource: "cpu", To: amount("3")}},
			spec(unchanged), "container app: set the cpu unspecified to 3: index 0: neither a request nor a limit"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := spec(unchanged)
			err := computeresources.ApplyChanges(got, test.changes)
			testkit.Equal(t, errorText(err), test.err, "error")
			testkit.NoDiff(t, got, test.want)
		})
	}
	if err := computeresources.ApplyChanges(nil, nil); err != nil {
		t.Errorf("nothing in a nil spec: %v", err)
	}
	if err := computeresources.ApplyChanges(nil, []computeresources.Change{{Ref: pod, List: limits, Resource: "cpu", To: amount("1")}}); err == nil {
		t.Error("a change of a nil spec is applied")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The changes of ApplyRequestDefaults, applied to the original spec, give the same spec, except
// for rounding, which it does not report. None of them was set before, and a second call has nothing to do.
// Applied amounts belong to the spec, and an error leaves the spec unchanged.
func TestApplyChangesOfDefaults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		opts := computeresources.Kubernetes{
			Release:           rapid.SampledFrom([]string{"1.36", "1.37"}).Draw(t, "release"),
			PodLevelResources: testkit.OffIf(rapid.Bool().Draw(t, "ignore pod level")),
		}
		replayed := spec.DeepCopy()
		before := spec.DeepCopy()
		changes := computeresources.ApplyRequestDefaults(spec, opts)
		changes = append(changes, computeresources.ApplyPodLevelDefaults(spec, opts)...)
		for _, c := range changes {
			_, isSet := c.List.Of(c.Ref.Resources(before))[c.Resource]
			if isSet || c.From != nil || c.Source != (computeresources.Source{}) {
				t.Fatalf("%v was set already, or by another object", c)
			}
		}
		more := computeresources.ApplyRequestDefaults(spec.DeepCopy(), opts)
		more = append(more, computeresources.ApplyPodLevelDefaults(spec.DeepCopy(), opts)...)
		if len(more) > 0 {
			t.Fatalf("applied again, it sets %v", more)
		}
		testkit.OK(t, computeresources.ApplyChanges(replayed, changes))
		thousandths(replayed)
		testkit.NoDiff(t, replayed, spec)
		after := testkit.Fingerprint(replayed)
		bad := computeresources.Change{Ref: computeresources.Ref{Kind: computeresources.App, Index: 1000}, List: computeresources.Limits}
		if err := computeresources.ApplyChanges(replayed, append(changes, bad)); err == nil || testkit.Fingerprint(replayed) != after {
			t.Fatalf("error %v, or the spec has changed", err)
		}
		testkit.Scramble(changes)
		testkit.Equal(t, testkit.Fingerprint(replayed), after, "the changes share memory with the spec")
	})
}

// Without pod-level resources, the pod-level lists are only rounded.
func TestDefaultsIgnorePodLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Spec().Draw(t, "spec")
		want, bare := spec.DeepCopy(), spec.DeepCopy()
		bare.Resources = nil
		set := computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{PodLevelResources: new(bool)})
		thousandths(want)
		testkit.NoDiff(t, spec.Resources, want.Resources, "pod-level resources")
		wanted := computeresources.ApplyRequestDefaults(bare, computeresources.Kubernetes{})
		testkit.NoDiff(t, set, wanted)
		spec.Resources = nil
		testkit.NoDiff(t, spec, bare)
	})
}

// A request of hugepages without a limit is not one of the pod: the server derives those from limits, and rejects the
// container. The capacity buffers of the cluster autoscaler take it over.
// See docs/decisions/computeresources.md#hugepages-need-a-limit.
func TestDivergenceHugePagesWithoutALimit(t *testing.T) {
	spec := &corev1.PodSpec{
		Resources:  &corev1.ResourceRequirements{Limits: testkit.List("cpu", "1")},
		Containers: []corev1.Container{testkit.Container("app", testkit.List("hugepages-2Mi", "1Gi"), nil)},
	}
	computeresources.ApplyPodLevelDefaults(spec, computeresources.Kubernetes{})
	testkit.Equal(t, len(spec.Resources.Requests), 1, "requests of the pod")
	if err := computeresources.Validate(nil, spec, computeresources.Kubernetes{}).Err(); err == nil {
		t.Error("the server would store it")
	}
}
