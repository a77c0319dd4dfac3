package whatif

import (
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
)

// Room is how many replicas of a template are both admitted and placed.
type Room struct {
	// Replicas is how many more pods are admitted and get a node, one after the other, without preempting others.
	Replicas int64 `json:"replicas"`
	// Next is why one more is not: the workload, or the pod or one of its claims is refused, or the pod has no node. It
	// is zero if no nodes are known and no quota stops it: Replicas is math.MaxInt64 then.
	Next Reason `json:"next,omitzero"`
	// Unknown is that of the pods: see Pod.
	Unknown []string `json:"unknown,omitempty"`
	// Depends reports that the answer may be another one: see Object.
	Depends bool `json:"depends,omitempty"`
}

// Room returns how many more replicas of a pod or of the template of a workload are admitted and placed. It is the
// largest n for which n pods can be created one after the other, each of which gets a node without preempting others.
// Replicas that are there stay, and the replicas that the workload wants do not count. A workload that is not there is
// created first, with its ReplicaSet or Job. A replica of a StatefulSet comes with its claims, as if none were there.
// A DaemonSet has at most one pod on each node. The Room of another object is zero, with no Next.
//
// Cost: that of admit.Namespace.Replicas, and of one comparison with each node.
func (c *Cluster) Room(obj admit.APIObject) Room {
	if workload.IsNil(obj) {
		return Room{}
	}
	d := c.edit()
	namespace, k := placeOf(obj)
	s := d.space(namespace)
	if d.isMissing(namespace) {
		return Room{Next: reasonOf(missingNamespace(namespace))}
	}
	group, err := d.replica(s, k, obj, 0)
	if err != nil || group == nil {
		return Room{Next: reasonOf(err), Depends: s.isUncertain()}
	}
	count := s.admission.Replicas(group, admit.Attributes{})
	pod := group[len(group)-1].(*corev1.Pod)
	d.createClaims(s, group[:len(group)-1]) // what the pod comes after
	decision, depends := d.request(s, nil, pod)
	r := Room{Replicas: count.Replicas, Next: reasonOf(count.Err()),
		Unknown: slices.Concat(decision.Unknown, d.unknownFields(&pod.Spec)), Depends: depends || d.depends}
	if count.Replicas == 0 && r.Next.Cause != "" {
		return r
	}
	shape := *d.shapeOf(decision.Object.(*corev1.Pod))
	places, full := int64(math.MaxInt64), error(nil)
	object, isDaemonSet := obj.(*appsv1.DaemonSet)
	if isDaemonSet {
		daemon := *decision.Object.(*corev1.Pod)
		daemon.Spec.Tolerations = daemonTolerations(&pod.Spec)
		shape.pod, shape.taken = placement.Of(&daemon, d.around(&daemon)), d.nodesOf(namespace, k)
	}
	switch {
	case !isDaemonSet && shape.takesVolumes(len(group) > 1):
		var isUnknown bool
		places, isUnknown, full = d.placesWithClaims(s, k, obj, min(count.Replicas, mostPods))
		r.noteVolumes(isUnknown)
	case d.located || shape.isGated:
		r.noteVolumes(d.mayDependOnVolumes(&shape))
		places, full = d.places(&shape, count.Replicas)
	case isDaemonSet:
		n := len(d.daemonNodes(d.itemOf(namespace, k), object))
		places, full = int64(n-len(shape.taken)),
			&noderesources.FitError{Nodes: n, Reasons: []noderesources.FitReason{{Message: hasDaemon, Nodes: n,
				Unresolvable: n}}}
	}
	if places < count.Replicas {
		r.Replicas, r.Next = places, reasonOf(full)
	}
	return r
}

// nodesOf returns the nodes of the pods of an object.
func (d *draft) nodesOf(namespace string, k key) map[string]bool {
	nodes := map[string]bool{}
	if it := d.itemOf(namespace, k); it != nil {
		for _, p := range d.podsOf(namespace, it.pods) {
			nodes[targetOf(p)] = true
		}
	}
	return nodes
}

// replica returns what is created for each replica, the pod last, once the workload is there itself.
//
// Replicas of other numbers have other names, and claims of their own.
func (d *draft) replica(s *space, k key, obj admit.APIObject, number int) (group []admit.APIObject, err error) {
	if p, ok := obj.(*corev1.Pod); ok {
		return withEphemeralClaims(s.name, numbered(p, number)), nil
	}
	template := templateOf(obj)
	if template == nil {
		return nil, nil
	}
	it, client := d.item(s.name, k), &item{}
	if it == nil {
		it = d.createItem(s, client, obj)
		if it == nil {
			return nil, client.missing
		}
	}
	switch object := obj.(type) {
	case *appsv1.StatefulSet:
		p, claims := replicaOf(s.name, it, object, math.MaxInt32-number)
		for _, claim := range claims {
			group = append(group, claim)
		}
		return append(group, withEphemeralClaims(s.name, d.injected(s.name, it.key, p))...), nil
	case *appsv1.Deployment:
		if d.currentReplicaSet(s.name, it, object) == nil && d.newReplicaSet(s.name, it, object) == nil {
			return nil, it.missing
		}
	case *batchv1.CronJob:
		it.runs = true
		d.syncCronJob(s.name, it, object)
		if it.missing != nil {
			return nil, it.missing
		}
	}
	p := numbered(podFrom(template, it, s.name, k.name+"-"), number)
	return withEphemeralClaims(s.name, d.injected(s.name, it.key, p)), nil
}

// places returns how many pods of a shape, up to a number, get a node, and why no more do.
func (d *draft) places(s *shape, most int64) (n int64, full error) {
	switch {
	case s.isGated:
		return 0, gated{}
	case d.stateOf(s).IsLimitedElsewhere():
		return d.placesInTurn(s, min(most, mostPods))
	}
	return d.placesByNode(s)
}

// placesInTurn places one pod after the other, because each may open nodes for the next, or close them.
func (d *draft) placesInTurn(s *shape, most int64) (n int64, full error) {
	for ; n < most; n++ {
		i := d.best(s)
		if i < 0 {
			return n, d.whyWaiting(&pod{shape: s})
		}
		object := *s.pod.Object()
		p := &pod{podName: podName{object.Namespace, object.Name}, object: &object, onNode: s.request}
		own := d.node(i)
		own.pods = append(own.pods, p)
		own.add(p)
		d.noteMove(move{node: i, pod: p.object})
		if s.taken != nil {
			s.taken[own.name] = true
		}
	}
	return n, nil
}

// placesByNode adds up how many pods each node takes. If there are nodes that are taken, each takes one pod.
func (d *draft) placesByNode(s *shape) (n int64, full error) {
	opts, state := d.opts.fitOptions(), d.stateOf(s)
	next := map[*noderesources.Ledger]noderesources.Shortages{}
	for i, node := range d.nodes {
		if node.object == nil || s.taken[node.name] || !s.isFor(node.name) || !state.Accepts(i) {
			continue
		}
		replicas, short := node.ledger.Replicas(s.request, opts)
		if replicas > 0 && (s.taken != nil || s.pod.ExcludesItself()) {
			replicas = 1
			state.Add(i, s.pod.Object())
			if s.taken != nil {
				s.taken[node.name] = true
			}
		}
		n += replicas
		next[node.ledger] = short
	}
	return n, d.fitError(s, func(l *noderesources.Ledger) noderesources.Shortages { return next[l] })
}
