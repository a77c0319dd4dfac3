package whatif_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// endless is a node that has room for everything.
func endless(name string) *corev1.Node {
	n := node(name, "1G")
	n.Status.Allocatable = testkit.List("cpu", "1G", "memory", "1E", "pods", "1G")
	return n
}

// unplaced writes a result without places.
func unplaced(r outcome) (lines []string) {
	for _, o := range slices.Concat(r.Objects, r.Others) {
		lines = append(lines, fmt.Sprint(o.Source, o.Action, o.Reason.Message, o.Missing.Message, o.Wanted, o.Pods, o.Outdated))
	}
	for _, p := range r.Pods {
		lines = append(lines, fmt.Sprint(p.Object.Name, p.Owner, p.Gone, p.Preempted))
	}
	for _, q := range r.Quotas {
		lines = append(lines, fmt.Sprint(q.Name, testkit.Texts(q.Status.Used)))
	}
	return lines
}

// drawUnlocated draws objects other than nodes.
func drawUnlocated(t *rapid.T) admit.APIObject {
	for {
		o := drawObject(t)
		if _, isNode := o.(*corev1.Node); isNode {
			continue
		}
		if spec := specOf(o); spec != nil && flip(t, "gated", 6) {
			spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
		}
		return o
	}
}

// specOf returns the spec of the pods of an object, nil if it has none.
func specOf(o admit.APIObject) *corev1.PodSpec {
	switch o := o.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	}
	return nil
}

// Without nodes, the answer is that with one endless node, but for places.
func TestWithoutNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var dump []admit.APIObject
		for i := range rapid.IntRange(0, 3).Draw(t, "pods") { // of which one has no owner
			p := on("a", podOf(fmt.Sprint("pod-", i), "1"))
			dump = append(dump, []admit.APIObject{p, owned(p, "ReplicaSet", "xr"), owned(p, "DaemonSet", "xd")}[i])
		}
		opts := whatif.Options{RunCronJobs: true, AtOnce: flip(t, "at once", 8)}
		without, with := read(t, opts, dump...), read(t, opts, append(dump, endless("a"))...)
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			obj := drawUnlocated(t)
			a, b := without.Room(obj), with.Room(obj)
			if a.Replicas != b.Replicas && (a.Replicas != math.MaxInt64 || a.Next.Cause != "") || a.Next.Cause != "" && a.Next.Message != b.Next.Message {
				t.Fatalf("room for %d, %v; with a node %d, %v", a.Replicas, a.Next.Message, b.Replicas, b.Next.Message)
			}
			change := func(c *whatif.Cluster) outcome { return did(c.Apply(obj)) }
			if flip(t, "delete", 5) {
				change = func(c *whatif.Cluster) outcome { return did(c.Delete(obj)) }
			}
			got, want := change(without), change(with)
			testkit.NoDiff(t, unplaced(got), unplaced(want), testkit.Fingerprint(obj))
			for _, p := range got.Pods {
				if p.Waits.Cause != "" && len(p.Object.Spec.SchedulingGates) == 0 {
					t.Fatalf("%s waits: %v", p.Object.Name, p.Waits.Message)
				}
			}
			without, with = got.After, want.After
		}
		testkit.Equal(t, len(without.Nodes()), 0)
		testkit.Equal(t, len(did(without.Drain("a")).Pods), 0)
	})
}

func TestRolloutsWithoutNodes(t *testing.T) {
	c := did(read(t, whatif.Options{}, resourceQuota("q", "requests.cpu", "4")).Apply(deployment("web", 3, "1"))).After
	c = wantStory(t, did(c.Apply(deployment("web", 3, "900m"))), `
		Deployment web Updated 3/3/0
		  web-2-1 >
		  web-1-3 >
		  web-2-2 >
		  web-1-2 >
		  web-2-3 >
		  web-1-1 >
		`).After
	// Four pods would exceed the quota.
	wantStory(t, did(c.Apply(deployment("web", 3, "1400m"))), `
		Deployment web Updated 3/0/0 outdated 3: pods "web-3-1" is forbidden: exceeded quota: q, requested: requests.cpu=1400m, used: requests.cpu=2700m, limited: requests.cpu=4
		`)
	wantStory(t, did(c.Apply(statefulSet("db", 3, "500m"))), `
		StatefulSet db Created 3/2/0: pods "db-2" is forbidden: exceeded quota: q, requested: requests.cpu=500m, used: requests.cpu=3700m, limited: requests.cpu=4
		  db-0 >
		  db-1 >
		`)
}

// The pods of a DaemonSet are on the nodes that they name, whether the API server admits the next ones or not.
func TestDaemonSetWithoutNodes(t *testing.T) {
	var dump []admit.APIObject
	for _, name := range []string{"a", "b", "c"} {
		dump = append(dump, owned(on(name, podOf("agent-"+name, "1")), "DaemonSet", "agent"))
	}
	c := read(t, whatif.Options{}, append(dump, daemonSet("agent", "1"), resourceQuota("q", "requests.cpu", "4"))...)
	c = wantStory(t, did(c.Apply(daemonSet("agent", "1500m"))), `
		DaemonSet agent Updated 3/2/0: pods "agent-3" is forbidden: exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=3, limited: requests.cpu=4
		  agent-a a>
		  agent-1 >
		  agent-b b>
		  agent-2 >
		  agent-c c>
		`).After
	c = wantStory(t, did(c.Apply(resourceQuota("q", "requests.cpu", "6"))), `
		ResourceQuota q Updated
		  agent-3 >
		`).After
	// Of others, nothing is known.
	c = wantStory(t, did(c.Apply(daemonSet("new", "1"))), `
		DaemonSet new Created 1/1/0
		  new-1 >
		`).After
	wantStory(t, did(c.Apply(node("b", "9"))), `
		Node b Created
		  agent-1 >
		  agent-2 >b
		  agent-3 >
		  new-1 >
		  new-2 >b
		`)
}

// The status of a DaemonSet says on how many further nodes it wants pods: each that is known has its place.
func TestDaemonSetOfSomePodsWithoutNodes(t *testing.T) {
	agent := daemonSet("agent", "1")
	agent.Status.ObservedGeneration, agent.Status.DesiredNumberScheduled = 1, 3
	c := read(t, whatif.Options{}, agent, owned(on("x", podOf("agent-x", "1")), "DaemonSet", "agent"), owned(on("y", podOf("agent-y", "1")), "DaemonSet", "agent"))
	testkit.Equal(t, tellRoom(c.Room(agent)), "1, Unschedulable: 0/3 nodes are available: 3 node(s) had a pod of the DaemonSet.")
	wantStory(t, did(c.Delete(podOf("agent-y", "1"))), `
		Pod agent-y Deleted
		  agent-y y>
		  agent-1 >
		  agent-2 >
		`)
}

// A pod whose owner was not among the objects that were read is the one that its DaemonSet wants, although nothing
// else is known of its node.
func TestDaemonSetOfKnownPodWithoutNodes(t *testing.T) {
	quota := resourceQuota("q", "pods", "1")
	known := owned(on("a", podOf("agent-a", "1")), "DaemonSet", "agent")
	c := read(t, whatif.Options{}, known, quota)
	c = wantStory(t, did(c.Apply(daemonSet("agent", "1"))), `
		DaemonSet agent Created 1/0/0: pods "agent-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
		`).After
	tolerant := known.DeepCopy()
	tolerant.Spec.Tolerations = []corev1.Toleration{{Key: "new"}}
	c = did(c.Apply(tolerant)).After
	wantStory(t, did(c.Delete(quota)), `
		ResourceQuota q Deleted
		`)
}

// If the last node is deleted, it is known that there is none.
func TestLastNode(t *testing.T) {
	c := did(read(t, whatif.Options{}).Apply(deployment("web", 2, "1"))).After
	c = wantStory(t, did(c.Apply(node("a", "1"))), `
		Node a Created
		  web-1-1 >a
		  web-1-2: 0/1 nodes are available: 1 Insufficient cpu.
		`).After
	wantStory(t, did(c.Delete(node("a", "1"))), `
		Node a Deleted
		  web-1-1 a>
		  web-1-3: no nodes available to schedule pods
		`)
}
