package admit

import (
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

// ReplicaCount is the number of equal objects that are admitted.
type ReplicaCount struct {
	// Replicas is the number of objects that are admitted, one after the other. It is math.MaxInt64
	// if there are more, or if Unbounded is set.
	Replicas int64
	// Unbounded reports that no quota limits their number.
	Unbounded bool
	// Next has the reasons why one more is not admitted. It is empty if Replicas is math.MaxInt64.
	Next computeresources.Problems[*Refusal]
	// Unenforced are limits that the API server ignores, and so does Replicas: see Decision.
	Unenforced computeresources.Problems[*quota.Failure]

	subject   subject
	namespace *Namespace
	quotas    quota.Assessment // of the first
}

// Err returns the answer of the API server to the first object that is not admitted: see
// Decision.Err. It is nil if Next is empty.
func (f ReplicaCount) Err() error { return answer(f.Next, &f.subject) }

// After returns the namespace with n of the objects in it, or with as many as are admitted if that
// is less: their usage is added to the status of the quotas. For a workload, these are the workload
// and n of its pods.
//
// Cost: a copy of the quotas, for any number of objects.
func (f ReplicaCount) After(n int64) *Namespace {
	n = min(n, f.Replicas)
	if f.namespace == nil || n <= 0 {
		return f.namespace
	}
	after := f.quotas.After(f.namespace.quotas)
	for i, q := range f.namespace.quotas {
		one := resourcelist.RemoveZeros(resourcelist.Subtract(after[i].Status.Used, q.Status.Used))
		// The first replica decides in which format the usage is stored.
		after[i].Status.Used = resourcelist.Add(after[i].Status.Used, resourcelist.Multiply(one, n-1))
	}
	return &Namespace{name: f.namespace.name, policy: f.namespace.policy, quotas: after, opts: f.namespace.opts}
}

// Replicas returns how many objects like this one are admitted, one after the other, and what stops
// the next one: n calls of Create succeed in a row, each in the namespace After the previous one,
// if and only if n ≤ Replicas. For a workload, it counts its pods. For a nil object, the result is
// Unbounded. If the status of a quota has a limit, but not how much of it is used, Replicas is 0: see
// quota.Replicas.
//
// Cost: that of Create and of quota.Replicas, for any number of objects.
func (n *Namespace) Replicas(obj APIObject, req Attributes) ReplicaCount {
	d, counted := n.decide(obj, &req)
	if d.Pods != nil {
		return d.Pods.Fit
	}
	return d.fit(counted)
}

// fit returns how many objects like that of the decision are admitted. Its pod is not reread yet.
func (d *Decision) fit(counted quota.Object) ReplicaCount {
	if !d.Admitted() {
		return ReplicaCount{Next: ownedRefusals(d.Refusals), Unenforced: owned(d.Unenforced), subject: d.subject, namespace: d.namespace}
	}
	ns := d.namespace.parts()
	fit := quota.Replicas(counted, ns.quotas, ns.admitOptions(""))
	return ReplicaCount{
		Replicas: fit.Replicas, Unbounded: fit.Unbounded, Next: appendFailures(nil, fit.Next, d.place), Unenforced: fit.Unenforced,
		subject: d.subject, namespace: d.namespace, quotas: d.quotas,
	}
}
