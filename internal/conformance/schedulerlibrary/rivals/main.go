// Rivals measures whatif beside scheduler-library, and writes the results as JSON. The program of the same name in the
// module above runs it and prints one table.
package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/conformance/schedulerlibrary"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const rival = "scheduler-library v0.1.0-alpha1, a cycle over all nodes"

// The results of the measured functions are stored here, so the compiler cannot eliminate the work.
var (
	resultSink whatif.Result
	nodeSink   string
)

func main() {
	measure.Main(func(isChosen func(string) bool) ([]measure.Row, error) {
		measured, err := measuredRows(slices.DeleteFunc(rows(), func(r row) bool { return !isChosen(r.kernel) }))
		runtime.GOMAXPROCS(1) // the library asks several nodes at the same time
		return measured, err
	})
}

// row is the question where a pod is placed.
type row struct {
	kernel string
	pod    *corev1.Pod
}

// rows are about a new pod of an app whose pods have no terms, and about one of an app with constraints.
func rows() []row {
	plain, spread := testkit.CrowdedPod(31), testkit.CrowdedPod(30)
	testkit.SpreadAndApart(&spread.Spec, spread.Labels)
	const onto = " onto 5000 nodes with 150000 pods"
	return []row{{"a pod" + onto, plain}, {"a pod with spread and anti-affinity" + onto, spread}}
}

// measuredRows loads the cluster into both sides, unless there are no rows.
func measuredRows(rows []row) (measured []measure.Row, err error) {
	if len(rows) == 0 {
		return nil, nil
	}
	const podsPerNode = 30
	nodes, pods := testkit.CrowdedCluster(5_000, podsPerNode)
	ctx := context.Background()
	scheduler, err := schedulerlibrary.New(ctx)
	if err != nil {
		return nil, err
	}
	if _, _, err := scheduler.Load(nodes, pods); err != nil {
		return nil, err
	}
	var objects []admit.APIObject
	for _, n := range nodes {
		objects = append(objects, n)
	}
	for _, p := range pods {
		objects = append(objects, p)
	}
	cluster, err := whatif.Read(objects, whatif.Options{})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		measured = append(measured, measure.Row{
			Kernel: r.kernel, Rival: rival, AtLeast: 10, Aim: 20, Allocs: 400,
			Ours: func() {
				resultSink, _ = cluster.Apply(r.pod)
				if resultSink.Pods[0].Node == "" {
					panic(resultSink.Pods[0].Waits.Message)
				}
			},
			Theirs: func() {
				node, message, err := scheduler.Place(ctx, r.pod)
				if node == "" {
					panic(fmt.Sprint(message, err))
				}
				nodeSink = node
			},
		})
	}
	return measured, nil
}
