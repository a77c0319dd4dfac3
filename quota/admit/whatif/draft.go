package whatif

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// draft is a cluster that is being changed: a copy, and what happens on the way.
type draft struct {
	*Cluster
	before *Cluster

	queue    []work          // the workloads whose controllers have to look again, sorted
	synced   map[work]bool   // those whose controllers have done so
	unlocked map[string]bool // the namespaces in which more may be admitted than before

	answers []Object
	touched []types.NamespacedName // the pods that have changed, in this order
	moved   []types.NamespacedName // those that have since the controller of a set looked at its pods
	known   map[types.NamespacedName]*pod

	same map[[2]*corev1.PodTemplateSpec]bool // whether two templates are the same

	isReading   bool                 // no pods are preempted, and no controller runs: objects that are read stay
	referrers   map[string]referrers // by namespace, of which something was deleted
	fates       map[types.NamespacedName]fate
	volumeIndex *volumeIndex // nil until it is asked for
}

// fate is why a pod is lost, or why it is not.
type fate struct {
	isPreempted, isEvicted bool
	stays                  error // why a drain keeps it
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
	own.objects, own.places = own.objects.fork(), own.placesOrNone().Fork()
	return &draft{
		Cluster: &own, before: c,
		synced: map[work]bool{}, unlocked: map[string]bool{}, known: map[types.NamespacedName]*pod{},
		referrers: map[string]referrers{},
	}
}

// freeze returns the cluster. The draft must not be used afterwards.
func (d *draft) freeze() *Cluster {
	maps.DeleteFunc(d.spaces, func(name string, s *space) bool {
		return s.token == d.token && len(s.ranges)+s.quotas == 0 && s.items.IsEmpty() && s.pods.IsEmpty()
	})
	d.places.Close()
	return d.Cluster
}

// touch notes that a pod changes.
func (d *draft) touch(name types.NamespacedName, before *pod) {
	d.moved = append(d.moved, name)
	if _, known := d.known[name]; !known {
		d.known[name] = before
		d.touched = append(d.touched, name)
	}
}

// putPod stores a pod in the place of another one of its name, nil if it is new.
func (d *draft) putPod(before, p *pod) {
	d.touch(p.NamespacedName, before)
	if before != nil {
		d.displace(before)
	}
	d.setPod(p)
	d.referrers[p.Namespace].add(key{"Pod", p.Name}, p.Object)
	if !p.ended {
		d.places.Add(&p.Pod)
	}
}

// displace removes a pod, as it is stored, from its place.
func (d *draft) displace(p *pod) {
	if !p.ended {
		d.places.Remove(&p.Pod)
	}
}

// removePod deletes a pod. Its controller has to look again.
func (d *draft) removePod(p *pod) {
	p = d.podOf(p.NamespacedName) // as it is now: it may have got a node in the meantime
	if p == nil {
		return
	}
	d.touch(p.NamespacedName, p)
	d.displace(p)
	d.dropPod(p)
	d.noteLost(p)
	d.lookAgain(p.Namespace, p.owner)
	d.deleteEphemeralClaims(p)
	d.release(d.space(p.Namespace), p.Object)
}

// removeNamed deletes a pod, if it is still there: one that was created in the meantime may have preempted it.
func (d *draft) removeNamed(namespace, name string) {
	if p := d.podOf(types.NamespacedName{Namespace: namespace, Name: name}); p != nil {
		d.removePod(p)
	}
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
	for k := range d.spaces[namespace].behind {
		d.lookAgain(namespace, k)
	}
	d.createEphemeralClaimsIn(namespace)
}

// result returns what has happened, and the cluster afterwards. The draft must not be used afterwards.
func (d *draft) result() (r Result, after *Cluster) {
	r.Objects = d.answers
	for i := range d.answers {
		o := &d.answers[i]
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
			answer = Pod{Object: before.Object, Owner: d.before.topOwner(before), Gone: true, Assumed: before.assumed,
				Unknown: d.before.unknownOfJob(before), Depends: before.depends}
		default:
			continue // it came and went
		}
		if before != nil {
			f := d.fates[name]
			answer.Before, answer.Preempted, answer.Evicted = before.Node, f.isPreempted, f.isEvicted
			if f.stays != nil {
				answer.Waits = reasonOf(f.stays)
			}
		}
		r.Pods = append(r.Pods, answer)
	}
	r.Others, r.Quotas, r.Nodes = d.others(), d.changedQuotas(), d.changedNodes()
	r.ClusterQuotas = d.changedShared()
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
	for _, owned := range append(it.owned, k) {
		d.lookAgain(namespace, owned)
	}
	d.settle()
	if len(d.touched) > 0 {
		return Reason{}
	}
	return reasonOf(d.missingOf(namespace, d.itemOf(namespace, k)))
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
		if it == nil || it.missing == nil {
			continue
		}
		if owner := d.itemOf(w.namespace, it.owner); owner != nil && (owner.kind == "Deployment" || owner.kind == "CronJob") {
			w.key = owner.key // which answers for it
		}
		concerned[sourceOf(w.namespace, w.key)] = true
	}
	for _, o := range d.answers {
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

// changedQuotas returns the quotas whose status has changed. Namespaces that have changed are compiled after that.
func (d *draft) changedQuotas() (changed []*corev1.ResourceQuota) {
	for _, name := range slices.Sorted(maps.Keys(d.spaces)) {
		s, before := d.spaces[name], d.before.Namespace(name)
		if s.token != d.token || d.admission(s) == before {
			continue
		}
		was := map[string]*corev1.ResourceQuota{}
		for _, q := range slices.DeleteFunc(before.Quotas(), isShared) {
			was[q.Name] = q
		}
		for _, q := range s.quotasOf() {
			if old := was[q.Name]; old == nil || !equality.Semantic.DeepEqual(old.Status, q.Status) {
				changed = append(changed, q)
			}
		}
	}
	return changed
}

// changedNodes returns the nodes that have changed.
func (d *draft) changedNodes() []string {
	if !d.located {
		return nil
	}
	return d.places.Changed(d.before.placesOrNone())
}

// placesOrNone returns the places of a cluster, which may be nil or zero.
func (c *Cluster) placesOrNone() *places.Places {
	if c == nil || c.places == nil {
		return places.New(places.Options{})
	}
	return c.places
}
