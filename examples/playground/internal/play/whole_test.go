package play_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/examples/playground/internal/play"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
)

// written returns all that a step has, a line each.
func written(s *play.Step) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, "  "+format+"\n", args...) }
	loads := func(of map[corev1.ResourceName]comparison.Usage) (all []string) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			all = append(all, fmt.Sprintf("%s %s/%s", name, of[name].Used, of[name].Hard))
		}
		return all
	}
	for _, o := range s.Objects {
		line("%q: %s, step %d", o.Head, o.Outcome, o.Step)
		for _, note := range o.Notes {
			line("  %q", note)
		}
		for _, fix := range o.Fix {
			line("  %s %s %s %s: %s becomes %s (%t)", fix.Container, fix.Ref, fix.List, fix.Resource, fix.From, fix.To, o.Fixed)
		}
	}
	for _, n := range s.Namespaces {
		for _, q := range n.Quotas {
			line("%q %s %q/%q %q: %s/%s %d%% becomes %s/%s %d%%, wanted %q %d%%", n.Name, q.Kind, q.Namespace, q.Name, q.Resource, q.Before.Used, q.Before.Hard, q.Before.Part(),
				q.After.Used, q.After.Hard, q.After.Part(), q.Wanted, q.WantedPercent)
		}
	}
	for _, n := range s.Nodes {
		line("node %q: %s becomes %s", n.Name, loads(n.Before), loads(n.After))
		for _, o := range n.Owners {
			line("  %q: stay %q, came %q, gone %q", o.Owner, o.Stay, o.Came, o.Gone)
		}
	}
	for _, p := range s.Pending {
		line("waiting: %q: %d, %d of them new: %q", p.Owner, p.Pods, p.Came, p.Reason)
	}
	if s.OtherObjects+s.OtherNamespaces+s.OtherNodes > 0 {
		line("others: %d objects, %d namespaces, %d nodes", s.OtherObjects, s.OtherNamespaces, s.OtherNodes)
	}
	return text.String()
}

// The play of these ends with what kubemath diff says of them: of a workload that is unchanged and blocked, of pods that several
// steps concern, and of those that come and go.
func TestWholePlaysAreTheComparison(t *testing.T) {
	node := func(name, more string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nspec: {" + more + "}\nstatus: {allocatable: {cpu: 2, memory: 4Gi, pods: 6}}\n"
	}
	quota := func(hard string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {" + hard + "}}\n"
	}
	workload := func(kind, name string, replicas, priority int, more string, cpu ...string) string {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\nspec: {replicas: %d, selector: {matchLabels: {a: %[2]s}}, template: {metadata: {labels: {a: %[2]s}}, spec: {priority: %[4]d, %[5]scontainers: [{name: c, resources: {requests: {cpu: %[6]s}}}]}}}\n",
			kind, name, replicas, priority, more, append(cpu, "1")[0])
	}
	pod := func(name string, priority int, more string, cpu ...string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec: {priority: %d, %scontainers: [{name: c, resources: {requests: {cpu: %s}}}]}\n", name, priority, more, append(cpu, "2")[0])
	}
	const drained = "taints: [{key: k, effect: NoExecute}]"
	set := workload("StatefulSet", "db", 2, 0, "")
	ofSet := func(name string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", labels: {a: db}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]}\n" +
			"spec: {nodeName: a, containers: [{name: c, resources: {requests: {cpu: 1}}}]}\nstatus: {phase: Running}\n"
	}
	for name, in := range map[string]comparison.Input{
		"unchanged and blocked":           {Cluster: listOf(quota("pods: 1"), workload("ReplicaSet", "r", 2, 0, "")), Change: listOf(workload("ReplicaSet", "r", 2, 0, ""), quota("pods: 1"))},
		"unchanged and no longer blocked": {Cluster: listOf(quota("pods: 1"), workload("ReplicaSet", "r", 2, 0, "")), Change: listOf(workload("ReplicaSet", "r", 2, 0, ""), quota("pods: 2"))},
		"unchanged, and blocked by what comes later": {Cluster: listOf(node("a", ""), quota("requests.cpu: 2, pods: 5"), workload("Deployment", "web", 2, 1, "", "700m")),
			Change: listOf(pod("b", 0, "", "1200m"), node("a", ""), workload("Deployment", "web", 2, 1, "", "700m"), pod("a", 0, "", "200m"))},
		"unchanged, blocked, and then by more": {Cluster: listOf(node("a", ""), quota("requests.cpu: 2"), workload("ReplicaSet", "r", 1, 0, "", "700m")),
			Change: listOf(pod("b", 0, "", "1500m"), workload("ReplicaSet", "r", 1, 0, "", "700m"), pod("a", 0, "", "200m"))},
		"blocked and unchanged":                    {Cluster: listOf(workload("ReplicaSet", "r", 2, 0, ""), quota("pods: 2")), Change: listOf(quota("pods: 1"), workload("ReplicaSet", "r", 2, 0, ""))},
		"preempted, and evicted":                   {Cluster: listOf(node("a", ""), set), Change: listOf(pod("p", 9, ""), node("a", drained))},
		"evicted, and preempted":                   {Cluster: listOf(node("a", ""), set), Change: listOf(node("a", drained), node("b", ""), pod("p", 9, ""))},
		"preempted where it has come":              {Cluster: listOf(node("a", "")), Change: listOf(set, pod("p", 9, ""), pod("q", 10, ""))},
		"preempted, and moved to a node that came": {Cluster: listOf(node("a", ""), set), Change: listOf(pod("p", 9, ""), node("b", ""), node("c", ""))},
		"placed where another node is changed":     {Cluster: listOf(node("a", ""), set), Change: listOf(node("b", ""), node("b", drained), workload("StatefulSet", "db", 4, 0, ""))},
		"gone":                                     {Cluster: listOf(node("a", ""), set, ofSet("db-0"), ofSet("db-1")), Change: listOf(workload("StatefulSet", "db", 1, 0, ""))},
		"changed twice":                            {Cluster: listOf(node("a", "")), Change: listOf(workload("Deployment", "web", 1, 0, ""), workload("Deployment", "web", 3, 0, ""), quota("pods: 3"), workload("Deployment", "web", 2, 1, ""))},
		"refused, and then admitted":               {Cluster: listOf(quota("requests.cpu: 1")), Change: listOf(pod("p", 0, ""), quota("requests.cpu: 2"), pod("p", 0, ""))},
	} {
		t.Run(name, func(t *testing.T) {
			var p play.Play
			played(t, &p, in)
			testkit.NoDiff(t, asJSON(t, p.Report()), reportOf(t, in))
		})
	}
}

// All that each step has, of pods that are preempted, evicted, moved and refused, quotas of one namespace and of several, and
// names that cannot be printed.
func TestWholeSteps(t *testing.T) {
	node := func(name, spec, allocatable string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\nstatus: {allocatable: {" + allocatable + ", memory: 4Gi, pods: 9}}\n"
	}
	quota := func(namespace, name, hard string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: " + name + ", namespace: " + namespace + "}\nspec: {hard: {" + hard + "}}\n"
	}
	shared := func(hard string) string {
		return "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\nspec: {selector: {labels: {matchLabels: {team: a}}}, quota: {hard: {" + hard + "}}}\n"
	}
	workload := func(kind, namespace, name string, replicas int, spec, cpu string) string {
		return fmt.Sprintf("apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s, namespace: %s}\nspec: {replicas: %[4]d, selector: {matchLabels: {a: %[2]s}}, template: {metadata: {labels: {a: %[2]s}}, spec: {%[5]s, containers: [{name: c, resources: {requests: {cpu: %[6]s}}}]}}}\n",
			kind, name, namespace, replicas, spec, cpu)
	}
	pod := func(namespace, name, owner, spec, cpu string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: " + namespace + ", labels: {a: " + owner + "}, ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: " + owner + ", uid: u, controller: true}]}\n" +
			"spec: {" + spec + ", containers: [{name: c, resources: {requests: {cpu: " + cpu + "}}}]}\nstatus: {phase: Running}\n"
	}
	namespace := func(name string) string {
		return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", labels: {team: a}}\n"
	}
	const low, high = "priority: 1", "priority: 9"
	in := comparison.Input{
		Cluster: listOf(namespace("shop"), namespace("data"), node("big", "", "cpu: 3"), node(`"small\u202e"`, "", "cpu: 1"), shared("pods: 9"), quota("shop", "cpu", "requests.cpu: 4"),
			workload("StatefulSet", "shop", "web", 2, low, "1"), pod("shop", "web-0", "web", "nodeName: big, "+low, "1"), pod("shop", "web-1", "web", "nodeName: big, "+low, "1"),
			workload("StatefulSet", "data", "db", 1, low, "500m"), pod("data", "db-0", "db", "nodeName: big, "+low, "500m")),
		Change: listOf(
			workload("Deployment", "data", "urgent", 1, high, "2"),                        // preempts a pod that finds another node
			workload("Deployment", "shop", "api", 4, high, "750m"),                        // more than the quota and the nodes allow
			quota("shop", "cpu", "requests.cpu: 8"),                                       // admits the rest
			quota("data", `"odd\u202e"`, `requests.memory: 1Gi, "example.com/\u202e": 1`), // is not used
			shared("pods: 6"), // is used up
			"apiVersion: v1\nkind: Pod\nmetadata: {name: late, namespace: shop}\nspec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}\n", // is refused
			node("big", "taints: [{key: k, effect: NoExecute}]", "cpu: 3"),                                                                           // evicts
			"apiVersion: v1\nkind: Pod\nmetadata: {name: wrong, namespace: default}\nspec: {containers: [{name: c, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]}\n",
		),
	}
	var p play.Play
	var text strings.Builder
	played(t, &p, in)
	for n := range p.Len() + 2 {
		s := p.Step(n)
		fmt.Fprintf(&text, "step %d\n%s", n, written(&s))
	}
	for i, title := range p.Titles() {
		fmt.Fprintf(&text, "%d: %q %s %s %q\n", i+1, title.Object, title.Action, title.Outcome, p.Refusal(i+1))
	}
	golden.Compare(t, "testdata/steps.txt", text.String())
}

// A step says how its object would be admitted, once all of the change is played: with what comes after it.
func TestFixesOfSteps(t *testing.T) {
	quota := func(hard string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {" + hard + "}}\n"
	}
	pod := func(name, cpu string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {containers: [{name: c, resources: {requests: {cpu: " + cpu + "}}}]}\n"
	}
	refused := func(pod, cpu, used string) string {
		return `pods "` + pod + `" is forbidden: exceeded quota: q, requested: requests.cpu=` + cpu + `, used: requests.cpu=` + used + `, limited: requests.cpu=2`
	}
	fixed := func(played, cpu, quota string) []string {
		return []string{played + "all would be admitted with cpu request " + cpu + " (is 3) of container c", played + "or with requests.cpu " + quota + " (is 2) in quota q"}
	}
	const again = "it would be admitted if the change was applied once more"
	for name, test := range map[string]struct{ change, want []string }{
		"alone": {[]string{pod("a", "3")}, slices.Concat(
			[]string{"1: 1: " + refused("a", "3", "0")}, fixed("1: 1: ", "2", "3"), []string{"1: 1: Pod default/a refused", "1: 1: 3 becomes 2"},
			[]string{"1: 2: " + refused("a", "3", "0")}, fixed("1: 2: ", "2", "3"), []string{"1: 2: Pod default/a refused", "1: 2: 3 becomes 2"})},
		"behind another": {[]string{pod("a", "1500m"), pod("b", "3")}, slices.Concat([]string{"1: 1: Pod default/a created", "2: 1: Pod default/a created"},
			[]string{"2: 2: " + refused("b", "3", "1500m")}, fixed("2: 2: ", "500m", "4500m"), []string{"2: 2: Pod default/b refused", "2: 2: 3 becomes 500m"},
			[]string{"2: 3: Pod default/a created", "2: 3: " + refused("b", "3", "1500m")}, fixed("2: 3: ", "500m", "4500m"), []string{"2: 3: Pod default/b refused", "2: 3: 3 becomes 500m"})},
		"before another": {[]string{pod("a", "3"), pod("b", "1500m")}, slices.Concat([]string{"1: 1: " + refused("a", "3", "0"), "1: 1: Pod default/a refused"},
			[]string{"2: 1: " + refused("a", "3", "0")}, fixed("2: 1: ", "500m", "4500m"), []string{"2: 1: Pod default/a refused", "2: 1: 3 becomes 500m", "2: 2: Pod default/b created"},
			[]string{"2: 3: " + refused("a", "3", "0")}, fixed("2: 3: ", "500m", "4500m"), []string{"2: 3: Pod default/a refused", "2: 3: 3 becomes 500m", "2: 3: Pod default/b created"})},
		"a quota follows": {[]string{pod("a", "3"), quota("requests.cpu: 4")}, []string{"1: 1: " + refused("a", "3", "0"), "1: 1: Pod default/a refused",
			"2: 1: " + refused("a", "3", "0"), "2: 1: " + again, "2: 1: Pod default/a refused", "2: 2: ResourceQuota default/q updated",
			"2: 3: " + refused("a", "3", "0"), "2: 3: " + again, "2: 3: Pod default/a refused", "2: 3: ResourceQuota default/q updated"}},
	} {
		t.Run(name, func(t *testing.T) {
			var p play.Play
			testkit.OK(t, p.Set(comparison.Input{Cluster: listOf(quota("requests.cpu: 2")), Change: listOf(test.change...)}, computeresources.Kubernetes{}))
			var got []string
			tell := func(n int) {
				s := p.Step(n)
				for _, o := range s.Objects {
					for _, note := range append(o.Notes, o.Head) {
						got = append(got, fmt.Sprint(p.Played(), ": ", n, ": ", note))
					}
					for _, fix := range o.Fix {
						got = append(got, fmt.Sprint(p.Played(), ": ", n, ": ", fix.From, " becomes ", fix.To))
					}
				}
			}
			for p.Next() {
				tell(p.Played())
			}
			for n := range p.Len() + 2 {
				tell(n)
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}
