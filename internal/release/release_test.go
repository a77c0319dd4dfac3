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

// answered returns since when a default cluster says yes, and in which releases it did before.
func (r rule) answered() string {
	var yes []string
	for _, name := range slices.Backward(releases) {
		if r.asks(release.Rules{Release: name}) {
			yes = append(yes, name)
		}
	}
	last := 1
	for last < len(yes) && releases[len(releases)-last-1] == yes[last] {
		last++
	}
	text := yes[last-1]
	if last < len(yes) {
		text += ", and in " + strings.Join(yes[last:], ", ")
	}
	return text
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
		"A pod needs the features that its node declares, to be scheduled and to be resized"},
	{"DefaultsPodLevelBeforeStoring", "1.37", "PodLevelResourcesFixDefaulting", release.Rules.DefaultsPodLevelBeforeStoring,
		"Pod-level defaults come after those of LimitRanges, and include limits; an update without `spec.resources` keeps them"},
	{"ClassIgnoresEmptyPodLevel", "1.37", "PodLevelResourcesFixKubeletQOSClass", release.Rules.ClassIgnoresEmptyPodLevel,
		"`spec.resources` decides on the class only if it sets cpu, memory or hugepages"},
	{"ClassifiesEachContainer", "1.37", "", release.Rules.ClassifiesEachContainer,
		"Each container of a Guaranteed pod requests its limits; before, all together (pods that no cluster admits)"},
	{"IgnoresMemoryDeficit", "1.37", "", release.Rules.IgnoresMemoryDeficit,
		"Containers that request more memory than their pod do not lower its share in `oom_score_adj` (pods that no cluster admits)"},
	{"ComparesSumsOfResize", "1.37", "", release.Rules.ComparesSumsOfResize,
		"A pod being resized counts with the largest sum of spec, allocated and actual resources; before, with the sum of each container's largest"},
	{"CountsImplicitNames", "1.35", "", release.Rules.CountsImplicitNames,
		"Quotas count requests of `deviceclass.resource.kubernetes.io/<class>`"},
	{"DelegatesExtendedResources", "1.36", "", release.Rules.DelegatesExtendedResources,
		"The scheduler claims devices for an extended resource of a DeviceClass on nodes without it (`DRAExtendedResource`)"},
	{"LowersMemoryLimits", "1.34", "", release.Rules.LowersMemoryLimits,
		"A resize may lower or add the memory limit of a container that it does not restart"},
	{"NamesGateOfPodLevelResize", "1.35", "", release.Rules.NamesGateOfPodLevelResize,
		"If pod-level resources cannot be resized, the error names the gate"},
	{"NamesResizedSidecar", "1.36", "", release.Rules.NamesResizedSidecar,
		"If more than cpu and memory of a sidecar changes, the error names it"},
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
		"A LimitRange compares amounts and ratios exactly; before, as rounded integers and as floats"},
	{"OmitsPartialLimits", "1.38", "", release.Rules.OmitsPartialLimits,
		"A pod has no limit of cpu or memory if one of its containers has none"},
	{"AddsClaimsToEveryLimit", "1.38", "", release.Rules.AddsClaimsToEveryLimit,
		"Claims for node-allocatable resources are added to a pod limit that its containers do not set"},
	{"DescribesStatus", "1.38", "", release.Rules.DescribesStatus,
		"Totals of `kubectl describe node` count the status of pods"},
	{"SkipsStoredQuotaAmounts", "1.38", "", release.Rules.SkipsStoredQuotaAmounts,
		"Validation of a ResourceQuota accepts the amounts that it already has"},
	{"UpdatesSeveralReplicas", "1.35", "MaxUnavailableStatefulSet", release.Rules.UpdatesSeveralReplicas,
		"`maxUnavailable` of a StatefulSet counts"},
	{"ReplacesWaitingReplicasFirst", "1.37", "", release.Rules.ReplacesWaitingReplicasFirst,
		"With it and parallel management, waiting pods are replaced first"},
	{"CountsReplicasAbovePartition", "1.38", "", release.Rules.CountsReplicasAbovePartition,
		"With it, pods below the partition do not count"},
	{"CompletesAnyUpdate", "1.37", "", release.Rules.CompletesAnyUpdate,
		"A StatefulSet's update without a rolling update is complete once all pods have the template"},
	{"RemovesExcessReplicasFirst", "1.38", "", release.Rules.RemovesExcessReplicasFirst,
		"A StatefulSet with parallel management deletes pods beyond its replicas first"},
	{"NamesFixedFields", "1.37", "", release.Rules.NamesFixedFields,
		"Errors name the fields of a StatefulSet that cannot change; before, those that can"},
	{"ResizesSuspendedJobs", "1.36", "", release.Rules.ResizesSuspendedJobs,
		"Requests and limits of a suspended Job can change"},
	{"RecreatesStatefulSets", "1.38", "StatefulSetRecreateStrategy", release.Rules.RecreatesStatefulSets,
		"A StatefulSet may have the strategy Recreate"},
	{"SkipsUnchangedAmounts", "1.38", "", release.Rules.SkipsUnchangedAmounts,
		"A LimitRange checks only the amounts that an update changes"},
	{"ScoresStorageCapacity", "1.37", "", release.Rules.ScoresStorageCapacity,
		"The scheduler prefers nodes of whose storage a pod uses less"},
	{"CountsImageVolumes", "1.37", "", release.Rules.CountsImageVolumes,
		"The scheduler also counts images of volumes that a node has"},
	{"CountsEmptySelector", "1.38", "", release.Rules.CountsEmptySelector,
		"A topology spread constraint with an empty label selector counts all pods of the namespace"},
	{"StopsAtViolatedBudget", "1.37", "", release.Rules.StopsAtViolatedBudget,
		"A preempted pod counts in its budgets up to the first that it violates; before, in all"},
	{"BudgetsOfAllPods", "1.38", "", release.Rules.BudgetsOfAllPods,
		"A budget with an empty selector protects all pods from preemption"},
	{"LimitsStorageOfSidecars", "1.37", "", release.Rules.LimitsStorageOfSidecars,
		"A sidecar above its `ephemeral-storage` limit has its pod evicted"},
	{"NamesAllocationMode", "1.38", "", release.Rules.NamesAllocationMode,
		"To refuse the resize of a Guaranteed pod, the kubelet names the allocation mode; before, a policy"},
	{"ForgetsResizesOfTerminating", "1.38", "", release.Rules.ForgetsResizesOfTerminating,
		"The kubelet does not try pending resizes of terminating pods"},
	{"EnforcesMemoryQoS", "1.37", "MemoryQoS", release.Rules.EnforcesMemoryQoS,
		"Containers may be throttled before their memory limit, and requested memory may be protected"},
	{"ThrottlesOnlyWithFactor", "1.37", "", release.Rules.ThrottlesOnlyWithFactor,
		"Without a `memoryThrottlingFactor`, nothing is throttled; before, it is 0.9"},
	{"ThrottlesPodLevel", "1.37", "", release.Rules.ThrottlesPodLevel,
		"Pods with pod-level resources are throttled, not their unlimited containers; so are containers without request and limit"},
	{"ReservesLowAtRoot", "1.37", "", release.Rules.ReservesLowAtRoot,
		"The root of all pods has the requests of Burstable pods as `memory.low`"},
	{"ResetsMemoryQoS", "1.37", "", release.Rules.ResetsMemoryQoS,
		"If memory QoS or its reservation is off, the kubelet resets its settings"},
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
	table.WriteString("| answer | since (gate) |\n|---|---|\n")
	for _, rule := range rules {
		gate := ""
		if rule.gate != "" {
			gate = " (`" + rule.gate + "`)"
		}
		fmt.Fprintf(&table, "| %s | %s%s |\n", rule.says, rule.answered(), gate)
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
