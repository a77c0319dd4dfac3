package whatif

import (
	"cmp"
	"math"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
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
// Existing replicas stay; those that the workload wants, but does not have yet, are part of n: Apply it first to
// leave room for them. A workload that does not exist is
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
	if err := cmp.Or(d.refuseMissing(namespace), d.refuseTerminating(namespace, obj)); err != nil {
		return Room{Next: reasonOf(err)}
	}
	group, err := d.replica(s, k, obj, 0)
	if err != nil || group == nil {
		return Room{Next: reasonOf(err), Depends: s.isUncertain()}
	}
	count := d.admission(s).Replicas(group, admit.Attributes{})
	pod := group[len(group)-1].(*corev1.Pod)
	d.createClaims(s, group[:len(group)-1]) // what the pod comes after
	decision, depends := d.request(s, nil, pod)
	stored := decision.Object.(*corev1.Pod)
	r := Room{Replicas: count.Replicas, Next: reasonOf(count.Err()),
		Unknown: slices.Concat(decision.Unknown, d.unknownFields(&stored.Spec)), Depends: depends || d.depends}
	if count.Replicas == 0 && r.Next.Cause != "" {
		return r
	}
	shape := d.shapeOf(stored)
	object, isDaemonSet := obj.(*appsv1.DaemonSet)
	taken := d.nodesOf(namespace, k)
	if isDaemonSet {
		daemon := *stored
		daemon.Spec.Tolerations = controllers.DaemonTolerations(&pod.Spec)
		shape = shape.Exclusive(placement.Of(&daemon, d.around(&daemon)), taken)
	}
	placed, full := int64(math.MaxInt64), error(nil)
	switch {
	case !isDaemonSet && takesVolumes(shape, len(group) > 1):
		var isUnknown bool
		placed, isUnknown, full = d.placesWithClaims(s, k, obj, min(count.Replicas, controllers.MostPods))
		r.noteVolumes(isUnknown)
	case d.located || shape.IsGated():
		r.noteVolumes(d.places.MayDependOnUnknown(shape))
		placed, full = d.places.Room(shape, min(count.Replicas, controllers.MostPods))
	case isDaemonSet:
		n := d.wantedDaemons(d.itemOf(namespace, k), object)
		placed, full = int64(max(0, n-len(taken))),
			&noderesources.FitError{Nodes: n, Reasons: []noderesources.FitReason{{Message: places.HasDaemon, Nodes: n,
				Unresolvable: n}}}
	}
	if placed < count.Replicas {
		r.Replicas, r.Next = placed, reasonOf(full)
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

// replica returns what is created for each replica, the pod last, once the workload exists.
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
		p, claims := replicaOf(s.name, it, object, template, math.MaxInt32-number)
		for _, claim := range claims {
			group = append(group, claim)
		}
		return append(group, withEphemeralClaims(s.name, d.injected(s.name, it.key, p))...), nil
	case *appsv1.Deployment:
		if d.currentSet(s.name, it, object) == nil && d.createSet(s.name, it, controllers.NewReplicaSet(object)) == nil {
			return nil, it.missing
		}
	case *batchv1.CronJob:
		it.runs = true
		d.syncCronJob(s.name, it, object)
		if it.missing != nil {
			return nil, it.missing
		}
	}
	p := podFrom(template, it, s.name)
	p.Name = k.name + "-"
	return withEphemeralClaims(s.name, d.injected(s.name, it.key, numbered(p, number))), nil
}
