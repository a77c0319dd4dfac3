package controllers

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// track sets the counters of the status, and which pods they do not count yet. Each pod of a Job that fails counts as
// failed. Source: trackJobStatusAndRemoveFinalizers.
func (s *jobSync) track(end *batchv1.JobCondition) {
	s.Status.Succeeded, s.Status.Failed, s.Status.UncountedTerminatedPods = int32(s.succeeded), int32(s.failed), nil
	isOpen, hasFailed := end == nil && s.job.DeletionTimestamp == nil, end != nil && end.Type == batchv1.JobFailureTarget
	for _, p := range s.pods {
		switch {
		case isOpen && s.retried[indexOf(p)].Object == p.Object:
			s.Waiting = append(s.Waiting, p)
			s.Status.Failed--
		case s.hasFailed(p), p.Object.Status.Phase == corev1.PodSucceeded:
		case p.Object.DeletionTimestamp != nil && isOpen:
			s.Waiting = append(s.Waiting, p)
		case hasFailed && s.counts(p):
			s.Status.Failed++
		}
	}
	if isIndexed(s.spec) {
		s.Status.CompletedIndexes = s.done.String()
		if s.spec.BackoffLimitPerIndex != nil {
			text := s.lost.String()
			s.Status.FailedIndexes = &text
		}
	}
}

// finish sets the conditions of a Job that ends, the last one once no pod of it is being deleted.
func (s *jobSync) finish(end *batchv1.JobCondition) {
	if end == nil {
		return
	}
	if trueCondition(s.job, end.Type) == nil {
		s.Status.Conditions = append(s.Status.Conditions, *end)
	}
	if s.terminating+len(s.Delete) == 0 {
		last := batchv1.JobComplete
		if end.Type == batchv1.JobFailureTarget {
			last = batchv1.JobFailed
		}
		s.setCondition(jobCondition(last, end.Reason, end.Message))
	}
}

// setSuspended sets the condition that the Job is suspended, or that it no longer is.
func (s *jobSync) setSuspended() {
	c := jobCondition(batchv1.JobSuspended, "JobSuspended", "Job suspended")
	if !isTrue(s.spec.Suspend) {
		c.Status, c.Reason, c.Message = corev1.ConditionFalse, "JobResumed", "Job resumed"
	}
	s.setCondition(c)
}

// setCondition sets a condition. One that was never true is not set to false.
func (s *jobSync) setCondition(c *batchv1.JobCondition) {
	all := s.Status.Conditions
	i := slices.IndexFunc(all, func(other batchv1.JobCondition) bool { return other.Type == c.Type })
	switch {
	case i < 0 && c.Status == corev1.ConditionTrue:
		s.Status.Conditions = append(all, *c)
	case i >= 0 && (all[i].Status != c.Status || all[i].Reason != c.Reason || all[i].Message != c.Message):
		all[i] = *c
	}
}

// trueCondition returns the first of some conditions that is true, nil if none is.
func trueCondition(job *batchv1.Job, kinds ...batchv1.JobConditionType) *batchv1.JobCondition {
	for _, kind := range kinds {
		for i := range job.Status.Conditions {
			if c := &job.Status.Conditions[i]; c.Type == kind && c.Status == corev1.ConditionTrue {
				return c
			}
		}
	}
	return nil
}

func jobCondition(kind batchv1.JobConditionType, reason, message string) *batchv1.JobCondition {
	return &batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue, Reason: reason, Message: message}
}
