package scheduler

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
)

// defaultProfile returns the framework of a default scheduler without the plugins that need objects of their own.
func defaultProfile(t testkit.TB, snapshot *cache.Snapshot) (framework.Framework, context.Context) {
	metrics.Register()
	c, err := latest.Default()
	testkit.OK(t, err)
	profile := &c.Profiles[0]
	profile.Plugins.MultiPoint.Enabled = slices.DeleteFunc(profile.Plugins.MultiPoint.Enabled, func(p config.Plugin) bool {
		return slices.Contains([]string{names.DynamicResources, names.NodeVolumeLimits, names.VolumeBinding, names.VolumeZone,
			names.VolumeRestrictions, names.DefaultPreemption, names.NodeDeclaredFeatures}, p.Name)
	})
	ctx := context.Background()
	client := fake.NewClientset()
	f, err := runtime.NewFramework(ctx, plugins.NewInTreeRegistry(), profile, runtime.WithSnapshotSharedLister(snapshot),
		runtime.WithClientSet(client), runtime.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)), runtime.WithParallelism(1))
	testkit.OK(t, err)
	return f, ctx
}

func TestDefaultProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		snapshot := cache.NewSnapshot(c.pods, c.nodes)
		f, ctx := defaultProfile(t, snapshot)
		state := framework.NewCycleState()
		infos, err := snapshot.NodeInfos().List()
		testkit.OK(t, err)
		_, status, _ := f.RunPreFilterPlugins(ctx, state, c.pod)
		testkit.Equal(t, status.IsSuccess(), true, status.Message())

		ours, ledgers := placement.Of(c.pod).On(c.nodes, c.podsOn), map[string]*noderesources.Ledger{}
		for _, n := range c.nodes {
			ledgers[n.Name] = noderesources.NewLedger(n.Status.Allocatable)
		}
		for _, p := range c.pods {
			testkit.OK(t, ledgers[p.Spec.NodeName].Add(p.UID, noderesources.PodRequest(p, computeresources.Options{})))
		}
		request := noderesources.PodRequest(c.pod, computeresources.Options{})
		var room []int
		var scores []int64
		var feasible []fwk.NodeInfo
		for i, n := range c.nodes {
			k := slices.IndexFunc(infos, func(info fwk.NodeInfo) bool { return info.Node().Name == n.Name })
			want, refusal := f.RunFilterPlugins(ctx, state, c.pod, infos[k]), ours.BeforeResources(i)
			got, isResolvable := refusal.Message, refusal.Resolvable
			testkit.Equal(t, ours.Accepts(i), got == "")
			if got == "" {
				got, isResolvable = inWords(ledgers[n.Name].Shortages(request, noderesources.FitOptions{}))
			}
			testkit.Equal(t, got, want.Message(), n.Name)
			if want.IsSuccess() {
				room, scores, feasible = append(room, i), append(scores, ledgers[n.Name].Score(request, nil)), append(feasible, infos[k])
			} else {
				testkit.Equal(t, isResolvable, want.Code() == fwk.Unschedulable, n.Name)
			}
		}
		if len(room) == 0 {
			return
		}
		testkit.Equal(t, f.RunPreScorePlugins(ctx, state, c.pod, feasible).IsSuccess(), true)
		want, status := f.RunScorePlugins(ctx, state, c.pod, feasible)
		testkit.Equal(t, status.IsSuccess(), true)
		ours.AddScores(room, scores)
		for k, i := range room {
			testkit.Equal(t, scores[k], want[k].TotalScore, c.nodes[i].Name, fmt.Sprint(want[k].Scores))
		}
	})
}

// inWords returns shortages as the status of a plugin does.
func inWords(shortages noderesources.Shortages) (message string, isResolvable bool) {
	var words []string
	isResolvable = true
	for _, s := range shortages {
		words, isResolvable = append(words, s.Error()), isResolvable && !s.Unresolvable
	}
	return strings.Join(words, ", "), isResolvable
}

// cluster has nodes, the pods on them and a pod to be placed.
type cluster struct {
	nodes []*corev1.Node
	pods  []*corev1.Pod
	pod   *corev1.Pod
}

func (c *cluster) podsOn(i int) (pods []*corev1.Pod) {
	for _, p := range c.pods {
		if p.Spec.NodeName == c.nodes[i].Name {
			pods = append(pods, p)
		}
	}
	return pods
}

var (
	keys   = rapid.SampledFrom([]string{"zone", "size", corev1.LabelHostname})
	values = rapid.SampledFrom([]string{"a", "b", "5"})
	images = rapid.SampledFrom([]string{"app", "app:1", "reg/log:latest", "reg/log"})
)

func drawCluster(t *rapid.T) *cluster {
	c := &cluster{}
	for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
		c.nodes = append(c.nodes, drawNode(t, fmt.Sprint("n-", i)))
	}
	for i := range rapid.IntRange(0, 10).Draw(t, "pods") {
		p := drawPod(t, fmt.Sprint("p-", i))
		p.Spec.NodeName = rapid.SampledFrom(c.nodes).Draw(t, "node").Name
		c.pods = append(c.pods, p)
	}
	c.pod = drawPod(t, "pod")
	return c
}

func drawNode(t *rapid.T, name string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: rapid.MapOfN(keys, values, 0, 3).Draw(t, "labels")}}
	n.Spec.Unschedulable = rapid.IntRange(0, 9).Draw(t, "unschedulable") == 0
	effects := rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute,
		corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectPreferNoSchedule})
	for range rapid.IntRange(0, 2).Draw(t, "taints") {
		n.Spec.Taints = append(n.Spec.Taints, corev1.Taint{Key: keys.Draw(t, "key"), Value: values.Draw(t, "value"), Effect: effects.Draw(t, "effect")})
	}
	// The cache takes the size of the first image of a name, and a snapshot that of the last one.
	for _, image := range rapid.SliceOfNDistinct(images, 0, 4, rapid.ID).Draw(t, "images") {
		n.Status.Images = append(n.Status.Images, corev1.ContainerImage{
			Names: []string{"sha", image}, SizeBytes: int64(rapid.IntRange(0, 3000).Draw(t, "size")) << 20,
		})
	}
	n.Status.Allocatable = testkit.List("cpu", rapid.SampledFrom([]string{"2", "4"}).Draw(t, "cpu"), "memory", "8Gi", "pods", "5")
	return n
}

func drawPod(t *rapid.T, name string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	p.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", rapid.SampledFrom([]string{"0", "500m", "1"}).Draw(t, "cpu")), nil)}
	p.Spec.Containers[0].Image = images.Draw(t, "image")
	if rapid.Bool().Draw(t, "init container") {
		p.Spec.InitContainers = []corev1.Container{{Name: "init", Image: images.Draw(t, "image")}}
	}
	if rapid.Bool().Draw(t, "image volume") {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{Image: &corev1.ImageVolumeSource{Reference: images.Draw(t, "image")}}}}
	}
	for range rapid.IntRange(0, 1).Draw(t, "ports") {
		p.Spec.Containers[0].Ports = append(p.Spec.Containers[0].Ports, corev1.ContainerPort{
			HostPort: rapid.Int32Range(1, 3).Draw(t, "port"), HostIP: rapid.SampledFrom([]string{"", "10.0.0.1"}).Draw(t, "address"), Protocol: corev1.ProtocolTCP,
		})
	}
	for range rapid.IntRange(0, 2).Draw(t, "tolerations") {
		p.Spec.Tolerations = append(p.Spec.Tolerations, corev1.Toleration{Key: keys.Draw(t, "key"), Operator: corev1.TolerationOpExists})
	}
	affinity := &corev1.NodeAffinity{}
	for range rapid.IntRange(0, 3).Draw(t, "preferred") {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution, corev1.PreferredSchedulingTerm{
			Weight: rapid.Int32Range(0, 100).Draw(t, "weight"), Preference: drawTerm(t),
		})
	}
	if rapid.IntRange(0, 4).Draw(t, "required") == 0 {
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{drawTerm(t), drawTerm(t)}}
	}
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: affinity}
	return p
}

func drawTerm(t *rapid.T) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
		Key: keys.Draw(t, "key"), Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn}).Draw(t, "operator"),
		Values: []string{values.Draw(t, "value")},
	}}}
}
