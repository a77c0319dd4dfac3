package admit

import "math"

// GroupCount says how many equal groups of objects are admitted.
type GroupCount struct {
	// Replicas is how many are admitted in full, one after the other; math.MaxInt64 if there are
	// more, or no end of them.
	Replicas int64
	// Unbounded tells that no quota stops them, however many.
	Unbounded bool
	// Next are the decisions about the objects of the group after them, as of CreateAll. It is
	// empty if there is no end, or it lies beyond math.MaxInt64.
	Next []Decision

	namespace *Namespace
	objects   []APIObject
	req       Attributes
}

// CreateAll returns what becomes of objects that are created in the namespace, each after the one
// before: those that are not admitted are left out. Attributes are those of each request.
func (n *Namespace) CreateAll(objects []APIObject, req Attributes) []Decision {
	decisions := make([]Decision, len(objects))
	for i, obj := range objects {
		decisions[i] = n.Create(obj, req)
		n = decisions[i].After()
	}
	return decisions
}

// GroupReplicas returns how many groups like this one are admitted, one after the other, and what
// stops the next: such as a pod of a StatefulSet and the claims that are created for it, in their
// order. All objects of a group have to be admitted. A workload stands for one of its pods: Pods of
// its Decision says why they are refused. An empty group has no end.
//
// Cost: that of Replicas for each object, and if there are several, times the logarithm of the
// number of replicas.
func (n *Namespace) GroupReplicas(objects []APIObject, req Attributes) GroupCount {
	// Objects are asked about later, when they may have changed.
	own := make([]APIObject, len(objects))
	for i, obj := range objects {
		if !isNil(obj) {
			own[i] = obj.DeepCopyObject().(APIObject)
		}
	}
	req.ClaimPod = req.ClaimPod.DeepCopy()
	g := GroupCount{Replicas: math.MaxInt64, Unbounded: true, namespace: n, objects: own, req: req}
	for _, obj := range own {
		each := n.Replicas(obj, req)
		g.Replicas, g.Unbounded = min(g.Replicas, each.Replicas), g.Unbounded && each.Unbounded
	}
	if len(own) > 1 && !g.Unbounded {
		// Several objects may share what remains of a quota.
		g.Replicas = g.most()
	}
	if !g.Unbounded && g.Replicas < math.MaxInt64 {
		g.Next = g.After(g.Replicas).CreateAll(own, req)
	}
	return g
}

// most returns how many groups are admitted, of at most Replicas.
func (g *GroupCount) most() int64 {
	low, high := int64(0), g.Replicas
	for low < high {
		middle := high - (high-low)/2
		if _, all := g.after(middle); all {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// After returns the namespace with n of the groups in it, or with as many as are admitted if those
// are fewer: see ReplicaCount.After.
func (g GroupCount) After(n int64) *Namespace {
	after, _ := g.after(min(n, g.Replicas))
	return after
}

// after returns the namespace with n groups in it, and whether all of them are admitted. The order
// of objects within n groups does not matter for that: what is used only grows, so that the last
// object that uses anything of a quota decides, and it has all others before it either way.
func (g *GroupCount) after(n int64) (*Namespace, bool) {
	after, all := g.namespace, true
	for _, obj := range g.objects {
		fit := after.Replicas(obj, g.req)
		after, all = fit.After(n), all && fit.Replicas >= n
	}
	return after, all
}
