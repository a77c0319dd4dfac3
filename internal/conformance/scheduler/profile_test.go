package scheduler

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
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
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// defaultScheduler is the framework of a default scheduler without limits of volumes and devices, in one cluster after the
// other.
type defaultScheduler struct {
	fwk.SharedLister
	framework.Framework
	stores  map[string]cacheStore // by kind
	objects informers.SharedInformerFactory
}

type cacheStore interface{ Replace([]any, string) error }

func newDefaultScheduler(t *testing.T) *defaultScheduler {
	c, err := latest.Default()
	testkit.OK(t, err)
	return newScheduler(t, &c.Profiles[0])
}

func newScheduler(t *testing.T, profile *config.KubeSchedulerProfile) *defaultScheduler {
	metrics.Register()
	profile.Plugins.MultiPoint.Enabled = slices.DeleteFunc(profile.Plugins.MultiPoint.Enabled, func(p config.Plugin) bool {
		return slices.Contains([]string{names.DynamicResources, names.NodeVolumeLimits, names.DefaultPreemption}, p.Name)
	})
	s, client := &defaultScheduler{}, fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	var err error
	s.Framework, err = runtime.NewFramework(t.Context(), plugins.NewInTreeRegistry(), profile, append(s.snapshotOptions(),
		runtime.WithPodNominator(noNominations{}), runtime.WithClientSet(client), runtime.WithInformerFactory(factory), runtime.WithParallelism(1))...)
	testkit.OK(t, err)
	s.objects = factory
	s.stores = map[string]cacheStore{
		"Namespace": factory.Core().V1().Namespaces().Informer().GetStore(), "Service": factory.Core().V1().Services().Informer().GetStore(),
		"ReplicaSet": factory.Apps().V1().ReplicaSets().Informer().GetStore(),
	}
	return s
}

// judgement is what the scheduler says about the nodes for a pod.
type judgement struct {
	statuses []*fwk.Status // by node
	scores   map[int]int64 // of the nodes that may have it
	message  string        // if none may
	refusal  string        // if no node is tried
	unscored string        // if those that may have it cannot be compared
}

func (s *defaultScheduler) judge(t testkit.TB, c *cluster) (j judgement) {
	snapshot := cache.NewSnapshot(c.pods, c.nodes)
	s.SharedLister = snapshot
	testkit.OK(t, s.stores["Namespace"].Replace([]any{c.namespace}, ""))
	if c.service != nil {
		testkit.OK(t, s.stores["Service"].Replace([]any{c.service}, ""))
		testkit.OK(t, s.stores["ReplicaSet"].Replace([]any{c.replicaSet}, ""))
	}
	setVolumes(t, s.objects, &c.storage)
	ctx, state := context.Background(), framework.NewCycleState()
	e := &framework.FitError{Pod: c.pod, NumAllNodes: len(c.nodes), Diagnosis: framework.Diagnosis{NodeToStatus: framework.NewDefaultNodeToStatus()}}
	_, status, _ := s.RunPreFilterPlugins(ctx, state, c.pod)
	if !status.IsSuccess() {
		testkit.Equal(t, status.Code(), fwk.UnschedulableAndUnresolvable, status.Message())
		e.Diagnosis.NodeToStatus.SetAbsentNodesStatus(status)
		e.Diagnosis.PreFilterMsg = status.Message()
		j.refusal, j.message = status.Message(), e.Error()
		return j
	}
	var feasible []fwk.NodeInfo
	var indices []int
	for i, n := range c.nodes {
		info, err := snapshot.NodeInfos().Get(n.Name)
		testkit.OK(t, err)
		status := s.RunFilterPlugins(ctx, state, c.pod, info)
		j.statuses = append(j.statuses, status)
		if status.IsSuccess() {
			feasible, indices = append(feasible, info), append(indices, i)
		} else {
			e.Diagnosis.NodeToStatus.Set(n.Name, status)
		}
	}
	if len(feasible) == 0 {
		j.message = e.Error()
		return j
	}
	if status := s.RunPreScorePlugins(ctx, state, c.pod, feasible); !status.IsSuccess() {
		j.unscored = status.AsError().Error()
		if len(feasible) > 1 {
			j.message = j.unscored
		} else {
			j.scores = map[int]int64{indices[0]: 0} // the scheduler does not compare it
		}
		return j
	}
	scores, status := s.RunScorePlugins(ctx, state, c.pod, feasible)
	testkit.Equal(t, status.IsSuccess(), true)
	j.scores = map[int]int64{}
	for k, i := range indices {
		j.scores[i] = scores[k].TotalScore
	}
	return j
}

// The reason and the code of each node are those of the scheduler, and so is the weighted sum of all scores.
func TestDefaultProfile(t *testing.T) {
	scheduler := newDefaultScheduler(t)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		want := scheduler.judge(t, c)
		ledgers := map[string]*noderesources.Ledger{}
		for _, n := range c.nodes {
			ledgers[n.Name] = noderesources.NewLedger(n.Status.Allocatable)
		}
		for _, p := range c.pods {
			testkit.OK(t, ledgers[p.Spec.NodeName].Add(p.UID, noderesources.PodRequest(p, computeresources.Options{})))
		}
		around := placement.Around{
			Namespaces: map[string]map[string]string{"shop": c.namespace.Labels}, Services: []*corev1.Service{c.service}, Controller: c.replicaSet,
			Volumes: c.storage.known(), Rules: release.Rules{Release: oracle.Release},
		}
		index := interpodaffinity.NewIndex(c.nodes, c.podsOn)
		asks := placement.Of(c.pod, around)
		testkit.Equal(t, asks.Invalid(), want.refusal)
		ours := asks.On(c.nodes, index, c.podsOn)
		if want.refusal != "" {
			reached[volumesGeneral(want.refusal)]++
			testkit.Equal(t, ours.Accepts(0), false, want.refusal)
			return
		}
		request := noderesources.PodRequest(c.pod, computeresources.Options{})
		var room []int
		var scores []int64
		for i, n := range c.nodes {
			refusal := ours.BeforeResources(i)
			got, isResolvable := refusal.Message, refusal.Resolvable
			if got == "" {
				got, isResolvable = inWords(ledgers[n.Name].Shortages(request, noderesources.FitOptions{}))
			}
			if got == "" {
				after := ours.AfterResources(i)
				got, isResolvable = after.Message, after.Resolvable
				if after.Also != "" {
					got += ", " + after.Also
				}
			}
			testkit.Equal(t, got, want.statuses[i].Message(), n.Name)
			reached[got]++
			if got == "" {
				testkit.Equal(t, ours.Accepts(i), true)
				room, scores = append(room, i), append(scores, ledgers[n.Name].Score(request, nil))
			} else {
				testkit.Equal(t, isResolvable, want.statuses[i].Code() == fwk.Unschedulable, n.Name)
			}
		}
		if len(room) > 0 {
			testkit.Equal(t, asks.Unscored(), want.unscored)
		}
		if want.unscored != "" {
			reached["not compared"]++
			return
		}
		ours.AddScores(room, scores)
		for k, i := range room {
			testkit.Equal(t, scores[k], want.scores[i], c.nodes[i].Name)
		}
	})
	t.Log(reached)
}

// A pod gets the first by name of the nodes with the highest score, all of which are named, or the message of the scheduler.
func TestWhatifFollowsTheProfile(t *testing.T) {
	scheduler := newDefaultScheduler(t)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawCluster(t)
		c.settleVolumes()
		want := scheduler.judge(t, c)
		result, _ := c.read(t, nil).Apply(c.pod)
		testkit.Equal(t, len(result.Pods) > 0, true, fmt.Sprint(result.Objects))
		got := result.Pods[0]
		reached[fmt.Sprint("has a node: ", got.Node != "", ", has claims: ", len(c.pod.Spec.Volumes) > 1, ", unknown: ", got.Unknown)]++
		if got.Node != "" || !c.isProvisioning() { // then the pod waits for the time being
			testkit.Equal(t, len(got.Unknown), 0, got.Unknown)
		}
		if got.Node == "" {
			testkit.Equal(t, got.Waits.Message, want.message)
			return
		}
		want.compareChoice(t, c, &got)
		reached[fmt.Sprint("of equal nodes: ", got.Choice.Equal)]++
	})
	t.Log(reached)
}

// compareChoice compares the node of a pod, and those of which the scheduler draws one.
func (j *judgement) compareChoice(t testkit.TB, c *cluster, got *whatif.Pod) {
	t.Helper()
	highest, best := int64(-1), []string(nil)
	for i, n := range c.nodes {
		score, is := j.scores[i]
		if is && score > highest {
			highest, best = score, nil
		}
		if is && score == highest {
			best = append(best, n.Name)
		}
	}
	testkit.Equal(t, len(best) > 0, true, j.message)
	testkit.Equal(t, got.Node, best[0], fmt.Sprint(j.scores))
	want := whatif.Choice{}
	if len(best) > 1 {
		want = whatif.Choice{Equal: len(best), Nodes: best, Feasible: len(j.scores), Scored: len(j.scores)}
	}
	testkit.NoDiff(t, got.Choice, want, fmt.Sprint(j.scores))
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

// cluster has nodes, the pods on them and a pod to be placed, with what selects it.
type cluster struct {
	nodes      []*corev1.Node
	pods       []*corev1.Pod
	pod        *corev1.Pod
	namespace  *corev1.Namespace
	service    *corev1.Service
	replicaSet *appsv1.ReplicaSet
	storage    volumesCluster // without nodes and pods
}

// read returns the cluster without the pod to be placed. A nil profile is the default one.
func (c *cluster) read(t testkit.TB, profile *whatif.Profile) *whatif.Cluster {
	t.Helper()
	objects := append([]admit.APIObject{c.namespace, c.service, c.replicaSet}, c.storage.all()...)
	for _, n := range c.nodes {
		objects = append(objects, n)
	}
	for _, p := range c.pods {
		objects = append(objects, p)
	}
	read, err := whatif.Read(objects, whatif.Options{Profile: profile, Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: oracle.Release}}})
	testkit.OK(t, err)
	return read
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
	c := &cluster{namespace: &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{corev1.LabelMetadataName: "shop", "team": "a"}}}}
	c.service = &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "svc"}}
	c.service.Spec.Selector = map[string]string{"app": rapid.SampledFrom([]string{"web", "other"}).Draw(t, "selected")}
	c.replicaSet = &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "rs", UID: "rs", DeletionTimestamp: &metav1.Time{}}} // does nothing
	c.replicaSet.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	for i := range rapid.IntRange(1, 8).Draw(t, "nodes") {
		name := fmt.Sprint("n-", i)
		if i > 0 && rapid.Bool().Draw(t, "like the one before") {
			n := c.nodes[i-1].DeepCopy()
			n.Name = name
			c.nodes = append(c.nodes, n)
			continue
		}
		c.nodes = append(c.nodes, drawNode(t, name))
	}
	c.drawVolumes(t)
	for i := range rapid.IntRange(0, 20).Draw(t, "pods") {
		p := drawPod(t, fmt.Sprint("p-", i))
		p.Spec.NodeName = rapid.SampledFrom(c.nodes).Draw(t, "node").Name
		if rapid.IntRange(0, 9).Draw(t, "volume") == 0 {
			p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: volumesDraw{t}.podVolume(len(c.storage.claims))})
		}
		c.pods = append(c.pods, p)
	}
	c.pod = drawPod(t, "pod")
	if rapid.IntRange(0, 2).Draw(t, "volumes") > 0 {
		volumes := volumesDraw{t}.pod("pod", "", len(c.storage.claims)).Spec.Volumes
		c.pod.Spec.Volumes = append(c.pod.Spec.Volumes, volumes...)
		c.storage.claims = append(c.storage.claims, volumesDraw{t}.ephemeralClaims(c.pod, len(c.storage.volumes), len(c.nodes))...)
	}
	if c.pod.Labels["app"] == "web" && rapid.Bool().Draw(t, "owned") {
		yes := true
		c.pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "rs", UID: "rs", Controller: &yes}}
	}
	return c
}

// drawVolumes draws claims and volumes, and classes that are nearly always there. Nodes get labels of zones.
func (c *cluster) drawVolumes(t *rapid.T) {
	d := volumesDraw{t}
	var nodeNames []string
	for _, n := range c.nodes {
		nodeNames = append(nodeNames, n.Name)
		if n.Labels == nil {
			n.Labels = map[string]string{}
		}
		maps.Copy(n.Labels, d.labels())
	}
	d.drawStorage(&c.storage, nodeNames, rapid.IntRange(0, 8).Draw(t, "volumes"), rapid.IntRange(1, 5).Draw(t, "claims"))
	for _, claim := range c.storage.claims { // most pods have claims that do not keep them off each node
		if !d.oneIn(4, "any phase") {
			claim.DeletionTimestamp = nil
			if claim.Status.Phase == corev1.ClaimLost {
				claim.Status.Phase = corev1.ClaimPending
			}
		}
	}
}

// settleVolumes makes the cluster one in which the controller of volumes has nothing to do, and of which each kind of
// objects is known.
func (c *cluster) settleVolumes() {
	s, mode := &c.storage, storagev1.VolumeBindingWaitForFirstConsumer
	s.classes = nil
	for i := range 3 {
		s.classes = append(s.classes, &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("class-", i)},
			Provisioner: []string{"csi.example.com", "kubernetes.io/no-provisioner", "other.example.com"}[i], VolumeBindingMode: &mode})
	}
	for _, claim := range s.claims {
		if claim.Spec.VolumeName != "" {
			claim.Annotations["pv.kubernetes.io/bind-completed"] = "yes"
		}
	}
	for _, volume := range s.volumes {
		volume.Spec.ClaimRef = nil
		if volume.Status.Phase == corev1.VolumePending {
			volume.Status.Phase = corev1.VolumeAvailable
		}
	}
	s.claims = append(s.claims, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "other", Name: "some"}, Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimLost}})
	s.volumes = append(s.volumes, &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "some"}})
	s.csiNodes = append(s.csiNodes, &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: "some"}})
	s.drivers = append(s.drivers, &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: "some"}})
	s.capacities = append(s.capacities, &storagev1.CSIStorageCapacity{ObjectMeta: metav1.ObjectMeta{Namespace: "csi", Name: "some"}})
}

// isProvisioning reports whether a volume is being provisioned for a claim of the pod.
func (c *cluster) isProvisioning() bool {
	return slices.ContainsFunc(c.storage.claims, func(claim *corev1.PersistentVolumeClaim) bool {
		_, isSelected := claim.Annotations["volume.kubernetes.io/selected-node"]
		return isSelected && slices.ContainsFunc(c.pod.Spec.Volumes, func(v corev1.Volume) bool { return podvolumes.ClaimName(c.pod, &v) == claim.Name })
	})
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
	if !(rapid.IntRange(0, 3).Draw(t, "features") == 0) {
		n.Status.DeclaredFeatures = []string{"Other", "RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport"}[:rapid.IntRange(1, 3).Draw(t, "declared")]
	}
	n.Status.Allocatable = testkit.List("cpu", rapid.SampledFrom([]string{"2", "4"}).Draw(t, "cpu"), "memory", "8Gi", "pods", "5")
	return n
}

func drawPod(t *rapid.T, name string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	p.Labels = map[string]string{"app": rapid.SampledFrom([]string{"web", "db"}).Draw(t, "app")}
	p.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", rapid.SampledFrom([]string{"0", "500m", "1"}).Draw(t, "cpu")), nil)}
	p.Spec.Containers[0].Image = images.Draw(t, "image")
	switch rapid.IntRange(0, 19).Draw(t, "needs features") {
	case 0:
		p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}
	case 1:
		p.Spec.HostNetwork, p.Spec.HostUsers = rapid.Bool().Draw(t, "network of the host"), new(false)
	}
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
	for i := range rapid.IntRange(0, 3).Draw(t, "preferred") {
		affinity.PreferredDuringSchedulingIgnoredDuringExecution = append(affinity.PreferredDuringSchedulingIgnoredDuringExecution, corev1.PreferredSchedulingTerm{
			Weight: rapid.Int32Range(0, 100).Draw(t, "weight"), Preference: drawTerm(t),
		})
		if rapid.IntRange(0, 14).Draw(t, "invalid") == 0 { // the API server admits that
			affinity.PreferredDuringSchedulingIgnoredDuringExecution[i].Preference.MatchExpressions[0].Values = []string{"-"}
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "required") == 0 {
		affinity.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{drawTerm(t), drawTerm(t)}}
	}
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: affinity}
	if rapid.IntRange(0, 2).Draw(t, "spread") == 0 {
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: keys.Draw(t, "key"), LabelSelector: selecting(t),
			WhenUnsatisfiable: rapid.SampledFrom([]corev1.UnsatisfiableConstraintAction{corev1.DoNotSchedule, corev1.ScheduleAnyway}).Draw(t, "action"),
		}}
	}
	term := func() corev1.PodAffinityTerm {
		return corev1.PodAffinityTerm{TopologyKey: keys.Draw(t, "key"), LabelSelector: selecting(t)}
	}
	switch rapid.IntRange(0, 8).Draw(t, "pod affinity") {
	case 0:
		p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term()}}
	case 1:
		p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term()}}
	case 2:
		p.Spec.Affinity.PodAffinity = &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 10, PodAffinityTerm: term()}}}
	case 3:
		p.Spec.Affinity.PodAntiAffinity = &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 10, PodAffinityTerm: term()}}}
	}
	return p
}

func selecting(t *rapid.T) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": rapid.SampledFrom([]string{"web", "db"}).Draw(t, "selects")}}
}

func drawTerm(t *rapid.T) corev1.NodeSelectorTerm {
	return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
		Key: keys.Draw(t, "key"), Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{corev1.NodeSelectorOpIn, corev1.NodeSelectorOpNotIn}).Draw(t, "operator"),
		Values: []string{values.Draw(t, "value")},
	}}}
}
