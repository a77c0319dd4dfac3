package controllers

import (
	"cmp"
	"math"
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// JobStep is what the controller of a Job does in one sync.
type JobStep struct {
	Delete []Pod
	Create []metav1.ObjectMeta // of the pods that it creates, in this order, without names and owners
	// Status is what the Job has then, if all of these are admitted. There is no clock: new conditions have no times.
	Status batchv1.JobStatus
	// Waiting are the pods that are not active, and that the status does not count yet.
	Waiting []Pod
}

// Job returns what the controller of a Job does next. Pods are those that the Job has not counted: active ones, and
// those that have ended or are being deleted. Failed pods are created again at once. activeDeadlineSeconds,
// podFailurePolicy, successPolicy and ttlSecondsAfterFinished are not considered. Source: syncJob.
func Job(job *batchv1.Job, pods []Pod) JobStep {
	s := jobSync{job: job, spec: withJobDefaults(&job.Spec), pods: pods}
	s.Status = *job.Status.DeepCopy()
	if !isJobManaged(job) {
		return s.JobStep
	}
	s.count()
	end := s.end()
	if end != nil {
		s.Delete = s.active
	} else if job.DeletionTimestamp == nil {
		s.manage()
	}
	active := len(s.active) + len(s.Create) - len(s.Delete)
	if end == nil && s.isComplete(active) {
		end = jobCondition(batchv1.JobSuccessCriteriaMet, batchv1.JobReasonCompletionsReached,
			"Reached expected number of succeeded pods")
	} else if end == nil && job.DeletionTimestamp == nil {
		s.setSuspended()
	}
	s.Status.Active = int32(active)
	s.track(end)
	s.finish(end)
	return s.JobStep
}

// JobWants returns how many pods a Job wants to be active, of which some are. Source: manageJob.
func JobWants(job *batchv1.Job, active int) int {
	s := jobSync{job: job, spec: withJobDefaults(&job.Spec)}
	switch {
	case !isJobManaged(job) && !HasJobEnded(job):
		return active
	case HasJobEnded(job) || isTrue(s.spec.Suspend):
		return 0
	}
	s.count()
	want := s.wanted(active)
	if isIndexed(s.spec) {
		want = min(want, int(*s.spec.Completions)-s.done.with(s.lost...).total())
	}
	return want
}

// HasJobEnded reports whether a Job is complete or has failed.
func HasJobEnded(job *batchv1.Job) bool {
	return trueCondition(job, batchv1.JobComplete, batchv1.JobFailed) != nil
}

// isJobManaged reports whether the controller does anything about a Job.
func isJobManaged(job *batchv1.Job) bool {
	by := job.Spec.ManagedBy
	return (by == nil || *by == batchv1.JobControllerName) && !HasJobEnded(job)
}

// withJobDefaults returns a spec with the defaults of the API server, and without what it refuses.
func withJobDefaults(spec *batchv1.JobSpec) *batchv1.JobSpec {
	own, one, limit := *spec, int32(1), int32(6)
	if own.Completions == nil && own.Parallelism == nil {
		own.Completions = &one
	}
	own.Parallelism = cmp.Or(own.Parallelism, &one)
	if !isIndexed(&own) {
		own.BackoffLimitPerIndex, own.MaxFailedIndexes = nil, nil
	} else if own.BackoffLimitPerIndex != nil {
		limit = math.MaxInt32
	}
	own.BackoffLimit = cmp.Or(own.BackoffLimit, &limit)
	return &own
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

func isIndexed(spec *batchv1.JobSpec) bool {
	return spec.CompletionMode != nil && *spec.CompletionMode == batchv1.IndexedCompletion && spec.Completions != nil
}

type jobSync struct {
	JobStep
	job               *batchv1.Job
	spec              *batchv1.JobSpec
	pods, active      []Pod
	terminating       int
	succeeded, failed int
	done, lost        indexes     // that have succeeded, and that have failed
	retried           map[int]Pod // the last failed pod of an index that has no other one yet
}

func (s *jobSync) count() {
	uncounted := cmp.Or(s.job.Status.UncountedTerminatedPods, &batchv1.UncountedTerminatedPods{})
	s.succeeded = int(s.job.Status.Succeeded) + len(uncounted.Succeeded)
	s.failed = int(s.job.Status.Failed) + len(uncounted.Failed)
	var succeeded, failed []Pod
	for _, p := range s.pods {
		switch {
		case podwalk.HasEnded(p.Object):
		case p.Object.DeletionTimestamp == nil:
			s.active = append(s.active, p)
		default:
			s.terminating++
		}
		switch {
		case !s.counts(p):
		case p.Object.Status.Phase == corev1.PodSucceeded:
			succeeded = append(succeeded, p)
			if !slices.Contains(uncounted.Succeeded, p.Object.UID) {
				s.succeeded++
			}
		case s.hasFailed(p):
			if limit := s.spec.BackoffLimitPerIndex; limit != nil && failuresOf(p) >= int(*limit) {
				failed = append(failed, p)
			}
			if !slices.Contains(uncounted.Failed, p.Object.UID) {
				s.failed++
			}
		}
	}
	if isIndexed(s.spec) {
		s.done = parseIndexes(s.job.Status.CompletedIndexes, *s.spec.Completions).with(indexesOf(succeeded)...)
		s.succeeded = s.done.total()
		if text := s.job.Status.FailedIndexes; text != nil && s.spec.BackoffLimitPerIndex != nil {
			s.lost = parseIndexes(*text, *s.spec.Completions)
		}
		s.lost = s.lost.with(indexesOf(failed)...)
	}
	s.findRetried()
}

// counts reports whether a pod counts once it has ended: the controller has not counted it, and it has an index if it
// needs one. Source: getValidPodsWithFilter.
func (s *jobSync) counts(p Pod) bool {
	index := indexOf(p)
	return slices.Contains(p.Object.Finalizers, batchv1.JobTrackingFinalizer) &&
		(!isIndexed(s.spec) || index >= 0 && index < int(*s.spec.Completions))
}

// hasFailed reports whether a pod counts as failed: also one that is being deleted, unless only failed pods are
// replaced. Source: isPodFailed.
func (s *jobSync) hasFailed(p Pod) bool {
	phase := p.Object.Status.Phase
	return phase == corev1.PodFailed ||
		!s.replacesFailed() && p.Object.DeletionTimestamp != nil && phase != corev1.PodSucceeded
}

func (s *jobSync) replacesFailed() bool {
	return s.spec.PodReplacementPolicy != nil && *s.spec.PodReplacementPolicy == batchv1.Failed
}

// end returns why the Job ends before it is complete, nil if it does not.
func (s *jobSync) end() *batchv1.JobCondition {
	if c := trueCondition(s.job, batchv1.JobSuccessCriteriaMet, batchv1.JobFailureTarget); c != nil {
		return c
	}
	most, limit, lost := s.spec.MaxFailedIndexes, int(*s.spec.BackoffLimit), s.lost.total()
	switch {
	case s.failed > limit, s.restarts() >= max(1, limit):
		return jobCondition(batchv1.JobFailureTarget, batchv1.JobReasonBackoffLimitExceeded,
			"Job has reached the specified backoff limit")
	case most != nil && lost > int(*most):
		return jobCondition(batchv1.JobFailureTarget, batchv1.JobReasonMaxFailedIndexesExceeded,
			"Job has exceeded the specified maximal number of failed indexes")
	case lost > 0 && lost+s.done.total() >= int(*s.spec.Completions):
		return jobCondition(batchv1.JobFailureTarget, batchv1.JobReasonFailedIndexes, "Job has failed indexes")
	}
	return nil
}

// restarts returns how often containers of the pods that have not ended were restarted, if they are after a failure.
// Source: pastBackoffLimitOnFailure.
func (s *jobSync) restarts() (n int) {
	isRestarted := map[corev1.RestartPolicy]bool{corev1.RestartPolicyOnFailure: true}
	if !isRestarted[s.spec.Template.Spec.RestartPolicy] {
		return 0
	}
	for _, p := range s.pods {
		if phase := p.Object.Status.Phase; phase == corev1.PodRunning || phase == corev1.PodPending {
			for _, c := range slices.Concat(p.Object.Status.InitContainerStatuses, p.Object.Status.ContainerStatuses) {
				n += int(c.RestartCount)
			}
		}
	}
	return n
}

// isComplete reports whether the Job has all of its completions, or the first one of a work queue, and no active pod.
func (s *jobSync) isComplete(active int) bool {
	if s.spec.Completions == nil {
		return s.succeeded > 0 && active == 0
	}
	return s.succeeded >= int(*s.spec.Completions) && active == 0
}

// wanted returns how many pods are to be active. A Job without completions keeps those that are after its first
// success: they take their work from a queue.
func (s *jobSync) wanted(active int) int {
	switch {
	case s.spec.Completions != nil:
		return max(0, min(int(*s.spec.Completions)-s.succeeded, int(*s.spec.Parallelism)))
	case s.succeeded > 0:
		return active
	}
	return max(0, int(*s.spec.Parallelism))
}
