package quotaplan

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota"
)

// Workload is a number of replicas of one object. It is admitted only if all of them fit.
type Workload struct {
	Object   quota.Object
	Replicas int64
}

// Outcome is the result for a workload.
type Outcome struct {
	// Admitted reports whether all of its replicas fit.
	Admitted bool
	// Fit is how many replicas fit at its turn, and what stops the next one.
	Fit ReplicaFit
}

// FirstFit admits workloads in their order, each of them if all of its replicas fit in addition to
// those admitted before. A workload that does not fit uses nothing, and the next one is tried.
// It returns the outcome of each, and copies of the quotas with the usage of all admitted
// workloads. A workload without replicas always fits; a negative number is an error. Nil quotas are
// ignored, and are nil in the result.
//
// Cost: that of Replicas for each workload.
func FirstFit(workloads []Workload, quotas []*corev1.ResourceQuota, opts quota.AdmitOptions) (outcomes []Outcome, after []*corev1.ResourceQuota, err error) {
	for i, w := range workloads {
		if w.Replicas < 0 {
			return nil, nil, fmt.Errorf("quotaplan: workload %d (%s): %d replicas", i, w.Object.Key(), w.Replicas)
		}
	}
	after = copies(quotas)
	outcomes = []Outcome{}
	for _, w := range workloads {
		r := replicaOf(w.Object, after)
		o := Outcome{Fit: r.fit(after, opts)}
		o.Admitted = w.Replicas <= o.Fit.Replicas
		if o.Admitted {
			r.add(w.Replicas, after)
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, after, nil
}
