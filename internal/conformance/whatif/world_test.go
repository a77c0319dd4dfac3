package main

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// The controller of a Job waits twice as long after each failure, and ten minutes at most.
func TestBackoff(t *testing.T) {
	yes := true
	for _, test := range []struct {
		name   string
		change func(j *batchv1.Job)
		want   time.Duration
	}{
		{"one failure", func(j *batchv1.Job) {}, 11 * time.Second},
		{"four failures", func(j *batchv1.Job) { j.Status.Failed = 4 }, 81 * time.Second},
		{"many failures", func(j *batchv1.Job) { j.Status.Failed = 40 }, 601 * time.Second},
		{"none", func(j *batchv1.Job) { j.Status.Failed = 0 }, 0},
		{"all pods are there", func(j *batchv1.Job) { j.Status.Active = 2 }, 0},
		{"it needs no more", func(j *batchv1.Job) { *j.Spec.Completions = 1 }, 0},
		{"suspended", func(j *batchv1.Job) { j.Spec.Suspend = &yes }, 0},
		{"it has failed", func(j *batchv1.Job) {
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
		}, 0},
	} {
		parallelism, completions := int32(2), int32(5)
		j := &batchv1.Job{Spec: batchv1.JobSpec{Parallelism: &parallelism, Completions: &completions}, Status: batchv1.JobStatus{Active: 1, Failed: 1}}
		test.change(j)
		w := &world{failures: map[types.UID]failures{}}
		testkit.Equal(t, w.backoff([]admit.APIObject{j}).Round(time.Second), test.want, test.name)
		w.failures[""] = failures{j.Status.Failed, time.Now().Add(-time.Hour)}
		if got := w.backoff([]admit.APIObject{j}); got > 0 {
			t.Errorf("%s, an hour later: %s", test.name, got)
		}
	}
}
