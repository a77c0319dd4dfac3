package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/scheduler/flavorassigner"
	"sigs.k8s.io/kueue/pkg/scheduler/preemption"
	"sigs.k8s.io/kueue/pkg/workload"

	"github.com/kubemath/kubemath/internal/conformance/kueue"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

var (
	reclaimedSink quotatree.Reclaimed
	targetsSink   []*preemption.Target
	sharesSink    any
)

// reclaimRow is about a queue whose quota others use: 50 queues of 100 cpu, and 416 holders.
func reclaimRow() (measure.Row, error) {
	const flavor = "on-demand/cpu"
	amounts := func(n int64) map[corev1.ResourceName]int64 { return map[corev1.ResourceName]int64{flavor: n} }
	nodes := []quotatree.Node{{Name: "cohort"}}
	for i := range 50 {
		nodes = append(nodes, quotatree.Node{Name: fmt.Sprint("queue-", i), Parent: "cohort", Nominal: amounts(100)})
	}
	tree, err := quotatree.New(nodes, kueue.CountsAs(nodes))
	if err != nil {
		return measure.Row{}, err
	}
	snapshot, err := kueue.Snapshot(nodes)
	if err != nil {
		return measure.Row{}, err
	}
	var holders []quotatree.Holder
	for i := range 416 { // queue-0 has none; the others use what it lends
		h := quotatree.Holder{Name: fmt.Sprint("holder-", i), Node: fmt.Sprint("queue-", 1+i%49), Priority: int32(i % 7), Amounts: amounts(12),
			Since: testkit.Now().Add(time.Duration(i) * time.Second)}
		if err := tree.Charge(h.Node, h.Amounts); err != nil {
			return measure.Row{}, err
		}
		holders = append(holders, h)
		snapshot.AddWorkload(infoOf(&h, true))
	}
	snapshot.ClusterQueue("queue-0").Preemption = api.ClusterQueuePreemption{
		WithinClusterQueue: api.PreemptionPolicyNever, ReclaimWithinCohort: api.PreemptionPolicyAny}
	request := quotatree.Holder{Name: "in", Node: "queue-0", Priority: 3, Amounts: amounts(100), Since: testkit.Now()}
	policy := quotatree.Policy{WithinNode: quotatree.Never, WithinTree: quotatree.Any}
	info := infoOf(&request, false)
	preempting := flavorassigner.ResourceAssignment{"cpu": &flavorassigner.FlavorAssignment{Name: "on-demand", Mode: flavorassigner.Preempt}}
	assignment := flavorassigner.Assignment{PodSets: []flavorassigner.PodSetAssignment{{Name: info.TotalRequests[0].Name, Flavors: preempting, Count: 1}}}
	preemptor := preemption.New(nil, workload.Ordering{}, nil, nil, false, clocktesting.NewFakeClock(testkit.Now()), nil, nil, nil)
	theirs := preemptor.GetTargets(logr.Discard(), *info, assignment, snapshot)
	if ours, err := tree.Reclaim(request, holders, policy); err != nil || len(ours.Indices) != len(theirs) || len(theirs) == 0 {
		return measure.Row{}, fmt.Errorf("%v, %w, Kueue preempts %d", ours.Indices, err, len(theirs))
	}
	return measure.Row{
		Kernel: "holders to reclaim from, 416 in 50 queues", Rival: rival + ", GetTargets", AtLeast: 2, Aim: 3, Allocs: 60,
		Floor: func() {
			sorted := slices.Clone(holders)
			slices.SortFunc(sorted, func(a, b quotatree.Holder) int { return cmp.Compare(a.Priority, b.Priority) })
			columnSink += len(sorted)
		},
		Above:  "the tree is cloned, candidates are in Kueue's order, and each of them is tried and put back",
		Ours:   func() { reclaimedSink, _ = tree.Reclaim(request, holders, policy) },
		Theirs: func() { targetsSink = preemptor.GetTargets(logr.Discard(), *info, assignment, snapshot) },
	}, nil
}

// infoOf returns a workload with one pod, which has its quota or waits.
func infoOf(h *quotatree.Holder, isAdmitted bool) *workload.Info {
	w := &api.Workload{ObjectMeta: metav1.ObjectMeta{Name: h.Name, UID: types.UID(h.Name), CreationTimestamp: metav1.NewTime(h.Since)}}
	w.Spec.Priority = &h.Priority
	if isAdmitted {
		w.Status.Conditions = []metav1.Condition{{Type: api.WorkloadQuotaReserved, Status: metav1.ConditionTrue, Reason: "QuotaReserved",
			LastTransitionTime: metav1.NewTime(h.Since)}}
	}
	return &workload.Info{Obj: w, ClusterQueue: api.ClusterQueueReference(h.Node), TotalRequests: []workload.PodSetResources{{
		Name: "main", Count: 1, Requests: resources.Requests{"cpu": h.Amounts["on-demand/cpu"]},
		Flavors: map[corev1.ResourceName]api.ResourceFlavorReference{"cpu": "on-demand"},
	}}}
}

// fairSharesRow divides one resource among 1,000 queues of one root, beside max-min fairness as a controller's author
// writes it, with exact shares, for one level without quotas, guarantees and limits.
func fairSharesRow() (measure.Row, error) {
	const n, name = 1000, corev1.ResourceName("on-demand/cpu")
	nodes, demand := []quotatree.Node{{Name: "root", Nominal: map[corev1.ResourceName]int64{name: 100 * n}}}, map[string]int64{}
	for i := range n {
		queue := fmt.Sprint("queue-", i)
		nodes = append(nodes, quotatree.Node{Name: queue, Parent: "root"})
		demand[queue] = int64(1 + i*7919%200)
	}
	tree, err := quotatree.New(nodes, quotatree.Options{})
	if err != nil {
		return measure.Row{}, err
	}
	return measure.Row{
		Kernel: "fair shares of 1,000 queues", Rival: "max-min fairness written by hand, one level", AtLeast: 2, Aim: 3, Allocs: 700,
		Floor: func() { // the demands in order
			columnSink += len(slices.Sorted(maps.Values(demand)))
		},
		Above:  "limits and guarantees of each queue, exact fractions, and their text",
		Ours:   func() { sharesSink = tree.FairShares(name, demand) },
		Theirs: func() { sharesSink = maxMin(100*n, demand) },
	}, nil
}

// maxMin divides an amount: the smallest demands are met, as long as all the others could have as much.
func maxMin(amount int64, demand map[string]int64) map[string]*big.Rat {
	shares, rest := make(map[string]*big.Rat, len(demand)), new(big.Rat).SetInt64(amount)
	queues := slices.SortedFunc(maps.Keys(demand), func(a, b string) int {
		return cmp.Or(cmp.Compare(demand[a], demand[b]), cmp.Compare(a, b))
	})
	for i, queue := range queues {
		share := new(big.Rat).Quo(rest, big.NewRat(int64(len(queues)-i), 1))
		if wants := new(big.Rat).SetInt64(demand[queue]); wants.Cmp(share) < 0 {
			share = wants
		}
		shares[queue] = share
		rest.Sub(rest, share)
	}
	return shares
}
