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

// ReplicaCount is the number of equal objects, or of equal groups of objects, that are admitted.
type ReplicaCount struct {
	// Replicas is the number of objects or complete groups that are admitted, one after the other. It
	// is math.MaxInt64 if there are more, or if Unbounded is set.
	Replicas int64 `json:"replicas"`
	// Unbounded reports that no quota limits their number.
	Unbounded bool `json:"unbounded,omitempty"`
	// Next has the reasons why one more is not admitted: for a group, those of the first of its
	// objects that is refused. It is empty if Replicas is math.MaxInt64. Creates in
	// After(Replicas), one after the other, show the decisions on all objects of the next group.
	Next computeresources.Problems[*Refusal] `json:"next,omitempty"`
	// Unenforced are limits that the API server ignores, and so does Replicas, for each object in
	// turn: see Decision.
	Unenforced computeresources.Problems[*quota.Failure] `json:"unenforced,omitempty"`

	subject  subject  // of Next
	decision Decision // on the first object; it has only the namespace if there are several
	members  []member // nil if it was a single one
	req      Attributes
}

// member is a number of equal objects in a group.
type member struct {
	object APIObject
	n      int64
	place  place
}

// Err returns the answer of the API server to the first object that is not admitted: see
// Decision.Err. It is nil if Next is empty.
func (f ReplicaCount) Err() error { return answer(f.Next, &f.subject, Order{}) }

// After returns the namespace with n of the objects or groups in it, or with as many as are admitted
// if that is less: their usage is added to the status of the quotas.
//
// Cost: a copy of the quotas for each object, for any n.
func (f ReplicaCount) After(n int64) *Namespace {
	n = min(n, f.Replicas)
	ns := f.decision.namespace
	switch {
	case ns == nil || n <= 0:
		return ns
	case f.members != nil:
		after, _ := f.afterGroups(n)
		return after
	}
	own := *ns
	own.quotas = f.decision.quotas.After(ns.quotas, n)
	return &own
}

// Replicas returns how many groups of objects like this one are admitted, one after the other, and
// what stops the next one. A group is a single object, or for example a pod of a StatefulSet and the
// claims that are created for it, in their order. All objects of a group have to be admitted: calls
// of Create for n groups succeed in a row, each in the namespace After the previous one, if and only
// if n ≤ Replicas. The number of groups without an object is
// unbounded. If the status of a quota has a limit, but not how much of it is used, Replicas is 0: see
// quota.Replicas. Which of several LimitRanges the server uses first may change the number: see Range.
//
// A workload counts with all that its controllers create for it: as many pods as it wants, the claims of each pod of a
// StatefulSet, the ReplicaSet of a Deployment, and one Job of a CronJob with its pods; for a DaemonSet, one pod. For
// the number of pods of one workload, see Pods.Fit.
//
// Cost: that of Create and of quota.Replicas for each object; for several objects, times the
// logarithm of the number of replicas.
func (n *Namespace) Replicas(objects []APIObject, req Attributes) ReplicaCount {
	members := []member{}
	for _, obj := range objects {
		members = append(members, n.membersOf(obj, &req)...)
	}
	if len(members) == 1 && members[0].n == 1 {
		return n.replicasOf(&members[0], &req)
	}
	req.ClaimPod = req.ClaimPod.DeepCopy()
	f := ReplicaCount{Replicas: math.MaxInt64, Unbounded: true, decision: Decision{namespace: n}, members: members,
		req: req}
	for i := range members {
		each := n.replicasOf(&members[i], &req)
		if !each.Unbounded {
			f.Replicas, f.Unbounded = min(f.Replicas, each.Replicas/members[i].n), false
		}
		f.Unenforced = append(f.Unenforced, each.Unenforced...)
	}
	if f.Unbounded {
		return f
	}
	f.Replicas = f.mostGroups() // as several objects may share what remains of a quota
	if f.Replicas < math.MaxInt64 {
		f.Next, f.subject = f.nextRefused()
	}
	return f
}

// membersOf returns an object and all that is created for it, from the template as it is stored. They are copies,
// since After uses them later, when the caller may have changed them.
func (n *Namespace) membersOf(obj APIObject, req *Attributes) (members []member) {
	add := func(obj APIObject, n int64, in place) {
		if n > 0 {
			members = append(members, member{obj, n, in})
		}
	}
	if workload.IsNil(obj) {
		return nil
	}
	add(obj.DeepCopyObject().(APIObject), 1, inPod)
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

// replicasOf is Replicas of one object.
func (n *Namespace) replicasOf(m *member, req *Attributes) ReplicaCount {
	d, counted := n.decide(m.object, req, m.place)
	return d.fit(counted)
}

// fit returns how many objects like that of the decision are admitted. It shares the reasons if none is.
func (d *Decision) fit(counted quota.Object) ReplicaCount {
	if !d.Admitted() {
		return ReplicaCount{Next: d.Refusals, Unenforced: d.Unenforced, subject: d.subject, decision: *d}
	}
	ns := d.namespace.orEmpty()
	fit := quota.Replicas(counted, ns.quotas, quota.AdmitOptions{Limited: ns.opts.Limited})
	return ReplicaCount{
		Replicas: fit.Replicas, Unbounded: fit.Unbounded, Next: appendFailures(nil, fit.Next, d.place),
		Unenforced: fit.Unenforced,
		subject:    d.subject, decision: *d,
	}
}

// mostGroups returns how many groups are admitted, of at most Replicas.
func (f *ReplicaCount) mostGroups() int64 {
	low, high := int64(0), f.Replicas
	for low < high {
		middle := high - (high-low)/2
		if _, all := f.afterGroups(middle); all {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// afterGroups returns the namespace with n groups in it, and whether all of them are admitted. The
// order of the objects does not matter: usage only grows, so the last object that uses a quota decides
// whether it is exceeded, and all other objects come before it in any order.
func (f *ReplicaCount) afterGroups(n int64) (*Namespace, bool) {
	after, all := f.decision.namespace, true
	for i := range f.members {
		m := &f.members[i]
		fit := after.replicasOf(m, &f.req)
		times := n * m.n
		if times/m.n != n {
			times = math.MaxInt64 // saturate; no quota limits the object, or n would be smaller
		}
		after, all = fit.After(times), all && fit.Replicas >= times
	}
	return after, all
}

// nextRefused returns why the first object of the next group that is refused is, and how messages
// refer to it.
func (f *ReplicaCount) nextRefused() ([]*Refusal, subject) {
	after, _ := f.afterGroups(f.Replicas)
	for i := range f.members {
		m := &f.members[i]
		fit := after.replicasOf(m, &f.req)
		if fit.Replicas < m.n {
			return fit.Next, fit.subject
		}
		after = fit.After(m.n)
	}
	return nil, subject{}
}
