package controllers

import (
	"cmp"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/ordering"
)

// CronJobStep is what the controller of a CronJob does in one sync.
type CronJobStep struct {
	Delete []*batchv1.Job // in this order
	Create bool           // one Job
	// Active are the Jobs that its status then has, without the one that it creates.
	Active []corev1.ObjectReference
}

// CronJob returns what the controller of a CronJob does about its Jobs: it deletes those that have ended beyond the
// limits of its history, and creates one if it is time. While a Job of the status is active, the policy Forbid creates
// none, and Replace deletes it first. Source: syncCronJob and cleanupFinishedJobs.
func CronJob(object *batchv1.CronJob, jobs []*batchv1.Job, isTime bool) (step CronJobStep) {
	step.Delete = append(beyondHistory(jobs, batchv1.JobComplete, object.Spec.SuccessfulJobsHistoryLimit, 3),
		beyondHistory(jobs, batchv1.JobFailed, object.Spec.FailedJobsHistoryLimit, 1)...)
	var active []*batchv1.Job
	for _, ref := range object.Status.Active {
		i := slices.IndexFunc(jobs, func(j *batchv1.Job) bool { return j.UID == ref.UID && j.Name == ref.Name })
		if i >= 0 && !HasJobEnded(jobs[i]) {
			step.Active, active = append(step.Active, ref), append(active, jobs[i])
		}
	}
	if object.DeletionTimestamp != nil || !isTime || isTrue(object.Spec.Suspend) {
		return step
	}
	switch object.Spec.ConcurrencyPolicy {
	case batchv1.ForbidConcurrent:
		step.Create = len(active) == 0
	case batchv1.ReplaceConcurrent:
		step.Delete, step.Active, step.Create = append(step.Delete, active...), nil, true
	default:
		step.Create = true
	}
	return step
}

// beyondHistory returns the Jobs that have ended in a way beyond as many as are kept, the ones that started first.
func beyondHistory(all []*batchv1.Job, how batchv1.JobConditionType, limit *int32, usual int32) []*batchv1.Job {
	ended := slices.DeleteFunc(slices.Clone(all), func(j *batchv1.Job) bool { return trueCondition(j, how) == nil })
	slices.SortStableFunc(ended, compareStarts)
	kept := max(0, int(*cmp.Or(limit, &usual))) // the API server stores none below zero
	return ended[:max(0, len(ended)-kept)]
}

// compareStarts compares Jobs by their start. One that has not started is later than others. Source: byJobStartTime.
func compareStarts(a, b *batchv1.Job) int {
	x, y := a.Status.StartTime, b.Status.StartTime
	if x == nil || y == nil {
		return cmp.Or(ordering.TrueFirst(x != nil, y != nil), strings.Compare(a.Name, b.Name))
	}
	return cmp.Or(x.Compare(y.Time), strings.Compare(a.Name, b.Name))
}
