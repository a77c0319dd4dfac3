package nodes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// cluster has the nodes and pods of the input that count, and where pending pods are placed.
type cluster struct {
	*whatif.Cluster
	objects   []admit.APIObject
	nodes     []*node
	byName    map[string]*node
	pods      []*pod                   // those on nodes, in the order of the input
	pending   []*pod                   // those without a node, in the order in which they are placed
	fit       noderesources.FitOptions // with the DeviceClasses of the input
	options   whatif.Options
	ended     int
	elsewhere map[string]int // pods on nodes that are not in the input

	namespaces []*corev1.Namespace
	podless    []*pod                       // of workloads whose pods are not in the input, with -pack
	daemonSets map[string]*appsv1.DaemonSet // by namespace/name
	budgets    []*policyv1.PodDisruptionBudget
	may        map[string]bool // whether pods may be on a node, by what decides
}

// node is a Node with the pods there.
type node struct {
	*corev1.Node
	pods   []*pod // that are there
	placed []*pod // that are placed there
}

// all returns the pods that are there, and then those that are placed there.
func (n *node) all() []*pod { return slices.Concat(n.pods, n.placed) }

// load returns what is requested of a node by the pods that are there.
func (n *node) load() Load {
	now := noderesources.NewLedger(n.Status.Allocatable)
	for _, p := range n.pods {
		_ = now.Add(p.id, p.request) // ids differ
	}
	return loadOf(now.Allocatable(), now.Requested(), now.Limited())
}

// pod is a Pod with its request.
type pod struct {
	*corev1.Pod
	id      types.UID // ours, because manifests may have none
	request noderesources.Request
	answer  *whatif.Pod // of a pending pod: where it is placed, or why it waits
}

func (p *pod) title() string { return p.Namespace + "/" + p.Name }

func clusterOf(l *inventory.List, opts whatif.Options) (*cluster, error) {
	c := &cluster{byName: map[string]*node{}, elsewhere: map[string]int{}, options: opts}
	c.fit.IgnoredResources, c.fit.IgnoredGroups = opts.IgnoredResources, opts.IgnoredGroups
	c.may, c.daemonSets, c.budgets = map[string]bool{}, map[string]*appsv1.DaemonSet{}, inventory.Of[*policyv1.PodDisruptionBudget](l)
	for _, d := range inventory.Of[*appsv1.DaemonSet](l) {
		c.daemonSets[d.Namespace+"/"+d.Name] = d
	}
	c.namespaces = inventory.Of[*corev1.Namespace](l)
	c.fit.ExtendedResources = quota.ExtendedResources(inventory.Of[*resourcev1.DeviceClass](l))
	for _, n := range inventory.Of[*corev1.Node](l) {
		added := &node{Node: n}
		c.nodes, c.byName[n.Name] = append(c.nodes, added), added
	}
	slices.SortFunc(c.nodes, func(a, b *node) int { return cmp.Compare(a.Name, b.Name) })
	defaults := l.Defaults(opts.Admission.Kubernetes)
	for i, o := range l.Objects {
		if p, isPod := o.(*corev1.Pod); isPod {
			defaults.Apply(p)
			c.add(&pod{Pod: p, id: types.UID(fmt.Sprint(i))})
		}
	}
	// As in the scheduler's queue: by priority, then the older first.
	slices.SortStableFunc(c.pending, func(a, b *pod) int {
		return cmp.Or(cmp.Compare(inventory.Priority(b.Pod), inventory.Priority(a.Pod)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time))
	})
	var err error
	c.objects = l.Objects
	c.Cluster, err = whatif.Read(c.objects, c.options)
	if err == nil {
		c.place()
	}
	return c, err
}

// place sets the nodes of the pending pods, or why they have none.
func (c *cluster) place() {
	for i, answer := range c.placesIn(c.Cluster) {
		p := c.pending[i]
		p.answer = &answer
		if n := c.byName[answer.Node]; n != nil {
			n.placed = append(n.placed, p)
		}
	}
}

// placesIn returns what has become of each of the pending pods in a cluster; zero for one that is gone.
func (c *cluster) placesIn(in *whatif.Cluster) (places []whatif.Pod) {
	waiting := map[types.NamespacedName]whatif.Pod{}
	for _, p := range in.Pods("") { // at once, because each is compared with all nodes
		waiting[nameOf(p.Object)] = p
	}
	for _, p := range c.pending {
		answer, waits := waiting[nameOf(p.Pod)]
		if !waits {
			answer, _ = in.Pod(nameOf(p.Pod)) // which was placed
		}
		places = append(places, answer)
	}
	return places
}

func nameOf(p *corev1.Pod) types.NamespacedName {
	return types.NamespacedName{Namespace: p.Namespace, Name: p.Name}
}

// add adds a pod, if it counts.
func (c *cluster) add(p *pod) {
	sums := computeresources.Options{Kubernetes: c.options.Admission.Kubernetes}
	switch {
	case computeresources.HasEnded(p.Pod), p.Spec.NodeName == "" &&
		p.DeletionTimestamp != nil: // the scheduler does not place it
		c.ended++
		return
	case p.Spec.NodeName == "":
		p.request = noderesources.SpecRequest(&p.Spec, sums)
		c.pending = append(c.pending, p)
		return
	}
	p.request = noderesources.PodRequest(p.Pod, sums)
	c.pods = append(c.pods, p)
	n, known := c.byName[p.Spec.NodeName]
	if !known {
		c.elsewhere[p.Spec.NodeName]++
		return
	}
	n.pods = append(n.pods, p)
}

func (p *pod) owner() (kind, name string) {
	if ref := metav1.GetControllerOf(p.Pod); ref != nil {
		return ref.Kind, ref.Name
	}
	return "", ""
}

// perNode reports whether each node has such a pod, because it belongs to a DaemonSet.
func (p *pod) perNode() bool {
	kind, _ := p.owner()
	return kind == "DaemonSet"
}

func (p *pod) gated() bool { return len(p.Spec.SchedulingGates) > 0 }

// allows reports whether a pod may be on a node apart from resources.
func (c *cluster) allows(p *pod, n *node) bool { return c.mayBeOn(&p.Spec, n.Node) }

// mayBeOn reports whether pods may be on a node apart from resources: they tolerate its taints, and it matches their selectors.
func (c *cluster) mayBeOn(spec *corev1.PodSpec, n *corev1.Node) bool {
	key := textOf(spec.NodeSelector, spec.Affinity, spec.Tolerations, n.Name, n.Labels, n.Spec.Taints, n.Spec.Unschedulable)
	if may, known := c.may[key]; known {
		return may
	}
	empty := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}, Spec: n.Spec}
	empty.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("1")}
	small := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: corev1.NamespaceDefault, Name: "pod"},
		Spec: corev1.PodSpec{NodeSelector: spec.NodeSelector, Affinity: spec.Affinity, Tolerations: spec.Tolerations}}
	if alone, err := whatif.Read([]admit.APIObject{empty, small}, whatif.Options{}); err == nil {
		c.may[key] = len(alone.Pods(n.Name)) > 0
	}
	return c.may[key]
}

// textOf returns a text that is equal for equal values, also behind pointers.
func textOf(values ...any) string {
	text, _ := json.Marshal(values) // types of the API can be written
	return string(text)
}

// kind is equal for pods that lack the same on each node, and may preempt the same.
func (p *pod) kind() string {
	return textOf(inventory.Priority(p.Pod), p.Spec.PreemptionPolicy, p.Spec.NodeSelector, p.Spec.Tolerations, p.Spec.Affinity,
		p.Status.NominatedNodeName, resourcelist.Integers(p.request.Amounts(computeresources.Requests)))
}

func (c *cluster) describe(shows func(*pod) bool) []Pending {
	pending := []Pending{}
	known := map[string]Pending{} // by kind
	var full *noderesources.Cluster
	for _, p := range c.pending {
		if !shows(p) {
			continue
		}
		d := Pending{Namespace: p.Namespace, Name: p.Name, Requests: report.Amounts(p.request.Amounts(computeresources.Requests)),
			Unknown: p.answer.Unknown}
		_, d.Owner = p.owner()
		switch {
		case p.answer.Node != "":
			d.Node, d.Choice = p.answer.Node, p.answer.Choice
		case len(c.nodes) == 0 && !p.gated():
			d.Message = noNode
		case p.gated():
			d.Gated, d.Message = true, p.answer.Waits.Message
		default:
			kind := p.kind()
			like, found := known[kind]
			if !found {
				if full == nil {
					full = c.full()
				}
				like = Pending{Nearest: c.nearest(p, full), Preempts: c.preempts(p, full)}
				known[kind] = like
			}
			d.Message, d.Nearest, d.Preempts = p.answer.Waits.Message, like.Nearest, like.Preempts
		}
		pending = append(pending, d)
	}
	return pending
}

// noNode is why nothing is said of where pods go.
const noNode = "the input has no Node"

// mostNearest is how many of the nodes that lack the least are named.
const mostNearest = 3

// nearest returns the nodes that lack the least for a pod, after all others are placed: the largest lack of a node, as a
// fraction of its allocatable amount, decides.
func (c *cluster) nearest(p *pod, full *noderesources.Cluster) []Nearest {
	type lacking struct {
		Nearest
		part float64
	}
	var all []lacking
	for _, n := range c.nodes {
		shortages, _ := full.Shortages(p.request, n.Name, c.fit) // it has the same nodes
		if len(shortages) == 0 || !c.allows(p, n) {
			continue
		}
		l := lacking{Nearest: Nearest{Node: n.Name, Lacks: report.Amounts(shortages.Shortfall())}}
		for name, lack := range l.Lacks {
			part, ok := resourcelist.Fraction(lack, n.Status.Allocatable[name])
			if !ok {
				part = math.Inf(1) // the node has nothing of it
			}
			l.part = max(l.part, part)
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b lacking) int { return cmp.Compare(a.part, b.part) })
	var nearest []Nearest
	for _, l := range all[:min(len(all), mostNearest)] {
		nearest = append(nearest, l.Nearest)
	}
	return nearest
}

// full returns the nodes with all pods that are there or placed there. Those that no pending pod may preempt count without their ids,
// which take most of the memory.
func (c *cluster) full() *noderesources.Cluster {
	all := &noderesources.Cluster{}
	for _, n := range c.nodes {
		_ = all.AddNode(n.Name, n.Status.Allocatable) // names differ
		for _, p := range n.all() {
			id := p.id
			if inventory.Priority(p.Pod) >= inventory.Priority(c.pending[0].Pod) {
				id = ""
			}
			_ = all.AddPod(id, n.Name, p.request) // ids differ
		}
	}
	return all
}

// preempts returns which pods the scheduler would preempt so that a pod gets a node; nil if there are none.
func (c *cluster) preempts(p *pod, full *noderesources.Cluster) *Preemption {
	if c.options.Profile != nil && c.options.Profile.NoPreemption {
		return nil
	}
	opts := noderesources.PreemptOptions{
		FitOptions: c.fit, Kubernetes: c.options.Admission.Kubernetes,
		Priority: inventory.Priority(p.Pod), NominatedNode: p.Status.NominatedNodeName, Budgets: c.budgets,
		Filter: func(name string) bool { return c.allows(p, c.byName[name]) },
	}
	if policy := p.Spec.PreemptionPolicy; policy != nil {
		opts.PreemptionPolicy = *policy
	}
	found, err := full.Preempt(p.request, func(name string) (on []noderesources.PotentialVictim) {
		for _, other := range c.byName[name].all() {
			victim := noderesources.PotentialVictimOf(other.Pod)
			victim.UID = other.id
			on = append(on, victim)
		}
		return on
	}, opts)
	if err != nil || len(found.Victims) == 0 {
		return nil
	}
	preemption, on := &Preemption{Node: found.Node}, c.byName[found.Node].all()
	for _, i := range found.Victims {
		preemption.Victims = append(preemption.Victims, on[i].title())
	}
	return preemption
}

// whose spec says the same.
func taints(n *corev1.Node) (texts []string) {
	for _, t := range n.Spec.Taints {
		if t.Effect != corev1.TaintEffectPreferNoSchedule && t.Key != corev1.TaintNodeUnschedulable {
			texts = append(texts, t.ToString())
		}
	}
	return texts
}
