package controllers

import (
	"context"
	"fmt"
	"maps"
	"math"
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
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	"k8s.io/kubernetes/pkg/controller/deployment"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

//go:linkname syncDeployment k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).syncDeployment
func syncDeployment(c *deployment.DeploymentController, ctx context.Context, key string) error

// deploymentState is a Deployment with its ReplicaSets. The status of each counts its pods.
type deploymentState struct {
	deployment *appsv1.Deployment
	sets       []*appsv1.ReplicaSet
	leaving    map[string]bool // of these, a pod is being deleted
	numbers    int             // of ReplicaSets so far
}

// deploymentAnswer is what a sync does: the ReplicaSet that is created, those that change, and those that are deleted.
type deploymentAnswer struct {
	Created string
	Changed map[string]string // by name
	Deleted []string
}

func drawDeployment(t *rapid.T) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "web"}}
	d.Spec.Replicas = new(rapid.SampledFrom([]int32{0, 1, 2, 3, 4, 5, 7, 10}).Draw(t, "replicas of the Deployment"))
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	d.Spec.Template = webTemplate(t)
	d.Spec.Paused = rapid.IntRange(1, 6).Draw(t, "is paused") == 1
	d.Spec.RevisionHistoryLimit = new(rapid.SampledFrom([]int32{0, 1, 2, 10, math.MaxInt32}).Draw(t, "history"))
	drawStrategy(t, d)
	return d
}

func drawStrategy(t *rapid.T, d *appsv1.Deployment) {
	if d.Spec.Strategy.Type = appsv1.RollingUpdateDeploymentStrategyType; rapid.IntRange(1, 4).Draw(t, "strategy") == 1 {
		d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
		return
	}
	limit := func(label string) *intstr.IntOrString {
		return new(rapid.SampledFrom([]intstr.IntOrString{
			intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromInt32(2), intstr.FromInt32(20), intstr.FromString("25%"), intstr.FromString("10%"), intstr.FromString("100%"),
		}).Draw(t, label))
	}
	d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: limit("surge"), MaxUnavailable: limit("unavailable")}
}

func webTemplate(t *rapid.T) (template corev1.PodTemplateSpec) {
	template.Labels = map[string]string{"app": "web"}
	template.Spec.Containers = []corev1.Container{{Name: "app", Image: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "image")}}
	return template
}

// drawSet draws a ReplicaSet in the middle of a rollout. The annotations have no numbers of which upstream counts the
// lowest 32 bits, such as 4294967296.
func drawSet(t *rapid.T, d *appsv1.Deployment, name string) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Labels: map[string]string{"app": "web"},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))}}}
	rs.CreationTimestamp = metav1.Time{Time: time.Unix(int64(rapid.IntRange(1, 3).Draw(t, "created")), 0)}
	rs.Spec.Selector, rs.Spec.Template = d.Spec.Selector, webTemplate(t)
	rs.Spec.Template.Labels = map[string]string{"app": "web", appsv1.DefaultDeploymentUniqueLabelKey: name}
	rs.Spec.Replicas = new(rapid.SampledFrom([]int32{0, 0, 1, 2, 3, 4, 7}).Draw(t, "replicas"))
	rs.Status.Replicas = max(0, *rs.Spec.Replicas+rapid.SampledFrom([]int32{0, 0, 0, 0, 0, -1, -2, 1}).Draw(t, "difference"))
	rs.Status.AvailableReplicas = max(0, rs.Status.Replicas-rapid.SampledFrom([]int32{0, 0, 0, 1, 2}).Draw(t, "unavailable pods"))
	rs.Annotations = map[string]string{}
	annotate := func(name string, values ...string) {
		if value := rapid.SampledFrom(values).Draw(t, name); value != "" {
			rs.Annotations[name] = value
		}
	}
	replicas, most := fmt.Sprint(*d.Spec.Replicas), fmt.Sprint(*d.Spec.Replicas+deploymentutil.MaxSurge(*d))
	annotate(controllers.DesiredReplicas, replicas, replicas, replicas, replicas, "", "1", "4", "6", "x", "-1", "2147483648")
	annotate(controllers.MaxReplicas, most, most, most, "", "0", "3", "6", "9", "x")
	annotate("deployment.kubernetes.io/revision", "", "1", "1", "2", "3", "4", "12", "0")
	if rs.Generation = 1; rapid.IntRange(1, 8).Draw(t, "was observed") > 1 {
		rs.Status.ObservedGeneration = 1
	}
	if rapid.IntRange(1, 20).Draw(t, "is deleted") == 1 {
		rs.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	}
	return rs
}

func drawDeploymentState(t *rapid.T) deploymentState {
	s := deploymentState{deployment: drawDeployment(t), leaving: map[string]bool{}}
	for s.numbers = range rapid.IntRange(1, 6).Draw(t, "ReplicaSets") {
		rs := drawSet(t, s.deployment, fmt.Sprint("web-", s.numbers))
		s.sets = append(s.sets, rs)
		s.leaving[rs.Name] = rapid.IntRange(1, 6).Draw(t, "is leaving") == 1
	}
	return s
}

// count sets the status of the Deployment to what those of the ReplicaSets say.
func (s *deploymentState) count() {
	status := appsv1.DeploymentStatus{}
	current := deploymentutil.FindNewReplicaSet(s.deployment, slices.Clone(s.sets))
	for _, rs := range s.sets {
		status.Replicas, status.AvailableReplicas = status.Replicas+rs.Status.Replicas, status.AvailableReplicas+rs.Status.AvailableReplicas
	}
	if current != nil {
		status.UpdatedReplicas = current.Status.Replicas
	}
	s.deployment.Status = status
}

// answerOfUpstream runs the sync of Kubernetes.
func (s *deploymentState) answerOfUpstream(t testkit.TB) (done changes) {
	s.count()
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), klog.Logger{}))
	defer cancel()
	client := fake.NewClientset()
	done.updated = map[string]*appsv1.ReplicaSet{}
	client.PrependReactor("*", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		isSet := action.GetResource().Resource == "replicasets"
		switch action := action.(type) {
		case clienttesting.CreateActionImpl:
			if isSet {
				done.created = action.Object.(*appsv1.ReplicaSet)
			}
			return true, action.Object, nil
		case clienttesting.UpdateActionImpl:
			if rs, ok := action.Object.(*appsv1.ReplicaSet); ok && isSet {
				done.updated[rs.Name] = rs
			}
			return true, action.Object, nil
		case clienttesting.DeleteActionImpl:
			done.deleted = append(done.deleted, action.Name)
		}
		return true, nil, nil
	})
	factory := informers.NewSharedInformerFactory(client, 0)
	deployments, sets, pods := factory.Apps().V1().Deployments(), factory.Apps().V1().ReplicaSets(), factory.Core().V1().Pods()
	c, err := deployment.NewDeploymentController(ctx, deployments, sets, pods, client)
	testkit.OK(t, err)
	testkit.OK(t, deployments.Informer().GetIndexer().Add(s.deployment))
	for _, rs := range s.sets {
		testkit.OK(t, sets.Informer().GetIndexer().Add(rs))
		if s.leaving[rs.Name] {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "of-" + rs.Name, DeletionTimestamp: &metav1.Time{Time: time.Now()},
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}}}
			testkit.OK(t, pods.Informer().GetIndexer().Add(p))
		}
	}
	// Since 1.38, a sync that finds a ReplicaSet with more pods than replicas says so when it stops.
	if err := syncDeployment(c, ctx, "shop/web"); err != nil && !strings.Contains(err.Error(), "got invalid request to scale down") {
		t.Fatalf("%v", err)
	}
	return done
}

// answer is what package controllers says.
func (s *deploymentState) answer(t testkit.TB) (done changes) {
	limits, err := quota.Rollout(nil, nil, *s.deployment.Spec.Replicas, s.deployment.Spec.Strategy)
	testkit.OK(t, err)
	var sets []controllers.Set
	for _, rs := range slices.SortedFunc(slices.Values(s.sets), func(a, b *appsv1.ReplicaSet) int {
		if controller.ReplicaSetsByCreationTimestamp([]*appsv1.ReplicaSet{a, b}).Less(0, 1) {
			return -1
		}
		return 1
	}) {
		sets = append(sets, controllers.Set{ReplicaSet: rs, Pods: int(rs.Status.Replicas), Available: int(rs.Status.AvailableReplicas), IsRunning: s.leaving[rs.Name],
			IsCurrent: deploymentutil.EqualIgnoreHash(&rs.Spec.Template, &s.deployment.Spec.Template)})
	}
	r := controllers.Deployment(s.deployment, int(limits.Surge), int(limits.Unavailable), sets)
	done.created, done.updated = r.Create, map[string]*appsv1.ReplicaSet{}
	for _, rs := range r.Update {
		done.updated[rs.Name] = rs
	}
	for _, rs := range r.Delete {
		done.deleted = append(done.deleted, rs.Name)
	}
	return done
}

// changes are those of ReplicaSets that a sync makes.
type changes struct {
	created *appsv1.ReplicaSet
	updated map[string]*appsv1.ReplicaSet
	deleted []string
}

// tell returns the answer that the changes of a state are.
func (s *deploymentState) tell(done changes) deploymentAnswer {
	answer := deploymentAnswer{Changed: map[string]string{}, Deleted: done.deleted}
	if done.created != nil {
		answer.Created = tellSet(done.created)
	}
	for _, rs := range s.sets {
		if updated := done.updated[rs.Name]; updated != nil && tellSet(updated) != tellSet(rs) {
			answer.Changed[rs.Name] = tellSet(updated)
		}
	}
	return answer
}

// tellSet writes what a sync may change of a ReplicaSet. A value that is not a number is equal to one that is missing.
func tellSet(rs *appsv1.ReplicaSet) string {
	return fmt.Sprint(*rs.Spec.Replicas, " of ", rs.Annotations[controllers.DesiredReplicas], " at most ", rs.Annotations[controllers.MaxReplicas],
		" revision ", rs.Annotations["deployment.kubernetes.io/revision"])
}

// One sync of a Deployment creates, changes and deletes the same ReplicaSets.
func TestDeployment(t *testing.T) {
	created, changed, deleted := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawDeploymentState(t)
		want := s.tell(s.answerOfUpstream(t))
		testkit.NoDiff(t, s.tell(s.answer(t)), want)
		changed, deleted = changed+len(want.Changed), deleted+len(want.Deleted)
		if want.Created != "" {
			created++
		}
	})
	t.Logf("%d ReplicaSets created, %d changed, %d deleted", created, changed, deleted)
	if !testing.Short() && (created == 0 || changed == 0 || deleted == 0) {
		t.Error("not everything was drawn")
	}
}

// carryOut does what a sync says, and lets the ReplicaSets have their pods. Pods of an image that is broken never become
// available.
func (s *deploymentState) carryOut(done changes, broken string) {
	if rs := done.created; rs != nil {
		s.numbers++
		own := *rs
		own.Name, own.UID, own.Generation = fmt.Sprint("web-", s.numbers), types.UID(fmt.Sprint("web-", s.numbers)), 0
		own.CreationTimestamp = metav1.Time{Time: time.Unix(int64(10+s.numbers), 0)}
		own.Labels = map[string]string{"app": "web"}
		own.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.deployment, appsv1.SchemeGroupVersion.WithKind("Deployment"))}
		s.sets = append(s.sets, &own)
	}
	s.sets = slices.DeleteFunc(s.sets, func(rs *appsv1.ReplicaSet) bool { return slices.Contains(done.deleted, rs.Name) })
	for i, rs := range s.sets {
		if updated := done.updated[rs.Name]; updated != nil {
			rs = updated
		}
		own := *rs
		own.Annotations = maps.Clone(rs.Annotations)
		own.Status.Replicas, own.Status.AvailableReplicas = *own.Spec.Replicas, *own.Spec.Replicas
		if own.Spec.Template.Spec.Containers[0].Image == broken {
			own.Status.AvailableReplicas = 0
		}
		own.Status.ObservedGeneration = own.Generation
		s.sets[i] = &own
	}
	clear(s.leaving)
}

// A rollout of 20 steps goes the same way, while the Deployment is scaled and updated on the way.
func TestRollout(t *testing.T) {
	longest := 0
	rapid.Check(t, func(t *rapid.T) {
		theirs := drawDeploymentState(t)
		ours := theirs
		ours.sets, ours.leaving = slices.Clone(theirs.sets), maps.Clone(theirs.leaving)
		broken := rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(t, "broken image")
		steps := 0
		for range 20 {
			if rapid.IntRange(1, 5).Draw(t, "changes") == 1 {
				next := drawDeployment(t)
				theirs.deployment, ours.deployment = next, next.DeepCopy()
			}
			want, got := theirs.answerOfUpstream(t), ours.answer(t)
			answer := theirs.tell(want)
			testkit.NoDiff(t, ours.tell(got), answer)
			if answer.Created != "" || len(answer.Changed)+len(answer.Deleted) > 0 {
				steps++
			}
			theirs.carryOut(want, broken)
			ours.carryOut(got, broken)
		}
		longest = max(longest, steps)
	})
	if longest < 10 {
		t.Errorf("the longest rollout had %d steps", longest)
	}
}
