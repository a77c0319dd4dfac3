package controllers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	upstream "k8s.io/kubernetes/pkg/controller/job"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

//go:linkname syncJob k8s.io/kubernetes/pkg/controller/job.(*Controller).syncJob
func syncJob(c *upstream.Controller, ctx context.Context, key string) error

// jobState is a Job with its pods, of which each is an hour younger than the one before.
type jobState struct {
	job     *batchv1.Job
	pods    []*corev1.Pod
	created int // pods so far
}

// longAgo is when the first pod of a Job was created: the controller no longer waits for any.
var longAgo = time.Now().Add(-1000 * time.Hour).Truncate(time.Second)

func init() { utilruntime.ErrorHandlers = nil } // refused pods are logged otherwise

func oneIn(t *rapid.T, n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == 1 }

func pointer[T any](value T) *T { return &value }

// drawJob draws a Job in any state, as the API server stores it.
func drawJob(t *rapid.T) *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "j", UID: "job"}}
	j.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "j"}}
	j.Spec.Template.Labels = map[string]string{"app": "j"}
	j.Spec.Template.Spec.RestartPolicy = rapid.SampledFrom([]corev1.RestartPolicy{corev1.RestartPolicyNever, corev1.RestartPolicyOnFailure}).Draw(t, "restart policy")
	j.Spec.Parallelism, j.Spec.BackoffLimit = pointer(rapid.Int32Range(0, 6).Draw(t, "parallelism")), pointer(rapid.SampledFrom([]int32{0, 1, 2, 6, 50, 50}).Draw(t, "backoff limit"))
	j.Spec.Suspend = pointer(oneIn(t, 6, "suspended"))
	j.Spec.CompletionMode = pointer(batchv1.NonIndexedCompletion)
	j.Spec.PodReplacementPolicy = pointer(rapid.SampledFrom([]batchv1.PodReplacementPolicy{batchv1.TerminatingOrFailed, batchv1.Failed}).Draw(t, "replaces"))
	if !oneIn(t, 4, "work queue") {
		j.Spec.Completions = pointer(rapid.Int32Range(0, 7).Draw(t, "completions"))
		if !oneIn(t, 3, "not indexed") {
			drawIndexed(t, j)
		}
	}
	if !isIndexed(j) {
		j.Status.Succeeded = rapid.SampledFrom([]int32{0, 0, 0, 1, 3}).Draw(t, "succeeded")
	}
	j.Status.Failed = rapid.SampledFrom([]int32{0, 0, 0, 1}).Draw(t, "failed")
	if oneIn(t, 8, "condition") {
		j.Status.Conditions = []batchv1.JobCondition{{
			Type:   rapid.SampledFrom([]batchv1.JobConditionType{batchv1.JobComplete, batchv1.JobFailed, batchv1.JobSuspended, batchv1.JobFailureTarget, batchv1.JobSuccessCriteriaMet}).Draw(t, "type"),
			Status: rapid.SampledFrom([]corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionFalse}).Draw(t, "status")}}
	}
	if oneIn(t, 30, "another controller") {
		j.Spec.ManagedBy = pointer("example.com/other")
	}
	if oneIn(t, 30, "is deleted") {
		j.DeletionTimestamp, j.Finalizers = &metav1.Time{Time: longAgo}, []string{metav1.FinalizerDeleteDependents}
	}
	return j
}

func isIndexed(j *batchv1.Job) bool { return *j.Spec.CompletionMode == batchv1.IndexedCompletion }

func drawIndexed(t *rapid.T, j *batchv1.Job) {
	j.Spec.CompletionMode = pointer(batchv1.IndexedCompletion)
	j.Status.CompletedIndexes = rapid.SampledFrom([]string{"", "", "0", "1,3", "0-2", "1-3,5", "0,1,4-9"}).Draw(t, "completed")
	if oneIn(t, 2, "failures count by index") {
		j.Spec.BackoffLimit, j.Spec.BackoffLimitPerIndex = pointer[int32](1<<31-1), pointer(rapid.Int32Range(0, 2).Draw(t, "limit of an index"))
		if oneIn(t, 2, "most") {
			j.Spec.MaxFailedIndexes = pointer(rapid.Int32Range(0, 3).Draw(t, "failed indexes at most"))
		}
		if oneIn(t, 2, "has failed") {
			j.Status.FailedIndexes = pointer(rapid.SampledFrom([]string{"", "2", "4,6"}).Draw(t, "failed indexes"))
		}
	}
}

// drawJobPod draws a pod of a Job in any state.
func drawJobPod(t *rapid.T, j *batchv1.Job, number int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: fmt.Sprintf("p%02d", number), UID: types.UID(fmt.Sprint("pod", number)), Labels: map[string]string{"app": "j"}, Annotations: map[string]string{},
		CreationTimestamp: metav1.Time{Time: longAgo.Add(time.Duration(number) * time.Hour)},
		OwnerReferences:   []metav1.OwnerReference{*metav1.NewControllerRef(j, batchv1.SchemeGroupVersion.WithKind("Job"))},
	}}
	if !oneIn(t, 8, "is counted") {
		p.Finalizers = []string{batchv1.JobTrackingFinalizer}
	}
	if isIndexed(j) && !oneIn(t, 10, "has no index") {
		p.Annotations[batchv1.JobCompletionIndexAnnotation] = fmt.Sprint(rapid.IntRange(0, 8).Draw(t, "index"))
		if j.Spec.BackoffLimitPerIndex != nil {
			p.Annotations[batchv1.JobIndexFailureCountAnnotation] = fmt.Sprint(number / 4)
		}
	}
	p.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{
		corev1.PodPending, corev1.PodRunning, corev1.PodRunning, corev1.PodRunning, corev1.PodUnknown, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
	if oneIn(t, 6, "is deleted") {
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: p.CreationTimestamp.Add(10 * time.Minute)}, pointer[int64](30)
	}
	if p.Status.Phase != corev1.PodPending || oneIn(t, 2, "has a node") {
		p.Spec.NodeName = "a"
	}
	if p.Status.Phase == corev1.PodRunning && !oneIn(t, 3, "is not ready") {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue,
			LastTransitionTime: metav1.Time{Time: longAgo.Add(time.Duration(rapid.IntRange(1, 3).Draw(t, "ready since")) * time.Hour)}}}
	}
	p.Spec.InitContainers = []corev1.Container{{Name: "init"}, {Name: "side", RestartPolicy: pointer(corev1.ContainerRestartPolicyAlways)}}
	restarts := rapid.SampledFrom([]int32{0, 0, 0, 0, 1, 2})
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", RestartCount: restarts.Draw(t, "restarts")}}
	p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", RestartCount: restarts.Draw(t, "restarts of init")}, {Name: "side", RestartCount: restarts.Draw(t, "restarts of side")}}
	return p
}

func drawJobState(t *rapid.T) jobState {
	s := jobState{job: drawJob(t)}
	for i := range rapid.IntRange(0, 12).Draw(t, "pods") {
		s.pods = append(s.pods, drawJobPod(t, s.job, i))
	}
	return s
}

// jobAnswer is what a sync of a Job did.
type jobAnswer struct {
	Deleted, Created, Counted []string // by name, or as createdText
	Active, Succeeded, Failed int32
	Completed, FailedIndexes  string
	Conditions                []string
}

func createdText(meta *metav1.ObjectMeta) string {
	return fmt.Sprint(meta.Labels, meta.Annotations, meta.Finalizers)
}

func (a *jobAnswer) setStatus(status *batchv1.JobStatus) {
	a.Active, a.Succeeded, a.Failed, a.Completed = status.Active, status.Succeeded, status.Failed, status.CompletedIndexes
	if status.FailedIndexes != nil {
		a.FailedIndexes = *status.FailedIndexes
	}
	for _, c := range status.Conditions {
		a.Conditions = append(a.Conditions, fmt.Sprint(c.Type, c.Status, c.Reason, c.Message))
	}
	for _, names := range []*[]string{&a.Deleted, &a.Created, &a.Counted} {
		slices.Sort(*names)
		if len(*names) == 0 {
			*names = nil
		}
	}
}

// upstreamJob lets the controller of Kubernetes sync a Job, of which so many pods are admitted, and returns what it did,
// and what there is then.
func upstreamJob(t *rapid.T, s jobState, admitted int) (a jobAnswer, after jobState) {
	ctx := t.Context()
	objects := []runtime.Object{s.job.DeepCopy()}
	for _, p := range s.pods {
		objects = append(objects, p.DeepCopy())
	}
	client := fake.NewSimpleClientset(objects...)
	created := 0
	client.PrependReactor("create", "pods", func(action clienttesting.Action) (bool, runtime.Object, error) {
		if created >= admitted {
			return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "", fmt.Errorf("exceeded quota"))
		}
		p := action.(clienttesting.CreateAction).GetObject().(*corev1.Pod)
		a.Created = append(a.Created, createdText(&p.ObjectMeta))
		created++
		number := s.created + created
		p.Name, p.UID, p.CreationTimestamp = fmt.Sprintf("new%03d", number), types.UID(fmt.Sprint("new", number)), metav1.Time{Time: longAgo.Add(time.Duration(100+number) * time.Hour)}
		p.Status.Phase = corev1.PodPending
		return false, nil, nil
	})
	factory := informers.NewSharedInformerFactory(client, 0)
	pods, jobs := factory.Core().V1().Pods(), factory.Batch().V1().Jobs()
	c, err := upstream.NewController(ctx, client, pods, jobs, nil, nil)
	testkit.OK(t, err)
	for _, object := range objects {
		informer := pods.Informer()
		if _, ok := object.(*batchv1.Job); ok {
			informer = jobs.Informer()
		}
		testkit.OK(t, informer.GetIndexer().Add(object))
	}
	if err := syncJob(c, ctx, "shop/j"); err != nil && !apierrors.IsForbidden(err) {
		t.Fatal(err)
	}
	for _, action := range client.Actions() {
		if action, ok := action.(clienttesting.DeleteAction); ok {
			a.Deleted = append(a.Deleted, action.GetName())
		}
		if action, ok := action.(clienttesting.PatchAction); ok {
			a.Counted = append(a.Counted, action.GetName())
		}
	}
	a.Counted = slices.DeleteFunc(a.Counted, func(name string) bool { return slices.Contains(a.Deleted, name) })
	if after.job, err = client.BatchV1().Jobs("shop").Get(ctx, "j", metav1.GetOptions{}); err != nil {
		t.Fatal(err)
	}
	list, err := client.CoreV1().Pods("shop").List(ctx, metav1.ListOptions{})
	testkit.OK(t, err)
	for i := range list.Items {
		after.pods = append(after.pods, &list.Items[i])
	}
	slices.SortFunc(after.pods, func(a, b *corev1.Pod) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	after.created = s.created + created
	a.setStatus(&after.job.Status)
	return a, after
}

// ourJob returns what this project says about the same.
func ourJob(s jobState, admitted int) (a jobAnswer) {
	var pods []controllers.Pod
	for _, p := range s.pods {
		pods = append(pods, controllers.Pod{Object: p, Node: p.Spec.NodeName, IsReady: podutil.IsPodReady(p)})
	}
	step := controllers.Job(s.job, pods)
	stay := map[string]bool{}
	for _, p := range step.Waiting {
		stay[p.Object.Name] = true
	}
	for _, p := range step.Delete {
		a.Deleted, stay[p.Object.Name] = append(a.Deleted, p.Object.Name), true
	}
	isOver := controllers.HasJobEnded(s.job) || s.job.Spec.ManagedBy != nil
	for _, p := range s.pods {
		isActive := p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
		if len(p.Finalizers) > 0 && !isOver && !stay[p.Name] && (!isActive || s.job.DeletionTimestamp != nil) {
			a.Counted = append(a.Counted, p.Name)
		}
	}
	refused := max(0, len(step.Create)-admitted)
	for i := range step.Create[:len(step.Create)-refused] {
		a.Created = append(a.Created, createdText(&step.Create[i]))
	}
	step.Status.Active -= int32(refused)
	a.setStatus(&step.Status)
	return a
}

// A Job in any state: the same pods are deleted and created, the same ones are counted, and its status is the same.
func TestJob(t *testing.T) {
	reached := map[string]int{}
	t.Cleanup(func() { t.Log(reached) })
	rapid.Check(t, func(t *rapid.T) {
		s := drawJobState(t)
		admitted := rapid.SampledFrom([]int{99, 99, 99, 0, 1, 2, 3}).Draw(t, "admitted")
		compareJob(t, reached, s, admitted)
	})
}

// compareJob compares one sync, and returns what there is then.
func compareJob(t *rapid.T, reached map[string]int, s jobState, admitted int) jobState {
	want, after := upstreamJob(t, s, admitted)
	got := ourJob(s, admitted)
	if admitted < 99 && isIndexed(s.job) { // the controller creates the pods of a batch at the same time
		testkit.Equal(t, len(got.Created), len(want.Created))
		got.Created, want.Created = nil, nil
	}
	testkit.NoDiff(t, got, want)
	for what, n := range map[string]int{"deleted": len(want.Deleted), "created": len(want.Created), "counted": len(want.Counted), "conditions": len(want.Conditions)} {
		if n > 0 {
			reached[what]++
		}
	}
	for _, c := range want.Conditions {
		reached[strings.Fields(c)[0]]++
	}
	return after
}

// From any state, 20 syncs one after the other: between them, pods start, end and are deleted, and the Job is changed.
func TestJobUntilItEnds(t *testing.T) {
	reached := map[string]int{}
	t.Cleanup(func() { t.Log(reached) })
	rapid.Check(t, func(t *rapid.T) {
		s := jobState{job: drawJob(t)}
		s.job.Status, s.job.DeletionTimestamp, s.job.Spec.ManagedBy = batchv1.JobStatus{}, nil, nil
		for range 20 {
			admitted := rapid.SampledFrom([]int{99, 99, 99, 0, 2}).Draw(t, "admitted")
			s = compareJob(t, reached, s, admitted)
			happens(t, &s)
		}
	})
}

// happens changes a pod or the Job.
func happens(t *rapid.T, s *jobState) {
	s.pods = slices.DeleteFunc(s.pods, func(p *corev1.Pod) bool { return p.DeletionTimestamp != nil && len(p.Finalizers) == 0 })
	if oneIn(t, 6, "the Job changes") {
		s.job.Spec.Suspend = pointer(!*s.job.Spec.Suspend)
		s.job.Spec.Parallelism = pointer(rapid.Int32Range(0, 6).Draw(t, "new parallelism"))
	}
	for _, p := range s.pods {
		if p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed || !oneIn(t, 2, "happens to a pod") {
			continue
		}
		switch rapid.IntRange(0, 5).Draw(t, "what happens") {
		case 0, 1:
			p.Spec.NodeName, p.Status.Phase = "a", corev1.PodRunning
		case 2:
			p.Status.Phase = corev1.PodSucceeded
		case 3:
			p.Status.Phase = corev1.PodFailed
		case 4:
			p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &metav1.Time{Time: p.CreationTimestamp.Add(10 * time.Minute)}, pointer[int64](30)
		}
	}
}
