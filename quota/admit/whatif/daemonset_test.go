package whatif_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestDaemonSet(t *testing.T) {
	cordoned, dedicated := node("c", "2"), node("d", "2")
	cordoned.Spec.Unschedulable = true
	dedicated.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	agent := daemonSet("agent", "1")
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "0"), cordoned, dedicated)
	created := wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Created 3/3/2
		  agent-1 >a
		  agent-2: 0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-3 >c
		`).After
	wantStory(t, did(created.Apply(node("d", "2"), node("e", "1"))), `
		Node d Updated
		Node e Created
		  agent-4 >d
		  agent-5 >e
		`)
	dedicated = node("a", "2")
	dedicated.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	labeled := daemonSet("agent", "1")
	labeled.Labels = map[string]string{"team": "ops"}
	wantStory(t, did(created.Apply(dedicated, labeled)), `
		Node a Updated
		DaemonSet agent Updated 2/3/2
		`)
	dedicated.Spec.Taints[0].Effect = corev1.TaintEffectNoExecute
	wantStory(t, did(created.Apply(dedicated)), `
		Node a Updated
		  agent-1 a>
		`)
	wantStory(t, did(created.Delete(node("b", "0"))), `
		Node b Deleted
		  agent-2 >
		`)
}

// Since 1.37, the controller does not look at a DaemonSet if a node changes for which one of its pods waits: that pod goes
// when anything else changes.
//
// Source: syncNodeUpdate of k8s.io/kubernetes/pkg/controller/daemon.
// See docs/decisions/quota.md#daemon-that-waits.
func TestDivergenceDaemonThatWaits(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "2"), node("b", "0")).Apply(daemonSet("agent", "1"))).After
	dedicated := node("b", "0")
	dedicated.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoExecute}}
	wantStory(t, did(c.Apply(dedicated)), `
		Node b Updated
		  agent-2 >
		`)
}

func TestDaemonSetUpdates(t *testing.T) {
	agent := daemonSet("agent", "1")
	c := did(read(t, whatif.Options{}, node("a", "2"), node("b", "3"), node("c", "2")).Apply(agent)).After
	agent.Spec.Template = template("3")
	// One pod may be missing.
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/1/0 outdated 2
		  agent-1 a>
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromString("50%"))}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/3/1
		  agent-1 a>
		  agent-2 b>
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-5 >b
		  agent-3 c>
		  agent-6: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.Template = template("2")
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxSurge: pointer(intstr.FromInt32(1)), MaxUnavailable: pointer(intstr.FromInt32(0))}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/1/0 outdated 3
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.UpdateStrategy.RollingUpdate.MaxSurge = pointer(intstr.FromInt32(2))
	stuck := wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/3/1 outdated 2
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-5 >b
		  agent-2 b>
		  agent-6: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`).After
	// Without surge, a node keeps its first pod.
	agent.Spec.UpdateStrategy.Type, agent.Spec.Template = appsv1.OnDeleteDaemonSetStrategyType, template("500m")
	wantStory(t, did(stuck.Apply(agent)), `
		DaemonSet agent Updated 3/0/0 outdated 3
		  agent-4 >
		  agent-6 >
		`)
}

// While a node lacks a pod that a quota refuses, the others are not replaced. Those that are replaced together are all
// gone before the first one is created.
func TestDaemonSetUpdatesWithinQuota(t *testing.T) {
	agent := daemonSet("agent", "1")
	c := read(t, whatif.Options{}, node("a", "4"), node("b", "4"), node("c", "4"), resourceQuota("q", "requests.cpu", "2"))
	c = wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Created 3/2/2: pods "agent-3" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2
		  agent-1 >a
		  agent-2 >b
		`).After
	agent.Spec.Template = template("2")
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/0/0 outdated 2: pods "agent-3" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=2, limited: requests.cpu=2
		`)
	c = did(c.Delete(node("c", "4"))).After
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromInt32(2))}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 2/1/1: pods "agent-4" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=2, limited: requests.cpu=2
		  agent-1 a>
		  agent-2 b>
		  agent-3 >a
		`)
}

// A pod on a node that wants none any more goes with its template: with surge, while as many are ready as there are nodes
// that want one, which the old pods of these count for. Beside a pod that was created in place of it, one that is not ready
// goes at once.
//
// Source: rollingUpdate and podsShouldBeOnNode of k8s.io/kubernetes/pkg/controller/daemon.
func TestDaemonSetUpdatesUnwanted(t *testing.T) {
	tainted := node("a", "2")
	tainted.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	agent := daemonSet("agent", "1")
	c := did(did(read(t, whatif.Options{}, node("a", "2"), node("b", "2")).Apply(agent)).After.Apply(tainted)).After
	agent.Spec.Template = template("500m")
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 1/1/1
		  agent-1 a>
		  agent-2 b>
		  agent-3 >b
		`)
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxSurge: pointer(intstr.FromInt32(1)), MaxUnavailable: pointer(intstr.FromInt32(0))}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 1/1/1
		  agent-3 >b
		  agent-1 a>
		  agent-2 b>
		`)
	agent.Spec.Template = template("3")
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 1/1/0 outdated 1
		  agent-3: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-1 a>
		`)
	waiting := did(did(read(t, whatif.Options{}, node("a", "4"), node("b", "0")).Apply(daemonSet("agent", "1"))).After.Apply(tainted)).After
	wantStory(t, did(waiting.Apply(agent)), `
		DaemonSet agent Updated 1/1/0 outdated 1
		  agent-3: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-2 >
		`)
}

// If a quota does not admit all pods of a DaemonSet, the first nodes by name get one.
func TestDaemonSetQuota(t *testing.T) {
	wantStory(t, did(read(t, whatif.Options{}, node("c", "2"), node("a", "2"), node("b", "2"), resourceQuota("q", "pods", "2")).Apply(daemonSet("agent", "1"))), `
		DaemonSet agent Created 3/2/2: pods "agent-3" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2
		  agent-1 >a
		  agent-2 >b
		`)
}

// A claim that the pods of a DaemonSet share is bound where the first of them is, by the names of nodes.
func TestDaemonSetSharesClaim(t *testing.T) {
	objects := append(classes(), node("b", "2"), node("a", "2"), localVolume("of-a", "local", "2Gi", "a"), localVolume("of-b", "local", "1Gi", "b"), claim("data", "local"))
	wantStory(t, did(read(t, whatif.Options{}, objects...).Apply(using(daemonSet("agent", "1"), "data"))), `
		DaemonSet agent Created 2/2/1
		  agent-1 >a
		  agent-2: 0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
}

// Pods that do not run are replaced all at once, others only while not too many are missing, and none after one that is
// refused.
func TestDaemonSetBatches(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "0"), node("b", "0"), node("c", "2"), node("d", "2")).Apply(daemonSet("agent", "1"))).After
	wantStory(t, did(c.Apply(daemonSet("agent", "500m"))), `
		DaemonSet agent Updated 4/2/0 outdated 2
		  agent-1 >
		  agent-2 >
		  agent-5: 0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-6: 0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent := daemonSet("agent", "1")
	c = did(read(t, whatif.Options{}, node("a", "4"), node("b", "4"), node("c", "4"), resourceQuota("q", "requests.cpu", "3")).Apply(agent)).After
	agent.Spec.Template = template("2")
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromInt32(2))}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/1/1 outdated 1: pods "agent-5" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=3
		  agent-1 a>
		  agent-2 b>
		  agent-4 >a
		`)
}

// Of pods that wait beside those of a former template, only as many are created as may surge, unless the others are not
// ready either: they go then.
func TestDaemonSetSurgeWaits(t *testing.T) {
	agent := daemonSet("agent", "1")
	c := did(read(t, whatif.Options{}, node("a", "2"), node("b", "0"), node("c", "2")).Apply(agent)).After
	agent.Spec.Template = template("3")
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxSurge: pointer(intstr.FromInt32(1)), MaxUnavailable: pointer(intstr.FromInt32(0))}
	c = wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/2/0 outdated 2
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-5: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-2 >
		`).After
	agent.Labels = map[string]string{"team": "ops"}
	wantStory(t, did(c.Apply(agent)), `
		DaemonSet agent Updated 3/2/0 outdated 2
		`)
	tainted := node("a", "2")
	tainted.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	fresh := daemonSet("fresh", "1")
	fresh.Spec.UpdateStrategy = agent.Spec.UpdateStrategy
	c = did(did(read(t, whatif.Options{}, node("a", "2"), node("c", "2")).Apply(fresh)).After.Apply(tainted)).After
	fresh.Labels = agent.Labels
	wantStory(t, did(c.Apply(fresh)), `
		DaemonSet fresh Updated 1/2/2
		`)
}

// While a DaemonSet is updated, a pod of another one of its name gets a node.
func TestDaemonSetsOfOneName(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "3"))
	c = did(c.Apply(daemonSet("agent", "2"), in("pay", daemonSet("agent", "2")))).After
	r, _ := c.Apply(daemonSet("agent", "1"))
	testkit.NoDiff(t, tell(r), lines(`
		DaemonSet shop/agent Updated 1/1/1
		and DaemonSet pay/agent Unchanged 1/1/1
		pod shop/agent-1 cpu=2 of DaemonSet shop/agent: a -> gone
		pod pay/agent-1 cpu=2 of DaemonSet pay/agent: - -> a
		pod shop/agent-2 cpu=1 of DaemonSet shop/agent: - -> a
		nodes a`))
}

// The pod of a DaemonSet has the affinity of its template, but for the nodes that it may be on.
//
// Source: ReplaceDaemonSetPodNodeNameNodeAffinity of k8s.io/kubernetes v1.37.2 pkg/controller/daemon/util.
func TestAffinityOfADaemon(t *testing.T) {
	set := daemonSet("agent", "1")
	set.Spec.Template.Labels = map[string]string{"app": "agent"}
	terms := func(term corev1.NodeSelectorTerm) *corev1.NodeSelector {
		return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}
	}
	named := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "name", Operator: corev1.NodeSelectorOpExists}}}
	apart := corev1.PodAffinityTerm{TopologyKey: "kubernetes.io/hostname", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "other"}}}
	affinity := &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{apart}},
		NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1, Preference: named}}}}
	want := affinity.DeepCopy()
	affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = terms(named)
	want.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = terms(corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}})
	set.Spec.Template.Spec.Affinity = affinity
	before := set.DeepCopy()
	p := did(read(t, whatif.Options{}, node("a", "9")).Apply(set)).Pods[0].Object
	testkit.NoDiff(t, p.Spec.Affinity, want)
	testkit.NoDiff(t, set, before)
}

// If nothing is known of nodes, a pod stays on one that was not read when its DaemonSet adopts it.
func TestDaemonIsAdoptedOnAnUnknownNode(t *testing.T) {
	agent := labelled(daemonSet("agent", "1"))
	agent.Spec.Selector, agent.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: agent.Labels}, agent.Labels
	agent.Spec.UpdateStrategy.Type = appsv1.OnDeleteDaemonSetStrategyType
	bare := labelled(on("b", podOf("bare", "1")))
	c := read(t, whatif.Options{}, agent, owned(on("a", labelled(podOf("agent-x", "1"))), "DaemonSet", "agent"))
	wantStory(t, did(c.Apply(bare)), `
		Pod bare Created
		  bare >b
		`)
}
