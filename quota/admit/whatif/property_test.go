package whatif_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// drawCluster draws a cluster with a node, in which some objects have been applied.
func drawCluster(t *rapid.T) *whatif.Cluster {
	return did(read(t, whatif.Options{RunCronJobs: true}).Apply(append([]admit.APIObject{drawNode(t)}, drawObjects(t, 6)...)...)).After
}

// drawChanges draws objects to apply: of all kinds with any amounts, and those of drawObject.
func drawChanges(t *rapid.T) (objects []admit.APIObject) {
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		if flip(t, "any kind", 2) {
			stored, updated := drawStored(t)
			objects = append(objects, stored, updated)
		} else {
			objects = append(objects, drawObject(t))
		}
	}
	return objects
}

// whole writes everything that a cluster answers.
func whole(c *whatif.Cluster) (lines []string) {
	for _, namespace := range whatif.NamespacesOf(c) {
		for _, o := range whatif.ObjectsOf(c, namespace) {
			lines = append(lines, testkit.Fingerprint(o))
		}
		for _, q := range c.Namespace(namespace).Quotas() {
			lines = append(lines, testkit.Fingerprint(q))
		}
	}
	slices.Sort(lines)
	for _, name := range append(c.Nodes(), "") {
		if l := ledgerOf(c, name); l != nil {
			lines = append(lines, name+testkit.Fingerprint([]any{l.Requested(), l.Limited(), l.Allocatable()}))
		}
		for _, p := range c.Pods(name) {
			lines = append(lines, testkit.Fingerprint(p))
		}
	}
	return lines
}

func objectTexts(objects []whatif.Object) (texts []string) {
	for _, o := range objects {
		texts = append(texts, fmt.Sprint(o.Source, o.Action, o.Reason.Message, o.Missing.Message, o.Wanted, o.Pods, o.Placed, o.Outdated, o.Depends, testkit.Fingerprint(o.Decision.Object)))
	}
	return texts
}

func actionTexts(objects []whatif.Object) (texts []string) {
	for _, o := range objects {
		texts = append(texts, fmt.Sprint(o.Source, o.Action, o.Reason.Message, testkit.Fingerprint(o.Decision.Object)))
	}
	return texts
}

func TestApplyOneAfterTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, a, b := drawCluster(t), drawChanges(t), drawChanges(t)
		both, first := did(c.Apply(append(slices.Clone(a), b...)...)), did(c.Apply(a...))
		second := did(first.After.Apply(b...))
		testkit.NoDiff(t, whole(second.After), whole(both.After))
		earlier, later := both.Objects[:len(first.Objects)], both.Objects[len(first.Objects):]
		testkit.NoDiff(t, objectTexts(second.Objects), objectTexts(later))
		testkit.NoDiff(t, actionTexts(first.Objects), actionTexts(earlier)) // and the pods are those that there are in the end
		nothing := did(both.After.Apply())
		testkit.NoDiff(t, whole(nothing.After), whole(both.After))
		testkit.Equal(t, len(nothing.Objects)+len(nothing.Pods)+len(nothing.Quotas)+len(nothing.Nodes), 0)
	})
}

// A cluster that is read from its own objects is the same.
func TestReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		dump := whatif.NodeObjectsOf(c)
		for _, q := range c.Namespace("shop").Quotas() {
			dump = append(dump, q)
		}
		var workloads []admit.APIObject
		for _, o := range whatif.ObjectsOf(c, "shop") {
			switch o := o.(type) {
			case *corev1.ResourceQuota:
			case *corev1.Pod:
				p, _ := c.Pod(inShop(o.Name))
				dump = append(dump, on(p.Node, o.DeepCopy()))
			default:
				dump, workloads = append(dump, o), append(workloads, o)
			}
		}
		again := read(t, whatif.Options{}, dump...)
		testkit.NoDiff(t, stateOf(again), stateOf(c))
		for _, w := range workloads {
			r, want := did(again.Apply(w)), did(c.Apply(w)).Objects[0]
			got := r.Objects[0]
			testkit.Equal(t, len(r.Pods)+len(r.Quotas)+len(r.Others), 0)
			testkit.Equal(t, fmt.Sprint(got.Action, got.Wanted, got.Pods+got.Outdated), fmt.Sprint(want.Action, want.Wanted, want.Pods+want.Outdated), got.Source)
			if got.Outdated == want.Outdated && got.Pods < got.Wanted && len(w.GetOwnerReferences()) == 0 { // of a cluster, the templates of pods are not known
				testkit.Equal(t, got.Missing.Cause != "", want.Missing.Cause != "", got.Source)
			}
		}
	})
}

// What a result says has changed is what differs between the clusters.
func TestResultIsTheDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		before := whole(c)
		r := map[string]func() outcome{
			"apply":  func() outcome { return did(c.Apply(drawChanges(t)...)) },
			"delete": func() outcome { return did(c.Delete(drawObject(t))) },
			"drain":  func() outcome { return did(c.Drain("a")) },
		}[rapid.SampledFrom([]string{"apply", "delete", "drain"}).Draw(t, "change")]()
		testkit.NoDiff(t, whole(c), before, "the cluster before")
		was, is := nodesOf(c), nodesOf(r.After)
		changed := map[string]bool{}
		for _, p := range r.Pods {
			name := p.Object.Namespace + "/" + p.Object.Name
			testkit.Equal(t, p.Before, was[name], name, "before")
			testkit.Equal(t, p.Node, is[name], name)
			testkit.Equal(t, p.Gone, !has(r.After, p.Object), name, "is gone")
			changed[name] = true
		}
		for name, node := range was {
			if is[name] != node && !changed[name] {
				t.Fatalf("%s moved from %q to %q, which is not in the result", name, node, is[name])
			}
		}
		for name := range is {
			if _, known := was[name]; !known && !changed[name] {
				t.Fatalf("%s is new, which is not in the result", name)
			}
		}
		for _, name := range r.After.Nodes() {
			old, l := ledgerOf(c, name), ledgerOf(r.After, name)
			same := old != nil && testkit.Fingerprint(old.Free()) == testkit.Fingerprint(l.Free())
			if !same && !slices.Contains(r.Nodes, name) {
				t.Fatalf("node %s has changed", name)
			}
		}
		for _, q := range r.After.Namespace("shop").Quotas() {
			i := slices.IndexFunc(r.Quotas, func(o *corev1.ResourceQuota) bool { return o.Name == q.Name })
			j := slices.IndexFunc(c.Namespace("shop").Quotas(), func(o *corev1.ResourceQuota) bool {
				return o.Name == q.Name && equality.Semantic.DeepEqual(o.Status, q.Status)
			})
			if (i < 0) != (j >= 0) {
				t.Fatalf("quota %s: in the result %v, as before %v", q.Name, i >= 0, j >= 0)
			}
		}
	})
}

// The evicted pods are those that their node may not keep, whoever owns them.
func TestEvicted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, n := drawCluster(t), drawNode(t)
		kind, change := rapid.IntRange(0, 2).Draw(t, "change"), func() outcome { return did(c.Apply(n)) }
		switch kind {
		case 1:
			change = func() outcome { return did(c.Drain(n.Name)) }
		case 2:
			change = func() outcome { return did(c.Delete(n)) }
		}
		want, got := []string{}, []string{}
		for _, p := range c.Pods(n.Name) {
			isTainted := slices.ContainsFunc(n.Spec.Taints, func(taint corev1.Taint) bool {
				return taint.Effect == corev1.TaintEffectNoExecute && !slices.ContainsFunc(p.Object.Spec.Tolerations, func(other corev1.Toleration) bool {
					return other.Key == taint.Key && other.Value == taint.Value
				})
			})
			if kind == 2 || kind == 1 && p.Owner.Kind != "DaemonSet" || kind == 0 && isTainted {
				want = append(want, p.Object.Name)
			}
		}
		for _, p := range change().Pods {
			if p.Evicted || p.Preempted && slices.Contains(want, p.Object.Name) {
				got = append(got, p.Object.Name)
			}
		}
		slices.Sort(got)
		testkit.NoDiff(t, got, want)
	})
}

func nodesOf(c *whatif.Cluster) map[string]string {
	nodes := map[string]string{}
	for _, node := range append(c.Nodes(), "") {
		for _, p := range c.Pods(node) {
			nodes[p.Object.Namespace+"/"+p.Object.Name] = p.Node
		}
	}
	return nodes
}

func has(c *whatif.Cluster, p *corev1.Pod) bool {
	_, err := c.Pod(types.NamespacedName{Namespace: p.Namespace, Name: p.Name})
	return err == nil
}

func TestLedgersAndQuotasAreSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := did(drawCluster(t).Apply(drawChanges(t)...)).After
		c = did(did(c.Delete(drawObject(t))).After.Drain("b")).After
		for _, name := range c.Nodes() {
			want := noderesources.NewLedger(ledgerOf(c, name).Allocatable())
			for i, p := range c.Pods(name) {
				testkit.OK(t, want.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(p.Object, computeresources.Options{})))
			}
			testkit.Equal(t, testkit.Fingerprint(ledgerOf(c, name).Free()), testkit.Fingerprint(want.Free()), name)
		}
		ns := c.Namespace("shop")
		var objects []quota.Object
		for _, o := range whatif.ObjectsOf(c, "shop") {
			objects = append(objects, ns.QuotaObject(o, admit.Attributes{}))
		}
		for _, q := range ns.Quotas() {
			want, err := quota.CalculateUsage(objects, q)
			testkit.OK(t, err)
			if !equality.Semantic.DeepEqual(q.Status.Used, want.Used) {
				t.Fatalf("quota %s: %v used, want %v", q.Name, testkit.Texts(q.Status.Used), testkit.Texts(want.Used))
			}
		}
	})
}

// One object is decided as admit does, and one pod is placed as noderesources does.
func TestOneObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		obj, _ := drawStored(t)
		obj.SetName("new")
		if p, is := obj.(*corev1.Pod); is { // with the tolerations that it would get
			for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable, "t"} {
				p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists})
			}
			p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists})
		}
		ns := c.Namespace("shop")
		want, got := ns.Create(obj, admit.Attributes{}), did(c.Apply(obj)).Objects[0]
		testkit.Equal(t, got.Reason.Cause != "", want.Err() != nil)
		if err := want.Err(); err != nil {
			testkit.Equal(t, got.Reason.Message, err.Error())
		}
		testkit.Equal(t, testkit.Fingerprint(got.Decision.Changes), testkit.Fingerprint(want.Changes))
		p, is := obj.(*corev1.Pod)
		if !is || got.Reason.Cause != "" {
			return
		}
		var nodes noderesources.Cluster
		for _, name := range c.Nodes() {
			testkit.OK(t, nodes.AddNode(name, ledgerOf(c, name).Allocatable()))
			for i, p := range c.Pods(name) {
				testkit.OK(t, nodes.AddPod(types.UID(fmt.Sprint(name, i)), name, noderesources.PodRequest(p.Object, computeresources.Options{})))
			}
		}
		placed := did(c.Apply(obj)).Pods[0]
		r := noderesources.SpecRequest(&want.Object.(*corev1.Pod).Spec, computeresources.Options{})
		if err := nodes.CheckFit(r, noderesources.FitOptions{}); err != nil {
			testkit.Equal(t, placed.Waits.Message, err.Error(), p.Name)
			return
		}
		balanced, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.BalancedAllocation})
		testkit.OK(t, err)
		least, balance := nodes.AppendScores(nil, r, noderesources.Profile{{}}), nodes.AppendScores(nil, r, noderesources.Profile{{Scorer: balanced}})
		best, fits := "", nodes.AppendFits(nil, r, noderesources.FitOptions{})
		highest := int64(-1)
		for i, name := range nodes.Nodes() {
			if score := least[i] + balance[i]; slices.Contains(fits, name) && score > highest {
				best, highest = name, score
			}
		}
		testkit.Equal(t, placed.Node, best)
	})
}

// Room is the largest number of pods that are created and placed one after the other.
func TestRoomIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		p := podOf("more", "1")
		p.Spec = drawTemplate(t).Spec
		p.Spec.PreemptionPolicy = pointer(corev1.PreemptNever)
		room := c.Room(p)
		for i := range room.Replicas + 1 {
			p.Name = fmt.Sprint("more-", i)
			r := did(c.Apply(p))
			stop := r.Objects[0].Reason.Message
			if stop == "" {
				stop = r.Pods[0].Waits.Message
			}
			if (stop != "") != (i == room.Replicas) {
				t.Fatalf("pod %d of %d: %s", i, room.Replicas, stop)
			}
			if stop != "" {
				testkit.Equal(t, stop, strings.Replace(room.Next.Message, `"more"`, `"`+p.Name+`"`, 1))
			}
			c = r.After
		}
	})
}

// The Room of a workload that is not there is how many replicas it can have.
func TestRoomOfWorkloads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		d, s := deployment("new", 0, "1"), statefulSet("new", 0, "1", "data")
		d.Spec.Template = drawTemplate(t)
		d.Spec.Template.Spec.PreemptionPolicy = pointer(corev1.PreemptNever)
		s.Spec.Template = d.Spec.Template
		for _, w := range []struct {
			obj      admit.APIObject
			replicas *int32
		}{{d, d.Spec.Replicas}, {s, s.Spec.Replicas}} {
			room := c.Room(w.obj)
			*w.replicas = int32(room.Replicas)
			if o := did(c.Apply(w.obj)).Objects[0]; o.Placed != room.Replicas {
				t.Fatalf("%d of %d replicas placed", o.Placed, room.Replicas)
			}
			*w.replicas++
			if o := did(c.Apply(w.obj)).Objects[0]; o.Placed != room.Replicas {
				t.Fatalf("%d placed of %d replicas, but there is room for %d", o.Placed, *w.replicas, room.Replicas)
			}
		}
	})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		objects := drawObjects(t, 4)
		stored, updated := drawStored(t)
		changes := append(drawObjects(t, 2), updated)
		objects = append(objects, stored)
		shared, like := drawCluster(t), drawNode(t)
		pods := []*corev1.Pod{podOf("new", "1"), on("a", podOf("there", "500m"))}
		over := openShift(t, `{"pods":"9"}`, ``)
		testkit.Contract(t, func() any {
			c, err := whatif.Read([]admit.APIObject{ofTeam("shop", "a"), over, pods[0]}, whatif.Options{})
			return []any{c.ClusterQuotas(), err}
		}, over, pods)
		testkit.Contract(t, func() any {
			c, err := whatif.Read(distinct(objects), whatif.Options{})
			if err != nil {
				return err.Error()
			}
			r := did(c.Apply(changes...))
			again := did(r.After.Delete(changes...))
			drained := did(again.After.Drain("a"))
			room := c.Room(updated)
			lines := append(whole(c), whole(drained.After)...)
			lines = append(lines, whole(did(shared.Apply(changes...)).After)...)
			lines = append(lines, objectTexts(append(r.Objects, drained.Objects...))...)
			p, err := c.Pod(inShop("web"))
			lines = append(lines, (&noderesources.FitError{Nodes: 1, Reasons: []noderesources.FitReason{{Message: "Too many pods", Nodes: 1}}}).Error())
			e, refused := shared.Estimate(pods, like, pods[:1])
			lines = append(lines, testkit.Fingerprint([]any{e, refused}))
			return append(lines, fmt.Sprint(room.Replicas, room.Next.Message, err, p.Node, c.Namespace("shop") != nil, ledgerOf(c, "a") != nil, c.Nodes(), r.Nodes), story(r))
		}, objects, changes, pods, like)
	})
}

// distinct returns the first object of each kind and name.
func distinct(objects []admit.APIObject) (list []admit.APIObject) {
	seen := map[string]bool{}
	for _, o := range objects {
		if k := fmt.Sprintf("%T%s", o, o.GetName()); !seen[k] {
			seen[k] = true
			list = append(list, o)
		}
	}
	return list
}
