package whatif_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// retold is the second reference: a cluster as plain maps, whose controllers are loops over them, as those of
// k8s.io/kubernetes v1.37 are. It asks package admit for the decision about a single object, and package whatif for nothing
// but the types of the answer. What retold_draw_test.go does not draw, it does not know.
type retold struct {
	opts       whatif.Options
	nodes      map[string]*corev1.Node
	namespaces map[string]bool // that are there; all but those of each cluster, if one was read
	allRead    bool
	workloads  map[name3]*controller
	others     map[name3]admit.APIObject // quotas, LimitRanges, Services and claims
	pods       map[name3]*retoldPod
	lost       map[name3]bool // the pods that were preempted, if true, or evicted, in the present change
	count, ids int
}

// name3 is a namespace, a kind and a name.
type name3 struct{ ns, kind, name string }

func (a name3) compare(b name3) int {
	return cmp.Or(strings.Compare(a.ns, b.ns), strings.Compare(a.kind, b.kind), strings.Compare(a.name, b.name))
}

// controller is a workload, as its manifest and its status say.
type controller struct {
	ns, kind, name string
	mold           mold
	replicas       int // or the parallelism of a Job

	surge, unavailable, partition, start            int
	recreate, parallel, onDelete, suspended, paused bool
	ended                                           bool // of a Job
	succeeded                                       int

	obj     admit.APIObject
	owner   name3
	numbers int
	former  *mold   // of a StatefulSet that is being updated
	set     slowSet // of a ReplicaSet of a Deployment
	runs    bool
	missing error
}

func (x *controller) id() name3 { return name3{x.ns, x.kind, x.name} }

type retoldPod struct {
	name3
	id     int
	object *corev1.Pod
	owner  name3
	mold   mold
	node   string
	target string // of a daemon
	ended  bool
}

func (p *retoldPod) isGated() bool { return p.node == "" && len(p.object.Spec.SchedulingGates) > 0 }

func (p *retoldPod) priority() int32 {
	if p.object.Spec.Priority == nil {
		return 0
	}
	return *p.object.Spec.Priority
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[name3]V) []name3 { return slices.SortedFunc(maps.Keys(m), name3.compare) }

// uses returns what quotas count of an object: milli-units of requests.cpu, units of all others.
func (w *retold) uses(kind string, obj admit.APIObject) map[corev1.ResourceName]int64 {
	switch o := obj.(type) {
	case *corev1.Pod:
		u := map[corev1.ResourceName]int64{"count/pods": 1}
		isOver := o.DeletionTimestamp != nil && w.opts.Now.After(o.DeletionTimestamp.Add(time.Duration(*o.DeletionGracePeriodSeconds)*time.Second))
		if !isOver && o.Status.Phase != corev1.PodFailed {
			u["pods"], u["requests.cpu"] = 1, cpuOf(o)
		}
		return u
	case *corev1.Service:
		u := map[corev1.ResourceName]int64{"services": 1}
		if o.Spec.Type == corev1.ServiceTypeLoadBalancer {
			u["services.loadbalancers"] = 1
		}
		return u
	case *corev1.PersistentVolumeClaim:
		return map[corev1.ResourceName]int64{"persistentvolumeclaims": 1, "requests.storage": 1 << 30}
	}
	switch kind {
	case "Job":
		return map[corev1.ResourceName]int64{"count/jobs.batch": 1}
	case "ReplicaSet":
		return map[corev1.ResourceName]int64{"count/replicasets.apps": 1}
	}
	return nil
}

func cpuOf(p *corev1.Pod) int64 {
	return p.Spec.Containers[0].Resources.Requests.Cpu().MilliValue() + p.Spec.Overhead.Cpu().MilliValue()
}

// quotas returns the quotas of a namespace with what all its objects use.
func (w *retold) quotas(ns string) (quotas []*corev1.ResourceQuota) {
	used := map[corev1.ResourceName]int64{}
	count := func(id name3, obj admit.APIObject) {
		if id.ns == ns {
			for name, n := range w.uses(id.kind, obj) {
				used[name] += n
			}
		}
	}
	for id, p := range w.pods {
		count(id, p.object)
	}
	for id, x := range w.workloads {
		count(id, x.obj)
	}
	for id, o := range w.others {
		count(id, o)
	}
	for _, id := range sorted(w.others) {
		q, ok := w.others[id].(*corev1.ResourceQuota)
		if !ok || id.ns != ns {
			continue
		}
		own := q.DeepCopy()
		own.Status = corev1.ResourceQuotaStatus{Hard: q.Spec.Hard, Used: corev1.ResourceList{}}
		for name := range q.Spec.Hard {
			amount := resource.NewQuantity(used[name], resource.DecimalSI)
			switch name {
			case "requests.cpu":
				amount = resource.NewMilliQuantity(used[name], resource.DecimalSI)
			case "requests.storage":
				amount = resource.NewQuantity(used[name], resource.BinarySI)
			}
			own.Status.Used[name] = *amount
		}
		quotas = append(quotas, own)
	}
	return quotas
}

// decide returns the decision about one object, which is new if old is nil.
func (w *retold) decide(t testkit.TB, ns string, old, obj admit.APIObject) (stored admit.APIObject, err error) {
	var ranges []*corev1.LimitRange
	if o := w.others[name3{ns, "LimitRange", "bounds"}]; o != nil {
		ranges = append(ranges, o.(*corev1.LimitRange))
	}
	admission := w.opts.Admission
	admission.PriorityClasses, admission.RuntimeClasses = []*schedulingv1.PriorityClass{priorityClass("high", 10)}, []*nodev1.RuntimeClass{kata()}
	n, err := admit.Compile(ranges, w.quotas(ns), admission)
	testkit.OK(t, err)
	d := n.Create(obj, admit.Attributes{Now: w.opts.Now})
	if old != nil {
		old, obj = old.DeepCopyObject().(admit.APIObject), obj.DeepCopyObject().(admit.APIObject)
		old.SetResourceVersion("1")
		obj.SetResourceVersion("1")
		d = n.Update(old, obj, admit.Attributes{Now: w.opts.Now})
	}
	return d.Object, d.Err()
}

// scheduler

func (w *retold) tolerates(list []corev1.Toleration, n *corev1.Node, effects ...corev1.TaintEffect) bool {
	for _, taint := range n.Spec.Taints {
		isTolerated := slices.ContainsFunc(list, func(own corev1.Toleration) bool {
			return own.Key == taint.Key && (own.Effect == "" || own.Effect == taint.Effect)
		})
		if slices.Contains(effects, taint.Effect) && !isTolerated {
			return false
		}
	}
	return true
}

// free returns the milli-CPUs and pods that a node has left.
func (w *retold) free(n *corev1.Node) (cpu, pods int64) {
	cpu, pods = n.Status.Allocatable.Cpu().MilliValue(), n.Status.Allocatable.Pods().Value()
	for _, p := range w.pods {
		if p.node == n.Name && !p.ended {
			cpu, pods = cpu-cpuOf(p.object), pods-1
		}
	}
	return cpu, pods
}

// refusals returns why a pod cannot be on a node, and whether others could make room.
func (w *retold) refusals(p *retoldPod, n *corev1.Node) (messages []string, isRoom bool) {
	spec := &p.object.Spec
	cordon := &corev1.Node{Spec: corev1.NodeSpec{Taints: []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}}}}
	switch {
	case p.target != "" && p.target != n.Name:
		return []string{"node(s) didn't satisfy plugin(s) [NodeAffinity]"}, false
	case n.Spec.Unschedulable && !w.tolerates(spec.Tolerations, cordon, corev1.TaintEffectNoSchedule):
		return []string{"node(s) were unschedulable"}, false
	case !w.tolerates(spec.Tolerations, n, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute):
		return []string{"node(s) had untolerated taint(s)"}, false
	case spec.NodeSelector["name"] != "" && spec.NodeSelector["name"] != n.Name:
		return []string{"node(s) didn't match Pod's node affinity/selector"}, false
	}
	cpu, pods := w.free(n)
	isRoom = true
	if need := cpuOf(p.object); need > 0 && need > cpu {
		messages = append(messages, "Insufficient cpu")
	}
	if pods < 1 {
		messages = append(messages, "Too many pods")
	}
	if len(spec.Containers[0].Resources.Limits) > 0 && len(w.opts.IgnoredResources) == 0 {
		messages, isRoom = append(messages, "Insufficient example.com/x"), false
	}
	return messages, isRoom
}

// place puts a pod on its node if it fits there, and otherwise removes pods of a lower priority if that helps.
func (w *retold) place(p *retoldPod) bool {
	if p.isGated() {
		return false
	}
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		messages, isRoom := w.refusals(p, w.nodes[name])
		if len(messages) == 0 {
			p.node = name
			return true
		}
		if !isRoom {
			continue
		}
		var lower, victims []*retoldPod
		for _, id := range sorted(w.pods) {
			if o := w.pods[id]; o.node == name && !o.ended && o.priority() < p.priority() {
				lower = append(lower, o)
				o.node = "away"
			}
		}
		fits := func() bool { messages, _ := w.refusals(p, w.nodes[name]); return len(messages) == 0 }
		helps := fits()
		for _, o := range lower {
			o.node = name
			if helps && !fits() {
				o.node = "away"
				victims = append(victims, o)
			}
		}
		for _, o := range victims {
			w.lost[o.name3] = true
			delete(w.pods, o.name3)
		}
		if helps {
			p.node = name
			return true
		}
	}
	return false
}

// waiting returns the pods without a node, in the order in which the scheduler tries them.
func (w *retold) waiting() (list []*retoldPod) {
	for _, id := range sorted(w.pods) {
		if p := w.pods[id]; p.node == "" && !p.ended {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *retoldPod) int { return int(b.priority() - a.priority()) })
	return list
}

func (w *retold) schedule() (changed bool) {
	for again := true; again; {
		again = false
		for _, p := range w.waiting() {
			again = w.place(p) || again
		}
		changed = changed || again
	}
	return changed
}

// controllers

// create creates a pod for a controller, or for nobody.
func (w *retold) create(t testkit.TB, owner *controller, ns, name, target string, spec corev1.PodSpec) error {
	obj, err := w.decide(t, ns, nil, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}, Spec: spec})
	if err != nil {
		return err
	}
	w.schedule()
	w.ids++
	p := &retoldPod{name3: name3{ns, "Pod", name}, id: w.ids, object: obj.(*corev1.Pod), target: target}
	if owner != nil {
		p.owner, p.mold = owner.id(), owner.mold
	}
	w.pods[p.name3] = p
	w.place(p)
	return nil
}

// createNext creates an object with the next number, which a refused one does not use up.
func (w *retold) createNext(x *controller, kind string, create func(name string) error) bool {
	for n := x.numbers + 1; ; n++ {
		id := name3{x.ns, kind, fmt.Sprint(x.name, "-", n)}
		if w.pods[id] != nil || w.workloads[id] != nil {
			continue
		}
		if x.missing = create(id.name); x.missing != nil {
			return false
		}
		x.numbers = n
		return true
	}
}

func (w *retold) createPod(t testkit.TB, x *controller) bool {
	return w.createNext(x, "Pod", func(name string) error { return w.create(t, x, x.ns, name, "", x.mold.spec()) })
}

// podsOf returns the pods of a controller, those that it deletes first before the others: they are not ready, have more
// others of the same workload on their node, which does not matter to Jobs, or have the last name.
//
// Source: getPodsToDelete of pkg/controller/replicaset, and ActivePodsWithRanks.
func (w *retold) podsOf(id name3) (list []*retoldPod) {
	onNode := map[string]int{}
	for _, key := range slices.Backward(sorted(w.pods)) {
		p := w.pods[key]
		if p.owner == id {
			list = append(list, p)
		}
		if top := w.top(&retoldPod{owner: id}); top != id && w.top(p) == top {
			onNode[p.node]++
		}
	}
	slices.SortStableFunc(list, func(a, b *retoldPod) int {
		return cmp.Or(cmp.Compare(min(len(a.node), 1), min(len(b.node), 1)), onNode[b.node]-onNode[a.node])
	})
	return list
}

func (w *retold) ready(id name3) (n int) {
	for _, p := range w.podsOf(id) {
		n += min(len(p.node), 1)
	}
	return n
}

// scale is the controller of ReplicaSets, ReplicationControllers and Jobs.
func (w *retold) scale(t testkit.TB, x *controller, want int) (changed bool) {
	x.missing = nil
	pods := w.podsOf(x.id())
	for _, p := range pods[:max(0, len(pods)-want)] {
		delete(w.pods, p.name3)
		changed = true
	}
	for len(w.podsOf(x.id())) < want && w.createPod(t, x) {
		changed = true
	}
	return changed
}

func (x *controller) podsOfJob() int {
	if x.ended || x.suspended {
		return 0
	}
	return max(0, min(x.replicas, 2-x.succeeded))
}

// syncDeployment is the controller of Deployments, with that of their ReplicaSets after each of its syncs.
func (w *retold) syncDeployment(t testkit.TB, d *controller) (changed bool) {
	says := slowDeployment{d.replicas, d.surge, d.unavailable, d.recreate || w.opts.AtOnce, d.paused}
	if says.recreate {
		says.surge = 0
	}
	d.missing = nil
	for {
		var sets []*slowSet
		for id, x := range w.workloads {
			if x.owner == d.id() {
				x.set.id, x.set.isCurrent, x.set.pods, x.set.ready = x.name, x.mold == d.mold, len(w.podsOf(id)), w.ready(id)
				sets = append(sets, &x.set)
			}
		}
		created, scaled := says.next(sets)
		if created >= 0 {
			isCreated := w.createNext(d, "ReplicaSet", func(name string) error {
				x := &controller{ns: d.ns, kind: "ReplicaSet", name: name, mold: d.mold, owner: d.id()}
				x.obj = withTemplate(x)
				if _, err := w.decide(t, d.ns, nil, x.obj); err != nil {
					return err
				}
				x.set = slowSet{id: name, number: d.numbers + 1, size: created, noted: says.replicas, most: says.replicas + says.surge}
				w.workloads[x.id()] = x
				scaled = append([]slowScale{{&x.set, created}}, scaled...)
				return nil
			})
			if !isCreated {
				return changed
			}
		}
		for _, s := range scaled {
			says.scale(s)
			w.scale(t, w.workloads[name3{d.ns, "ReplicaSet", s.id}], s.size)
		}
		if len(scaled) == 0 {
			return changed
		}
		changed = true
	}
}

// missingOf returns why a workload, or one of the ReplicaSets of a Deployment or Jobs of a CronJob, could not create the
// next object.
func (w *retold) missingOf(x *controller) error {
	missing := x.missing
	for _, isCurrent := range []bool{true, false} {
		for _, id := range sorted(w.workloads) {
			if of := w.workloads[id]; of.owner == x.id() && (x.kind == "CronJob" || (of.mold == x.mold) == isCurrent) {
				missing = cmp.Or(missing, of.missing)
			}
		}
	}
	return missing
}

// syncStatefulSet is the controller of StatefulSets, until nothing changes.
//
// Source: updateStatefulSet and completeUpdate of pkg/controller/statefulset.
func (w *retold) syncStatefulSet(t testkit.TB, x *controller) (changed bool) {
	for again := true; again; {
		again = w.syncReplicas(t, x)
		changed = changed || again
	}
	pods := w.podsOf(x.id())
	if len(pods) == x.replicas && !slices.ContainsFunc(pods, func(p *retoldPod) bool { return p.mold != x.mold || p.node == "" }) {
		x.former = nil
	}
	return changed
}

func (w *retold) syncReplicas(t testkit.TB, x *controller) (changed bool) {
	x.missing = nil
	nameOf := func(i int) name3 { return name3{x.ns, "Pod", fmt.Sprint(x.name, "-", x.start+i)} }
	isComplete := true
	for i := range x.replicas {
		if (i == 1 || i == 3) && !isComplete {
			return changed // after a batch of one, then of two
		}
		if w.pods[nameOf(i)] == nil {
			err := w.createClaim(t, x, "data-"+nameOf(i).name)
			if err == nil {
				as := *x
				if i < x.partition && x.former != nil && !x.onDelete {
					as.mold = *x.former
				}
				err = w.create(t, &as, x.ns, nameOf(i).name, "", as.mold.spec())
			}
			if err != nil {
				x.missing, isComplete = err, false
			} else {
				changed = true
			}
			if !x.parallel {
				return changed
			}
		} else if w.pods[nameOf(i)].node == "" {
			if err := w.createClaim(t, x, "data-"+nameOf(i).name); err != nil {
				x.missing, isComplete = err, false
			}
		}
		if p := w.pods[nameOf(i)]; !x.parallel && p.node == "" {
			return changed
		}
	}
	if !isComplete {
		return changed
	}
	var condemned []*retoldPod // the last first
	for i := 9; i >= -x.start; i-- {
		if p := w.pods[nameOf(i)]; (i < 0 || i >= x.replicas) && p != nil && p.owner == x.id() {
			condemned = append(condemned, p)
		}
	}
	for i, p := range condemned {
		isWaiting := func(p *retoldPod) bool { return p.node == "" }
		if !x.parallel && isWaiting(p) && slices.ContainsFunc(condemned[i+1:], isWaiting) {
			return changed // of those that wait, the first is the first to go
		}
		delete(w.pods, p.name3)
		changed = true
		if !x.parallel {
			return changed
		}
	}
	if x.onDelete {
		return changed
	}
	unavailable := x.replicas - w.ready(x.id())
	for i := x.replicas - 1; i >= x.partition && x.parallel; i-- {
		if p := w.pods[nameOf(i)]; p.mold != x.mold && p.node == "" {
			delete(w.pods, p.name3)
			changed = true
		}
	}
	for i := x.replicas - 1; i >= x.partition && unavailable < 1; i-- {
		if p := w.pods[nameOf(i)]; p != nil && p.mold != x.mold && p.node != "" {
			delete(w.pods, p.name3)
			unavailable++
			changed = true
		}
	}
	return changed
}

// createClaim creates a claim that is not there.
func (w *retold) createClaim(t testkit.TB, x *controller, name string) error {
	id := name3{x.ns, "PersistentVolumeClaim", name}
	if w.others[id] != nil {
		return nil
	}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: x.ns, Name: name}}
	claim.Spec.Resources.Requests = testkit.List("storage", "1Gi")
	_, err := w.decide(t, x.ns, nil, claim)
	if err == nil {
		w.others[id] = claim
	}
	return err
}

// daemonSpec returns the spec of a daemon, with the tolerations that its controller adds.
func daemonSpec(m mold) corev1.PodSpec {
	s := m.spec()
	for key, effect := range map[string]corev1.TaintEffect{"not-ready": corev1.TaintEffectNoExecute, "unreachable": corev1.TaintEffectNoExecute,
		"disk-pressure": corev1.TaintEffectNoSchedule, "memory-pressure": corev1.TaintEffectNoSchedule, "pid-pressure": corev1.TaintEffectNoSchedule,
		"unschedulable": corev1.TaintEffectNoSchedule} {
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: "node.kubernetes.io/" + key, Operator: corev1.TolerationOpExists, Effect: effect})
	}
	return s
}

// shouldRun is NodeShouldRunDaemonPod of pkg/controller/daemon.
func (w *retold) shouldRun(x *controller, n *corev1.Node) (shouldRun, mayStay bool) {
	s := daemonSpec(x.mold)
	if x.mold.node != "" && x.mold.node != n.Name {
		return false, false
	}
	mayStay = w.tolerates(s.Tolerations, n, corev1.TaintEffectNoExecute)
	return mayStay && w.tolerates(s.Tolerations, n, corev1.TaintEffectNoSchedule), mayStay
}

// syncDaemonSet is the controller of DaemonSets, until nothing changes. While a daemon is refused, none is replaced.
//
// Source: manage and rollingUpdate of pkg/controller/daemon.
func (w *retold) syncDaemonSet(t testkit.TB, x *controller) (changed bool) {
	for again := true; again; {
		again = w.syncDaemons(t, x)
		changed = changed || again
	}
	return changed
}

func (w *retold) syncDaemons(t testkit.TB, x *controller) (changed bool) {
	x.missing = nil
	var first error
	daemons, surge := map[string][]*retoldPod{}, x.surge
	if x.onDelete {
		surge = 0
	}
	remove := func(p *retoldPod) { delete(w.pods, p.name3); changed = true }
	create := func(node string) {
		isCreated := w.createNext(x, "Pod", func(podName string) error {
			return w.create(t, x, x.ns, podName, node, daemonSpec(x.mold))
		})
		changed = changed || isCreated
		if !isCreated {
			first = x.missing
		}
	}
	for _, p := range slices.Backward(w.podsOf(x.id())) { // those that have their node first, then by name
		if w.nodes[p.target] == nil {
			remove(p)
			continue
		}
		daemons[p.target] = append(daemons[p.target], p)
	}
	var excess []*retoldPod
	for _, name := range slices.Sorted(maps.Keys(w.nodes)) {
		shouldRun, mayStay := w.shouldRun(x, w.nodes[name])
		own := daemons[name]
		kept := own[:min(1, len(own))]
		if surge > 0 {
			now, old := x.oneOfEach(own)
			if now != nil && old != nil && (old.node == "" || now.node != "") {
				old = nil
			}
			kept = []*retoldPod{now, old}
		}
		if shouldRun && len(own) == 0 {
			create(name)
		}
		for _, p := range own {
			if !mayStay || !slices.Contains(kept, p) {
				excess = append(excess, p)
			}
		}
	}
	for _, p := range excess {
		remove(p)
	}
	x.missing = first
	if changed || first != nil || x.onDelete {
		return changed
	}
	unavailable, surging := 0, 0
	var candidates, old []*retoldPod
	var lacking []string
	for _, name := range slices.Sorted(maps.Keys(daemons)) {
		now, was := x.oneOfEach(daemons[name])
		if cmp.Or(was, now).node == "" {
			unavailable++
		}
		switch {
		case was == nil:
		case surge == 0 && was.node == "":
			old = append(old, was)
		case surge == 0, now == nil && was.node != "":
			candidates = append(candidates, was)
		case now == nil:
			lacking = append(lacking, name)
		case now.node == "":
			surging++
		}
	}
	if surge > 0 {
		for _, p := range candidates[:min(max(0, surge-surging), len(candidates))] {
			lacking = append(lacking, p.target)
		}
	} else {
		old = append(old, candidates[:min(max(0, x.unavailable-unavailable), len(candidates))]...)
	}
	for _, name := range lacking {
		create(name)
	}
	for _, p := range old {
		remove(p)
	}
	x.missing = first
	return changed
}

// oneOfEach returns the first of the pods that is of the present template, and of a former one.
func (x *controller) oneOfEach(pods []*retoldPod) (now, old *retoldPod) {
	for _, p := range slices.Backward(pods) {
		if p.mold == x.mold {
			now = p
		} else {
			old = p
		}
	}
	return now, old
}

func (w *retold) syncCronJob(t testkit.TB, x *controller) bool {
	x.missing = nil
	if !x.runs || x.suspended {
		return false
	}
	return w.createNext(x, "Job", func(name string) error {
		j := &controller{ns: x.ns, kind: "Job", name: name, mold: x.mold, replicas: x.replicas, owner: x.id()}
		j.obj = in(x.ns, job(name, int32(x.replicas), "1"))
		if _, err := w.decide(t, x.ns, nil, j.obj); err != nil {
			return err
		}
		w.workloads[j.id()], x.runs = j, false
		return nil
	})
}

// withTemplate returns the object of a ReplicaSet.
func withTemplate(x *controller) admit.APIObject {
	o := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: x.ns, Name: x.name}}
	o.Spec.Template = x.mold.template()
	return o
}

func (w *retold) sync(t testkit.TB, x *controller) bool {
	switch x.kind {
	case "Deployment":
		return w.syncDeployment(t, x)
	case "StatefulSet":
		return w.syncStatefulSet(t, x)
	case "DaemonSet":
		return w.syncDaemonSet(t, x)
	case "CronJob":
		return w.syncCronJob(t, x)
	case "Job":
		return w.scale(t, x, x.podsOfJob())
	}
	if x.owner != (name3{}) {
		return w.scale(t, x, x.set.size)
	}
	return w.scale(t, x, x.replicas)
}

// run runs the controllers, the first by namespace, kind and name, and the scheduler until nothing changes.
func (w *retold) run(t testkit.TB) {
	for again := true; again; {
		again = w.schedule()
		for _, id := range sorted(w.workloads) {
			if w.sync(t, w.workloads[id]) {
				again = true
				break
			}
		}
	}
}

// questions

// evict evicts pods.
func (w *retold) evict(isEvicted func(p *retoldPod) bool) {
	for id, p := range w.pods {
		if !p.ended && isEvicted(p) {
			delete(w.pods, id)
			w.lost[id] = false
		}
	}
}

func refusal(err error) whatif.Reason {
	if err == nil {
		return whatif.Reason{}
	}
	return whatif.Reason{Cause: string(apierrors.ReasonForError(err)), Message: err.Error()}
}

// apply applies an object.
func (w *retold) apply(t testkit.TB, d drawn) (action whatif.Action, err error) {
	defer w.run(t)
	id := d.id()
	switch o := d.obj.(type) {
	case *corev1.Node:
		action = whatif.Created
		if was := w.nodes[o.Name]; was != nil {
			action = whatif.Updated
			if testkit.Fingerprint(was) == testkit.Fingerprint(o) {
				return whatif.Unchanged, nil
			}
		}
		w.nodes[o.Name] = o
		w.evict(func(p *retoldPod) bool {
			return p.node == o.Name && !w.tolerates(p.object.Spec.Tolerations, o, corev1.TaintEffectNoExecute)
		})
		return action, nil
	case *corev1.Namespace:
		w.namespaces[o.Name] = true
		return whatif.Created, nil
	}
	if w.allRead && !w.namespaces[d.ns] {
		return whatif.Refused, apierrors.NewNotFound(corev1.Resource("namespaces"), d.ns)
	}
	if o, ok := d.obj.(*corev1.Pod); ok {
		if err := w.create(t, nil, d.ns, d.name, "", o.Spec); err != nil {
			return whatif.Refused, err
		}
		return whatif.Created, nil
	}
	old := w.others[id]
	was := w.workloads[id]
	if was != nil {
		old = was.obj
	}
	action = whatif.Created
	if old != nil {
		action = whatif.Updated
		if testkit.Fingerprint(old) == testkit.Fingerprint(d.obj) {
			return whatif.Unchanged, nil
		}
	}
	if _, err := w.decide(t, d.ns, old, d.obj); err != nil {
		return whatif.Refused, err
	}
	if d.kind == "Service" || d.kind == "ResourceQuota" || d.kind == "LimitRange" {
		w.others[id] = d.obj
		return action, nil
	}
	x := d.controller
	x.obj, x.runs = d.obj, w.opts.RunCronJobs && (was == nil || was.mold != d.mold || was.runs)
	if was != nil {
		x.numbers, x.succeeded, x.ended = was.numbers, was.succeeded, was.ended
		if x.former = was.former; x.former == nil {
			x.former = &was.mold
		}
	}
	w.workloads[id] = &x
	return action, nil
}

// remove deletes an object with all that belongs to it.
func (w *retold) remove(t testkit.TB, id name3) bool {
	defer w.run(t)
	switch id.kind {
	case "Node":
		isThere := w.nodes[id.name] != nil
		delete(w.nodes, id.name)
		w.evict(func(p *retoldPod) bool { return p.node == id.name })
		return isThere
	case "Namespace":
		isThere := w.namespaces[id.name]
		delete(w.namespaces, id.name)
		isIn := func(other name3) bool { return other.ns == id.name }
		maps.DeleteFunc(w.workloads, func(other name3, _ *controller) bool { return isIn(other) })
		maps.DeleteFunc(w.others, func(other name3, _ admit.APIObject) bool { return isIn(other) })
		maps.DeleteFunc(w.pods, func(other name3, _ *retoldPod) bool { return isIn(other) })
		return isThere
	case "Pod":
		isThere := w.pods[id] != nil
		delete(w.pods, id)
		return isThere
	}
	isThere := w.others[id] != nil || w.workloads[id] != nil
	delete(w.others, id)
	w.forget(id)
	return isThere
}

// forget deletes a workload with all that belongs to it.
func (w *retold) forget(id name3) {
	delete(w.workloads, id)
	maps.DeleteFunc(w.pods, func(_ name3, p *retoldPod) bool { return p.owner == id })
	for other, x := range w.workloads {
		if x.owner == id {
			w.forget(other)
		}
	}
}

// drain empties a node.
func (w *retold) drain(t testkit.TB, name string) bool {
	n := w.nodes[name]
	if n == nil {
		return false
	}
	n = n.DeepCopy()
	n.Spec.Unschedulable = true
	w.nodes[name] = n
	w.evict(func(p *retoldPod) bool { return p.node == name && p.owner.kind != "DaemonSet" })
	w.run(t)
	return true
}
