package whatif_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// slow is a cluster of one namespace that does one thing after another, and counts everything again each time.
type slow struct {
	nodes    map[string]*corev1.Node
	pods     map[string]*slowPod
	objects  map[string]admit.APIObject // other than pods and nodes, by kind and name
	numbers  map[string]int             // of names, by workload
	sets     map[string]*slowSet        // the ReplicaSets of Deployments
	balanced noderesources.Profile
}

type slowPod struct {
	object      *corev1.Pod
	owner, node string
	template    string
	number      int // when it was created
}

func newSlow() *slow {
	balanced, _ := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.BalancedAllocation})
	return &slow{map[string]*corev1.Node{}, map[string]*slowPod{}, map[string]admit.APIObject{}, map[string]int{}, map[string]*slowSet{}, noderesources.Profile{{Scorer: balanced}}}
}

// namespace compiles the quotas with the usage of all objects.
func (w *slow) namespace(t testkit.TB) *admit.Namespace {
	var empty *admit.Namespace
	var counted []quota.Object
	var quotas []*corev1.ResourceQuota
	for _, o := range w.objects {
		counted = append(counted, empty.QuotaObject(o, admit.Attributes{}))
	}
	for _, p := range w.pods {
		counted = append(counted, quota.Pod(p.object, time.Time{}, quota.PodOptions{}))
	}
	for _, o := range w.objects {
		if q, is := o.(*corev1.ResourceQuota); is {
			own := q.DeepCopy()
			own.Status, _ = quota.CalculateUsage(counted, q)
			quotas = append(quotas, own)
		}
	}
	var ranges []*corev1.LimitRange
	for _, o := range w.objects {
		if lr, is := o.(*corev1.LimitRange); is {
			ranges = append(ranges, lr)
		}
	}
	ns, err := admit.Compile(ranges, quotas, admit.Options{})
	testkit.OK(t, err)
	return ns
}

// store stores an object unless it is refused.
func (w *slow) store(t testkit.TB, id string, obj admit.APIObject) bool {
	if old := w.objects[id]; old != nil {
		if before, is := old.(*appsv1.StatefulSet); is { // what a manifest leaves out stays
			own := obj.DeepCopyObject().(*appsv1.StatefulSet)
			own.Spec.PodManagementPolicy = cmp.Or(own.Spec.PodManagementPolicy, before.Spec.PodManagementPolicy)
			obj = own
		}
		if !w.namespace(t).Update(old, obj, admit.Attributes{}).Admitted() {
			return false
		}
	} else if !w.namespace(t).Create(obj, admit.Attributes{}).Admitted() {
		return false
	}
	w.objects[id] = obj
	return true
}

// create creates a pod, after those that wait have been tried.
func (w *slow) create(t testkit.TB, name, owner, template string, spec corev1.PodSpec) *slowPod {
	pod := &corev1.Pod{ObjectMeta: meta(name), Spec: spec}
	d := w.namespace(t).Create(pod, admit.Attributes{})
	if !d.Admitted() {
		return nil
	}
	w.schedule()
	p := &slowPod{d.Object.(*corev1.Pod), owner, "", template, 0}
	w.pods[name] = p
	if !w.place(p) {
		w.preempt(p)
	}
	return p
}

func (w *slow) tolerates(p *slowPod, n *corev1.Node, effect corev1.TaintEffect) bool {
	for _, taint := range n.Spec.Taints {
		tolerated := false
		for _, toleration := range p.object.Spec.Tolerations {
			tolerated = tolerated || toleration.Key == "t" && toleration.Value == taint.Value
		}
		if taint.Effect == effect && !tolerated {
			return false
		}
	}
	return true
}

func (w *slow) ledger(n *corev1.Node) *noderesources.Ledger {
	l := noderesources.NewLedger(n.Status.Allocatable)
	for _, p := range w.pods {
		if p.node == n.Name {
			if err := l.Add("", noderesources.PodRequest(p.object, computeresources.Options{})); err != nil {
				panic(err)
			}
		}
	}
	return l
}

// refusal returns why a pod cannot be on a node.
func (w *slow) refusal(p *slowPod, n *corev1.Node) string {
	isDaemon := strings.HasPrefix(p.owner, "DaemonSet")
	switch {
	case n.Spec.Unschedulable && !isDaemon:
		return "node(s) were unschedulable"
	case !w.tolerates(p, n, corev1.TaintEffectNoSchedule) || !w.tolerates(p, n, corev1.TaintEffectNoExecute):
		return "node(s) had untolerated taint(s)"
	case p.object.Spec.NodeSelector["name"] != "" && p.object.Spec.NodeSelector["name"] != n.Name:
		return "node(s) didn't match Pod's node affinity/selector"
	}
	if err := w.ledger(n).Shortages(noderesources.SpecRequest(&p.object.Spec, computeresources.Options{}), noderesources.FitOptions{}).Err(); err != nil {
		return err.Error()
	}
	return ""
}

// place puts a pod on the best node, and reports whether there is one. A node has at most one taint: one to avoid costs
// the whole score of its plugin, with weight 3.
func (w *slow) place(p *slowPod) bool {
	best := int64(-1)
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		n := w.nodes[name]
		if w.refusal(p, n) != "" || strings.HasPrefix(p.owner, "DaemonSet") && p.template[:1] != name {
			continue
		}
		r, l := noderesources.SpecRequest(&p.object.Spec, computeresources.Options{}), w.ledger(n)
		score := l.Score(r, noderesources.Profile{{}}) + l.Score(r, w.balanced)
		if w.tolerates(p, n, corev1.TaintEffectPreferNoSchedule) {
			score += 300
		}
		if score > best {
			best, p.node = score, name
		}
	}
	return best >= 0
}

// preempt removes as few unimportant pods as possible from a node, so that an important one fits there, and puts it there.
// It reports whether there is such a node. Those that come first by name are put back first.
func (w *slow) preempt(p *slowPod) bool {
	if p.object.Spec.Priority == nil || p.object.Spec.PreemptionPolicy != nil {
		return false
	}
	best, victims := "", []string(nil)
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		if strings.HasPrefix(p.owner, "DaemonSet") && p.template[:1] != name {
			continue
		}
		var lower, gone []string
		for _, other := range slices.Sorted(maps.Keys(w.pods)) {
			if o := w.pods[other]; o.node == name && o.object.Spec.Priority == nil {
				lower, o.node = append(lower, other), "away"
			}
		}
		if w.refusal(p, w.nodes[name]) == "" {
			for _, other := range lower {
				w.pods[other].node = name
				if w.refusal(p, w.nodes[name]) != "" {
					w.pods[other].node, gone = "away", append(gone, other)
				}
			}
			if best == "" || len(gone) < len(victims) {
				best, victims = name, gone
			}
		}
		for _, other := range lower {
			w.pods[other].node = name
		}
	}
	if best == "" {
		return false
	}
	w.evict(func(o *slowPod) bool { return slices.Contains(victims, o.object.Name) })
	p.node = best
	return true
}

// schedule tries the pods that wait.
func (w *slow) schedule() (placed bool) {
	for _, name := range w.waiting() {
		placed = w.place(w.pods[name]) || w.preempt(w.pods[name]) || placed
	}
	return placed
}

// waiting returns the pods that wait, by priority and name.
func (w *slow) waiting() (names []string) {
	for _, priority := range []int32{10, 0} {
		for _, name := range slices.Sorted(maps.Keys(w.pods)) {
			p := w.pods[name]
			if p.node == "" && (p.object.Spec.Priority != nil) == (priority == 10) {
				names = append(names, name)
			}
		}
	}
	return names
}

// run runs controllers until none has anything to do.
func (w *slow) run(t testkit.TB) {
	for again := true; again; {
		again = w.schedule()
		for _, id := range slices.Sorted(maps.Keys(w.objects)) {
			if w.sync(t, id) {
				again = true
				break
			}
		}
	}
}

// apply applies an object.
func (w *slow) apply(t testkit.TB, obj admit.APIObject) {
	switch o := obj.(type) {
	case *corev1.Node:
		w.nodes[o.Name] = o
		w.evict(func(p *slowPod) bool { return p.node == o.Name && !w.tolerates(p, o, corev1.TaintEffectNoExecute) })
	case *corev1.Pod:
		p := w.pods[o.Name]
		if p == nil {
			w.create(t, o.Name, "", "", o.Spec)
			break
		}
		if requests, applied := p.object.Spec.Containers[0].Resources.Requests, o.Spec.Containers[0].Resources.Requests; requests.Cpu().Cmp(*applied.Cpu()) == 0 &&
			(applied["memory"] == resource.Quantity{} || requests.Memory().Cmp(*applied.Memory()) == 0) &&
			(o.Spec.NodeSelector == nil || p.object.Spec.NodeSelector != nil) && (o.Spec.Priority == nil || p.object.Spec.Priority != nil) {
			p.object = p.object.DeepCopy()
			p.object.Spec.Tolerations = append(p.object.Spec.Tolerations, o.Spec.Tolerations...)
		}
	default:
		w.store(t, strings.TrimPrefix(strings.Split(fmt.Sprintf("%T", o), ".")[1], "*")+"/"+o.GetName(), o)
	}
	w.run(t)
}

func (w *slow) evict(isEvicted func(p *slowPod) bool) {
	for name, p := range w.pods {
		if isEvicted(p) {
			delete(w.pods, name)
		}
	}
}

func (w *slow) delete(t testkit.TB, obj admit.APIObject) {
	id := strings.Split(fmt.Sprintf("%T", obj), ".")[1] + "/" + obj.GetName()
	switch obj.(type) {
	case *corev1.Node:
		delete(w.nodes, obj.GetName())
		w.evict(func(p *slowPod) bool { return p.node == obj.GetName() })
	case *corev1.Pod:
		delete(w.pods, obj.GetName())
	default:
		delete(w.objects, id)
		delete(w.numbers, id)
		w.evict(func(p *slowPod) bool { return p.owner == id })
		for other, o := range w.objects {
			if refs := o.GetOwnerReferences(); len(refs) > 0 && refs[0].Kind+"/"+refs[0].Name == id {
				delete(w.objects, other)
				delete(w.numbers, other)
				w.evict(func(p *slowPod) bool { return p.owner == other })
			}
		}
	}
	w.run(t)
}

func (w *slow) drain(t testkit.TB, name string) {
	n := w.nodes[name]
	if n == nil {
		return
	}
	n = n.DeepCopy()
	n.Spec.Unschedulable = true
	w.nodes[name] = n
	w.evict(func(p *slowPod) bool { return p.node == name && !strings.HasPrefix(p.owner, "DaemonSet") })
	w.run(t)
}

// state writes where pods are, why they wait, and what is used.
func (w *slow) state(t testkit.TB) (lines []string) {
	for name, p := range w.pods {
		lines = append(lines, name+" on "+p.node)
	}
	for _, q := range w.namespace(t).Quotas() {
		lines = append(lines, fmt.Sprint(q.Name, " ", testkit.Texts(q.Status.Used)))
	}
	slices.Sort(lines)
	for _, name := range w.waiting() {
		p, reasons := w.pods[name], map[string]int{}
		for _, n := range w.nodes {
			if strings.HasPrefix(p.owner, "DaemonSet") && p.template[:1] != n.Name {
				reasons["node(s) didn't satisfy plugin(s) [NodeAffinity]"]++
			} else {
				for reason := range strings.SplitSeq(strings.Trim(w.refusal(p, n), "[]"), ", ") {
					reasons[reason]++
				}
			}
		}
		var texts []string
		for reason, n := range reasons {
			texts = append(texts, fmt.Sprint(n, " ", reason))
		}
		slices.Sort(texts)
		text := fmt.Sprintf("0/%d nodes are available: %s.", len(w.nodes), strings.Join(texts, ", "))
		if len(w.nodes) == 0 {
			text = "no nodes available to schedule pods"
		}
		lines = append(lines, name+": "+text)
	}
	return lines
}

// stateOf is state of a cluster.
func stateOf(c *whatif.Cluster) (lines []string) {
	add := func(p whatif.Pod) { lines = append(lines, p.Object.Name+" on "+p.Node) }
	waiting := c.Pods("")
	for _, p := range waiting {
		add(p)
	}
	for _, name := range c.Nodes() {
		for _, p := range c.Pods(name) {
			add(p)
		}
	}
	for _, q := range c.Namespace("shop").Quotas() {
		lines = append(lines, fmt.Sprint(q.Name, " ", testkit.Texts(q.Status.Used)))
	}
	slices.Sort(lines)
	for _, p := range waiting {
		lines = append(lines, p.Object.Name+": "+p.Waits.Message)
	}
	return lines
}

func TestReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := drawNode(t)
		w, c := newSlow(), read(t, whatif.Options{}, first)
		w.apply(t, first)
		for range rapid.IntRange(1, 8).Draw(t, "changes") {
			obj := drawObject(t)
			switch rapid.IntRange(0, 6).Draw(t, "change") {
			case 0:
				w.delete(t, obj)
				c = did(c.Delete(obj)).After
			case 1:
				w.drain(t, "a")
				c = did(c.Drain("a")).After
			default:
				w.apply(t, obj)
				c = did(c.Apply(obj)).After
			}
			testkit.NoDiff(t, stateOf(c), w.state(t), testkit.Fingerprint(obj))
		}
	})
}
