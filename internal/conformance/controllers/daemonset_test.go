package controllers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

//go:linkname syncDaemonSet k8s.io/kubernetes/pkg/controller/daemon.(*DaemonSetsController).syncDaemonSet
func syncDaemonSet(c *daemon.DaemonSetsController, ctx context.Context, key string) error

// daemonState is a DaemonSet with nodes and pods, by name.
type daemonState struct {
	set      *appsv1.DaemonSet
	nodes    []*corev1.Node
	pods     []*corev1.Pod
	admitted int // how many pods the API server creates
	numbers  int // of pods
}

// daemonAnswer is what is created, by node, and deleted, by pod. Attempts are all creations.
type daemonAnswer struct {
	Created, Deleted []string
	Attempts         int
}

func (s *daemonState) hash() string { return controller.ComputeHash(&s.set.Spec.Template, nil) }

func init() { utilruntime.ErrorHandlers = nil } // refused pods are logged otherwise

// drawDaemonSpec draws what users change of a DaemonSet.
func drawDaemonSpec(t *rapid.T, set *appsv1.DaemonSet) {
	set.Spec.UpdateStrategy = appsv1.DaemonSetUpdateStrategy{Type: rapid.SampledFrom([]appsv1.DaemonSetUpdateStrategyType{
		"RollingUpdate", "RollingUpdate", "RollingUpdate", "OnDelete"}).Draw(t, "strategy")}
	if set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		amounts := []string{"0", "0", "1", "1", "2", "3", "1%", "34%", "50%", "100%"}
		set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{
			MaxUnavailable: new(intstr.Parse(rapid.SampledFrom(amounts).Draw(t, "may be unavailable"))),
			MaxSurge:       new(intstr.Parse(rapid.SampledFrom(amounts).Draw(t, "may surge")))}
	}
	spec := &set.Spec.Template.Spec
	spec.HostNetwork, spec.NodeName, spec.NodeSelector, spec.Tolerations = rapid.Bool().Draw(t, "host network"), "", nil, nil
	switch rapid.IntRange(0, 7).Draw(t, "where") {
	case 0:
		spec.NodeName = "n1"
	case 1, 2:
		spec.NodeSelector = map[string]string{"pool": "x"}
	}
	if rapid.IntRange(0, 3).Draw(t, "tolerates") == 0 {
		spec.Tolerations = []corev1.Toleration{{Key: "dedicated", Operator: corev1.TolerationOpExists}}
	}
}

func drawDaemonNode(t *rapid.T, n *corev1.Node) {
	n.Labels, n.Spec = map[string]string{}, corev1.NodeSpec{}
	if rapid.IntRange(0, 3).Draw(t, "pool") > 0 {
		n.Labels["pool"] = "x"
	}
	key := rapid.SampledFrom([]string{"", "", "", "dedicated", corev1.TaintNodeNotReady, corev1.TaintNodeUnschedulable, corev1.TaintNodeDiskPressure, corev1.TaintNodeNetworkUnavailable}).Draw(t, "taint")
	if key != "" {
		effect := rapid.SampledFrom([]corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule}).Draw(t, "effect")
		n.Spec.Taints = []corev1.Taint{{Key: key, Effect: effect}}
	}
}

func drawDaemonState(t *rapid.T) *daemonState {
	s := &daemonState{set: &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "agent", UID: "set"}}}
	s.set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "agent"}}
	s.set.Spec.Template.Labels, s.set.Spec.RevisionHistoryLimit = s.set.Spec.Selector.MatchLabels, new(int32(10))
	if rapid.Bool().Draw(t, "has a generation") {
		s.set.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "2"}
	}
	drawDaemonSpec(t, s.set)
	isUsual := rapid.Bool().Draw(t, "is usual")
	for i := range rapid.IntRange(0, 6).Draw(t, "nodes") {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("n", i)}}
		drawDaemonNode(t, n)
		if isUsual || rapid.IntRange(0, 9).Draw(t, "is gone") > 0 {
			s.nodes = append(s.nodes, n)
		}
		least, most := 0, 3
		if isUsual { // it is only updated
			least, most = 1, 1
			if n.Spec.Taints = nil; rapid.IntRange(0, 2).Draw(t, "takes no more") == 0 {
				n.Spec.Taints = []corev1.Taint{{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule}}
			}
		}
		for range rapid.IntRange(least, most).Draw(t, "pods") {
			p := s.newPod(n.Name, "old")
			if rapid.Bool().Draw(t, "is updated") {
				p = s.newPod(n.Name, s.hash())
			}
			p.CreationTimestamp = metav1.Time{Time: time.Unix(rapid.Int64Range(1, 3).Draw(t, "age"), 0)}
			drawDaemonStatus(t, p, n.Name, isUsual)
			s.pods = append(s.pods, p)
		}
	}
	s.admitted = rapid.SampledFrom([]int{99, 99, 0, 1, 2, 4}).Draw(t, "admitted")
	return s
}

// newPod returns a pod as its controller has created it.
func (s *daemonState) newPod(node, hash string) *corev1.Pod {
	s.numbers++
	name := fmt.Sprint("agent-", s.numbers)
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name),
		Labels:            map[string]string{"app": "agent", appsv1.ControllerRevisionHashLabelKey: hash},
		CreationTimestamp: metav1.Time{Time: time.Unix(int64(s.numbers), 0)},
		OwnerReferences:   []metav1.OwnerReference{*metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("DaemonSet"))}}}
	p.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(nil, node)
	p.Status.Phase = corev1.PodPending
	return s.ofGeneration(p)
}

// ofGeneration labels a pod with the generation of its template.
func (s *daemonState) ofGeneration(p *corev1.Pod) *corev1.Pod {
	p.Labels["pod-template-generation"] = "2"
	if s.isOutdated(p) {
		p.Labels["pod-template-generation"] = "1"
	}
	return p
}

func drawDaemonStatus(t *rapid.T, p *corev1.Pod, node string, isUsual bool) {
	p.Spec.NodeName, p.Status = node, corev1.PodStatus{Phase: corev1.PodRunning}
	switch {
	case rapid.IntRange(0, 2).Draw(t, "is ready") > 0:
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	case rapid.Bool().Draw(t, "waits"):
		p.Spec.NodeName, p.Status.Phase = "", corev1.PodPending
	case !isUsual:
		p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"Running", "Failed", "Succeeded"}).Draw(t, "phase")
	}
	if !isUsual && rapid.IntRange(0, 12).Draw(t, "is terminating") == 0 {
		p.DeletionTimestamp = &metav1.Time{}
	}
}

// upstream runs the sync of Kubernetes.
func (s *daemonState) upstream(t testkit.TB) (answer daemonAnswer) {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	defer cancel()
	client := fake.NewClientset()
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch action := action.(type) {
		case clienttesting.CreateActionImpl:
			p, isPod := action.Object.(*corev1.Pod)
			if !isPod {
				return true, action.Object, nil
			}
			answer.Attempts++
			if answer.Attempts > s.admitted {
				return true, nil, errors.New("refused")
			}
			p = p.DeepCopy()
			p.Spec.NodeName = ""
			node, err := daemonutil.GetTargetNodeName(p)
			testkit.OK(t, err)
			answer.Created = append(answer.Created, node)
		case clienttesting.DeleteActionImpl:
			if action.Resource.Resource == "pods" {
				answer.Deleted = append(answer.Deleted, action.Name)
			}
		case clienttesting.UpdateActionImpl:
			return true, action.Object, nil
		case clienttesting.GetActionImpl:
			return true, s.set, nil
		}
		return true, &corev1.Pod{}, nil
	})
	factory := informers.NewSharedInformerFactory(client, 0)
	sets, pods, nodes := factory.Apps().V1().DaemonSets(), factory.Core().V1().Pods(), factory.Core().V1().Nodes()
	c, err := daemon.NewDaemonSetsController(ctx, sets, factory.Apps().V1().ControllerRevisions(), pods, nodes, client, flowcontrol.NewBackOff(0, 0))
	testkit.OK(t, err)
	testkit.OK(t, sets.Informer().GetIndexer().Add(s.set.DeepCopy()))
	for _, n := range s.nodes {
		testkit.OK(t, nodes.Informer().GetIndexer().Add(n))
	}
	for _, p := range s.pods {
		testkit.OK(t, pods.Informer().GetIndexer().Add(p))
	}
	err = syncDaemonSet(c, ctx, "shop/agent")
	if err != nil && !strings.Contains(err.Error(), "refused") && !strings.Contains(err.Error(), "couldn't get node for nodeName") {
		t.Fatalf("%v", err)
	}
	return answer.sorted()
}

func (a daemonAnswer) sorted() daemonAnswer {
	slices.Sort(a.Created)
	slices.Sort(a.Deleted)
	return a
}

// ours returns what we say.
func (s *daemonState) ours() (answer daemonAnswer) {
	isPlace, nodes := controllers.DaemonPlace(s.set), []controllers.DaemonNode(nil)
	for _, n := range s.nodes {
		shouldRun, mayStay := isPlace(n)
		nodes = append(nodes, controllers.DaemonNode{Name: n.Name, ShouldRun: shouldRun, MayStay: mayStay})
	}
	set := controllers.NewDaemonSet(s.set, nodes, controllers.DaemonNode{IsGone: true})
	for _, p := range s.pods {
		if p.DeletionTimestamp != nil && (p.Status.Phase == corev1.PodFailed || p.Status.Phase == corev1.PodSucceeded) {
			continue
		}
		set.See(p.Name, targetOfDaemon(p), &controllers.Pod{Object: p, Node: p.Spec.NodeName, IsReady: len(p.Status.Conditions) > 0, IsOutdated: s.isOutdated(p)})
	}
	batches, deleted := set.Sync()
	for _, batch := range batches {
		for _, node := range batch {
			answer.Attempts++
			if answer.Attempts <= s.admitted {
				answer.Created = append(answer.Created, node)
			}
		}
		if answer.Attempts > s.admitted {
			break
		}
	}
	for _, p := range deleted {
		answer.Deleted = append(answer.Deleted, p.Object.Name)
	}
	return answer.sorted()
}

func targetOfDaemon(p *corev1.Pod) string {
	return p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchFields[0].Values[0]
}

func (s *daemonState) isOutdated(p *corev1.Pod) bool {
	return p.Labels[appsv1.ControllerRevisionHashLabelKey] != s.hash()
}

// compare compares what the controllers do in one sync. The one of Kubernetes looks at nodes in a random order, so that it
// may choose another node for a pod that is refused elsewhere, and another pod of a former template that is ready.
func (s *daemonState) compare(t testkit.TB) daemonAnswer {
	theirs, ours := s.upstream(t), s.ours()
	told := []daemonAnswer{s.tell(theirs), s.tell(ours)}
	if theirs.Attempts > s.admitted {
		testkit.Equal(t, len(told[1].Created), len(told[0].Created), "created")
		told[0].Created, told[1].Created = nil, nil
	}
	testkit.NoDiff(t, told[1], told[0], "ours, theirs")
	return theirs
}

// tell returns an answer in which what Kubernetes may choose among has one name.
func (s *daemonState) tell(a daemonAnswer) daemonAnswer {
	own := daemonAnswer{Attempts: a.Attempts}
	isFormer := func(p *corev1.Pod) bool {
		return s.isOutdated(p) && len(p.Status.Conditions) > 0 && p.DeletionTimestamp == nil
	}
	for _, node := range a.Created {
		if slices.ContainsFunc(s.pods, func(p *corev1.Pod) bool { return targetOfDaemon(p) == node && isFormer(p) }) {
			node = "beside one that is ready"
		}
		own.Created = append(own.Created, node)
	}
	for _, name := range a.Deleted {
		p := s.pods[slices.IndexFunc(s.pods, func(p *corev1.Pod) bool { return p.Name == name })]
		alone := 0
		for _, other := range s.pods {
			if targetOfDaemon(other) == targetOfDaemon(p) && other.DeletionTimestamp == nil {
				alone++
			}
		}
		if isFormer(p) && alone == 1 && s.mayStay(targetOfDaemon(p)) {
			name = "one that is ready"
		}
		own.Deleted = append(own.Deleted, name)
	}
	return own.sorted()
}

func (s *daemonState) mayStay(node string) bool {
	i := slices.IndexFunc(s.nodes, func(n *corev1.Node) bool { return n.Name == node })
	if i < 0 {
		return true
	}
	_, mayStay := daemon.NodeShouldRunDaemonPod(klog.Logger{}, s.nodes[i], s.set)
	return mayStay
}

// TestDaemonSet compares one sync of any state.
func TestDaemonSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { drawDaemonState(t).compare(t) })
}

// TestDaemonSetRollout compares twenty syncs, after each of which pods are created and deleted, become ready or end, and
// some changes are made.
func TestDaemonSetRollout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawDaemonState(t)
		for range 20 {
			s.carryOut(t, s.compare(t))
			switch rapid.IntRange(0, 9).Draw(t, "changes") {
			case 0:
				drawDaemonSpec(t, s.set)
			case 1:
				s.set.Spec.Template.Labels = map[string]string{"app": "agent", "version": fmt.Sprint(rapid.IntRange(0, 1).Draw(t, "version"))}
			case 2:
				if len(s.nodes) > 0 {
					drawDaemonNode(t, s.nodes[rapid.IntRange(0, len(s.nodes)-1).Draw(t, "node")])
				}
			}
			for i, p := range s.pods {
				s.pods[i] = s.ofGeneration(p.DeepCopy())
			}
			s.admitted = rapid.SampledFrom([]int{99, 99, 0, 1, 2}).Draw(t, "admitted")
		}
	})
}

// carryOut creates and deletes, and lets time pass.
func (s *daemonState) carryOut(t *rapid.T, done daemonAnswer) {
	s.pods = slices.DeleteFunc(s.pods, func(p *corev1.Pod) bool { return p.DeletionTimestamp != nil })
	for _, name := range done.Deleted {
		if i := slices.IndexFunc(s.pods, func(p *corev1.Pod) bool { return p.Name == name }); i >= 0 {
			if s.pods[i].DeletionTimestamp = (&metav1.Time{}); rapid.IntRange(0, 3).Draw(t, "takes long") > 0 {
				s.pods = slices.Delete(s.pods, i, i+1)
			}
		}
	}
	for _, node := range done.Created {
		s.pods = append(s.pods, s.newPod(node, s.hash()))
	}
	for i, p := range s.pods {
		if p.Status.Phase != corev1.PodFailed && p.Status.Phase != corev1.PodSucceeded && rapid.IntRange(0, 3).Draw(t, "changes") > 0 {
			own := p.DeepCopy()
			drawDaemonStatus(t, own, targetOfDaemon(p), rapid.IntRange(0, 4).Draw(t, "ends") > 0)
			own.DeletionTimestamp, s.pods[i] = p.DeletionTimestamp, own
		}
	}
}
