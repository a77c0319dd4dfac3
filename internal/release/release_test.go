package release_test

import (
	_ "embed"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
)

// releases are those whose rules are known, oldest first.
var releases = []string{"1.33", "1.34", "1.35", "1.36", "1.37", "1.38"}

// gates are the defaults of gates by name and release: on, or off.
var gates = readGates()

//go:embed testdata/gates.tsv
var gatesTable string

func readGates() map[string]map[string]bool {
	gates := map[string]map[string]bool{}
	var columns []string
	for line := range strings.Lines(gatesTable) {
		fields := strings.Fields(line)
		switch fields[0] {
		case "#":
		case "gate":
			columns = fields
		default:
			gates[fields[0]] = map[string]bool{}
			for i, text := range fields[1:] {
				gates[fields[0]][columns[i+1]] = strings.HasSuffix(text, "+")
			}
		}
	}
	return gates
}

// rule is a question, with the first release in which a default cluster says yes, and the gate that decides, if there is
// one.
type rule struct {
	name  string
	since string
	gate  string
	asks  func(release.Rules) bool
}

// isYesIn reports whether a default cluster of a release says yes.
func (r rule) isYesIn(name string) bool {
	if r.gate != "" {
		return gates[r.gate][name]
	}
	return name >= r.since
}

// Each gate has a default in each release, and its rule names the first release in which that is on.
func TestDefaultsOfGates(t *testing.T) {
	for _, rule := range rules {
		if rule.gate == "" {
			continue
		}
		testkit.NoDiff(t, slices.Sorted(maps.Keys(gates[rule.gate])), releases, "the releases of", rule.gate)
		first := slices.IndexFunc(releases, rule.isYesIn)
		testkit.Equal(t, releases[first], rule.since, rule.name)
	}
	of := reflect.TypeFor[release.Rules]()
	for i := range of.NumField() {
		if name := of.Field(i).Name; name != "Release" && gates[name] == nil {
			t.Errorf("the gate %s has no defaults", name)
		}
	}
}

// rules are all questions.
var rules = []rule{
	{"CountsPodLevel", "1.34", "PodLevelResources", release.Rules.CountsPodLevel},
	{"ResizesPodLevel", "1.36", "InPlacePodLevelResourcesVerticalScaling", release.Rules.ResizesPodLevel},
	{"ResizesInitContainers", "1.36", "InPlacePodVerticalScalingInitContainers", release.Rules.ResizesInitContainers},
	{"ChecksDeclaredFeatures", "1.36", "NodeDeclaredFeatures", release.Rules.ChecksDeclaredFeatures},
	{"DefaultsPodLevelBeforeStoring", "1.37", "PodLevelResourcesFixDefaulting", release.Rules.DefaultsPodLevelBeforeStoring},
	{"ClassIgnoresEmptyPodLevel", "1.37", "PodLevelResourcesFixKubeletQOSClass", release.Rules.ClassIgnoresEmptyPodLevel},
	{"ClassifiesEachContainer", "1.37", "", release.Rules.ClassifiesEachContainer},
	{"IgnoresMemoryDeficit", "1.37", "", release.Rules.IgnoresMemoryDeficit},
	{"ComparesSumsOfResize", "1.37", "", release.Rules.ComparesSumsOfResize},
	{"ComparesBoundsExactly", "1.38", "", release.Rules.ComparesBoundsExactly},
	{"OmitsPartialLimits", "1.38", "", release.Rules.OmitsPartialLimits},
	{"AddsClaimsToEveryLimit", "1.38", "", release.Rules.AddsClaimsToEveryLimit},
	{"DescribesStatus", "1.38", "", release.Rules.DescribesStatus},
	{"SkipsStoredQuotaAmounts", "1.38", "", release.Rules.SkipsStoredQuotaAmounts},
	{"UpdatesSeveralReplicas", "1.35", "MaxUnavailableStatefulSet", release.Rules.UpdatesSeveralReplicas},
	{"ReplacesWaitingReplicasFirst", "1.37", "", release.Rules.ReplacesWaitingReplicasFirst},
	{"CountsReplicasAbovePartition", "1.38", "", release.Rules.CountsReplicasAbovePartition},
	{"RemovesExcessReplicasFirst", "1.38", "", release.Rules.RemovesExcessReplicasFirst},
	{"RecreatesStatefulSets", "1.38", "StatefulSetRecreateStrategy", release.Rules.RecreatesStatefulSets},
	{"SkipsUnchangedAmounts", "1.38", "", release.Rules.SkipsUnchangedAmounts},
	{"StopsAtViolatedBudget", "1.37", "", release.Rules.StopsAtViolatedBudget},
	{"BudgetsOfAllPods", "1.38", "", release.Rules.BudgetsOfAllPods},
	{"LimitsStorageOfSidecars", "1.37", "", release.Rules.LimitsStorageOfSidecars},
	{"NamesAllocationMode", "1.38", "", release.Rules.NamesAllocationMode},
	{"ForgetsResizesOfTerminating", "1.38", "", release.Rules.ForgetsResizesOfTerminating},
	{"EnforcesMemoryQoS", "1.37", "MemoryQoS", release.Rules.EnforcesMemoryQoS},
	{"ThrottlesOnlyWithFactor", "1.37", "", release.Rules.ThrottlesOnlyWithFactor},
	{"ThrottlesPodLevel", "1.37", "", release.Rules.ThrottlesPodLevel},
	{"ReservesLowAtRoot", "1.37", "", release.Rules.ReservesLowAtRoot},
	{"ResetsMemoryQoS", "1.37", "", release.Rules.ResetsMemoryQoS},
}

func TestRules(t *testing.T) {
	for _, rule := range rules {
		for _, name := range releases {
			testkit.Equal(t, rule.asks(release.Rules{Release: name}), rule.isYesIn(name), rule.name, "of", name)
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
			testkit.Equal(t, rule.asks(release.Rules{Release: text}), rule.isYesIn(want), rule.name, "of", text)
		}
	}
}
