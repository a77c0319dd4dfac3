package conformance

import (
	"context"
	"fmt"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// weightedPlugin is a plugin that scores nodes, with its weight.
type weightedPlugin struct {
	fwk.ScorePlugin
	weight int64
}

// defaultScores returns the plugins of a default scheduler that score by resources, with their default arguments and
// weights, and NodeResourcesFit with MostAllocated.
func defaultScores(t *testing.T) (byDefault []weightedPlugin, mostAllocated fwk.ScorePlugin) {
	t.Helper()
	ctx := context.Background()
	handle, err := runtime.NewFramework(ctx, nil, nil)
	testkit.OK(t, err)
	defaults, err := latest.Default()
	testkit.OK(t, err)
	gates := oracle.SchedulerFeatures()
	for _, p := range defaults.Profiles[0].PluginConfig {
		var plugin fwk.Plugin
		switch args := p.Args.(type) {
		case *config.NodeResourcesFitArgs:
			plugin, err = upstream.NewFit(ctx, args, handle, gates)
			testkit.OK(t, err)
			most := args.DeepCopy()
			most.ScoringStrategy.Type = config.MostAllocated
			other, err := upstream.NewFit(ctx, most, handle, gates)
			testkit.OK(t, err)
			mostAllocated = other.(fwk.ScorePlugin)
		case *config.NodeResourcesBalancedAllocationArgs:
			plugin, err = upstream.NewBalancedAllocation(ctx, args, handle, gates)
			testkit.OK(t, err)
		default:
			continue
		}
		i := slices.IndexFunc(defaults.Profiles[0].Plugins.MultiPoint.Enabled, func(other config.Plugin) bool { return other.Name == p.Name })
		byDefault = append(byDefault, weightedPlugin{plugin.(fwk.ScorePlugin), int64(defaults.Profiles[0].Plugins.MultiPoint.Enabled[i].Weight)})
	}
	return byDefault, mostAllocated
}

// The scores by the default profile, and by one of MostAllocated and both default scorers with other weights, are the
// weighted sums of the plugins' scores. The best node is one of those with the highest sum among the nodes with room.
func TestProfiles(t *testing.T) {
	byDefault, most := defaultScores(t)
	testkit.Equal(t, len(byDefault), 2, "plugins")
	scorerOf := func(strategy noderesources.Strategy) noderesources.Scorer {
		scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: strategy})
		testkit.OK(t, err)
		return scorer
	}
	strategies := map[string]noderesources.Strategy{upstream.Name: noderesources.LeastAllocated, upstream.BalancedAllocationName: noderesources.BalancedAllocation}
	rapid.Check(t, func(t *rapid.T) {
		plugins, profile := byDefault, noderesources.Profile(nil)
		if rapid.Bool().Draw(t, "other weights") {
			plugins = append([]weightedPlugin{{ScorePlugin: most}}, byDefault...)
			for i := range plugins {
				weight := rapid.Int32Range(1, 9).Draw(t, "weight")
				plugins[i].weight = int64(weight)
				strategy := strategies[plugins[i].Name()]
				if i == 0 {
					strategy = noderesources.MostAllocated
				}
				profile = append(profile, noderesources.WeightedScorer{Scorer: scorerOf(strategy), Weight: weight})
			}
		}
		pod := pendingPod(t)
		pod.Spec.Resources = nil // see TestDivergenceScoreOfPodLevelRequests
		var nodes noderesources.Cluster
		var want []int64
		fitting := map[string]int64{}
		for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
			info, _ := schedulerNode(t)
			name, sum := fmt.Sprint("n-", i), int64(0)
			testkit.OK(t, nodes.AddNode(name, info.Node().Status.Allocatable))
			for _, there := range info.Pods {
				testkit.OK(t, nodes.AddPod(types.UID(name)+"/"+there.GetPod().UID, name, noderesources.PodRequest(there.GetPod(), computeresources.Options{Kubernetes: kubernetes})))
			}
			for _, plugin := range plugins {
				score, status := plugin.Score(context.Background(), framework.NewCycleState(), pod.DeepCopy(), info)
				if !status.IsSuccess() {
					t.Fatal(status)
				}
				sum += plugin.weight * score
			}
			want = append(want, sum)
			if fits(pod, info) {
				fitting[name] = sum
			}
		}
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
		if got := nodes.AppendScores(nil, request, profile); !slices.Equal(got, want) {
			t.Fatalf("%d, want %d", got, want)
		}
		name, score, found := nodes.Best(request, profile, noderesources.FitOptions{})
		testkit.Equal(t, found, len(fitting) > 0, "found")
		for other, sum := range fitting {
			if fitting[name] != score || sum > score || sum == score && other < name {
				t.Fatalf("%s with %d of %v", name, score, fitting)
			}
		}
	})
}

func fits(pod *corev1.Pod, info *framework.NodeInfo) bool {
	return len(upstream.Fits(pod.DeepCopy(), info, nil, upstream.ResourceRequestsOptions{EnablePodLevelResources: true})) == 0
}
