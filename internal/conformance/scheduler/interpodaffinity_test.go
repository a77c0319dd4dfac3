package scheduler

import (
	"context"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// podAffinityScheduler makes plugins. It is the SharedLister of their handle.
type podAffinityScheduler struct {
	fwk.SharedLister
	handle     fwk.Handle
	namespaces informers.GenericInformer
}

func newPodAffinityScheduler(t *testing.T) *podAffinityScheduler {
	t.Helper()
	metrics.Register()
	s := &podAffinityScheduler{}
	factory := informers.NewSharedInformerFactory(fake.NewClientset(), 0)
	handle, err := runtime.NewFramework(t.Context(), nil, nil,
		runtime.WithSnapshotSharedLister(s), runtime.WithInformerFactory(factory))
	testkit.OK(t, err)
	s.handle = handle
	s.namespaces, err = factory.ForResource(corev1.SchemeGroupVersion.WithResource("namespaces"))
	testkit.OK(t, err)
	return s
}

// podAffinityPlugin is the plugin of the scheduler in a cluster.
type podAffinityPlugin struct {
	*upstream.InterPodAffinity
	cluster *testkit.PodAffinityCluster
	nodes   []fwk.NodeInfo
}

// plugin returns the plugin in a cluster; those of other clusters must not be used afterwards.
func (s *podAffinityScheduler) plugin(t testkit.TB, c *testkit.PodAffinityCluster, args config.InterPodAffinityArgs) podAffinityPlugin {
	pods := make([]*corev1.Pod, len(c.Pods))
	for i, pod := range c.Pods {
		pods[i] = pod.DeepCopy()
	}
	s.SharedLister = cache.NewSnapshot(pods, c.Nodes)
	namespaces := make([]any, len(c.Namespaces))
	for i, namespace := range c.Namespaces {
		namespaces[i] = namespace
	}
	testkit.OK(t, s.namespaces.Informer().GetStore().Replace(namespaces, ""))
	plugin, err := upstream.New(context.Background(), &args, s.handle, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	p := podAffinityPlugin{InterPodAffinity: plugin.(*upstream.InterPodAffinity), cluster: c}
	for _, node := range c.Nodes {
		info, err := s.NodeInfos().Get(node.Name)
		testkit.OK(t, err)
		p.nodes = append(p.nodes, info)
	}
	return p
}

// checkRefusals compares the reasons of all nodes.
func (p podAffinityPlugin) checkRefusals(t *rapid.T, state fwk.CycleState, ours *interpodaffinity.State) (feasible []int) {
	for i, info := range p.nodes {
		status := p.Filter(context.Background(), state, p.cluster.Incoming, info)
		reason, helps := ours.Refusal(i)
		want := ""
		if !status.IsSuccess() {
			want = status.Reasons()[0]
		} else {
			feasible = append(feasible, i)
		}
		if reason != want || helps != (status.Code() == fwk.Unschedulable) {
			t.Fatalf("%s: %q, %v, want %v: %v", info.Node().Name, reason, helps, status.Code(), want)
		}
	}
	return feasible
}

// checkScores compares the normalized scores of some nodes.
func (p podAffinityPlugin) checkScores(t *rapid.T, ours *interpodaffinity.State, feasible []int) {
	ctx, state := context.Background(), framework.NewCycleState()
	infos := make([]fwk.NodeInfo, len(feasible))
	for k, i := range feasible {
		infos[k] = p.nodes[i]
	}
	got, want := make([]int64, len(feasible)), make([]int64, len(feasible))
	status := p.PreScore(ctx, state, p.cluster.Incoming, infos)
	skipped := ours.Scores(feasible, got)
	testkit.Equal(t, skipped, status.IsSkip(), "skipped")
	if !skipped {
		list := make(fwk.NodeScoreList, len(feasible))
		for k, info := range infos {
			score, status := p.Score(ctx, state, p.cluster.Incoming, info)
			testkit.OK(t, status.AsError())
			list[k] = fwk.NodeScore{Name: info.Node().Name, Score: score}
		}
		testkit.OK(t, p.NormalizeScore(ctx, state, p.cluster.Incoming, list).AsError())
		for k := range list {
			want[k] = list[k].Score
		}
	}
	testkit.NoDiff(t, got, want, "scores")
}

// The reasons and codes of each node, and the normalized scores, are those of the plugin InterPodAffinity; also after pods
// have come and gone, which the plugin counts by AddPod and RemovePod.
func TestInterPodAffinity(t *testing.T) {
	scheduler := newPodAffinityScheduler(t)
	rapid.Check(t, func(t *rapid.T) {
		c := testkit.PodAffinityClusters(12, 40).Draw(t, "cluster")
		if oracle.Release == "1.36" && podAffinityIsNegative(c.Incoming.Spec.Affinity) {
			return // see TestDivergenceNegativeNamespaceSelector
		}
		args := config.InterPodAffinityArgs{HardPodAffinityWeight: 1}
		if rapid.Bool().Draw(t, "arguments") {
			args.HardPodAffinityWeight = rapid.Int32Range(0, 100).Draw(t, "weight")
			args.IgnorePreferredTermsOfExistingPods = rapid.Bool().Draw(t, "ignore")
		}
		theirs := scheduler.plugin(t, c, args)
		incoming := interpodaffinity.Of(c.Incoming, c.NamespaceLabels(), interpodaffinity.Options{
			HardPodAffinityWeight:              &args.HardPodAffinityWeight,
			IgnorePreferredTermsOfExistingPods: args.IgnorePreferredTermsOfExistingPods,
		})
		index := interpodaffinity.NewIndex(c.Nodes, c.PodsOn)
		ours := incoming.On(index)

		ctx, state := context.Background(), framework.NewCycleState()
		_, status := theirs.PreFilter(ctx, state, c.Incoming, theirs.nodes)
		testkit.Equal(t, ours.SkipsFilter(), status.IsSkip(), "filter is skipped")
		if status.IsRejected() {
			reason, helps := ours.Refusal(0)
			testkit.Equal(t, reason, status.Reasons()[0], "invalid terms")
			testkit.Equal(t, incoming.Invalid(), reason, "invalid terms")
			testkit.Equal(t, helps, status.Code() == fwk.Unschedulable, "preemption may help")
			return
		}
		if status.IsSkip() {
			for i := range c.Nodes {
				reason, _ := ours.Refusal(i)
				testkit.Equal(t, reason, "", "skipped")
			}
			theirs.checkScores(t, ours, podAffinitySample(t, c.Nodes))
			return
		}
		testkit.OK(t, status.AsError())
		theirs.checkRefusals(t, state, ours)
		theirs.checkScores(t, ours, podAffinitySample(t, c.Nodes))

		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			i := rapid.IntRange(0, len(c.Nodes)-1).Draw(t, "node")
			pods := c.PodsOn(i)
			if len(pods) == 0 || rapid.Bool().Draw(t, "comes") {
				pod := testkit.PodAffinityClusters(1, 0).Draw(t, "other").Incoming
				pod.Spec.NodeName = c.Nodes[i].Name
				info, _ := framework.NewPodInfo(pod.DeepCopy())
				c.Pods = append(c.Pods, pod)
				ours.Add(i, pod)
				testkit.OK(t, theirs.AddPod(ctx, state, c.Incoming, info, theirs.nodes[i]).AsError())
			} else {
				pod := rapid.SampledFrom(pods).Draw(t, "pod")
				info, _ := framework.NewPodInfo(pod.DeepCopy())
				c.Pods = slices.DeleteFunc(c.Pods, func(other *corev1.Pod) bool { return other == pod })
				ours.Remove(i, pod)
				testkit.OK(t, theirs.RemovePod(ctx, state, c.Incoming, info, theirs.nodes[i]).AsError())
			}
		}
		feasible := theirs.checkRefusals(t, state, ours)
		if len(feasible) > 0 {
			scheduler.plugin(t, c, args).checkScores(t, ours, feasible)
		}
	})
}

// podAffinitySample draws nodes that are feasible.
func podAffinitySample(t *rapid.T, nodes []*corev1.Node) (feasible []int) {
	first := rapid.IntRange(0, len(nodes)-1).Draw(t, "first feasible node")
	for i := range nodes {
		if i == first || rapid.Bool().Draw(t, "feasible") {
			feasible = append(feasible, i)
		}
	}
	return feasible
}

// podAffinityIsNegative reports whether a namespace selector that is not empty selects namespaces without labels.
func podAffinityIsNegative(a *corev1.Affinity) bool {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Affinity: a}}
	info, _ := framework.NewPodInfo(pod)
	terms := slices.Concat(info.RequiredAffinityTerms, info.RequiredAntiAffinityTerms)
	for _, t := range slices.Concat(info.PreferredAffinityTerms, info.PreferredAntiAffinityTerms) {
		terms = append(terms, t.AffinityTerm)
	}
	return slices.ContainsFunc(terms, func(t fwk.AffinityTerm) bool {
		return !t.NamespaceSelector.Empty() && t.NamespaceSelector.Matches(labels.Set{})
	})
}

// From 1.34 to 1.36, a namespace selector of the pod that selects namespaces without labels selects all of them. Since
// 1.37, and in kubemath for all releases, it selects those whose labels it matches (kubernetes/kubernetes#141526).
// See docs/decisions/quota.md#negative-namespace-selector.
func TestDivergenceNegativeNamespaceSelector(t *testing.T) {
	c := &testkit.PodAffinityCluster{
		Nodes: []*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{corev1.LabelHostname: "n"}}}},
		Namespaces: []*corev1.Namespace{
			{ObjectMeta: metav1.ObjectMeta{Name: "workload-a", Labels: map[string]string{corev1.LabelMetadataName: "workload-a"}}},
		},
	}
	there := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "there", UID: "there", Namespace: "workload-a"}}
	there.Spec.NodeName = "n"
	c.Incoming, c.Pods = there.DeepCopy(), []*corev1.Pod{there}
	c.Incoming.Spec = corev1.PodSpec{Affinity: &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{},
			NamespaceSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpNotIn, Values: []string{"workload-a"}},
			}},
		}},
	}}}
	ctx, state := t.Context(), framework.NewCycleState()
	theirs := newPodAffinityScheduler(t).plugin(t, c, config.InterPodAffinityArgs{HardPodAffinityWeight: 1})
	_, status := theirs.PreFilter(ctx, state, c.Incoming, theirs.nodes)
	testkit.OK(t, status.AsError())
	status = theirs.Filter(ctx, state, c.Incoming, theirs.nodes[0])
	testkit.Equal(t, status.IsSuccess(), oracle.Release != "1.36", "the plugin admits the pod")

	ours := interpodaffinity.Of(c.Incoming, c.NamespaceLabels(), interpodaffinity.Options{})
	reason, _ := ours.On(interpodaffinity.NewIndex(c.Nodes, c.PodsOn)).Refusal(0)
	testkit.Equal(t, reason, "")
}
