package conformance

import (
	"context"
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Which of several nodes have room, and the message of the scheduler if none has.
func TestNodeResourcesFilterOfManyNodes(t *testing.T) {
	ctx := context.Background()
	args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.LeastAllocated}}
	plugin, err := upstream.NewFit(ctx, args, nil, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	rapid.Check(t, func(t *rapid.T) {
		var nodes noderesources.Cluster
		pod := schedulerPod(t, "new")
		state := framework.NewCycleState()
		if _, status := plugin.(*upstream.Fit).PreFilter(ctx, state, pod.DeepCopy(), nil); status != nil {
			t.Fatal(status)
		}
		refused := framework.NewDefaultNodeToStatus()
		var want []string
		n := rapid.IntRange(1, 5).Draw(t, "nodes")
		for i := range n {
			info, _ := schedulerNode(t)
			name := fmt.Sprint("n-", i)
			testkit.OK(t, nodes.AddNode(name, info.Node().Status.Allocatable))
			for _, there := range info.Pods {
				uid := types.UID(name) + "/" + there.GetPod().UID
				testkit.OK(t, nodes.AddPod(uid, name, noderesources.PodRequest(there.GetPod(), computeresources.Options{Kubernetes: kubernetes})))
			}
			if status := plugin.(*upstream.Fit).Filter(ctx, state, pod.DeepCopy(), info); status != nil {
				refused.Set(name, status)
			} else {
				want = append(want, name)
			}
		}
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
		if got := nodes.AppendFits(nil, request, noderesources.FitOptions{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v", got, want)
		}
		got := nodes.CheckFit(request, noderesources.FitOptions{})
		if len(want) > 0 {
			if got != nil {
				t.Fatalf("%v fit, and %v", want, got)
			}
			return
		}
		theirs := &framework.FitError{Pod: pod, NumAllNodes: n, Diagnosis: framework.Diagnosis{NodeToStatus: refused}}
		if got == nil || got.Error() != theirs.Error() {
			t.Fatalf("%v, want %v", got, theirs)
		}
	})
}
