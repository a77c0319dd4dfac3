package resourcelist_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestKinds(t *testing.T) {
	type kinds struct{ hugePages, native, extended, overcommitable, whole bool }
	tests := map[corev1.ResourceName]kinds{
		"cpu":                    {false, true, false, true, false},
		"memory":                 {false, true, false, true, false},
		"hugepages-2Mi":          {true, true, false, false, false},
		"hugepages-":             {true, true, false, false, false},
		"":                       {false, true, false, true, false},
		"unknown":                {false, true, false, true, false},
		"example.com/gpu":        {false, false, true, false, true},
		"kubernetes.io/x":        {false, true, false, true, false},
		"node.kubernetes.io/x":   {false, true, false, true, false},
		"requests.example.com/x": {false, false, false, false, false},
		"example.com/not a name": {false, false, false, false, false},
		"pods":                   {false, true, false, true, true},
		"resourcequotas":         {false, true, false, true, true},
		"services":               {false, true, false, true, true},
		"replicationcontrollers": {false, true, false, true, true},
		"secrets":                {false, true, false, true, true},
		"configmaps":             {false, true, false, true, true},
		"persistentvolumeclaims": {false, true, false, true, true},
		"services.nodeports":     {false, true, false, true, true},
		"services.loadbalancers": {false, true, false, true, true},
		"requests.storage":       {false, true, false, true, false},
		"example.com/" + corev1.ResourceName(make64()): {false, false, false, false, false},
	}
	for name, want := range tests {
		got := kinds{resourcelist.IsHugePages(name), resourcename.IsNative(name), resourcelist.IsExtended(name), resourcename.IsOvercommitAllowed(name), resourcename.IsInteger(name)}
		if got != want {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
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
		if got, want := resourcelist.IsExtended(corev1.ResourceName(domain+"/"+name)), len(validation.IsQualifiedName("requests."+domain+"/"+name)) == 0; got != want {
			t.Fatalf("%q: %v, want %v", domain+"/"+name, got, want)
		}
	})
	for name, want := range map[corev1.ResourceName]bool{
		"a/b": true, "a.b/C9": true, ".a/b": false, "a./b": false, "a..b/c": false, "/b": false, "a/": false, "A/b": false,
		"a-/b": false, "a/b-": false, "a/b-c": true, "a/b/c": false, "requests./b": false, "kubernetes.io/b": false,
	} {
		if got := resourcelist.IsExtended(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	if got := testing.AllocsPerRun(10, func() { resourcelist.IsExtended("nvidia.com/gpu") }); got > 0 {
		t.Errorf("%v allocations, want none", got)
	}
}

// make64 is one character more than the part behind the domain may have.
func make64() string {
	var b [64]byte
	for i := range b {
		b[i] = 'x'
	}
	return string(b[:])
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
			if diff := cmp.Diff(want, details); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", test.name, where, diff)
			}
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

func TestNamesInQuotas(t *testing.T) {
	for name, want := range map[corev1.ResourceName]bool{
		"cpu": true, "requests.cpu": true, "limits.ephemeral-storage": true, "pods": true, "services.nodeports": true,
		"hugepages-2Mi": true, "requests.hugepages-2Mi": true, "limits.hugepages-2Mi": false,
		"storage": false, "requests.storage": true, "unknown": false, "": false, "count/pods": false, "nvidia.com/gpu": false,
	} {
		if got := resourcename.IsStandardOfQuota(name); got != want {
			t.Errorf("%q is one of quotas: %v, want %v", name, got, want)
		}
		errs := resourcename.ValidateOfQuota(name, field.NewPath("hard"))
		withDomain := name == "count/pods" || name == "nvidia.com/gpu"
		if valid := len(errs) == 0; valid != (want || withDomain) {
			t.Errorf("%q: %v", name, errs)
		}
	}
}
