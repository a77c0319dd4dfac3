package conformance

import (
	"context"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// schedulerFilters are the plugins that whatif computes, in the order of the scheduler.
func schedulerFilters(t *testing.T) (filters []fwk.FilterPlugin) {
	ctx, features := context.Background(), oracle.SchedulerFeatures()
	add := func(plugin fwk.Plugin, err error) {
		testkit.OK(t, err)
		filters = append(filters, plugin.(fwk.FilterPlugin))
	}
	add(nodeunschedulable.New(ctx, nil, nil, features))
	add(nodename.New(ctx, nil, nil, features))
	add(tainttoleration.New(ctx, nil, nil, features))
	add(nodeaffinity.New(ctx, &config.NodeAffinityArgs{}, nil, features))
	add(upstream.NewFit(ctx, &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: config.LeastAllocated}}, nil, features))
	return filters
}

// upstreamFit returns the message of the scheduler for a pod, and the nodes that are available.
func upstreamFit(t *rapid.T, filters []fwk.FilterPlugin, pod *corev1.Pod, nodes []*corev1.Node) (available map[string]bool, message string) {
	ctx, state := context.Background(), framework.NewCycleState()
	var infos []fwk.NodeInfo
	for _, n := range nodes {
		info := framework.NewNodeInfo()
		info.SetNode(n.DeepCopy())
		infos = append(infos, info)
	}
	available = map[string]bool{}
	e := &framework.FitError{Pod: pod, NumAllNodes: len(nodes), Diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}}
	named := (*fwk.PreFilterResult)(nil)
	skipped := map[string]bool{}
	for _, plugin := range filters {
		before, is := plugin.(fwk.PreFilterPlugin)
		if !is {
			continue
		}
		result, status := before.PreFilter(ctx, state, pod.DeepCopy(), infos)
		switch {
		case status.IsSkip():
			skipped[plugin.Name()] = true
		case status.IsRejected():
			e.Diagnosis.PreFilterMsg = status.Message()
			return available, e.Error()
		case !status.IsSuccess():
			t.Fatal(status.Message())
		}
		if result != nil && !result.AllNodes() {
			named = result
			e.Diagnosis.NodeToStatus.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, fmt.Sprintf("node(s) didn't satisfy plugin(s) [%s]", plugin.Name())))
		}
	}
nodes:
	for _, info := range infos {
		name := info.Node().Name
		if named != nil && !named.NodeNames.Has(name) {
			continue
		}
		for _, plugin := range filters {
			if skipped[plugin.Name()] {
				continue
			}
			if status := plugin.Filter(ctx, state, pod.DeepCopy(), info); !status.IsSuccess() {
				e.Diagnosis.NodeToStatus.Set(name, status)
				continue nodes
			}
		}
		available[name] = true
	}
	return available, e.Error()
}

var (
	labelKeys   = rapid.SampledFrom([]string{"zone", "size", "metadata.name"})
	labelValues = rapid.SampledFrom([]string{"a", "b", "5", "10", ""})
	taintKeys   = rapid.SampledFrom([]string{"dedicated", "gpu", corev1.TaintNodeUnschedulable, corev1.TaintNodeNotReady})
	effects     = rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule})
)

// taintedNode draws a node with labels and taints.
func taintedNode(t *rapid.T, name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: rapid.MapOfN(labelKeys, labelValues, 0, 2).Draw(t, "labels")}}
	n.Spec.Unschedulable = rapid.IntRange(0, 5).Draw(t, "unschedulable") == 0
	for range rapid.IntRange(0, 2).Draw(t, "taints") {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: taintKeys.Draw(t, "key"), Value: labelValues.Draw(t, "value"), Effect: effects.Draw(t, "effect")})
	}
	n.Status.Allocatable = testkit.List("cpu", fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "cpu")), "memory", "8Gi", "pods", fmt.Sprint(rapid.IntRange(0, 3).Draw(t, "pods")))
	return n
}

// choosyPod draws a pod with tolerations, a node selector and a node affinity, valid or not.
func choosyPod(t *rapid.T) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "p"}}
	p.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", fmt.Sprint(rapid.IntRange(0, 2).Draw(t, "request"))), nil)}
	operators := rapid.SampledFrom([]corev1.TolerationOperator{"", corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpGt, corev1.TolerationOpLt, "Other"})
	for range rapid.IntRange(0, 3).Draw(t, "tolerations") {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{
			Key: rapid.OneOf(taintKeys, rapid.Just("")).Draw(t, "key"), Operator: operators.Draw(t, "operator"), Value: labelValues.Draw(t, "value"),
			Effect: rapid.OneOf(effects, rapid.Just(corev1.TaintEffect(""))).Draw(t, "effect"),
		})
	}
	if rapid.Bool().Draw(t, "selector") {
		p.Spec.NodeSelector = rapid.MapOfN(labelKeys, labelValues, 0, 1).Draw(t, "node selector")
	}
	if rapid.Bool().Draw(t, "affinity") {
		selector := &corev1.NodeSelector{}
		for range rapid.IntRange(0, 2).Draw(t, "terms") {
			term := corev1.NodeSelectorTerm{}
			for range rapid.IntRange(0, 2).Draw(t, "expressions") {
				term.MatchExpressions = append(term.MatchExpressions, requirement(t, labelKeys, labelValues))
			}
			for range rapid.IntRange(0, 2).Draw(t, "fields") {
				term.MatchFields = append(term.MatchFields, requirement(t, rapid.SampledFrom([]string{"metadata.name", "metadata.name", "other"}), rapid.SampledFrom([]string{"n-0", "n-1", "n-9", ""})))
			}
			selector.NodeSelectorTerms = append(selector.NodeSelectorTerms, term)
		}
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: selector}}
	}
	return p
}

func requirement(t *rapid.T, keys, values *rapid.Generator[string]) corev1.NodeSelectorRequirement {
	return corev1.NodeSelectorRequirement{
		Key: keys.Draw(t, "key"), Values: rapid.SliceOfN(values, 0, 2).Draw(t, "values"),
		Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{
			corev1.NodeSelectorOpIn, corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn, corev1.NodeSelectorOpExists, corev1.NodeSelectorOpDoesNotExist,
			corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, "Other",
		}).Draw(t, "operator"),
	}
}

// A pod of a cluster without other pods is placed on a node that the scheduler's filters accept, or waits with the
// scheduler's message. The admission plugin DefaultTolerationSeconds is not run by the filters, so the pod is one that
// is stored already.
func TestWhatifFollowsTheFilters(t *testing.T) {
	filters := schedulerFilters(t)
	const draws = 20_000
	generator := rapid.Custom(func(t *rapid.T) string {
		pod := choosyPod(t)
		var nodes []*corev1.Node
		objects := []admit.APIObject{pod}
		for i := range rapid.IntRange(0, 3).Draw(t, "nodes") {
			n := taintedNode(t, fmt.Sprint("n-", i))
			nodes, objects = append(nodes, n), append(objects, n)
		}
		available, want := upstreamFit(t, filters, pod, nodes)
		cluster, err := whatif.Read(objects, whatif.Options{})
		if err != nil {
			return err.Error()
		}
		got, _ := cluster.Pod(types.NamespacedName{Namespace: "shop", Name: "p"})
		switch {
		case len(available) > 0 && !available[got.Node]:
			return fmt.Sprintf("on node %q, want one of %v", got.Node, available)
		case len(available) > 0:
			return ""
		case len(nodes) == 0 && got.Waits.Cause == "": // nothing is known of places
			return ""
		}
		if got.Waits.Message != want {
			return fmt.Sprintf("on node %q, waits for %q, want %s", got.Node, got.Waits.Message, want)
		}
		return ""
	})
	for i := range draws {
		testkit.Equal(t, generator.Example(i), "", "draw", i)
	}
}
