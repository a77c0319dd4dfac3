package whatif_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestDaemonSet(t *testing.T) {
	cordoned, dedicated := node("c", "2"), node("d", "2")
	cordoned.Spec.Unschedulable = true
	dedicated.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	agent := daemonSet("agent", "1")
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "0"), cordoned, dedicated)
	created := wantStory(t, c.Apply(agent), `
		DaemonSet agent created 3/3/2
		  agent-1 >a
		  agent-2: 0/4 nodes are available: 1 Insufficient cpu, 3 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-3 >c
		`).After
	wantStory(t, created.Apply(node("d", "2"), node("e", "1")), `
		Node d updated
		Node e created
		  agent-4 >d
		  agent-5 >e
		`)
	dedicated = node("a", "2")
	dedicated.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
	labeled := daemonSet("agent", "1")
	labeled.Labels = map[string]string{"team": "ops"}
	wantStory(t, created.Apply(dedicated, labeled), `
		Node a updated
		DaemonSet agent updated 2/3/2
		`)
	dedicated.Spec.Taints[0].Effect = corev1.TaintEffectNoExecute
	wantStory(t, created.Apply(dedicated), `
		Node a updated
		  agent-1 a>
		`)
	wantStory(t, created.Delete(node("b", "0")), `
		Node b deleted
		  agent-2 >
		`)
}

func TestDaemonSetUpdates(t *testing.T) {
	agent := daemonSet("agent", "1")
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "3"), node("c", "2")).Apply(agent).After
	agent.Spec.Template = template("3")
	// One pod may be missing.
	wantStory(t, c.Apply(agent), `
		DaemonSet agent updated 3/1/0 outdated 2
		  agent-1 a>
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromString("50%"))}
	wantStory(t, c.Apply(agent), `
		DaemonSet agent updated 3/3/1
		  agent-1 a>
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-2 b>
		  agent-5 >b
		  agent-3 c>
		  agent-6: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.Template = template("2")
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxSurge: pointer(intstr.FromInt32(1)), MaxUnavailable: pointer(intstr.FromInt32(0))}
	wantStory(t, c.Apply(agent), `
		DaemonSet agent updated 3/1/0 outdated 3
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`)
	agent.Spec.UpdateStrategy.RollingUpdate.MaxSurge = pointer(intstr.FromInt32(2))
	stuck := wantStory(t, c.Apply(agent), `
		DaemonSet agent updated 3/3/1 outdated 2
		  agent-4: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		  agent-5 >b
		  agent-2 b>
		  agent-6: 0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity].
		`).After
	agent.Spec.UpdateStrategy.Type, agent.Spec.Template = appsv1.OnDeleteDaemonSetStrategyType, template("500m")
	wantStory(t, stuck.Apply(agent), `
		DaemonSet agent updated 3/0/0 outdated 5
		`)
}

// If a quota does not admit all pods of a DaemonSet, the first nodes by name get one.
func TestDaemonSetQuota(t *testing.T) {
	wantStory(t, read(t, whatif.Options{}, node("c", "2"), node("a", "2"), node("b", "2"), resourceQuota("q", "pods", "2")).Apply(daemonSet("agent", "1")), `
		DaemonSet agent created 3/2/2: pods "agent-3" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2
		  agent-1 >a
		  agent-2 >b
		`)
}
