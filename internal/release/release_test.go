package release_test

import (
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
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

// rule is a question, with the first release in which a default cluster says yes, the gate that decides, if there is
// one, and what it is in docs/versions.md.
type rule struct {
	name  string
	since string
	gate  string
	asks  func(release.Rules) bool
	says  string
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
	{"CountsPodLevel", "1.34", "PodLevelResources", release.Rules.CountsPodLevel,
		"`spec.resources` counts"},
	{"ResizesPodLevel", "1.36", "InPlacePodLevelResourcesVerticalScaling", release.Rules.ResizesPodLevel,
		"Pods with pod-level resources can be resized, and the scheduler counts their pod-level status"},
	{"ResizesInitContainers", "1.36", "InPlacePodVerticalScalingInitContainers", release.Rules.ResizesInitContainers,
		"Init containers that run to completion can be resized"},
	{"ChecksDeclaredFeatures", "1.36", "NodeDeclaredFeatures", release.Rules.ChecksDeclaredFeatures,
		"A pod needs the features that its node declares, when it is scheduled and when it is resized"},
	{"DefaultsPodLevelBeforeStoring", "1.37", "PodLevelResourcesFixDefaulting", release.Rules.DefaultsPodLevelBeforeStoring,
		"Pod-level defaults come after those of LimitRanges, and include limits; an update keeps the `spec.resources` that it lacks"},
	{"ClassIgnoresEmptyPodLevel", "1.37", "PodLevelResourcesFixKubeletQOSClass", release.Rules.ClassIgnoresEmptyPodLevel,
		"`spec.resources` decides on the class only if it sets cpu, memory or hugepages, and not if it is empty"},
	{"ClassifiesEachContainer", "1.37", "", release.Rules.ClassifiesEachContainer,
		"Each container of a Guaranteed pod requests its limits, instead of all together (pods that no cluster admits)"},
	{"IgnoresMemoryDeficit", "1.37", "", release.Rules.IgnoresMemoryDeficit,
		"Containers that request more memory than their pod do not lower its share in `oom_score_adj` (pods that no cluster admits)"},
	{"ComparesSumsOfResize", "1.37", "", release.Rules.ComparesSumsOfResize,
		"Of a pod that is being resized, the largest of the sums of the spec, of the allocated and of the actual resources counts; before, the sum of the largest amounts of each container"},
	{"CountsImplicitNames", "1.35", "", release.Rules.CountsImplicitNames,
		"Quotas count what pods request as `deviceclass.resource.kubernetes.io/<class>`"},
	{"DelegatesExtendedResources", "1.36", "", release.Rules.DelegatesExtendedResources,
		"The scheduler claims devices for an extended resource of a DeviceClass on nodes that do not have it (`DRAExtendedResource`)"},
	{"LowersMemoryLimits", "1.34", "", release.Rules.LowersMemoryLimits,
		"A resize may lower or add the memory limit of a container that it does not restart"},
	{"NamesGateOfPodLevelResize", "1.35", "", release.Rules.NamesGateOfPodLevelResize,
		"The gate is named where pod-level resources cannot be resized"},
	{"NamesResizedSidecar", "1.36", "", release.Rules.NamesResizedSidecar,
		"The sidecar is named of which more than cpu and memory changes"},
	{"ChecksPolicyOfInitContainers", "1.36", "", release.Rules.ChecksPolicyOfInitContainers,
		"The resize policy of an init container that runs to completion must not restart it"},
	{"ResizesWithClaims", "1.37", "", release.Rules.ResizesWithClaims,
		"Containers with claims can be resized"},
	{"ResizesWithNodeClaims", "1.37", "", release.Rules.ResizesWithNodeClaims,
		"Pods with claims for node-allocatable resources can be resized"},
	{"KeepsPartsOfPagesAtPodLevel", "1.38", "", release.Rules.KeepsPartsOfPagesAtPodLevel,
		"A pod with part of a hugepage in `spec.resources` can be updated"},
	{"ResizesOnAnyNode", "1.38", "", release.Rules.ResizesOnAnyNode,
		"A resize does not need a kubelet that reports the resources of containers"},
	{"ComparesBoundsExactly", "1.38", "", release.Rules.ComparesBoundsExactly,
		"A LimitRange compares amounts and ratios exactly; before, rounded integers, and ratios as floats"},
	{"OmitsPartialLimits", "1.38", "", release.Rules.OmitsPartialLimits,
		"The limit of a pod has no cpu or memory if one of its containers has no limit of it"},
	{"AddsClaimsToEveryLimit", "1.38", "", release.Rules.AddsClaimsToEveryLimit,
		"Claims for node-allocatable resources are added to the limit of a pod whose containers do not set it"},
	{"DescribesStatus", "1.38", "", release.Rules.DescribesStatus,
		"The totals of `kubectl describe node` count the status of pods"},
	{"SkipsStoredQuotaAmounts", "1.38", "", release.Rules.SkipsStoredQuotaAmounts,
		"The validation of a ResourceQuota accepts the amounts that it has already"},
	{"UpdatesSeveralReplicas", "1.35", "MaxUnavailableStatefulSet", release.Rules.UpdatesSeveralReplicas,
		"`maxUnavailable` of a StatefulSet counts"},
	{"ReplacesWaitingReplicasFirst", "1.37", "", release.Rules.ReplacesWaitingReplicasFirst,
		"With it, pods that are managed in parallel and wait already are replaced first"},
	{"CountsReplicasAbovePartition", "1.38", "", release.Rules.CountsReplicasAbovePartition,
		"With it, pods below the partition do not count"},
	{"RemovesExcessReplicasFirst", "1.38", "", release.Rules.RemovesExcessReplicasFirst,
		"A StatefulSet that manages its pods in parallel deletes those beyond its replicas first"},
	{"NamesFixedFields", "1.37", "", release.Rules.NamesFixedFields,
		"Each field of a StatefulSet is named that an update changes and cannot change; before, all others are listed"},
	{"RecreatesStatefulSets", "1.38", "StatefulSetRecreateStrategy", release.Rules.RecreatesStatefulSets,
		"A StatefulSet may have the strategy Recreate"},
	{"SkipsUnchangedAmounts", "1.38", "", release.Rules.SkipsUnchangedAmounts,
		"A LimitRange checks of an update only the amounts that it changes"},
	{"ScoresStorageCapacity", "1.37", "", release.Rules.ScoresStorageCapacity,
		"The scheduler prefers nodes of whose storage a pod uses less"},
	{"CountsImageVolumes", "1.37", "", release.Rules.CountsImageVolumes,
		"The scheduler compares the images that a node has with those of volumes, too"},
	{"CountsEmptySelector", "1.38", "", release.Rules.CountsEmptySelector,
		"A topology spread constraint with an empty label selector counts all pods of the namespace"},
	{"StopsAtViolatedBudget", "1.37", "", release.Rules.StopsAtViolatedBudget,
		"A pod counts in its budgets, when others preempt it, up to the first that it violates; before, in all"},
	{"BudgetsOfAllPods", "1.38", "", release.Rules.BudgetsOfAllPods,
		"A budget with an empty selector protects all pods from preemption"},
	{"LimitsStorageOfSidecars", "1.37", "", release.Rules.LimitsStorageOfSidecars,
		"A sidecar above its limit of `ephemeral-storage` has its pod evicted"},
	{"NamesAllocationMode", "1.38", "", release.Rules.NamesAllocationMode,
		"The kubelet names the allocation mode where it refuses the resize of a Guaranteed pod; before, a policy"},
	{"ForgetsResizesOfTerminating", "1.38", "", release.Rules.ForgetsResizesOfTerminating,
		"The kubelet does not try the pending resize of a pod that is terminating"},
	{"EnforcesMemoryQoS", "1.37", "MemoryQoS", release.Rules.EnforcesMemoryQoS,
		"Containers may be throttled before their memory limit, and requested memory may be protected"},
	{"ThrottlesOnlyWithFactor", "1.37", "", release.Rules.ThrottlesOnlyWithFactor,
		"Without a `memoryThrottlingFactor`, nothing is throttled; before, it is then 0.9"},
	{"ThrottlesPodLevel", "1.37", "", release.Rules.ThrottlesPodLevel,
		"A pod with pod-level resources is throttled instead of its containers without a limit, and containers without request and limit are throttled"},
	{"ReservesLowAtRoot", "1.37", "", release.Rules.ReservesLowAtRoot,
		"The root of all pods has the requests of Burstable pods as `memory.low`"},
	{"ResetsMemoryQoS", "1.37", "", release.Rules.ResetsMemoryQoS,
		"Where memory QoS or its reservation is off, the kubelet resets what it would write"},
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

var update = flag.Bool("update", false, "write the table in docs/versions.md")

// The table of answers by release in docs/versions.md is that of the rules.
func TestTable(t *testing.T) {
	const file, begin, end = "../../docs/versions.md", "<!-- rules -->\n", "<!-- /rules -->\n"
	var table strings.Builder
	fmt.Fprintf(&table, "| answer | %s | gate |\n|---|%s---|\n", strings.Join(releases, " | "), strings.Repeat(":-:|", len(releases)))
	for _, rule := range rules {
		fmt.Fprintf(&table, "| %s |", rule.says)
		for _, name := range releases {
			fmt.Fprintf(&table, " %s |", map[bool]string{true: "yes", false: "–"}[rule.asks(release.Rules{Release: name})])
		}
		gate := "–"
		if rule.gate != "" {
			gate = "`" + rule.gate + "`"
		}
		fmt.Fprintf(&table, " %s |\n", gate)
	}
	text, err := os.ReadFile(file)
	testkit.OK(t, err)
	before, rest, _ := strings.Cut(string(text), begin)
	now, after, found := strings.Cut(rest, end)
	testkit.Equal(t, found, true, "markers in", file)
	if *update {
		testkit.OK(t, os.WriteFile(file, []byte(before+begin+table.String()+end+after), 0o600))
		return
	}
	testkit.NoDiff(t, strings.Split(now, "\n"), strings.Split(table.String(), "\n"), "the table; -update writes it")
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
