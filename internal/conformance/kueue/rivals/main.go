// Rivals measures quotatree beside the cohorts of Kueue, and writes the results as JSON. The program of the same name
// in the module above runs it and prints one table.
package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/workload"

	"github.com/kubemath/kubemath/internal/conformance/kueue"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/quota/quotatree"
)

const rival = "Kueue v0.17.0"

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	shareSink quotatree.Share
	drsSink   scheduler.DRS
)

func main() { measure.Main(rows) }

func rows(func(string) bool) ([]measure.Row, error) {
	nodes, queues := thousandQueues()
	tree, err := quotatree.New(nodes, kueue.CountsAs(nodes))
	if err != nil {
		return nil, err
	}
	snapshot, err := kueue.Snapshot(nodes)
	if err != nil {
		return nil, err
	}
	request := map[corev1.ResourceName]int64{}
	for i, name := range names() {
		request[name] = int64(i + 1)
	}
	var theirs []*scheduler.ClusterQueueSnapshot
	for i, name := range queues {
		queue := snapshot.ClusterQueue(api.ClusterQueueReference(name))
		theirs = append(theirs, queue)
		if i%2 == 0 { // each second queue borrows one resource
			borrowed := map[corev1.ResourceName]int64{names()[i%20]: 200}
			if err := tree.Charge(name, borrowed); err != nil {
				return nil, err
			}
			queue.AddUsage(kueue.Usage(borrowed))
		}
	}
	usage := kueue.Usage(request)
	reclaim, err := reclaimRow()
	if err != nil {
		return nil, err
	}
	fairShares, err := fairSharesRow()
	if err != nil {
		return nil, err
	}
	ours, other := 0, 0
	next := func(i *int) int { *i += 7; return *i % len(queues) }
	return []measure.Row{
		{
			Kernel: "take and give in a tree of 1,000 queues, 5 deep, 20 resources", Rival: rival + ", Fits, AddUsage, RemoveUsage", AtLeast: 5, Aim: 10,
			Floor: func() { lookUpAll(request) },
			Ours: func() {
				name := queues[next(&ours)]
				if tree.Take(name, request) != nil || tree.Give(name, request) != nil {
					panic("not available, or not held")
				}
			},
			Theirs: func() { takeAndGive(theirs[next(&other)], usage) },
		},
		{
			Kernel: "dominant shares of 1,000 queues", Rival: rival + ", DominantResourceShare", AtLeast: 5, Aim: 10, Allocs: 2_000,
			Ours: func() {
				for _, name := range queues {
					shareSink = tree.Share(name)
				}
			},
			Theirs: func() {
				for _, queue := range theirs {
					drsSink = queue.DominantResourceShare()
				}
			},
		},
		reclaim, fairShares,
	}, nil
}

func takeAndGive(queue *scheduler.ClusterQueueSnapshot, usage workload.Usage) {
	if !queue.Fits(usage) {
		panic("not available")
	}
	queue.AddUsage(usage)
	queue.RemoveUsage(usage)
}

var columns = func() map[corev1.ResourceName]int {
	all := map[corev1.ResourceName]int{}
	for i, name := range names() {
		all[name] = i
	}
	return all
}()

var columnSink int

// lookUpAll is the least that any implementation has to do: to take and to give, it looks each resource up.
func lookUpAll(request map[corev1.ResourceName]int64) {
	for range 2 {
		for name := range request {
			columnSink += columns[name]
		}
	}
}

// names are four flavors of five resources.
func names() (all []corev1.ResourceName) {
	for _, flavor := range []string{"on-demand", "reserved", "spot", "spot-arm"} {
		for _, resource := range []string{"cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "example.com/nic"} {
			all = append(all, corev1.ResourceName(flavor+"/"+resource))
		}
	}
	return all
}

// thousandQueues returns 156 cohorts on four levels, and 1,000 queues below those of the lowest level. Each node lends
// one resource in part, and may borrow one up to a limit.
func thousandQueues() (nodes []quotatree.Node, queues []string) {
	nominal := map[corev1.ResourceName]int64{}
	for _, name := range names() {
		nominal[name] = 100
	}
	node := func(name, parent string) string {
		nodes = append(nodes, quotatree.Node{
			Name: name, Parent: parent, Nominal: nominal,
			LendingLimit:   map[corev1.ResourceName]int64{names()[len(nodes)%20]: 50},
			BorrowingLimit: map[corev1.ResourceName]int64{names()[(len(nodes)+7)%20]: 1000},
		})
		return name
	}
	level := []string{node("root", "")}
	for _, width := range []int{5, 5, 5, 8} {
		var below []string
		for _, parent := range level {
			for i := range width {
				below = append(below, node(fmt.Sprint(parent, "-", i), parent))
			}
		}
		level = below
	}
	return nodes, level
}
