package admit

import (
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// ReplicaCount says how many equal objects are admitted.
type ReplicaCount struct {
	// Replicas is how many are admitted, one after the other; math.MaxInt64 if there are more, or
	// no end of them.
	Replicas int64
	// Unbounded tells that no quota stops them, however many.
	Unbounded bool
	// Next is why the one after them is not admitted. It is empty if there is no end, or it lies
	// beyond math.MaxInt64.
	Next Refusals

	subject   subject
	namespace *Namespace
	quotas    quota.Assessment // of the first
}

// Err returns the answer of the API server to the one after the last that is admitted: see
// Decision.Err. It is nil if Next is empty.
func (f ReplicaCount) Err() error { return f.Next.answer(&f.subject) }

// After returns the namespace with n of the objects in it, or with as many as are admitted if those
// are fewer: what they use is added to the status of the quotas. Of a workload, these are its pods,
// beside the workload itself.
//
// Cost: that of copies of the quotas, whatever the number.
func (f ReplicaCount) After(n int64) *Namespace {
	n = min(n, f.Replicas)
	if f.namespace == nil || n <= 0 {
		return f.namespace
	}
	after := f.quotas.After(f.namespace.quotas)
	for i, q := range f.namespace.quotas {
		one := resourcelist.RemoveZeros(resourcelist.Subtract(after[i].Status.Used, q.Status.Used))
		after[i].Status.Used = resourcelist.Add(q.Status.Used, resourcelist.Multiply(one, n))
	}
	return &Namespace{name: f.namespace.name, policy: f.namespace.policy, quotas: after, opts: f.namespace.opts}
}

// Replicas returns how many objects like this one are admitted, one after the other, and what
// stops the next: n Creates succeed in a row, each in the namespace After the one before, exactly
// if n ≤ Replicas. Of a workload, it is about its pods. No object is admitted without end.
//
// Cost: that of Create and of quotaplan.Replicas, whatever the number.
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
		return ReplicaCount{Next: d.Refusals.owned(), subject: d.subject, namespace: d.namespace}
	}
	ns := d.namespace.parts()
	fit := quotaplan.Replicas(counted, ns.quotas, ns.admitOptions(""))
	return ReplicaCount{
		Replicas: fit.Replicas, Unbounded: fit.Unbounded, Next: appendFailures(nil, fit.Next, d.place),
		subject: d.subject, namespace: d.namespace, quotas: d.quotas,
	}
}
