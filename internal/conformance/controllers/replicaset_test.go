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
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/replication"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

//go:linkname syncReplicaSet k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).syncReplicaSet
func syncReplicaSet(c *replicaset.ReplicaSetController, ctx context.Context, key string) error

func init() { utilruntime.ErrorHandlers = nil } // refused pods, and ReplicaSets without a controller, are logged otherwise

// replicaSetState is a ReplicaSet or ReplicationController in the middle of its work.
type replicaSetState struct {
	set      *appsv1.ReplicaSet
	others   []*appsv1.ReplicaSet
	pods     []*corev1.Pod
	isOld    bool // it is a ReplicationController
	admitted int  // so many of its new pods
}

// replicaSetAnswer is what a sync does: names of pods, and how many are created.
type replicaSetAnswer struct {
	Adopted, Released, Deleted []string
	Created                    int
}

func drawReplicaSetState(t *rapid.T) replicaSetState {
	s := replicaSetState{isOld: rapid.IntRange(1, 4).Draw(t, "controller") == 1, admitted: rapid.SampledFrom([]int{0, 1, 2, 3, 9, 9, 9}).Draw(t, "admitted")}
	var owner []metav1.OwnerReference
	if !s.isOld && rapid.Bool().Draw(t, "of a Deployment") {
		owner = []metav1.OwnerReference{*metav1.NewControllerRef(&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: "web"}}, appsv1.SchemeGroupVersion.WithKind("Deployment"))}
	}
	for _, name := range []string{"new", "old"} {
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), OwnerReferences: owner}}
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"of": name}}
		rs.Spec.Template.Labels = rs.Spec.Selector.MatchLabels
		rs.Spec.Replicas = new(rapid.SampledFrom([]int32{0, 1, 2, 3, 3, 4, 9}).Draw(t, "replicas"))
		s.others = append(s.others, rs)
	}
	s.set = s.others[0]
	if rapid.IntRange(1, 20).Draw(t, "is deleted") == 1 {
		s.set.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	}
	kind := appsv1.SchemeGroupVersion.WithKind("ReplicaSet")
	if s.isOld {
		kind = corev1.SchemeGroupVersion.WithKind("ReplicationController")
	}
	ages := drawAges(t)
	for i := range rapid.IntRange(0, 11).Draw(t, "pods") {
		isUsual := rapid.IntRange(1, 3).Draw(t, "is usual") > 1
		p, owner := drawPod(t, i, isUsual, ages), 2
		if !isUsual {
			owner = rapid.IntRange(0, 4).Draw(t, "owner")
		}
		switch owner {
		case 0:
			p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.others[1], kind)}
		case 1:
		default:
			p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.set, kind)}
		}
		s.pods = append(s.pods, p)
	}
	return s
}

// drawAges returns a function that draws times. They are different, or the same if they are about as long ago, because
// the order of upstream has cycles otherwise.
func drawAges(t *rapid.T) func(label string) metav1.Time {
	now, areDifferent, n := time.Now(), rapid.Bool().Draw(t, "times differ"), 0
	return func(label string) metav1.Time {
		magnitude := rapid.IntRange(-1, 3).Draw(t, label)
		if magnitude < 0 {
			return metav1.Time{}
		}
		age := 15 * time.Duration(1<<(36+2*magnitude)) / 10
		if n++; areDifferent {
			age += time.Duration((n*7)%41) * time.Duration(1<<(29+2*magnitude))
		}
		return metav1.Time{Time: now.Add(-age)}
	}
}

// drawPod draws a pod in any state, or as most of them are: running and ready.
func drawPod(t *rapid.T, i int, isUsual bool, ages func(label string) metav1.Time) *corev1.Pod {
	uid := fmt.Sprint(rapid.IntRange(100, 999).Draw(t, "uid"), i)
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("p", i), UID: types.UID(uid), CreationTimestamp: ages("created")}}
	if isUsual {
		p.Labels, p.Spec.NodeName, p.Status.Phase = map[string]string{"of": "new"}, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "node"), corev1.PodRunning
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ages("ready")}}
		return p
	}
	p.Labels = map[string]string{"of": rapid.SampledFrom([]string{"new", "new", "new", "new", "old", "none"}).Draw(t, "label")}
	p.Spec.NodeName = rapid.SampledFrom([]string{"", "a", "a", "b"}).Draw(t, "node")
	p.Spec.InitContainers = []corev1.Container{{Name: "init"}, {Name: "side", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}}
	p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodPending, corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodUnknown, corev1.PodFailed}).Draw(t, "phase")
	if p.Spec.NodeName != "" {
		switch rapid.IntRange(0, 3).Draw(t, "ready") {
		case 0:
		case 1:
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: ages("not ready")}}
		default:
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ages("ready")}}
		}
	}
	restarts := rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 5})
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", RestartCount: restarts.Draw(t, "restarts")}}
	p.Status.InitContainerStatuses = []corev1.ContainerStatus{
		{Name: "init", RestartCount: restarts.Draw(t, "restarts of init")}, {Name: "side", RestartCount: restarts.Draw(t, "restarts of side")},
	}
	if cost := rapid.SampledFrom([]string{"", "", "", "", "-1", "7", "10", "+1", "08", "0", "x", "4294967296"}).Draw(t, "cost"); cost != "" {
		p.Annotations = map[string]string{corev1.PodDeletionCost: cost}
	}
	if rapid.IntRange(1, 8).Draw(t, "is deleted") == 1 {
		p.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	}
	return p
}

// answerOfUpstream runs the sync of Kubernetes.
func (s replicaSetState) answerOfUpstream(t testkit.TB) (answer replicaSetAnswer) {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	defer cancel()
	client := fake.NewClientset()
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch action := action.(type) {
		case clienttesting.CreateActionImpl:
			if action.Resource.Resource != "pods" {
				return true, action.Object, nil
			}
			if answer.Created == s.admitted {
				return true, nil, errors.New("refused")
			}
			answer.Created++
			return true, action.Object, nil
		case clienttesting.DeleteActionImpl:
			answer.Deleted = append(answer.Deleted, action.Name)
		case clienttesting.PatchActionImpl:
			if strings.Contains(string(action.Patch), "$patch") {
				answer.Released = append(answer.Released, action.Name)
			} else {
				answer.Adopted = append(answer.Adopted, action.Name)
			}
			return true, &corev1.Pod{}, nil
		case clienttesting.UpdateActionImpl:
			return true, action.Object, nil
		case clienttesting.GetActionImpl:
			if s.isOld {
				return true, s.asController(), nil
			}
			return true, s.set, nil
		}
		return true, nil, nil
	})
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods()
	var c *replicaset.ReplicaSetController
	if s.isOld {
		informer := factory.Core().V1().ReplicationControllers()
		c = &replication.NewReplicationManager(ctx, pods, informer, client, replication.BurstReplicas).ReplicaSetController
		testkit.OK(t, informer.Informer().GetIndexer().Add(s.asController()))
	} else {
		informer := factory.Apps().V1().ReplicaSets()
		c = replicaset.NewReplicaSetController(ctx, informer, pods, client, replicaset.BurstReplicas)
		for _, rs := range s.others {
			testkit.OK(t, informer.Informer().GetIndexer().Add(rs))
		}
	}
	for _, p := range s.pods {
		testkit.OK(t, pods.Informer().GetIndexer().Add(p))
	}
	if err := syncReplicaSet(c, ctx, "shop/new"); err != nil && err.Error() != "refused" {
		t.Fatalf("%v", err)
	}
	return answer.sorted()
}

func (s replicaSetState) asController() *corev1.ReplicationController {
	rc := &corev1.ReplicationController{ObjectMeta: s.set.ObjectMeta}
	rc.Spec.Replicas, rc.Spec.Selector, rc.Spec.Template = s.set.Spec.Replicas, s.set.Spec.Selector.MatchLabels, &s.set.Spec.Template
	return rc
}

// answer is what package controllers says.
func (s replicaSetState) answer() (answer replicaSetAnswer) {
	if s.set.DeletionTimestamp != nil {
		return answer // package whatif has no objects that are being deleted, but pods
	}
	selector := labels.SelectorFromSet(s.set.Spec.Selector.MatchLabels)
	var own, related []controllers.Pod
	for _, p := range s.pods {
		isOwn := metav1.IsControlledBy(p, s.set)
		has, seen := controllers.Claims(selector, p, isOwn), controllers.Pod{Object: p, Node: p.Spec.NodeName, IsReady: podutil.IsPodReady(p)}
		switch {
		case has && !isOwn:
			answer.Adopted = append(answer.Adopted, p.Name)
		case !has && isOwn && controllers.IsActive(p):
			answer.Released = append(answer.Released, p.Name)
		}
		if has {
			own = append(own, seen)
		}
		if len(s.set.OwnerReferences) > 0 && p.Labels["of"] != "none" {
			related = append(related, seen)
		}
	}
	created, deleted := controllers.ReplicaSet(int(*s.set.Spec.Replicas), own, related, time.Now())
	answer.Created = min(created, s.admitted)
	for _, p := range deleted {
		answer.Deleted = append(answer.Deleted, p.Object.Name)
	}
	return answer.sorted()
}

func (a replicaSetAnswer) sorted() replicaSetAnswer {
	slices.Sort(a.Adopted)
	slices.Sort(a.Released)
	slices.Sort(a.Deleted)
	return a
}

// areEqual reports whether the order of upstream leaves open which of two lists of pods is deleted.
func (s replicaSetState) areEqual(some, others []string) bool {
	missing := func(list, from []string) []*corev1.Pod {
		return slices.DeleteFunc(slices.Clone(s.pods), func(p *corev1.Pod) bool {
			return !slices.Contains(list, p.Name) || slices.Contains(from, p.Name)
		})
	}
	onNode := map[string]int{}
	for _, p := range s.pods {
		if len(s.set.OwnerReferences) > 0 && p.Labels["of"] != "none" && controller.IsPodActive(p) {
			onNode[p.Spec.NodeName]++
		}
	}
	for _, p := range missing(some, others) {
		for _, q := range missing(others, some) {
			pair := controller.ActivePodsWithRanks{Pods: []*corev1.Pod{p, q}, Rank: []int{onNode[p.Spec.NodeName], onNode[q.Spec.NodeName]}, Now: metav1.Now()}
			if pair.Less(0, 1) || pair.Less(1, 0) {
				return false
			}
		}
	}
	return len(some) == len(others)
}

// One sync of a ReplicaSet or ReplicationController adopts, releases, creates and deletes the same pods. Where the order of
// upstream is open, another pod may be deleted.
func TestReplicaSet(t *testing.T) {
	var seen replicaSetAnswer
	open := 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawReplicaSetState(t)
		want, got := s.answerOfUpstream(t), s.answer()
		if s.set.DeletionTimestamp != nil {
			testkit.NoDiff(t, want, replicaSetAnswer{})
			return
		}
		if !slices.Equal(got.Deleted, want.Deleted) && s.areEqual(got.Deleted, want.Deleted) {
			got.Deleted = want.Deleted
			open++
		}
		testkit.NoDiff(t, got, want)
		seen = replicaSetAnswer{append(seen.Adopted, want.Adopted...), append(seen.Released, want.Released...), append(seen.Deleted, want.Deleted...), seen.Created + want.Created}
	})
	t.Logf("%d pods adopted, %d released, %d deleted, in %d states others than upstream, %d created", len(seen.Adopted), len(seen.Released), len(seen.Deleted), open, seen.Created)
	if !testing.Short() && (len(seen.Adopted) == 0 || len(seen.Released) == 0 || len(seen.Deleted) == 0 || seen.Created == 0) {
		t.Errorf("not everything was drawn: %v", seen)
	}
}
