package admit

import (
	"math"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// ReplicaCount is the number of equal objects, or of equal groups of objects, that are admitted. It is plain data, and
// owns its memory.
type ReplicaCount struct {
	// Replicas is the number of objects or complete groups that are admitted, one after the other. It
	// is math.MaxInt64 if there are more, or if Unbounded is set.
	Replicas int64 `json:"replicas"`
	// Unbounded reports that no quota limits their number.
	Unbounded bool `json:"unbounded,omitempty"`

	// Least and Most are the least and the largest number of objects or complete groups that the API server
	// admits, one after the other, if it uses LimitRanges in any order (see Namespace.Possible). It draws the
	// order anew for each pod, so that equal pods may get different defaults. Replicas is within the range.
	//
	// For the least, the first refusal ends the sequence, even if another order would have admitted the
	// object. For the most, the controller tries again until the object gets defaults that are admitted. If no
	// more objects are admitted in any order, Replicas, Least and Most are equal.
	//
	// The bounds are exact for up to 64 sets of defaults. Beyond that, and for a workload that wants several pods
	// which may get different defaults, Least may be too high and Most too low. With three or more sets, of which none
	// uses the least of every resource, Most may be too high. Inexact reports that any of that holds.
	Least   int64 `json:"least"`
	Most    int64 `json:"most"`
	Inexact bool  `json:"inexact,omitempty"`

	// Next has the reasons why one more is not admitted: for a group, those of the first of its
	// objects that is refused, which is the Subject. It is empty if Replicas is math.MaxInt64. Creates in
	// Namespace.AfterReplicas, one after the other, show the decisions on all objects of the next group.
	Next    computeresources.Problems[*Refusal] `json:"next,omitempty"`
	Subject Subject                             `json:"subject,omitzero"`
	// Unenforced are limits that the API server ignores, and so does Replicas, for each object in
	// turn: see Decision.
	Unenforced computeresources.Problems[*quota.Failure] `json:"unenforced,omitempty"`

	// Members are the objects of one group, in their order, with all that their controllers create for them.
	Members []Member `json:"members,omitempty"`
}

// Member is a number of equal objects in a group of a ReplicaCount.
type Member struct {
	Subject Subject `json:"subject,omitzero"`
	Count   int64   `json:"count"`
	// Increases are what each of them adds to the usage of quotas. They are empty if quotas do not admit it.
	Increases []quota.Increase `json:"increases,omitempty"`
}

// Err returns the answer of the API server to the first object that is not admitted: see
// Decision.Err. It is nil if Next is empty.
func (f ReplicaCount) Err() error { return answer(f.Next, f.Subject, Order{}) }

// AfterReplicas returns the namespace with n of the objects or groups of a ReplicaCount of this namespace in it, or
// with as many as are admitted if that is less: their usage is added to the status of the quotas.
//
// Cost: a copy of the quotas for each object of a group, for any n.
func (n *Namespace) AfterReplicas(f ReplicaCount, groups int64) *Namespace {
	groups = min(groups, f.Replicas)
	if groups <= 0 {
		return n
	}
	for _, m := range f.Members {
		n = n.with(m.Increases, timesSaturated(groups, m.Count))
	}
	return n
}

// timesSaturated returns a product of numbers that are not negative. It is math.MaxInt64 only for objects that no quota
// limits.
func timesSaturated(a, b int64) int64 {
	if product := a * b; b == 0 || product/b == a {
		return product
	}
	return math.MaxInt64
}

// Replicas returns how many groups of objects like this one are admitted, one after the other, and
// what stops the next one. A group is a single object, or for example a pod of a StatefulSet and the
// claims that are created for it, in their order. All objects of a group have to be admitted: calls
// of Create for n groups succeed in a row, each in the namespace After the previous one, if and only
// if n ≤ Replicas. The number of groups without an object is
// unbounded. If the status of a quota has a limit, but not how much of it is used, Replicas is 0: see
// quota.Replicas. Which of several LimitRanges the server uses first may change the number: see ReplicaCount.Least.
//
// A workload counts with all that its controllers create for it: as many pods as it wants, the claims of each pod of a
// StatefulSet, the ReplicaSet of a Deployment, and one Job of a CronJob with its pods; for a DaemonSet, one pod. For
// the number of pods of one workload, see Pods.Fit.
//
// Cost: that of Create and of quota.Replicas for each object; for several objects, quota.Replicas times the logarithm
// of the number of replicas. If LimitRanges have different defaults, that of Possible as well.
func (n *Namespace) Replicas(objects []APIObject, req Attributes) ReplicaCount {
	members := []member{}
	for _, obj := range objects {
		members = append(members, n.membersOf(obj, &req)...)
	}
	for i := range members {
		m := &members[i]
		m.decision, m.counted = n.decide(m.object, &req, m.place)
	}
	return n.replicasOf(members, &req)
}

// member is a number of equal objects in a group.
type member struct {
	object APIObject
	n      int64
	place  place

	decision decision // on one of them, up to the write to the store
	counted  quota.Object
}

// membersOf returns an object and all that is created for it, from the template as it is stored.
func (n *Namespace) membersOf(obj APIObject, req *Attributes) (members []member) {
	add := func(obj APIObject, n int64, in place) {
		if n > 0 {
			members = append(members, member{object: obj, n: n, place: in})
		}
	}
	if workload.IsNil(obj) {
		return nil
	}
	add(obj, 1, inPod)
	if workload.Of(obj).Template == nil {
		return members
	}
	d, _ := n.decide(obj, req, inPod)
	own, w := d.Object, workload.Of(d.Object)
	wanted := int64(w.Wanted)
	meta := metav1.ObjectMeta{Namespace: own.GetNamespace(), GenerateName: own.GetName() + "-"}
	switch own := own.(type) {
	case *appsv1.Deployment:
		add(&appsv1.ReplicaSet{ObjectMeta: meta}, 1, inPod)
	case *appsv1.StatefulSet:
		for i := range own.Spec.VolumeClaimTemplates {
			claim := own.Spec.VolumeClaimTemplates[i].DeepCopy()
			claim.Namespace, claim.GenerateName, claim.Name = meta.Namespace, claim.Name+"-"+meta.GenerateName, ""
			add(claim, wanted, inPod)
		}
	case *batchv1.CronJob:
		add(&batchv1.Job{ObjectMeta: meta}, 1, inPod)
	}
	add(podOf(own, w.Template, req), wanted, placeOfTemplate(own))
	return members
}

// replicasOf is Replicas of members that are decided on. It shares the increases with their decisions, and the reasons
// if there is only one and it is refused.
func (n *Namespace) replicasOf(members []member, req *Attributes) ReplicaCount {
	ns := n.orEmpty()
	f := ReplicaCount{Replicas: math.MaxInt64, Unbounded: true}
	for i := range members {
		m := &members[i]
		fit := m.fitIn(&ns)
		if !fit.Unbounded {
			f.Replicas, f.Unbounded = min(f.Replicas, fit.Replicas/m.n), false
		}
		f.Unenforced = append(f.Unenforced, fit.Unenforced...)
		f.Members = append(f.Members, Member{m.decision.Subject, m.n, m.decision.Increases})
		if f.Replicas < math.MaxInt64 && len(members) == 1 { // the object itself
			f.Next, f.Subject = m.reasons(&fit), m.decision.Subject
		}
	}
	if f.Replicas < math.MaxInt64 && f.Next == nil { // several objects may share what remains of a quota
		f.Replicas = mostGroups(&ns, members, f.Replicas)
		f.setNext(&ns, members, req)
	}
	f.setRange(&ns, members, req)
	return f
}

// fitIn returns how many objects like this one are admitted in a namespace with other usage.
func (m *member) fitIn(ns *Namespace) quota.ReplicaFit {
	if !m.decision.Admitted() {
		return quota.ReplicaFit{Unenforced: m.decision.Unenforced}
	}
	return quota.Replicas(m.counted, ns.quotas, quota.AdmitOptions{Limited: ns.opts.Limited})
}

// reasons returns why no more objects are admitted than those that fit.
func (m *member) reasons(fit *quota.ReplicaFit) []*Refusal {
	if !m.decision.Admitted() {
		return m.decision.Refusals
	}
	return appendFailures(nil, fit.Next, m.place)
}

// mostGroups returns how many groups are admitted, of at most so many. The order of the objects does not matter: usage
// only grows, so the last object that uses a quota decides whether it is exceeded, and all other objects come before it
// in any order.
func mostGroups(ns *Namespace, members []member, most int64) int64 {
	low, high := int64(0), most
	for low < high {
		middle := high - (high-low)/2
		after, all := ns, true
		for i := 0; i < len(members) && all; i++ {
			m := &members[i]
			times := timesSaturated(middle, m.n)
			all = m.fitIn(after).Replicas >= times
			after = after.with(m.decision.Increases, times)
		}
		if all {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// setNext sets why the first object of the next group that is refused is.
func (f *ReplicaCount) setNext(ns *Namespace, members []member, req *Attributes) {
	after := ns.AfterReplicas(*f, f.Replicas)
	for _, m := range members {
		m.decision, m.counted = after.decide(m.object, req, m.place)
		fit := m.fitIn(after)
		if fit.Replicas < m.n {
			f.Next, f.Subject = m.reasons(&fit), m.decision.Subject
			return
		}
		after = after.with(m.decision.Increases, m.n)
	}
}
