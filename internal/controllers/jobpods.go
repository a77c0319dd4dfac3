package controllers

import (
	"slices"
	"strconv"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// manage deletes pods, or else creates some: at most 500 in one sync, unless the Job is suspended. Source: manageJob.
func (s *jobSync) manage() {
	if isTrue(s.spec.Suspend) {
		s.Delete = s.extra(len(s.active))
		return
	}
	missing := s.wanted(len(s.active)) - len(s.active)
	s.Delete = s.extra(max(0, -missing))
	s.Delete = s.Delete[:min(len(s.Delete), burst)]
	if s.replacesFailed() {
		missing -= s.terminating
	}
	if len(s.Delete) == 0 && missing > 0 {
		s.create(min(missing, burst))
	}
}

// extra returns active pods to delete, at least as many as given: those without a valid index of their own, then the
// others in the order of deletion. Source: activePodsForRemoval.
func (s *jobSync) extra(atLeast int) (extra []Pod) {
	var left []Pod
	seen := map[int]bool{}
	for _, p := range slices.Backward(slices.SortedFunc(slices.Values(s.active), compareActive)) {
		index := indexOf(p)
		if isIndexed(s.spec) && (index < 0 || index >= int(*s.spec.Completions) || seen[index]) {
			extra = append(extra, p)
		} else {
			left = append(left, p)
		}
		seen[index] = true
	}
	slices.Reverse(left)
	return append(extra, left[:max(0, atLeast-len(extra))]...)
}

// create creates pods: those of a Job with indexes for the first ones that are missing.
func (s *jobSync) create(n int) {
	meta := metav1.ObjectMeta{Labels: s.spec.Template.Labels, Annotations: s.spec.Template.Annotations,
		Finalizers: []string{batchv1.JobTrackingFinalizer}}
	if !isIndexed(s.spec) {
		s.Create = slices.Repeat([]metav1.ObjectMeta{meta}, n)
		return
	}
	taken := s.taken()
	for _, p := range s.pods {
		if s.replacesFailed() && !podwalk.HasEnded(p.Object) {
			taken = taken.with(indexesOf([]Pod{p})...)
		}
	}
	for _, index := range taken.missing(n, int(*s.spec.Completions)) {
		own, text := meta, strconv.Itoa(index)
		own.Labels = labels.Merge(meta.Labels, labels.Set{batchv1.JobCompletionIndexAnnotation: text})
		own.Annotations = labels.Merge(meta.Annotations, labels.Set{batchv1.JobCompletionIndexAnnotation: text})
		if s.spec.BackoffLimitPerIndex != nil {
			failures := 0
			if p, isRetried := s.retried[index]; isRetried {
				failures = failuresOf(p) + 1
			}
			own.Annotations[batchv1.JobIndexFailureCountAnnotation] = strconv.Itoa(failures)
		}
		s.Create = append(s.Create, own)
	}
}

// taken returns the indexes that get no further pod.
func (s *jobSync) taken() indexes { return s.done.with(s.lost...).with(indexesOf(s.active)...) }

// findRetried finds the failed pods from which the next ones of their indexes get the number of failures. Source:
// getPodsWithDelayedDeletionPerIndex.
func (s *jobSync) findRetried() {
	if s.spec.BackoffLimitPerIndex == nil {
		return
	}
	s.retried = map[int]Pod{}
	taken := s.taken()
	for _, p := range s.pods {
		index := indexOf(p)
		last, isKnown := s.retried[index]
		if s.counts(p) && s.hasFailed(p) && !taken.has(index) && (!isKnown || failuresOf(last) <= failuresOf(p)) {
			s.retried[index] = p
		}
	}
}
