package report

import (
	"math"
	"sort"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/podreport/internal/manifest"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/quotaplan"
)

// ledger holds the quotas of a namespace, as they stand after what has been created so far.
type ledger struct {
	quotas  []*corev1.ResourceQuota
	unknown []bool // of each quota, whether it has no status
}

// openLedger returns the ledger before anything is created. A quota without a status has
// at least what exists of the applications in use.
func openLedger(quotas []manifest.ResourceQuota, applications []application) *ledger {
	l := &ledger{}
	for _, q := range quotas {
		own := q.Object.DeepCopy()
		unknown := len(own.Status.Hard) == 0
		if unknown {
			own.Status, _ = quota.CalculateUsage(nil, own) // of no object, none is at fault
			for i := range applications {
				if a := &applications[i]; a.exists {
					own.Status.Used = resourcelist.Add(own.Status.Used, a.usage(own, len(a.once), a.replicas))
				}
			}
		}
		l.quotas = append(l.quotas, own)
		l.unknown = append(l.unknown, unknown)
	}
	return l
}

// verdict is what quotas say to an application.
type verdict struct {
	// once is how many of the parts that are created once are.
	once      int
	replicas  int64 // that fit
	unbounded bool  // no quota stops them

	next     *part // that is refused after them, if any
	failures quota.Failures
}

// judge returns what fits, and what stops the next.
func (l *ledger) judge(a *application) verdict {
	v := verdict{once: len(a.once)}
	quotas := l.quotas
	if !a.exists {
		quotas, v.once, v.failures = admit(quotas, a.once)
	}
	if len(v.failures) > 0 {
		v.next = &a.once[v.once]
		return v
	}
	v.replicas, v.unbounded = math.MaxInt64, true
	for _, p := range a.each {
		fit := quotaplan.Replicas(p.object, quotas, quota.AdmitOptions{})
		v.replicas, v.unbounded = min(v.replicas, fit.Replicas), v.unbounded && fit.Unbounded
	}
	if v.unbounded {
		return v
	}
	// Several claims of a replica may share what remains.
	v.replicas = int64(sort.Search(int(v.replicas), func(n int) bool { return !a.fit(quotas, int64(n)+1) }))
	_, after, _ := quotaplan.FirstFit(a.workloads(v.replicas), quotas, quota.AdmitOptions{}) // not below zero
	_, admitted, failures := admit(after, a.each)
	if len(failures) > 0 {
		v.next, v.failures = &a.each[admitted], failures
	}
	return v
}

// admit returns the quotas after parts have been admitted one after the other, how many
// are, and why the next is not.
func admit(quotas []*corev1.ResourceQuota, parts []part) ([]*corev1.ResourceQuota, int, quota.Failures) {
	for i := range parts {
		after, failures := quota.Admit(parts[i].object, quotas, quota.AdmitOptions{})
		if len(failures) > 0 {
			return quotas, i, failures
		}
		quotas = after
	}
	return quotas, len(parts), nil
}

// fit reports whether n replicas fit.
func (a *application) fit(quotas []*corev1.ResourceQuota, n int64) bool {
	outcomes, _, _ := quotaplan.FirstFit(a.workloads(n), quotas, quota.AdmitOptions{})
	for _, o := range outcomes {
		if !o.Admitted {
			return false
		}
	}
	return true
}

func (a *application) workloads(n int64) []quotaplan.Workload {
	var workloads []quotaplan.Workload
	for _, p := range a.each {
		workloads = append(workloads, quotaplan.Workload{Object: p.object, Replicas: n})
	}
	return workloads
}

// add adds what is created of an application to the usage of the quotas.
func (l *ledger) add(a *application, v *verdict) {
	once, n := v.once, min(v.replicas, a.replicas)
	if a.barred {
		n = 0
		if !(*a.rejection).Stored {
			once = 0
		}
	}
	if a.exists {
		once, n = 0, 0 // it is part of what is used
	}
	for _, q := range l.quotas {
		q.Status.Used = resourcelist.Add(q.Status.Used, a.usage(q, once, n))
	}
}

// usage returns what some of an application's parts that are created once, and n replicas,
// use of a quota.
func (a *application) usage(q *corev1.ResourceQuota, once int, n int64) corev1.ResourceList {
	sum := corev1.ResourceList{}
	add := func(parts []part, n int64) {
		for _, p := range parts {
			if matched, _ := p.object.Matches(q); matched {
				sum = resourcelist.Add(sum, resourcelist.Multiply(p.object.Usage(), n))
			}
		}
	}
	add(a.once[:once], 1)
	add(a.each, n)
	limited := resourcelist.ResourceNames(q.Status.Hard)
	return resourcelist.RemoveZeros(resourcelist.Mask(sum, limited))
}
