package controllers_test

import (
	"math"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Jobs a and b run, and the status names them; c runs, but it does not. Jobs f1 to f3 failed, s1 to s5 are complete;
// they started so many hours ago, but for s0, which has not started. Job gone is not there.
func TestCronJob(t *testing.T) {
	var jobs []*batchv1.Job
	for i, name := range strings.Fields("s0 s3 s1 s2 s4 f2 f3 f1 a b c") {
		j := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		if name != "s0" && len(name) > 1 {
			j.Status.StartTime = &metav1.Time{Time: testkit.Now().Add(-time.Duration(name[1]-'0') * time.Hour)}
		}
		if i < 8 {
			kind := map[byte]batchv1.JobConditionType{'s': batchv1.JobComplete, 'f': batchv1.JobFailed}[name[0]]
			j.Status.Conditions = []batchv1.JobCondition{{Type: kind, Status: corev1.ConditionTrue}}
		}
		jobs = append(jobs, j)
	}
	ref := func(name string) corev1.ObjectReference {
		return corev1.ObjectReference{Name: name, UID: types.UID(name)}
	}
	of := func(policy batchv1.ConcurrencyPolicy, active ...string) *batchv1.CronJob {
		c := &batchv1.CronJob{Spec: batchv1.CronJobSpec{ConcurrencyPolicy: policy, SuccessfulJobsHistoryLimit: pointer[int32](9), FailedJobsHistoryLimit: pointer[int32](9)}}
		for _, name := range active {
			c.Status.Active = append(c.Status.Active, ref(name))
		}
		return c
	}
	with := func(c *batchv1.CronJob, change func(c *batchv1.CronJob)) *batchv1.CronJob {
		change(c)
		return c
	}
	for name, test := range map[string]struct {
		object *batchv1.CronJob
		isTime bool
		want   string // what is deleted, whether one is created, and what is active then
	}{
		"it is not time":            {of(""), false, ""},
		"it is time":                {of(""), true, "+"},
		"another one runs":          {of(batchv1.AllowConcurrent, "a"), true, "+ a"},
		"another one is forbidden":  {of(batchv1.ForbidConcurrent, "b"), true, "b"},
		"others have ended":         {of(batchv1.ForbidConcurrent, "s1", "gone"), true, "+"},
		"another one is unexpected": {of(batchv1.ForbidConcurrent), true, "+"},
		"others are replaced":       {of(batchv1.ReplaceConcurrent, "b", "a", "f1"), true, "-b -a +"},
		"nothing is replaced yet":   {of(batchv1.ReplaceConcurrent, "a"), false, "a"},
		"it is suspended":           {with(of(batchv1.ReplaceConcurrent, "a"), func(c *batchv1.CronJob) { c.Spec.Suspend = pointer(true) }), true, "a"},
		"it is not suspended":       {with(of(""), func(c *batchv1.CronJob) { c.Spec.Suspend = pointer(false) }), true, "+"},
		"it is deleted":             {with(of(""), func(c *batchv1.CronJob) { c.DeletionTimestamp = &metav1.Time{Time: testkit.Now()} }), true, ""},
		"the history by default": {with(of(""), func(c *batchv1.CronJob) {
			c.Spec.SuccessfulJobsHistoryLimit, c.Spec.FailedJobsHistoryLimit = nil, nil
		}), false, "-s4 -s3 -f3 -f2"},
		"the history while it is suspended": {with(of(""), func(c *batchv1.CronJob) {
			c.Spec.SuccessfulJobsHistoryLimit, c.Spec.FailedJobsHistoryLimit, c.Spec.Suspend = nil, nil, pointer(true)
		}), true, "-s4 -s3 -f3 -f2"},
		"no history": {with(of(""), func(c *batchv1.CronJob) {
			c.Spec.SuccessfulJobsHistoryLimit, c.Spec.FailedJobsHistoryLimit = pointer[int32](0), pointer[int32](2)
		}), false, "-s4 -s3 -s2 -s1 -s0 -f3"},
		"less than no history": {with(of(""), func(c *batchv1.CronJob) {
			c.Spec.SuccessfulJobsHistoryLimit, c.Spec.FailedJobsHistoryLimit = pointer[int32](math.MinInt32), pointer[int32](2)
		}), false, "-s4 -s3 -s2 -s1 -s0 -f3"},
	} {
		t.Run(name, func(t *testing.T) {
			step := controllers.CronJob(test.object, jobs, test.isTime)
			var got []string
			for _, j := range step.Delete {
				got = append(got, "-"+j.Name)
			}
			if step.Create {
				got = append(got, "+")
			}
			for _, ref := range step.Active {
				got = append(got, ref.Name)
			}
			testkit.Equal(t, strings.Join(got, " "), test.want)
		})
	}
	ties := []*batchv1.Job{jobs[2].DeepCopy(), jobs[2].DeepCopy()}
	ties[0].Name = "z"
	one := of("")
	one.Spec.SuccessfulJobsHistoryLimit = pointer[int32](1)
	testkit.Equal(t, controllers.CronJob(one, ties, false).Delete[0].Name, "s1", "of those that started together, the first by name goes")
	for _, j := range ties { // as files have them
		j.UID, j.Status.Conditions = "", nil
	}
	named := of(batchv1.ReplaceConcurrent, "z")
	named.Status.Active[0].UID = ""
	testkit.Equal(t, len(controllers.CronJob(named, ties[1:], true).Delete), 0, "another name")
	testkit.Equal(t, controllers.CronJob(named, ties, true).Delete[0].Name, "z", "without UIDs")
	other := of(batchv1.ForbidConcurrent, "a")
	other.Status.Active[0].UID = "former"
	testkit.Equal(t, controllers.CronJob(other, jobs, true).Create, true)
}
