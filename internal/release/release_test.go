package release_test

import (
	"reflect"
	"testing"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// releases are those whose rules are known, oldest first.
var releases = []string{"1.33", "1.34", "1.35", "1.36", "1.37", "1.38"}

// rules are all questions, with the first release in which a default cluster says yes, and the gate that decides, if
// there is one. The defaults of gates are those of pkg/features/kube_features.go of the releases.
var rules = []struct {
	name  string
	since string
	gate  string
	asks  func(release.Rules) bool
}{
	{"CountsPodLevel", "1.34", "PodLevelResources", release.Rules.CountsPodLevel},
	{"ResizesPodLevel", "1.36", "InPlacePodLevelResourcesVerticalScaling", release.Rules.ResizesPodLevel},
	{"ResizesInitContainers", "1.36", "InPlacePodVerticalScalingInitContainers", release.Rules.ResizesInitContainers},
	{"ChecksDeclaredFeatures", "1.36", "NodeDeclaredFeatures", release.Rules.ChecksDeclaredFeatures},
	{"DefaultsPodLevelBeforeStoring", "1.37", "PodLevelResourcesFixDefaulting", release.Rules.DefaultsPodLevelBeforeStoring},
	{"ClassIgnoresEmptyPodLevel", "1.37", "PodLevelResourcesFixKubeletQOSClass", release.Rules.ClassIgnoresEmptyPodLevel},
	{"ClassifiesEachContainer", "1.37", "", release.Rules.ClassifiesEachContainer},
	{"IgnoresMemoryDeficit", "1.37", "", release.Rules.IgnoresMemoryDeficit},
	{"ComparesSumsOfResize", "1.37", "", release.Rules.ComparesSumsOfResize},
}

func TestRules(t *testing.T) {
	for _, rule := range rules {
		for _, name := range releases {
			testkit.Equal(t, rule.asks(release.Rules{Release: name}), name >= rule.since, rule.name, "of", name)
			if rule.gate == "" {
				continue
			}
			for _, on := range []bool{true, false} {
				r := release.Rules{Release: name}
				r.PodLevelResources = &on // on which others depend
				reflect.ValueOf(&r).Elem().FieldByName(rule.gate).Set(reflect.ValueOf(&on))
				testkit.Equal(t, rule.asks(r), on, rule.name, "of", name, "with the gate", on)
			}
		}
		testkit.Equal(t, rule.asks(release.Rules{}), rule.asks(release.Rules{Release: "1.37"}), rule.name, "by default")
	}
}

// Each method is a row of the table above, and each field but the release is the gate of one.
func TestEveryRuleIsListed(t *testing.T) {
	listed, gates := map[string]bool{}, map[string]bool{"Release": true}
	for _, rule := range rules {
		listed[rule.name], gates[rule.gate] = true, true
	}
	of := reflect.TypeFor[release.Rules]()
	for i := range of.NumMethod() {
		if name := of.Method(i).Name; !listed[name] {
			t.Errorf("the rule %s is not in the table", name)
		}
	}
	for i := range of.NumField() {
		if name := of.Field(i).Name; !gates[name] {
			t.Errorf("no rule of the table has the gate %s", name)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ version, want string }{
		{"1.33", "1.33"}, {"1.38", "1.38"}, {"v1.36.3", "1.36"}, {"1.36+", "1.36"}, {"v1.37.2-gke.100", "1.37"},
		{"v1.38.0-beta.0", "1.38"}, {"1.35-eks-1", "1.35"},
		{"", ""}, {"1.32", ""}, {"1.39", ""}, {"2.36", ""}, {"1.36x", ""}, {"36", ""}, {"1.", ""}, {"1.x", ""},
		{"1.99999999999999999999", ""}, {"11.36", ""}, {"vv1.36", ""}, {"1.-36", ""}, {" 1.36", ""},
	} {
		got, err := release.Parse(test.version)
		testkit.Equal(t, got, test.want, "the release of", test.version)
		testkit.Equal(t, err == nil, test.want != "", "an error for", test.version)
	}
	_, err := release.Parse("1.32")
	want := `unknown release of Kubernetes "1.32": must be one of 1.33, 1.34, 1.35, 1.36, 1.37, 1.38`
	testkit.Equal(t, err.Error(), want, "the error")
}

// A text that is no release still has an answer: an older one that of 1.33, a newer one that of 1.38, and any other
// text that of 1.37.
func TestUnknownReleases(t *testing.T) {
	for text, want := range map[string]string{"1.20": "1.33", "1.9": "1.33", "1.39": "1.38", "1.50": "1.38", "latest": "1.37", "2.0": "1.37", "v1.36.3": "1.36"} {
		for _, rule := range rules {
			testkit.Equal(t, rule.asks(release.Rules{Release: text}), want >= rule.since, rule.name, "of", text)
		}
	}
}
