package admit

import (
	"math"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// GroupCount is the number of equal groups of objects that are admitted.
type GroupCount struct {
	// Replicas is the number of complete groups that are admitted, one after the other. It is
	// math.MaxInt64 if there are more, or if Unbounded is set.
	Replicas int64
	// Unbounded reports that no quota limits their number.
	Unbounded bool
	// Next are the decisions on the objects of the next group, as CreateAll returns them. It is
	// empty if Replicas is math.MaxInt64.
	Next []Decision
	// Unenforced are limits that the API server ignores, and so does Replicas, for each object in
	// turn: see Decision.
	Unenforced computeresources.Problems[*quota.Failure]

	namespace *Namespace
	objects   []APIObject
	req       Attributes
}

// CreateAll returns the decisions on objects that are created in the namespace one after the other.
// Objects that are not admitted do not count for those after them. Every request has the same
// attributes.
func (n *Namespace) CreateAll(objects []APIObject, req Attributes) []Decision {
	decisions := make([]Decision, len(objects))
	for i, obj := range objects {
		decisions[i] = n.Create(obj, req)
		n = decisions[i].After()
	}
	return decisions
}

// GroupReplicas returns how many groups of objects like this one are admitted, one after the other,
// and what stops the next one. A group is, for example, a pod of a StatefulSet and the claims that
// are created for it, in their order. All objects of a group have to be admitted. A workload
// counts as one of its pods: Decision.Pods has the reasons why they are refused. The number of
// empty groups is unbounded.
//
// Cost: that of Replicas for each object; for several objects, times the logarithm of the number of
// replicas.
func (n *Namespace) GroupReplicas(objects []APIObject, req Attributes) GroupCount {
	// After uses the objects later, when the caller may have changed them.
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
		g.Unenforced = append(g.Unenforced, each.Unenforced...)
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

// After returns the namespace with n of the groups in it, or with as many as are admitted if that
// is less: see ReplicaCount.After.
func (g GroupCount) After(n int64) *Namespace {
	after, _ := g.after(min(n, g.Replicas))
	return after
}

// after returns the namespace with n groups in it, and whether all of them are admitted. The order
// of the objects does not matter: usage only grows, so the last object that uses a quota decides
// whether it is exceeded, and all other objects come before it in any order.
func (g *GroupCount) after(n int64) (*Namespace, bool) {
	after, all := g.namespace, true
	for _, obj := range g.objects {
		fit := after.Replicas(obj, g.req)
		after, all = fit.After(n), all && fit.Replicas >= n
	}
	return after, all
}
