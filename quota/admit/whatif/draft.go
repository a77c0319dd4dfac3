package whatif

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
)

// draft is a cluster that is being changed: a copy, whose namespaces, objects and nodes are copied before they are
// written to.
type draft struct {
	*Cluster
	before *Cluster
	token  *token

	queue    []work          // the workloads whose controllers have to look again, sorted
	synced   map[work]bool   // those whose controllers have done so
	unlocked map[string]bool // the namespaces in which more may be admitted than before
	freed    map[string]bool // the nodes that may have room for pods that wait

	objects []Object
	touched []podName // the pods that have changed, in this order
	known   map[podName]*pod

	same map[[2]*corev1.PodTemplateSpec]bool // whether two templates are the same

	isReading bool             // no pods are preempted: objects that are read stay
	lost      map[podName]bool // the pods that were preempted, if true, or evicted
	least     int32            // no pod on a node has a lower priority, if hasLeast
	hasLeast  bool             // otherwise it has to be found out
	lastPod   *corev1.Pod      // the one that lastShape is of
	lastShape *shape
	placing
}

// work is a workload whose controller has to look again.
type work struct {
	namespace string
	key
}

func (a work) compare(b work) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), a.key.compare(b.key))
}

// edit returns a draft. The cluster does not change.
func (c *Cluster) edit() *draft {
	own := Cluster{}
	if c != nil {
		own = *c
	}
	own.spaces = maps.Clone(own.spaces)
	if own.spaces == nil {
		own.spaces = map[string]*space{}
	}
	own.nodes, own.waiting, own.daemons = slices.Clone(own.nodes), slices.Clone(own.waiting), slices.Clone(own.daemons)
	return &draft{
		Cluster: &own, before: c, token: &token{},
		synced: map[work]bool{}, unlocked: map[string]bool{}, freed: map[string]bool{}, known: map[podName]*pod{},
		placing: placing{baseIndex: own.index},
	}
}

// freeze returns the cluster. The draft must not be used afterwards.
func (d *draft) freeze() *Cluster {
	d.Cluster.index = nil
	if d.located {
		d.Cluster.index = d.podIndex()
	}
	return d.Cluster
}

// space returns a namespace to write to, and adds it if it is new.
func (d *draft) space(name string) *space {
	s := d.spaces[name]
	if s != nil && s.token == d.token {
		return s
	}
	own := &space{name: name, admission: d.bare}
	if s != nil {
		*own = *s
	}
	own.token = d.token
	own.items, own.pods = own.items.Fork(), own.pods.Fork()
	d.spaces[name] = own
	return own
}

// item returns an object to write to, nil if there is none.
func (d *draft) item(namespace string, k key) *item {
	it := d.itemOf(namespace, k)
	if it == nil || it.token == d.token {
		return it
	}
	own := *it
	own.token, own.owned, own.pods = d.token, slices.Clone(it.owned), slices.Clone(it.pods)
	d.space(namespace).items.Set(k, &own)
	return &own
}

// node returns a node to write to.
func (d *draft) node(i int) *node {
	n := d.nodes[i]
	if n.token == d.token {
		return n
	}
	own := &node{token: d.token, name: n.name, object: n.object, pods: slices.Clone(n.pods)}
	own.count()
	d.nodes[i] = own
	return own
}

// touch notes that a pod changes.
func (d *draft) touch(name podName, before *pod) {
	if _, known := d.known[name]; !known {
		d.known[name] = before
		d.touched = append(d.touched, name)
	}
}

// putPod stores a pod in the place of another one of its name, nil if it is new.
func (d *draft) putPod(before, p *pod) {
	d.touch(p.podName, before)
	s := d.space(p.namespace)
	if before != nil {
		d.takeFromNode(before)
		d.dequeue(before)
	}
	s.pods.Set(p.name, p)
	if p.node != "" && !p.ended {
		i, found := d.nodeAt(p.node)
		if !found {
			d.insertNode(i, &node{token: d.token, name: p.node})
		}
		n := d.node(i)
		n.pods = append(n.pods, p)
		n.add(p)
		d.podPlaced(p)
		d.noteMove(move{node: i, pod: p.object})
	}
	if p.node == "" && !p.ended {
		i, _ := slices.BinarySearchFunc(d.waiting, p, byQueue)
		d.waiting = slices.Insert(d.waiting, i, p)
	}
	if owner := d.item(p.namespace, p.owner); owner != nil {
		if i, found := slices.BinarySearch(owner.pods, p.name); !found && !p.ended {
			owner.pods = slices.Insert(owner.pods, i, p.name)
		}
	}
}

// dequeue removes a pod, as it is stored, from those that wait, if it is one of them.
func (d *draft) dequeue(p *pod) {
	if p.node != "" || p.ended {
		return
	}
	if i, found := slices.BinarySearchFunc(d.waiting, p, byQueue); found {
		d.waiting = slices.Delete(d.waiting, i, i+1)
	}
}

// takeFromNode removes a pod from its node.
func (d *draft) takeFromNode(p *pod) {
	if p.node == "" || p.ended {
		return
	}
	i, _ := d.nodeAt(p.node)
	n := d.node(i)
	n.pods = slices.DeleteFunc(n.pods, func(other *pod) bool { return other.podName == p.podName })
	n.count()
	d.podGone(p)
	d.noteMove(move{i, p.object, true})
}

// removePod deletes a pod. Its controller has to look again.
func (d *draft) removePod(p *pod) {
	p = d.podOf(p.podName) // as it is now: it may have got a node in the meantime
	if p == nil {
		return
	}
	d.touch(p.podName, p)
	d.takeFromNode(p)
	d.dequeue(p)
	s := d.space(p.namespace)
	s.pods.Set(p.name, nil)
	if owner := d.item(p.namespace, p.owner); owner != nil {
		if i, found := slices.BinarySearch(owner.pods, p.name); found {
			owner.pods = slices.Delete(owner.pods, i, i+1)
		}
		d.lookAgain(p.namespace, p.owner)
	}
	d.release(s, p.object)
}

// lookAgain notes that the controller of an object, and those of its owners, have to look again.
func (d *draft) lookAgain(namespace string, k key) {
	for range 8 { // owners may refer to each other
		it := d.itemOf(namespace, k)
		if it == nil {
			return
		}
		w := work{namespace, k}
		if i, found := slices.BinarySearchFunc(d.queue, w, work.compare); !found {
			d.queue = slices.Insert(d.queue, i, w)
		}
		k = it.owner
	}
}

// settle runs controllers, by namespace, kind and name, and the scheduler until nothing changes.
func (d *draft) settle() {
	for {
		d.retry()
		for _, name := range slices.Sorted(maps.Keys(d.unlocked)) {
			delete(d.unlocked, name)
			d.lookAgainIn(name)
		}
		if len(d.queue) == 0 {
			return
		}
		w := d.queue[0]
		d.queue = d.queue[1:]
		d.synced[w] = true
		d.sync(w.namespace, w.key)
	}
}

// lookAgainIn notes that controllers in a namespace that are behind have to look again.
func (d *draft) lookAgainIn(namespace string) {
	for k, it := range d.spaces[namespace].items.All {
		if it.behind {
			d.lookAgain(namespace, k)
		}
	}
}

// result returns what has happened, and the cluster afterwards. The draft must not be used afterwards.
func (d *draft) result() (r Result, after *Cluster) {
	r.Objects = d.objects
	for i := range d.objects {
		o := &d.objects[i]
		if it := d.itemOf(o.Namespace, key{o.Kind, o.Name}); it != nil {
			d.countPods(o, it)
		}
	}
	for _, name := range d.touched {
		before, p := d.known[name], d.podOf(name)
		var answer Pod
		switch {
		case p != nil:
			answer = d.podAnswer(p)
		case before != nil:
			answer = Pod{Object: before.object, Owner: d.before.topOwner(before), Gone: true, Assumed: before.assumed,
				Depends: before.depends}
		default:
			continue // it came and went
		}
		if before != nil {
			isPreempted, isLost := d.lost[name]
			answer.Before, answer.Preempted, answer.Evicted = before.node, isPreempted, isLost && !isPreempted
		}
		r.Pods = append(r.Pods, answer)
	}
	r.Others, r.Quotas, r.Nodes = d.others(), d.changedQuotas(), d.changedNodes()
	after = d.freeze()
	for i := range r.Objects {
		if o := &r.Objects[i]; o.Action == Unchanged && o.Missing.Cause == "" &&
			(o.Pods < o.Wanted || o.Outdated > 0 || o.Kind == "CronJob") {
			o.Missing = after.blocked(o.Namespace, key{o.Kind, o.Name})
		}
	}
	return r, after
}

// blocked returns why the controller of an object cannot do anything, zero if it can or has nothing to do.
func (c *Cluster) blocked(namespace string, k key) Reason {
	d := c.edit()
	it := d.item(namespace, k)
	if it == nil {
		return Reason{}
	}
	it.runs = d.opts.RunCronJobs
	d.lookAgain(namespace, k)
	d.settle()
	missing := d.itemOf(namespace, k).missing
	if k.kind == "CronJob" {
		for _, job := range d.itemOf(namespace, k).owned {
			missing = cmp.Or(missing, d.itemOf(namespace, job).missing)
		}
	}
	if len(d.touched) > 0 {
		return Reason{}
	}
	return reasonOf(missing)
}

// others returns the answers about workloads that were concerned, but not applied or deleted themselves.
func (d *draft) others() (others []Object) {
	concerned := map[computeresources.Source]bool{}
	for _, name := range d.touched {
		if p := d.known[name]; p != nil { // as it was owned before, since owners may be gone
			concerned[d.before.topOwner(p)] = true
		}
		if p := d.podOf(name); p != nil {
			concerned[d.topOwner(p)] = true
		}
	}
	for w := range d.synced {
		it := d.itemOf(w.namespace, w.key)
		if it != nil && it.missing != nil && d.itemOf(w.namespace, it.owner) == nil {
			concerned[sourceOf(w.namespace, w.key)] = true
		}
	}
	for _, o := range d.objects {
		delete(concerned, o.Source)
	}
	for _, source := range slices.SortedFunc(maps.Keys(concerned), ordering.Sources) {
		if it := d.itemOf(source.Namespace, key{source.Kind, source.Name}); it != nil {
			o := Object{Source: source, Action: Unchanged}
			d.countPods(&o, it)
			others = append(others, o)
		}
	}
	return others
}

// changedQuotas returns the quotas whose status has changed.
func (d *draft) changedQuotas() (changed []*corev1.ResourceQuota) {
	for _, name := range slices.Sorted(maps.Keys(d.spaces)) {
		s, before := d.spaces[name], d.before.Namespace(name)
		if s.token != d.token || s.admission == before {
			continue
		}
		was := map[string]*corev1.ResourceQuota{}
		for _, q := range before.Quotas() {
			was[q.Name] = q
		}
		for _, q := range s.admission.Quotas() {
			if old := was[q.Name]; old == nil || !equality.Semantic.DeepEqual(old.Status, q.Status) {
				changed = append(changed, q)
			}
		}
	}
	return changed
}

// changedNodes returns the nodes that have changed.
func (d *draft) changedNodes() (names []string) {
	for _, n := range d.nodes {
		if d.located && n.token == d.token && n.object != nil && !n.equal(d.before.nodeOf(n.name)) {
			names = append(names, n.name)
		}
	}
	return names
}

// nodeOf returns a node, nil if there is none.
func (c *Cluster) nodeOf(name string) *node {
	if c == nil {
		return nil
	}
	if i, found := c.nodeAt(name); found {
		return c.nodes[i]
	}
	return nil
}

// equal reports whether a node is as another one, which may be nil.
func (n *node) equal(other *node) bool {
	byName := func(pods []*pod) []*pod { return slices.SortedFunc(slices.Values(pods), (*pod).compare) }
	return other != nil && n.object == other.object && slices.Equal(byName(n.pods), byName(other.pods))
}
