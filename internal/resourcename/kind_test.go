package resourcename_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestScale(t *testing.T) {
	testkit.Equal(t, resourcename.Scale("cpu"), resource.Milli)
	for _, name := range []corev1.ResourceName{"memory", "requests.cpu", "example.com/gpu"} {
		testkit.Equal(t, resourcename.Scale(name), 0, name)
	}
}

// What each name is, as the API server and quotas see it.
func TestKinds(t *testing.T) {
	kinds := []struct {
		name string
		is   func(corev1.ResourceName) bool
	}{
		{"native", resourcename.IsNative}, {"extended", resourcename.IsExtended}, {"pages", resourcename.IsHugePages},
		{"overcommit", resourcename.IsOvercommitAllowed}, {"integer", resourcename.IsInteger}, {"standard", resourcename.IsStandard},
		{"quota", resourcename.IsStandardOfQuota}, {"container", resourcename.IsOfContainers}, {"pod", resourcename.IsPodLevel},
		{"hard", func(name corev1.ResourceName) bool {
			return len(resourcename.ValidateOfQuota(name, field.NewPath("hard"))) == 0
		}},
	}
	const object = "native overcommit integer standard quota hard"
	for name, want := range map[corev1.ResourceName]string{
		"cpu":                        "native overcommit standard quota container pod hard",
		"memory":                     "native overcommit standard quota container pod hard",
		"ephemeral-storage":          "native overcommit standard quota container hard",
		"hugepages-2Mi":              "native pages standard quota container pod hard",
		"hugepages-":                 "native pages standard quota container pod",
		"requests.hugepages-2Mi":     "native overcommit standard quota hard",
		"limits.hugepages-2Mi":       "native overcommit",
		"storage":                    "native overcommit standard",
		"requests.storage":           "native overcommit standard quota hard",
		"requests.cpu":               "native overcommit standard quota hard",
		"requests.memory":            "native overcommit standard quota hard",
		"requests.ephemeral-storage": "native overcommit standard quota hard",
		"limits.cpu":                 "native overcommit standard quota hard",
		"limits.memory":              "native overcommit standard quota hard",
		"limits.ephemeral-storage":   "native overcommit standard quota hard",
		"pods":                       object, "resourcequotas": object, "services": object, "replicationcontrollers": object, "secrets": object,
		"configmaps": object, "persistentvolumeclaims": object, "services.nodeports": object, "services.loadbalancers": object,
		"": "native overcommit", "unknown": "native overcommit", "CPU": "native overcommit",
		"kubernetes.io/x":        "native overcommit hard",
		"node.kubernetes.io/x":   "native overcommit hard",
		"example.com/gpu":        "extended integer hard",
		"count/pods":             "extended integer hard",
		"requests.example.com/x": "hard",
		"example.com/not a name": "",
		"example.com/" + corev1.ResourceName(strings.Repeat("x", 64)): "",
	} {
		var are []string
		for _, kind := range kinds {
			if kind.is(name) {
				are = append(are, kind.name)
			}
		}
		testkit.Equal(t, strings.Join(are, " "), want, name)
	}
}

// Every name of a domain and a slash is extended if it is valid behind the prefix, and only
// then, whichever way that is found out.
func TestExtendedNamesAreValid(t *testing.T) {
	part := rapid.StringOfN(rapid.SampledFrom([]rune("abzAZ09.-_/ \x00é`{@[")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		domain, name := part.Draw(t, "domain"), part.Draw(t, "name")
		switch rapid.IntRange(0, 9).Draw(t, "length") {
		case 0:
			domain = strings.Repeat("a", rapid.IntRange(60, 70).Draw(t, "of the domain"))
		case 1:
			name = strings.Repeat("A", rapid.IntRange(60, 70).Draw(t, "of the name"))
		}
		testkit.Equal(t, resourcename.IsExtended(corev1.ResourceName(domain+"/"+name)), len(validation.IsQualifiedName("requests."+domain+"/"+name)) == 0, domain+"/"+name)
	})
	for name, want := range map[corev1.ResourceName]bool{
		"a/b": true, "a.b/C9": true, ".a/b": false, "a./b": false, "a..b/c": false, "/b": false, "a/": false, "A/b": false,
		"a-/b": false, "a/b-": false, "a/b-c": true, "a/b/c": false, "requests./b": false, "kubernetes.io/b": false,
	} {
		testkit.Equal(t, resourcename.IsExtended(name), want, name)
	}
	if got := testing.AllocsPerRun(10, func() { resourcename.IsExtended("nvidia.com/gpu") }); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

func TestValidate(t *testing.T) {
	const standard, ofContainers, extended = "must be a standard resource type or fully qualified", "must be a standard resource for containers", "doesn't follow extended resource name standard"
	tests := []struct {
		name                corev1.ResourceName
		anywhere, container []string
	}{
		{"cpu", nil, nil},
		{"memory", nil, nil},
		{"ephemeral-storage", nil, nil},
		{"hugepages-2Mi", nil, nil},
		{"example.com/gpu", nil, nil},
		{"kubernetes.io/x", nil, nil},
		{"storage", nil, []string{ofContainers}},
		{"pods", nil, []string{ofContainers}},
		{"requests.cpu", nil, []string{ofContainers}},
		{"limits.memory", nil, []string{ofContainers}},
		{"requests.hugepages-2Mi", nil, []string{ofContainers}},
		{"persistentvolumeclaims", nil, []string{ofContainers}},
		{"services.loadbalancers", nil, []string{ofContainers}},
		{"unknown", []string{standard}, []string{standard, ofContainers}},
		{"requests.example.com/x", nil, []string{extended}},
	}
	for _, test := range tests {
		path := field.NewPath("x")
		for where, got := range map[string]field.ErrorList{"anywhere": resourcename.Validate(test.name, path), "in a container": resourcename.ValidateOfContainer(test.name, path)} {
			want := test.anywhere
			if where == "in a container" {
				want = test.container
			}
			var details []string
			for _, err := range got {
				details = append(details, err.Detail)
				if err.Field != "x" || err.BadValue != test.name || err.Type != field.ErrorTypeInvalid {
					t.Errorf("%s: %+v", test.name, err)
				}
			}
			testkit.NoDiff(t, details, want, test.name, where)
		}
	}
	if errs := resourcename.Validate("a b", nil); len(errs) != 1 {
		t.Errorf("of a name that is not qualified, nothing else is said: %v", errs)
	}
	for _, name := range []corev1.ResourceName{"", "a b", "/x", "a/b/c", "Example.com/x"} {
		if len(resourcename.Validate(name, nil)) == 0 {
			t.Errorf("%q is no name", name)
		}
	}
}

func TestNamesKeepTheContract(t *testing.T) {
	path := field.NewPath("spec").Child("hard")
	for _, name := range []corev1.ResourceName{"cpu", "unknown", "requests.example.com/x", "a b"} {
		testkit.Contract(t, func() any { return resourcename.Validate(name, path) }, path)
		testkit.Contract(t, func() any { return resourcename.ValidateOfContainer(name, path) }, path)
		testkit.Contract(t, func() any { return resourcename.ValidateOfQuota(name, path) }, path)
	}
	for _, name := range []corev1.ResourceName{"hugepages-2Mi", "hugepages-1.5Gi", "hugepages-x"} {
		testkit.Contract(t, func() any { size, ok := resourcename.HugePageSize(name); return []any{&size, ok} })
	}
}

func TestPodLevelNames(t *testing.T) {
	testkit.NoDiff(t, resourcename.PodLevelNames(), []corev1.ResourceName{"cpu", "hugepages-", "memory"})
}

func TestSetsPodLevel(t *testing.T) {
	list := testkit.List
	for _, test := range []struct {
		name string
		spec *corev1.PodSpec
		want bool
	}{
		{"no spec", nil, false},
		{"no requirements", &corev1.PodSpec{}, false},
		{"set to an empty list", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{}}, false},
		{"a request of zero", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("cpu", "0")}}, true},
		{"a limit", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("hugepages-2Mi", "2Mi")}}, true},
		{"a resource that cannot be set at pod level", &corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("ephemeral-storage", "1"), Requests: list("example.com/gpu", "1")}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, resourcename.SetsPodLevel(test.spec), test.want, "SetsPodLevel")
		})
	}
}

func TestHugePageSize(t *testing.T) {
	tests := []struct {
		name corev1.ResourceName
		want string // "" means no size
	}{
		{"hugepages-2Mi", "2Mi"},
		{"hugepages-1Gi", "1Gi"},
		{"hugepages-64Ki", "64Ki"},
		{"hugepages-1000", "1k"},
		{"hugepages-1.5", "1500m"},
		{"hugepages-1n", "1n"},
		{"hugepages-10P", "10P"},
		{"hugepages-100000P", "100E"},
		{"hugepages-1E", "1E"},
		{"hugepages-1Ei", "1Ei"},
		{"hugepages-1e3", "1e3"},
		{"hugepages-1E3", "1E3"},
		{"hugepages-1e-3", "1e-3"},
		{"hugepages-1e999", "1e999"},
		{"hugepages-1e1000", ""},
		{"hugepages-1e1000000000", ""},
		{"hugepages-1e-1000000000", ""},
		{"hugepages-e", ""},
		{"hugepages-0", ""},
		{"hugepages--2Mi", ""},
		{"hugepages-", ""},
		{"hugepages-two", ""},
		{"hugepages", ""},
		{"xhugepages-2Mi", ""},
		{"requests.hugepages-2Mi", ""},
		{"2Mi", ""},
		{"", ""},
	}
	for _, test := range tests {
		t.Run(string(test.name), func(t *testing.T) {
			if got, ok := resourcename.HugePageSize(test.name); ok != (test.want != "") || ok && got.String() != test.want {
				t.Errorf("HugePageSize %s, %v, want %q", got.String(), ok, test.want)
			}
		})
	}
}
