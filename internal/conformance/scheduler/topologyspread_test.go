package scheduler

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstream "k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// spreadCluster is what the plugin PodTopologySpread reads.
type spreadCluster struct {
	framework   fwk.Handle
	nodes       []*corev1.Node
	pods        [][]*corev1.Pod // by node
	services    []*corev1.Service
	controllers []metav1.Object
	defaults    topologyspread.Defaults
}

// spreadHandle is a framework with the objects of a cluster.
type spreadHandle struct {
	fwk.Handle
	lister  fwk.SharedLister
	factory informers.SharedInformerFactory
}

func (h *spreadHandle) SnapshotSharedLister() fwk.SharedLister                 { return h.lister }
func (h *spreadHandle) SharedInformerFactory() informers.SharedInformerFactory { return h.factory }

// spreadPlugin returns the plugin of the scheduler for a cluster, and its nodes.
func spreadPlugin(t testkit.TB, c *spreadCluster) (plugin *upstream.PodTopologySpread, nodes []fwk.NodeInfo) {
	factory := informers.NewSharedInformerFactory(nil, 0)
	services, sets := factory.Core().V1().Services().Informer(), factory.Apps().V1().StatefulSets().Informer()
	replicaSets := factory.Apps().V1().ReplicaSets().Informer()
	replicationControllers := factory.Core().V1().ReplicationControllers().Informer()
	for _, service := range c.services {
		testkit.OK(t, services.GetIndexer().Add(service))
	}
	for _, controller := range c.controllers {
		switch controller.(type) {
		case *corev1.ReplicationController:
			testkit.OK(t, replicationControllers.GetIndexer().Add(controller))
		case *appsv1.ReplicaSet:
			testkit.OK(t, replicaSets.GetIndexer().Add(controller))
		case *appsv1.StatefulSet:
			testkit.OK(t, sets.GetIndexer().Add(controller))
		}
	}
	snapshot := cache.NewSnapshot(slices.Concat(c.pods...), c.nodes)
	args := &config.PodTopologySpreadArgs{DefaultingType: config.SystemDefaulting}
	if c.defaults.IsList {
		args.DefaultingType, args.DefaultConstraints = config.ListDefaulting, c.defaults.Constraints
	}
	made, err := upstream.New(context.Background(), args, &spreadHandle{c.framework, snapshot, factory}, oracle.SchedulerFeatures())
	testkit.OK(t, err)
	for _, node := range c.nodes {
		info, err := snapshot.NodeInfos().Get(node.Name)
		testkit.OK(t, err)
		nodes = append(nodes, info)
	}
	return made.(*upstream.PodTopologySpread), nodes
}

// ours returns the same by this library.
func (c *spreadCluster) ours(t testkit.TB, pod *corev1.Pod) *topologyspread.Spread {
	var controller metav1.Object
	if owner := metav1.GetControllerOf(pod); owner != nil {
		for _, o := range c.controllers {
			if o.GetName() == owner.Name && o.GetNamespace() == pod.Namespace && fmt.Sprintf("%T", o) == "*v1."+owner.Kind {
				controller = o
			}
		}
	}
	services := slices.DeleteFunc(slices.Clone(c.services), func(s *corev1.Service) bool { return s.Namespace != pod.Namespace })
	constraints, err := topologyspread.Of(pod, topologyspread.DefaultSelector(pod, services, controller), c.defaults, release.Rules{Release: oracle.Release})
	testkit.OK(t, err)
	return constraints.On(c.nodes, func(i int) []*corev1.Pod { return c.pods[i] })
}

func spreadOneOf[T any](t *rapid.T, name string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, name)
}

// spreadLabels draws labels by name; a value "-" stands for none.
func spreadLabels(t *rapid.T, of map[string][]string, keys ...string) map[string]string {
	labels := map[string]string{}
	for _, key := range keys {
		if value := spreadOneOf(t, key, of[key]...); value != "-" {
			labels[key] = value
		}
	}
	return labels
}

func spreadNode(t *rapid.T, name string) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	node.Labels = spreadLabels(t, map[string][]string{
		corev1.LabelHostname:     {name, name, name, name, "shared", "", "-"},
		corev1.LabelTopologyZone: {"east", "east", "west", "west", "north", "", "-"},
		"rack":                   {"r1", "r2", "r3", "-"},
		"disk":                   {"ssd", "hdd", "-"},
	}, corev1.LabelHostname, corev1.LabelTopologyZone, "rack", "disk")
	for range spreadOneOf(t, "taints", 0, 0, 0, 1, 2) {
		node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{
			Key: spreadOneOf(t, "taint", "gpu", "batch"), Effect: spreadOneOf(t, "effect", corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule),
		})
	}
	return node
}

func spreadPod(t *rapid.T, name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: spreadOneOf(t, "namespace", "shop", "shop", "shop", "ops")}}
	pod.Labels = spreadLabels(t, map[string][]string{"app": {"web", "web", "db", "-"}, "tier": {"front", "back", "-"}, "version": {"1", "2"}}, "app", "tier", "version")
	if spreadOneOf(t, "is being deleted", false, false, false, false, false, true) {
		pod.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
	}
	return pod
}

func spreadSelector(t *rapid.T) *metav1.LabelSelector {
	web := map[string]string{"app": "web"}
	return spreadOneOf(t, "selector", nil, &metav1.LabelSelector{}, &metav1.LabelSelector{MatchLabels: web}, &metav1.LabelSelector{MatchLabels: web},
		&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}},
		&metav1.LabelSelector{MatchLabels: web, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"front"}}}},
	)
}

func spreadConstraint(t *rapid.T) corev1.TopologySpreadConstraint {
	honor, ignore := corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore
	return corev1.TopologySpreadConstraint{
		MaxSkew:            spreadOneOf[int32](t, "maxSkew", 1, 1, 1, 2, 3, 0, -1),
		TopologyKey:        spreadOneOf(t, "topologyKey", corev1.LabelHostname, corev1.LabelTopologyZone, corev1.LabelTopologyZone, "rack"),
		WhenUnsatisfiable:  spreadOneOf(t, "whenUnsatisfiable", corev1.DoNotSchedule, corev1.ScheduleAnyway),
		LabelSelector:      spreadSelector(t),
		MinDomains:         spreadOneOf(t, "minDomains", nil, nil, new(int32(0)), new(int32(1)), new(int32(2)), new(int32(4))),
		NodeAffinityPolicy: spreadOneOf(t, "nodeAffinityPolicy", nil, &honor, &ignore),
		NodeTaintsPolicy:   spreadOneOf(t, "nodeTaintsPolicy", nil, &honor, &ignore),
		MatchLabelKeys:     spreadOneOf(t, "matchLabelKeys", nil, nil, []string{"version"}, []string{"tier", "version"}, []string{"app"}),
	}
}

// spreadSubject draws the pod that looks for a node.
func spreadSubject(t *rapid.T) *corev1.Pod {
	pod := spreadPod(t, "new")
	pod.DeletionTimestamp = nil
	pod.Spec.NodeSelector = spreadOneOf(t, "nodeSelector", nil, nil, map[string]string{"disk": "ssd"})
	if spreadOneOf(t, "has affinity", false, false, true) {
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{
				{Key: "rack", Operator: spreadOneOf(t, "operator", corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn), Values: []string{"r1", "r2"}},
			}}},
		}}}
	}
	for range spreadOneOf(t, "tolerations", 0, 0, 1) {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: spreadOneOf(t, "tolerated", "", "gpu"), Operator: corev1.TolerationOpExists})
	}
	for range spreadOneOf(t, "constraints", 0, 1, 1, 2, 3) {
		pod.Spec.TopologySpreadConstraints = append(pod.Spec.TopologySpreadConstraints, spreadConstraint(t))
	}
	if spreadOneOf(t, "is controlled", true, true, false) {
		pod.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: spreadOneOf(t, "apiVersion", "apps/v1", "apps/v1", "v1", "apps/v2"), Name: spreadOneOf(t, "owner", "one", "one", "two"),
			Kind: spreadOneOf(t, "kind", "ReplicaSet", "ReplicaSet", "StatefulSet", "ReplicationController", "Job"), Controller: new(spreadOneOf(t, "controls", true, true, true, false)),
		}}
	}
	return pod
}

func drawSpreadCluster(t *rapid.T) *spreadCluster {
	c := &spreadCluster{}
	for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
		c.nodes = append(c.nodes, spreadNode(t, fmt.Sprint("n-", i)))
	}
	c.pods = make([][]*corev1.Pod, len(c.nodes))
	for k := range rapid.IntRange(0, 40).Draw(t, "pods") {
		i := rapid.IntRange(0, len(c.nodes)-1).Draw(t, "node")
		pod := spreadPod(t, fmt.Sprint("p-", k))
		pod.Spec.NodeName = c.nodes[i].Name
		c.pods[i] = append(c.pods[i], pod)
	}
	for k := range rapid.IntRange(0, 3).Draw(t, "services") {
		service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("s-", k), Namespace: spreadOneOf(t, "namespace", "shop", "ops")}}
		service.Spec.Selector = spreadOneOf(t, "selector", nil, map[string]string{}, map[string]string{"app": "web"}, map[string]string{"tier": "front"}, map[string]string{"app": "web", "version": "1"})
		c.services = append(c.services, service)
	}
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "one"}
	c.controllers = []metav1.Object{
		&corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Selector: spreadOneOf(t, "selector", nil, map[string]string{"app": "web"}, map[string]string{"app": "db"})}},
		&appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Selector: spreadSelector(t)}},
		&appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Selector: spreadSelector(t)}},
	}
	c.defaults.IsList = spreadOneOf(t, "defaults are listed", false, false, true)
	seen := map[string]bool{}
	for range spreadOneOf(t, "defaults", 0, 1, 2, 3) {
		d := corev1.TopologySpreadConstraint{MaxSkew: spreadOneOf[int32](t, "maxSkew", 1, 2), TopologyKey: spreadOneOf(t, "topologyKey", corev1.LabelHostname, corev1.LabelTopologyZone, "rack"),
			WhenUnsatisfiable: spreadOneOf(t, "whenUnsatisfiable", corev1.DoNotSchedule, corev1.ScheduleAnyway)}
		if key := d.TopologyKey + string(d.WhenUnsatisfiable); !seen[key] {
			seen[key] = true
			c.defaults.Constraints = append(c.defaults.Constraints, d)
		}
	}
	return c
}

// spreadStatuses compares why a pod may not be on each of the nodes.
func spreadStatuses(t testkit.TB, plugin *upstream.PodTopologySpread, state fwk.CycleState, pod *corev1.Pod, nodes []fwk.NodeInfo, ours *topologyspread.Spread) {
	for i, node := range nodes {
		want := plugin.Filter(context.Background(), state, pod, node)
		message, isUnresolvable := ours.Refusal(i)
		if message != want.Message() || isUnresolvable != (want.Code() == fwk.UnschedulableAndUnresolvable) {
			t.Fatalf("%s: %q, unresolvable: %v; want %q, %v", node.Node().Name, message, isUnresolvable, want.Message(), want.Code())
		}
	}
}

// spreadCompare compares filters and scores of a pod, and returns those that compare further.
func spreadCompare(t *rapid.T, c *spreadCluster, pod *corev1.Pod, ours *topologyspread.Spread) {
	ctx := context.Background()
	plugin, nodes := spreadPlugin(t, c)
	state := framework.NewCycleState()
	_, status := plugin.PreFilter(ctx, state, pod, nodes)
	if status.IsSkip() {
		for i := range nodes {
			if message, _ := ours.Refusal(i); message != "" {
				t.Fatalf("%q where the plugin is skipped", message)
			}
		}
	} else {
		if !status.IsSuccess() {
			t.Fatal(status)
		}
		spreadStatuses(t, plugin, state, pod, nodes, ours)
		spreadPreempt(t, c, plugin, state, pod, nodes, ours)
	}

	var feasible []int
	var infos []fwk.NodeInfo
	for i := range nodes {
		if spreadOneOf(t, "is feasible", true, true, false) {
			feasible, infos = append(feasible, i), append(infos, nodes[i])
		}
	}
	got := make([]int64, len(feasible))
	status = plugin.PreScore(ctx, state, pod, infos)
	if isScored := ours.Scores(feasible, got); isScored == status.IsSkip() {
		t.Fatalf("scores: %v, want %v", isScored, status)
	}
	if status.IsSkip() {
		return
	}
	if !status.IsSuccess() {
		t.Fatal(status)
	}
	var list fwk.NodeScoreList
	for _, info := range infos {
		score, status := plugin.Score(ctx, state, pod, info)
		if !status.IsSuccess() {
			t.Fatal(status)
		}
		list = append(list, fwk.NodeScore{Name: info.Node().Name, Score: score})
	}
	if status := plugin.NormalizeScore(ctx, state, pod, list); !status.IsSuccess() {
		t.Fatal(status)
	}
	for k := range list {
		if got[k] != list[k].Score {
			t.Fatalf("scores %d, want %v", got, list)
		}
	}
}

// spreadPreempt evicts pods of a node in a copy of the state, and reprieves some of them, as the scheduler does.
func spreadPreempt(t *rapid.T, c *spreadCluster, plugin *upstream.PodTopologySpread, state fwk.CycleState, pod *corev1.Pod, nodes []fwk.NodeInfo, ours *topologyspread.Spread) {
	ctx := context.Background()
	i := rapid.IntRange(0, len(nodes)-1).Draw(t, "node of victims")
	trial := state.Clone()
	var evicted []*corev1.Pod
	change := func(victim *corev1.Pod, isEvicted bool) {
		info, err := framework.NewPodInfo(victim)
		testkit.OK(t, err)
		if isEvicted {
			plugin.RemovePod(ctx, trial, pod, info, nodes[i])
			ours.Evict(i, victim)
		} else {
			plugin.AddPod(ctx, trial, pod, info, nodes[i])
			ours.Reprieve(i, victim)
		}
		spreadStatuses(t, plugin, trial, pod, nodes, ours)
	}
	for _, victim := range c.pods[i] {
		if spreadOneOf(t, "is evicted", true, true, false) {
			evicted = append(evicted, victim)
			change(victim, true)
		}
	}
	for _, victim := range evicted {
		change(victim, false)
	}
}

// Reasons, scores and trials of preemption are those of the plugin; also after pods came and left.
func TestPodTopologySpread(t *testing.T) {
	metrics.Register()
	handle, err := runtime.NewFramework(context.Background(), nil, nil, runtime.WithParallelism(1))
	testkit.OK(t, err)
	rapid.Check(t, func(t *rapid.T) {
		c := drawSpreadCluster(t)
		c.framework = handle
		pod := spreadSubject(t)
		ours := c.ours(t, pod)
		spreadCompare(t, c, pod, ours)
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(c.nodes)-1).Draw(t, "node")
			if len(c.pods[i]) > 0 && spreadOneOf(t, "leaves", true, false) {
				ours.Remove(i, c.pods[i][0])
				c.pods[i] = c.pods[i][1:]
				continue
			}
			bound := pod.DeepCopy()
			bound.Spec.NodeName = c.nodes[i].Name
			ours.Add(i, bound)
			c.pods[i] = append(c.pods[i], bound)
		}
		spreadCompare(t, c, pod, ours)
	})
}
