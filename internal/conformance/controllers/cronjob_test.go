package controllers

import (
	"context"
	"fmt"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	upstream "k8s.io/kubernetes/pkg/controller/cronjob"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

//go:linkname syncCronJob k8s.io/kubernetes/pkg/controller/cronjob.(*ControllerV2).sync
func syncCronJob(c *upstream.ControllerV2, ctx context.Context, key string) (*time.Duration, error)

// cronJobState is a CronJob with its Jobs.
type cronJobState struct {
	object *batchv1.CronJob
	jobs   []*batchv1.Job
	isTime bool
}

// drawCronJobState draws a CronJob and Jobs in any state. Its status may name Jobs that are gone or have ended, and lack
// others.
func drawCronJobState(t *rapid.T) (s cronJobState) {
	c := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "c", UID: "cron", CreationTimestamp: metav1.Time{Time: longAgo}}}
	c.Spec.ConcurrencyPolicy = rapid.SampledFrom([]batchv1.ConcurrencyPolicy{batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent}).Draw(t, "policy")
	c.Spec.SuccessfulJobsHistoryLimit, c.Spec.FailedJobsHistoryLimit = pointer(rapid.Int32Range(0, 3).Draw(t, "history")), pointer(rapid.Int32Range(0, 2).Draw(t, "history of failures"))
	c.Spec.Suspend = pointer(oneIn(t, 5, "suspended"))
	if oneIn(t, 10, "is deleted") {
		c.DeletionTimestamp, c.Finalizers = &metav1.Time{Time: longAgo}, []string{metav1.FinalizerDeleteDependents}
	}
	s.isTime = oneIn(t, 2, "is time")
	c.Spec.Schedule = "0 0 1 1 *" // LastScheduleTime says that it is done
	if s.isTime {
		c.Spec.Schedule = "0 * * * *"
	}
	c.Status.LastScheduleTime = &metav1.Time{Time: time.Now().Add(-50 * time.Hour)}
	if !s.isTime {
		c.Status.LastScheduleTime = &metav1.Time{Time: time.Now()}
	}
	for i := range rapid.IntRange(0, 8).Draw(t, "jobs") {
		j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("j", i), UID: types.UID(fmt.Sprint("job", i)),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(c, batchv1.SchemeGroupVersion.WithKind("CronJob"))}}}
		if !oneIn(t, 5, "has not started") {
			j.Status.StartTime = &metav1.Time{Time: longAgo.Add(time.Duration(rapid.IntRange(1, 5).Draw(t, "start")) * time.Hour)}
		}
		if oneIn(t, 2, "has a condition") {
			j.Status.Conditions = []batchv1.JobCondition{{Type: rapid.SampledFrom([]batchv1.JobConditionType{batchv1.JobComplete, batchv1.JobComplete, batchv1.JobFailed, batchv1.JobSuspended}).Draw(t, "type"),
				Status: rapid.SampledFrom([]corev1.ConditionStatus{corev1.ConditionTrue, corev1.ConditionTrue, corev1.ConditionFalse}).Draw(t, "status")}}
			j.Status.CompletionTime = j.Status.StartTime
		}
		if !oneIn(t, 4, "is forgotten") {
			c.Status.Active = append(c.Status.Active, corev1.ObjectReference{Kind: "Job", Namespace: "shop", Name: j.Name, UID: j.UID})
		}
		if !oneIn(t, 6, "is gone") {
			s.jobs = append(s.jobs, j)
		}
	}
	s.object = c
	return s
}

type cronJobAnswer struct {
	Deleted []string
	Created int
	Active  []string
}

// upstreamCronJob lets the controller of Kubernetes sync a CronJob.
func upstreamCronJob(t *rapid.T, s cronJobState) (a cronJobAnswer) {
	ctx := t.Context()
	objects := []runtime.Object{s.object.DeepCopy()}
	for _, j := range s.jobs {
		objects = append(objects, j.DeepCopy())
	}
	client := fake.NewSimpleClientset(objects...)
	factory := informers.NewSharedInformerFactory(client, 0)
	jobs, cronJobs := factory.Batch().V1().Jobs(), factory.Batch().V1().CronJobs()
	c, err := upstream.NewControllerV2(ctx, jobs, cronJobs, client)
	testkit.OK(t, err)
	for _, object := range objects {
		informer := jobs.Informer()
		if _, ok := object.(*batchv1.CronJob); ok {
			informer = cronJobs.Informer()
		}
		testkit.OK(t, informer.GetIndexer().Add(object))
	}
	if _, err := syncCronJob(c, ctx, "shop/c"); err != nil {
		t.Fatal(err)
	}
	created := map[string]bool{}
	for _, action := range client.Actions() {
		switch action := action.(type) {
		case clienttesting.DeleteAction:
			a.Deleted = append(a.Deleted, action.GetName())
		case clienttesting.CreateAction:
			if j, ok := action.GetObject().(*batchv1.Job); ok {
				created[j.Name] = true
			}
		}
	}
	a.Created = len(created)
	after, err := client.BatchV1().CronJobs("shop").Get(ctx, "c", metav1.GetOptions{})
	testkit.OK(t, err)
	for _, ref := range after.Status.Active {
		if !created[ref.Name] {
			a.Active = append(a.Active, ref.Name)
		}
	}
	return a
}

// A CronJob in any state: the same Jobs are deleted, in the same order, one is created or none, and the status names the
// same active ones.
func TestCronJob(t *testing.T) {
	reached := map[string]int{}
	t.Cleanup(func() { t.Log(reached) })
	rapid.Check(t, func(t *rapid.T) {
		s := drawCronJobState(t)
		step := controllers.CronJob(s.object, s.jobs, s.isTime)
		var got cronJobAnswer
		for _, j := range step.Delete {
			got.Deleted = append(got.Deleted, j.Name)
		}
		if step.Create {
			got.Created = 1
		}
		for _, ref := range step.Active {
			got.Active = append(got.Active, ref.Name)
		}
		want := upstreamCronJob(t, s)
		testkit.NoDiff(t, got, want)
		reached["deleted"] += min(1, len(want.Deleted))
		reached["created"] += want.Created
		reached["forbidden"] += boolInt(s.isTime && want.Created == 0 && s.object.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent)
	})
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}
