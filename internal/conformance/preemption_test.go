package conformance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"
	"k8s.io/kubernetes/pkg/scheduler/util"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// preemptors are a scheduler whose only filter is NodeResourcesFit, with its plugin DefaultPreemption, and a cluster with
// the same nodes and pods.
type preemptors struct {
	handle fwk.Handle
	plugin *defaultpreemption.DefaultPreemption
	lister fwk.SharedLister // of the nodes

	nodes     []fwk.NodeInfo
	nominated map[string][]fwk.PodInfo
	cluster   *noderesources.Cluster
	opts      noderesources.PreemptOptions
}

// preemptors is the SharedLister and the PodNominator of its handle.
func (p *preemptors) NodeInfos() fwk.NodeInfoLister                            { return p.lister.NodeInfos() }
func (p *preemptors) StorageInfos() fwk.StorageInfoLister                      { return p.lister.StorageInfos() }
func (p *preemptors) PodGroupStates() fwk.PodGroupStateLister                  { return p.lister.PodGroupStates() }
func (p *preemptors) DeleteNominatedPodIfExists(*corev1.Pod)                   {}
func (p *preemptors) UpdateNominatedPod(klog.Logger, *corev1.Pod, fwk.PodInfo) {}
func (p *preemptors) AddNominatedPod(klog.Logger, fwk.PodInfo, *fwk.NominatingInfo) {
}

func newPreemptors(t *testing.T) *preemptors {
	t.Helper()
	metrics.Register()
	p := &preemptors{}
	features := oracle.SchedulerFeatures()
	handle, err := tf.NewFramework(context.Background(), []tf.RegisterPluginFunc{
		tf.RegisterPluginAsExtensions(upstream.Name, runtime.FactoryAdapter(features, upstream.NewFit), "Filter", "PreFilter"),
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
	}, "", append(p.options(), runtime.WithPodNominator(p), runtime.WithParallelism(1),
		runtime.WithInformerFactory(informers.NewSharedInformerFactory(nil, 0)))...)
	testkit.OK(t, err)
	p.handle = handle
	args := &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 10, MinCandidateNodesAbsolute: 100}
	p.plugin, err = defaultpreemption.New(context.Background(), args, handle, features)
	testkit.OK(t, err)
	return p
}

// set sets the nodes and their pods on both sides. Pods are added in the given order.
func (p *preemptors) set(t testkit.TB, nodes []*corev1.Node, pods []*corev1.Pod) {
	p.lister, p.nodes, p.nominated = cache.NewSnapshot(pods, nodes), nil, map[string][]fwk.PodInfo{}
	p.cluster, p.opts = &noderesources.Cluster{}, noderesources.PreemptOptions{Kubernetes: kubernetes}
	for _, node := range nodes {
		info, err := p.lister.NodeInfos().Get(node.Name)
		testkit.OK(t, err)
		p.nodes = append(p.nodes, info)
		testkit.OK(t, p.cluster.AddNode(node.Name, node.Status.Allocatable))
	}
	for _, pod := range pods {
		testkit.OK(t, p.cluster.AddPod(pod.UID, pod.Spec.NodeName, noderesources.PodRequest(pod, computeresources.Options{Kubernetes: kubernetes})))
	}
}

// podsOn returns the pods of a node for the cluster.
func (p *preemptors) podsOn(node string) (pods []noderesources.PotentialVictim) {
	info, err := p.lister.NodeInfos().Get(node)
	if err != nil {
		return nil
	}
	for _, there := range info.GetPods() {
		pods = append(pods, noderesources.PotentialVictimOf(there.GetPod()))
	}
	return pods
}

// nominate sets a pod that is nominated to its node on both sides.
func (p *preemptors) nominate(t testkit.TB, pod *corev1.Pod) {
	info, err := framework.NewPodInfo(pod)
	testkit.OK(t, err)
	node := pod.Status.NominatedNodeName
	p.nominated[node] = append(p.nominated[node], info)
	p.opts.Nominated = append(p.opts.Nominated, noderesources.NominatedPod{
		Node: node, Priority: *pod.Spec.Priority, Request: noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}),
	})
}

// theirs returns the status of a node for a pod, and its state.
func (p *preemptors) theirs(t testkit.TB, pod *corev1.Pod, info fwk.NodeInfo) (*fwk.Status, fwk.CycleState) {
	state := framework.NewCycleState()
	if _, status, _ := p.handle.(framework.Framework).RunPreFilterPlugins(context.Background(), state, pod); !status.IsSuccess() {
		t.Fatalf("%v", status)
	}
	return p.handle.RunFilterPluginsWithNominatedPods(context.Background(), state, pod, info), state
}

func preemptingPod(t *rapid.T, name string) *corev1.Pod {
	requests := corev1.ResourceList{}
	for _, resource := range []string{"cpu", "memory", "example.com/gpu"} {
		if rapid.IntRange(0, 2).Draw(t, "requested") > 0 {
			requests[corev1.ResourceName(resource)] = testkit.List(resource, fmt.Sprint(rapid.IntRange(0, 4).Draw(t, resource)))[corev1.ResourceName(resource)]
		}
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", requests, nil)}}}
	pod.Namespace, pod.Name, pod.UID = rapid.SampledFrom([]string{"shop", "ops"}).Draw(t, "namespace"), name, types.UID(name)
	pod.Spec.Priority = new(rapid.SampledFrom([]int32{math.MinInt32, -1, 0, 1, 2, math.MaxInt32}).Draw(t, "priority"))
	pod.Labels = rapid.SampledFrom([]map[string]string{nil, {"app": "web"}, {"app": "web", "tier": "front"}, {"app": "db"}}).Draw(t, "labels")
	return pod
}

// placedPod draws a pod that was started, or one that is terminating for several reasons.
func placedPod(t *rapid.T, name, node string) *corev1.Pod {
	pod := preemptingPod(t, name)
	pod.Namespace, pod.Spec.NodeName = "shop", node // so that equal pods are in the order of their names
	pod.Status.StartTime = &metav1.Time{Time: time.Unix(rapid.Int64Range(1, 3).Draw(t, "started"), 0)}
	if rapid.IntRange(0, 3).Draw(t, "terminating") == 0 {
		pod.DeletionTimestamp = &metav1.Time{}
	}
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type:   rapid.SampledFrom([]corev1.PodConditionType{corev1.DisruptionTarget, corev1.PodReady}).Draw(t, "condition"),
			Status: rapid.SampledFrom([]corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionFalse}).Draw(t, "status"),
			Reason: rapid.SampledFrom([]string{corev1.PodReasonPreemptionByScheduler, corev1.PodReasonPreemptionByScheduler, "Other"}).Draw(t, "reason"),
		})
	}
	return pod
}

// draw draws nodes and pods, and the pod that preempts others.
func (p *preemptors) draw(t *rapid.T) *corev1.Pod {
	var nodes []*corev1.Node
	var pods []*corev1.Pod
	for i := range rapid.IntRange(1, 5).Draw(t, "nodes") {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: string(rune('a' + i))}}
		node.Status.Allocatable = testkit.List("cpu", fmt.Sprint(rapid.IntRange(3, 12).Draw(t, "cpu")), "memory", fmt.Sprint(rapid.IntRange(3, 12).Draw(t, "memory")),
			"example.com/gpu", fmt.Sprint(rapid.IntRange(2, 12).Draw(t, "gpu")), "pods", fmt.Sprint(rapid.IntRange(3, 8).Draw(t, "pods")))
		for j := range rapid.IntRange(0, 7).Draw(t, "pods there") {
			pods = append(pods, placedPod(t, fmt.Sprint(node.Name, "-", j), node.Name))
		}
		nodes = append(nodes, node)
	}
	p.set(t, nodes, pods)
	someNode := rapid.SampledFrom([]string{"a", "b", "c", "x"})
	for i := range rapid.IntRange(0, 2).Draw(t, "nominated") {
		pod := preemptingPod(t, fmt.Sprint("nominated-", i))
		pod.Status.NominatedNodeName = someNode.Draw(t, "nominated node")
		p.nominate(t, pod)
	}
	p.opts.Budgets = rapid.SliceOfN(testkit.DisruptionBudget("a-0", "b-1"), 0, 3).Draw(t, "budgets")
	slices.SortStableFunc(p.opts.Budgets, func(a, b *policyv1.PodDisruptionBudget) int { return strings.Compare(a.Name, b.Name) }) // see TestDivergenceOrderOfBudgets
	pod := preemptingPod(t, "new")
	*pod.Spec.Priority = max(*pod.Spec.Priority, rapid.SampledFrom([]int32{math.MinInt32, 1, 2, 2, math.MaxInt32}).Draw(t, "priority at least"))
	p.opts.Priority = *pod.Spec.Priority
	return pod
}

// The victims on each node, the number of violated budgets, and why there are none.
func TestPreemptionVictimsOnNode(t *testing.T) {
	p := newPreemptors(t)
	rapid.Check(t, func(t *rapid.T) {
		pod := p.draw(t)
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
		all := p.opts.Nominated
		for _, info := range p.nodes {
			name := info.Node().Name
			_, state := p.theirs(t, pod, info)
			victims, violations, status := p.selectVictims(state, pod, info, p.opts.Budgets)
			p.opts.Nominated = slices.DeleteFunc(slices.Clone(all), func(other noderesources.NominatedPod) bool { return other.Node != name })
			ledger, err := p.cluster.Ledger(name)
			testkit.OK(t, err)
			got, err := ledger.Victims(request, p.podsOn(name), p.opts)
			if !status.IsSuccess() {
				refused := framework.NewDefaultNodeToStatus()
				refused.Set(name, status)
				testkit.Equal(t, fmt.Sprint(err), "preemption: "+(&framework.FitError{NumAllNodes: 1, Diagnosis: framework.Diagnosis{NodeToStatus: refused}}).Error())
				continue
			}
			testkit.OK(t, err)
			testkit.NoDiff(t, outcomeOf(got, p.podsOn(name)), outcome("", victimUIDs(victims), violations), name)
		}
	})
}

// outcomeOf is a Preemption with the UIDs of its victims.
func outcomeOf(p noderesources.Preemption, pods []noderesources.PotentialVictim) []any {
	return outcome(p.Node, victimsOf(p, pods), p.PDBViolations)
}

func outcome(node string, victims []types.UID, violations int) []any {
	return []any{node, victims, violations}
}

func victimsOf(p noderesources.Preemption, pods []noderesources.PotentialVictim) (victims []types.UID) {
	for _, i := range p.Victims {
		victims = append(victims, pods[i].UID)
	}
	return victims
}

// victimUIDs returns the UIDs of victims, those of equal importance by name: see TestDivergencePreemptionOfEqualPods.
func victimUIDs(pods []*corev1.Pod) (uids []types.UID) {
	slices.SortFunc(pods, func(a, b *corev1.Pod) int {
		switch {
		case util.MoreImportantPod(a, b):
			return -1
		case util.MoreImportantPod(b, a):
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, pod := range pods {
		uids = append(uids, pod.UID)
	}
	return uids
}

// The chosen node of all, or of a window, and its victims; or why there is none.
func TestPreemptionOfAllNodes(t *testing.T) {
	ctx, p := context.Background(), newPreemptors(t)
	rapid.Check(t, func(t *rapid.T) {
		pod := p.draw(t)
		pod.Spec.PreemptionPolicy = rapid.SampledFrom(append(slices.Repeat([]*corev1.PreemptionPolicy{nil, new(corev1.PreemptLowerPriority)}, 10), new(corev1.PreemptNever))).Draw(t, "policy")
		pod.Status.NominatedNodeName = rapid.SampledFrom([]string{"", "a", "b", "x"}).Draw(t, "nominated node")
		p.opts.NominatedNode = pod.Status.NominatedNodeName
		if pod.Spec.PreemptionPolicy != nil {
			p.opts.PreemptionPolicy = *pod.Spec.PreemptionPolicy
		}
		excluded := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "excluded")
		p.opts.Filter = func(node string) bool { return node != excluded }
		statuses := framework.NewDefaultNodeToStatus()
		var potential []fwk.NodeInfo
		var state fwk.CycleState
		for _, info := range p.nodes {
			var status *fwk.Status
			status, state = p.theirs(t, pod, info)
			if info.Node().Name == excluded {
				status = fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "excluded")
			}
			statuses.Set(info.Node().Name, status)
			if status.Code() == fwk.Unschedulable {
				potential = append(potential, info)
			}
		}
		request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes})
		offset, count := int32(0), int32(len(potential))
		if len(potential) > 0 && rapid.Bool().Draw(t, "window") {
			offset, count = rapid.Int32Range(0, int32(len(potential))-1).Draw(t, "offset"), rapid.Int32Range(1, count).Draw(t, "count")
			p.opts.Offset, p.opts.Count = int(offset), int(count)
		}
		got, err := p.cluster.Preempt(request, p.podsOn, p.opts)
		if eligible, reason := p.plugin.PodEligibleToPreemptOthers(ctx, pod, statuses.Get(pod.Status.NominatedNodeName)); !eligible {
			testkit.Equal(t, fmt.Sprint(err), "preemption: "+reason)
			return
		}
		refused := framework.NewDefaultNodeToStatus()
		if len(potential) > 0 {
			candidates, dryRun, failed := p.plugin.Evaluator.DryRunPreemption(ctx, state, pod, potential, p.opts.Budgets, offset, count)
			testkit.OK(t, failed)
			if best := p.plugin.Evaluator.SelectCandidate(ctx, candidates); best != nil {
				testkit.OK(t, err)
				// Ties go to the first by name, and in the plugin to the first of a map: see TestDivergencePreemptionOfEqualNodes.
				for range 200 {
					if best.Name() == got.Node {
						break
					}
					best = p.plugin.Evaluator.SelectCandidate(ctx, candidates)
				}
				want := outcome(best.Name(), victimUIDs(best.Victims().Pods), int(best.Victims().NumPDBViolations))
				testkit.NoDiff(t, outcomeOf(got, p.podsOn(got.Node)), want, "of all nodes")
				return
			}
			refused = dryRun
		}
		refused.SetAbsentNodesStatus(fwk.NewStatus(fwk.UnschedulableAndUnresolvable, "Preemption is not helpful for scheduling"))
		testkit.Equal(t, fmt.Sprint(err), "preemption: "+(&framework.FitError{NumAllNodes: len(p.nodes), Diagnosis: framework.Diagnosis{NodeToStatus: refused}}).Error())
	})
}

// equalPods returns pods of priority zero that request 1 CPU each.
func equalPods(node string, started *metav1.Time, names ...string) (pods []*corev1.Pod) {
	for _, name := range names {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}, Status: corev1.PodStatus{StartTime: started}}
		pod.Spec.NodeName, pod.Spec.Priority = node, new(int32)
		pod.Spec.Containers = []corev1.Container{testkit.Container("c", testkit.List("cpu", "1"), nil)}
		pods = append(pods, pod)
	}
	return pods
}

func nodeOfTwo(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.NodeStatus{Allocatable: testkit.List("cpu", "2", "pods", "9")}}
}

// Of pods that are equally important, theirs spares the one that it has found first on the node, and up to 1.36, of those that
// have not started the last, because it takes the time anew whenever it compares them. Since 1.38, it spares the one with the
// smallest UID, which is the name here. Ours spares the first by name.
// See docs/decisions/computeresources.md#preemption-of-equal-pods.
func TestDivergencePreemptionOfEqualPods(t *testing.T) {
	first, second := "b", "a"
	if oracle.Release <= "1.36" {
		first, second = "a", "b"
	}
	for name, test := range map[string]struct {
		pods         []*corev1.Pod
		theirs, ours types.UID
	}{
		"started together": {equalPods("n", &metav1.Time{Time: time.Unix(1, 0)}, "b", "a"), "a", "b"},
		"not started":      {equalPods("n", nil, first, second), "a", "b"},
	} {
		p := newPreemptors(t)
		p.set(t, []*corev1.Node{nodeOfTwo("n")}, test.pods)
		pod := equalPods("", nil, "new")[0]
		*pod.Spec.Priority, p.opts.Priority = 1, 1
		_, state := p.theirs(t, pod, p.nodes[0])
		victims, _, _ := p.selectVictims(state, pod, p.nodes[0], nil)
		if oracle.Release >= "1.38" {
			test.theirs = "b"
		}
		testkit.NoDiff(t, victimUIDs(victims), []types.UID{test.theirs}, "theirs:", name)
		ledger, err := p.cluster.Ledger("n")
		testkit.OK(t, err)
		ours, err := ledger.Victims(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), p.podsOn("n"), p.opts)
		testkit.OK(t, err)
		ours.Node = "n"
		testkit.NoDiff(t, victimsOf(ours, p.podsOn(ours.Node)), []types.UID{test.ours}, "ours:", name)
	}
}

// Since 1.37, a pod counts in its budgets up to the first that it violates, in the order of a cache, which is a map: of two
// orders, one may have fewer violations. Ours takes budgets by name.
// See docs/decisions/computeresources.md#preemption-goes-by-name.
func TestDivergenceOrderOfBudgets(t *testing.T) {
	budget := func(name, label string, allowed int32) *policyv1.PodDisruptionBudget {
		b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed}}
		b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{label: ""}}
		return b
	}
	one, other := budget("a", "x", 0), budget("b", "y", 1)
	for _, test := range []struct {
		budgets []*policyv1.PodDisruptionBudget
		theirs  int
	}{{[]*policyv1.PodDisruptionBudget{one, other}, 1}, {[]*policyv1.PodDisruptionBudget{other, one}, 2}} {
		p := newPreemptors(t)
		pods := equalPods("n", &metav1.Time{Time: time.Unix(1, 0)}, "1", "2")
		pods[0].Labels, pods[1].Labels = map[string]string{"x": "", "y": ""}, map[string]string{"y": ""}
		p.set(t, []*corev1.Node{nodeOfTwo("n")}, pods)
		pod := equalPods("", nil, "new")[0]
		pod.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "2")
		*pod.Spec.Priority, p.opts.Priority, p.opts.Budgets = 1, 1, test.budgets
		_, state := p.theirs(t, pod, p.nodes[0])
		_, violations, _ := p.selectVictims(state, pod, p.nodes[0], test.budgets)
		ledger, err := p.cluster.Ledger("n")
		testkit.OK(t, err)
		ours, err := ledger.Victims(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), p.podsOn("n"), p.opts)
		testkit.OK(t, err)
		if oracle.Release <= "1.36" {
			test.theirs = 2
		}
		testkit.Equal(t, violations, test.theirs, "theirs")
		testkit.Equal(t, ours.PDBViolations, map[bool]int{true: 2, false: 1}[oracle.Release <= "1.36"], "ours")
	}
}

// Of nodes on which preemption costs as much, theirs chooses any, because it goes through a map; ours chooses the first by name.
// See docs/decisions/computeresources.md#preemption-goes-by-name.
func TestDivergencePreemptionOfEqualNodes(t *testing.T) {
	p := newPreemptors(t)
	started := &metav1.Time{Time: time.Unix(1, 0)}
	p.set(t, []*corev1.Node{nodeOfTwo("m"), nodeOfTwo("n")}, append(equalPods("n", started, "a", "b"), equalPods("m", started, "c", "d")...))
	pod := equalPods("", nil, "new")[0]
	*pod.Spec.Priority, p.opts.Priority = 1, 1
	_, state := p.theirs(t, pod, p.nodes[0])
	theirs := map[string]bool{}
	for range 200 {
		candidates, _, err := p.plugin.Evaluator.DryRunPreemption(context.Background(), state, pod, p.nodes, nil, 0, 2)
		testkit.OK(t, err)
		theirs[p.plugin.Evaluator.SelectCandidate(context.Background(), candidates).Name()] = true
		ours, err := p.cluster.Preempt(noderesources.SpecRequest(&pod.Spec, computeresources.Options{Kubernetes: kubernetes}), p.podsOn, p.opts)
		testkit.OK(t, err)
		testkit.NoDiff(t, outcomeOf(ours, p.podsOn(ours.Node)), outcome("m", []types.UID{"d"}, 0), "ours")
	}
	testkit.NoDiff(t, theirs, map[string]bool{"m": true, "n": true}, "theirs")
}
