package controllers_test

import (
	"fmt"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

func pointer[T any](value T) *T { return &value }

func jobOf(changes ...func(j *batchv1.Job)) *batchv1.Job {
	j := &batchv1.Job{}
	j.Spec.Parallelism = pointer[int32](2)
	for _, change := range changes {
		change(j)
	}
	return j
}

func completions(n int32) func(j *batchv1.Job) {
	return func(j *batchv1.Job) { j.Spec.Completions = &n }
}

// perIndex is a Job with 4 indexes, each of which may fail so often.
func perIndex(limit int32) func(j *batchv1.Job) {
	return func(j *batchv1.Job) {
		j.Spec.Completions, j.Spec.CompletionMode, j.Spec.BackoffLimitPerIndex = pointer[int32](4), pointer(batchv1.IndexedCompletion), &limit
	}
}

// jobPod is a pod that the Job has not counted: a name, a phase, and then index=, failures=, deleted or counted.
func jobPod(text string) controllers.Pod {
	words := strings.Fields(text)
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: words[0], Annotations: map[string]string{}, Finalizers: []string{batchv1.JobTrackingFinalizer}}}
	p.Status.Phase = corev1.PodPhase(words[1])
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "index":
			p.Annotations[batchv1.JobCompletionIndexAnnotation] = value
		case "failures":
			p.Annotations[batchv1.JobIndexFailureCountAnnotation] = value
		case "deleted":
			p.DeletionTimestamp = &metav1.Time{Time: testkit.Now()}
		case "counted":
			p.Finalizers = nil
		case "restarts":
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: int32(value[0] - '0')}}
		case "other": // restarts of another container
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{RestartCount: int32(value[0] - '0')})
		case "uid":
			p.UID = types.UID(value)
		case "side", "init": // restarts of a sidecar, or of an init container
			p.Spec.InitContainers = []corev1.Container{{Name: "side", RestartPolicy: pointer(corev1.ContainerRestartPolicyAlways)}, {Name: "init"}}
			p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: name, RestartCount: int32(value[0] - '0')}}
		case "since", "created": // at this second
			at := metav1.Unix(int64(value[0]-'0'), 0)
			if name == "created" {
				p.CreationTimestamp = at
			} else {
				p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled}, {Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at}}
			}
		}
	}
	isRunning := p.Status.Phase == corev1.PodRunning
	return controllers.Pod{Object: p, Node: map[bool]string{true: "a"}[isRunning], IsReady: isRunning}
}

// story tells what a step does, and the status then.
func story(step controllers.JobStep) string {
	var parts []string
	for _, p := range step.Delete {
		parts = append(parts, "-"+p.Object.Name)
	}
	for _, meta := range step.Create {
		text := "+" + meta.Labels[batchv1.JobCompletionIndexAnnotation]
		if failures, isSet := meta.Annotations[batchv1.JobIndexFailureCountAnnotation]; isSet {
			text += "(" + failures + ")"
		}
		parts = append(parts, text)
	}
	for _, p := range step.Waiting {
		parts = append(parts, "waits:"+p.Object.Name)
	}
	s := &step.Status
	parts = append(parts, fmt.Sprintf("%d/%d/%d", s.Active, s.Succeeded, s.Failed))
	if s.CompletedIndexes != "" {
		parts = append(parts, "completed:"+s.CompletedIndexes)
	}
	if s.FailedIndexes != nil && *s.FailedIndexes != "" {
		parts = append(parts, "failed:"+*s.FailedIndexes)
	}
	if s.UncountedTerminatedPods != nil {
		parts = append(parts, "uncounted")
	}
	for _, c := range s.Conditions {
		parts = append(parts, fmt.Sprintf("%s=%s", c.Type, c.Status))
	}
	return strings.Join(parts, " ")
}

// The answers were worked by hand from syncJob and manageJob of k8s.io/kubernetes v1.37.2. Numbers are those of pods
// that are active, have succeeded and have failed.
func TestJob(t *testing.T) {
	suspended := func(j *batchv1.Job) { j.Spec.Suspend = pointer(true) }
	backoff := func(n int32) func(j *batchv1.Job) { return func(j *batchv1.Job) { j.Spec.BackoffLimit = &n } }
	onFailure := func(j *batchv1.Job) { j.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure }
	replacesFailed := func(j *batchv1.Job) { j.Spec.PodReplacementPolicy = pointer(batchv1.Failed) }
	isDeleted := func(j *batchv1.Job) { j.DeletionTimestamp = &metav1.Time{Time: testkit.Now()} }
	has := func(kind batchv1.JobConditionType) func(j *batchv1.Job) {
		return func(j *batchv1.Job) {
			j.Status.Conditions = append(j.Status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue})
		}
	}
	parallelism := func(n int32) func(j *batchv1.Job) { return func(j *batchv1.Job) { j.Spec.Parallelism = &n } }
	uncounted := func(j *batchv1.Job) { // of which c is gone
		j.Status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{Succeeded: []types.UID{"a"}, Failed: []types.UID{"b", "c"}}
	}
	status := func(succeeded, failed int32) func(j *batchv1.Job) {
		return func(j *batchv1.Job) { j.Status.Succeeded, j.Status.Failed = succeeded, failed }
	}
	for name, test := range map[string]struct {
		job  *batchv1.Job
		pods []string
		want string
	}{
		"a new Job":                                           {jobOf(), nil, "+ + 2/0/0"},
		"a Job of one pod by default":                         {&batchv1.Job{}, nil, "+ 1/0/0"},
		"few completions":                                     {jobOf(completions(1)), nil, "+ 1/0/0"},
		"one completion is left":                              {jobOf(completions(3), status(2, 0)), nil, "+ 1/2/0"},
		"it runs":                                             {jobOf(), []string{"a Running", "b Pending"}, "2/0/0"},
		"too many, those that wait go first":                  {jobOf(), []string{"a Running", "b Running", "c Pending", "d Unknown"}, "-c -d 2/0/0"},
		"too many, those restarted go first":                  {jobOf(), []string{"a Running restarts=1", "b Running restarts=2", "c Running"}, "-b 2/0/0"},
		"those that became ready last go first":               {jobOf(), []string{"a Running since=1", "b Running since=3", "c Running since=2"}, "-b 2/0/0"},
		"it is not known since when one is ready":             {jobOf(), []string{"a Running since=1", "b Running", "c Running since=2"}, "-b 2/0/0"},
		"the last that became ready was restarted less often": {jobOf(), []string{"a Running since=1 restarts=2", "b Running since=3 restarts=1", "c Running since=2"}, "-b 2/0/0"},
		"the container that was restarted most counts":        {jobOf(), []string{"a Running restarts=2 other=2", "b Running restarts=3", "c Running"}, "-b 2/0/0"},
		"the newest go first":                                 {jobOf(), []string{"a Running created=1", "b Running created=3", "c Running created=2"}, "-b 2/0/0"},
		"restarts of sidecars count":                          {jobOf(), []string{"a Running side=1", "b Running side=2", "c Running init=3"}, "-b 2/0/0"},
		"the last by name goes first":                         {jobOf(), []string{"c Running", "b Running", "a Running"}, "-c 2/0/0"},
		"a condition that is not met": {jobOf(func(j *batchv1.Job) {
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionFalse}}
		}), nil, "+ + 2/0/0 Complete=False"},
		"a failure before the last completion":            {jobOf(completions(1), status(1, 0), has(batchv1.JobFailureTarget)), nil, "0/1/0 FailureTarget=True Failed=True"},
		"completions without indexes":                     {jobOf(completions(2), func(j *batchv1.Job) { j.Spec.CompletionMode = pointer(batchv1.NonIndexedCompletion) }), []string{"a Running index=0", "b Running index=0"}, "2/0/0"},
		"one completion by default":                       {&batchv1.Job{Spec: batchv1.JobSpec{BackoffLimit: pointer[int32](3)}}, []string{"a Succeeded", "b Running"}, "-b 0/1/0 SuccessCriteriaMet=True"},
		"an index has failed and then succeeded":          {jobOf(perIndex(2)), []string{"a Failed index=0", "b Succeeded index=0"}, "+1(0) +2(0) 2/1/1 completed:0"},
		"an index after those that have succeeded":        {jobOf(perIndex(2), func(j *batchv1.Job) { j.Status.CompletedIndexes = "0" }), []string{"a Failed index=1"}, "+1(1) +2(0) waits:a 2/1/0 completed:0"},
		"a number of failures that is too large":          {jobOf(perIndex(2)), []string{"a Failed index=0 failures=3000000000"}, "+0(1) +1(0) waits:a 2/0/0"},
		"a lost node has a pod that is deleted":           {jobOf(), []string{"a Unknown deleted"}, "+ + 2/0/1"},
		"a success that is being deleted":                 {jobOf(completions(2)), []string{"a Succeeded deleted"}, "+ 1/1/0"},
		"it is still suspended":                           {jobOf(suspended, has(batchv1.JobSuspended)), nil, "0/0/0 Suspended=True"},
		"a work queue has a success":                      {jobOf(), []string{"a Running", "b Succeeded"}, "1/1/0"},
		"a work queue is done":                            {jobOf(), []string{"b Succeeded", "c Failed"}, "0/1/1 SuccessCriteriaMet=True Complete=True"},
		"all completions":                                 {jobOf(completions(2)), []string{"a Succeeded", "b Succeeded"}, "0/2/0 SuccessCriteriaMet=True Complete=True"},
		"a success that was counted":                      {jobOf(completions(2), status(1, 0)), []string{"a Succeeded counted"}, "+ 1/1/0"},
		"a pod has failed":                                {jobOf(completions(2)), []string{"a Failed", "b Running"}, "+ 2/0/1"},
		"a pod is being deleted":                          {jobOf(completions(2)), []string{"a Running deleted", "b Running"}, "+ 2/0/1"},
		"a pod is deleted, failed ones replaced":          {jobOf(completions(2), replacesFailed), []string{"a Running deleted", "b Running"}, "waits:a 1/0/0"},
		"more failures than allowed":                      {jobOf(backoff(0)), []string{"a Failed", "b Running"}, "-b 0/0/2 FailureTarget=True"},
		"as many failures as allowed":                     {jobOf(backoff(1)), []string{"a Failed", "b Running"}, "+ 2/0/1"},
		"six failures by default":                         {jobOf(status(0, 6)), []string{"a Running"}, "+ 2/0/6"},
		"seven failures by default":                       {jobOf(status(0, 7)), nil, "0/0/7 FailureTarget=True Failed=True"},
		"the end waits for a pod":                         {jobOf(has(batchv1.JobFailureTarget), replacesFailed), []string{"a Running deleted"}, "0/0/1 FailureTarget=True"},
		"the end of a failed Job":                         {jobOf(has(batchv1.JobFailureTarget)), nil, "0/0/0 FailureTarget=True Failed=True"},
		"the end of a Job with enough success":            {jobOf(has(batchv1.JobSuccessCriteriaMet)), []string{"a Running"}, "-a 0/0/0 SuccessCriteriaMet=True"},
		"restarts as failures":                            {jobOf(backoff(2), onFailure), []string{"a Running restarts=1", "b Running restarts=1"}, "-a -b 0/0/2 FailureTarget=True"},
		"restarts of a pod that waits":                    {jobOf(backoff(2), onFailure), []string{"a Pending restarts=2"}, "-a 0/0/1 FailureTarget=True"},
		"restarts of an init container":                   {jobOf(backoff(2), onFailure), []string{"a Running init=2"}, "-a 0/0/1 FailureTarget=True"},
		"the end of a Job whose pod has ended and goes":   {jobOf(has(batchv1.JobFailureTarget)), []string{"a Failed deleted"}, "0/0/1 FailureTarget=True Failed=True"},
		"seven failures with a limit for each index":      {jobOf(perIndex(1), status(0, 7)), nil, "+0(0) +1(0) 2/0/7"},
		"none is created beside what is deleted":          {jobOf(perIndex(0), parallelism(3)), []string{"a Running index=0", "b Running index=0"}, "-b 1/0/0"},
		"pods that the status notes, but has not counted": {jobOf(completions(3), uncounted), []string{"a Succeeded uid=a", "b Failed uid=b", "c Failed uid=d"}, "+ + 2/1/3"},
		"restarts that are allowed":                       {jobOf(backoff(2), onFailure), []string{"a Running restarts=1", "b Running"}, "2/0/0"},
		"one restart where none is allowed":               {jobOf(backoff(0), onFailure), []string{"a Running restarts=1"}, "-a 0/0/1 FailureTarget=True"},
		"no restart where none is allowed":                {jobOf(backoff(0), onFailure), []string{"a Running", "b Running"}, "2/0/0"},
		"suspended":                                       {jobOf(suspended), []string{"a Running"}, "-a 0/0/0 Suspended=True"},
		"suspended after the success of a queue":          {jobOf(suspended), []string{"a Running", "b Succeeded"}, "-a 0/1/0 SuccessCriteriaMet=True"},
		"resumed":                                         {jobOf(has(batchv1.JobSuspended)), nil, "+ + 2/0/0 Suspended=False"},
		"complete":                                        {jobOf(has(batchv1.JobComplete)), []string{"a Running"}, "0/0/0 Complete=True"},
		"failed":                                          {jobOf(has(batchv1.JobFailed)), []string{"a Running"}, "0/0/0 Failed=True"},
		"of another controller":                           {jobOf(func(j *batchv1.Job) { j.Spec.ManagedBy = pointer("example.com/x") }), nil, "0/0/0"},
		"of this controller":                              {jobOf(func(j *batchv1.Job) { j.Spec.ManagedBy = pointer(batchv1.JobControllerName) }), nil, "+ + 2/0/0"},
		"being deleted":                                   {jobOf(isDeleted), []string{"a Failed"}, "0/0/1"},
		"invalid numbers":                                 {jobOf(completions(-1), func(j *batchv1.Job) { j.Spec.Parallelism = pointer[int32](-1) }), nil, "0/0/0 SuccessCriteriaMet=True Complete=True"},
		"the first indexes":                               {jobOf(perIndex(0)), nil, "+0(0) +1(0) 2/0/0"},
		"the next indexes":                                {jobOf(perIndex(0)), []string{"a Succeeded index=0", "b Running index=2"}, "+1(0) 2/1/0 completed:0"},
		"an index fails":                                  {jobOf(perIndex(0)), []string{"a Failed index=0", "b Running index=2"}, "+1(0) 2/0/1 failed:0"},
		"an index is tried again":                         {jobOf(perIndex(2)), []string{"a Failed index=0", "b Failed index=0 failures=1", "c Running index=2"}, "+0(2) waits:b 2/0/1"},
		"an index fails too often":                        {jobOf(perIndex(2)), []string{"a Failed index=0 failures=2", "c Running index=2"}, "+1(0) 2/0/1 failed:0"},
		"two pods of an index":                            {jobOf(perIndex(0)), []string{"a Running index=0", "b Running index=0"}, "-b 1/0/0"},
		"pods beyond the completions have ended":          {jobOf(perIndex(0)), []string{"a Failed index=4", "b Succeeded index=5", "c Running index=2"}, "+0(0) 2/0/0"},
		"an index that is not there":                      {jobOf(perIndex(0)), []string{"a Running index=4", "b Running", "c Running index=-1", "d Running index=3"}, "-a -b -c 1/0/0"},
		"all indexes, of which some failed":               {jobOf(perIndex(0)), []string{"a Failed index=0", "b Succeeded index=1", "c Succeeded index=2", "d Succeeded index=3"}, "0/3/1 completed:1-3 failed:0 FailureTarget=True Failed=True"},
		"an index waits for the pod it replaces":          {jobOf(perIndex(3), replacesFailed), []string{"a Running deleted index=0"}, "+1(0) waits:a 1/0/0"},
		"a limit of indexes without indexes":              {jobOf(func(j *batchv1.Job) { j.Spec.BackoffLimitPerIndex = pointer[int32](0) }), []string{"a Failed"}, "+ + 2/0/1"},
		"indexes of a Job that has no completions":        {jobOf(func(j *batchv1.Job) { j.Spec.CompletionMode = pointer(batchv1.IndexedCompletion) }), nil, "+ + 2/0/0"},
	} {
		t.Run(name, func(t *testing.T) {
			var pods []controllers.Pod
			for _, text := range test.pods {
				pods = append(pods, jobPod(text))
			}
			before := test.job.DeepCopy()
			testkit.Equal(t, story(controllers.Job(test.job, pods)), test.want)
			testkit.NoDiff(t, test.job, before)
		})
	}
}

// The status of a Job names indexes in intervals.
func TestJobIndexes(t *testing.T) {
	for _, test := range []struct{ completed, failed, want string }{
		{"", "", "+0(0) +1(0) +2(0) 3/0/0"},
		{"0-1,3", "", "+2(0) +4(0) +5(0) 3/3/0 completed:0,1,3"},
		{"0,1,2,4-9", "", "+3(0) 1/9/0 completed:0-2,4-9"},
		{"5-99", "0,2", "+1(0) +3(0) +4(0) 3/5/0 completed:5-9 failed:0,2"},
		{"x,3-y,7,30", "1-2", "+0(0) +3(0) +4(0) 3/1/0 completed:7 failed:1,2"},
	} {
		j := jobOf(perIndex(1))
		j.Spec.Parallelism, j.Spec.Completions = pointer[int32](3), pointer[int32](10)
		j.Status.CompletedIndexes, j.Status.FailedIndexes = test.completed, &test.failed
		testkit.Equal(t, story(controllers.Job(j, nil)), test.want)
	}
	most := jobOf(perIndex(1))
	most.Spec.MaxFailedIndexes, most.Status.FailedIndexes = pointer[int32](1), pointer("0,2")
	testkit.Equal(t, story(controllers.Job(most, nil)), "0/0/0 failed:0,2 FailureTarget=True Failed=True")
}

// Conditions have the reasons and messages of the controller, and pods the labels of the template.
func TestJobInDetail(t *testing.T) {
	reasons := func(j *batchv1.Job) (texts []string) {
		for _, c := range controllers.Job(j, nil).Status.Conditions {
			texts = append(texts, c.Reason+": "+c.Message)
		}
		return texts
	}
	suspended := jobOf(func(j *batchv1.Job) {
		j.Spec.Suspend, j.Status.Conditions = pointer(true), []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue, Reason: "other", Message: "Job suspended"}}
	})
	testkit.NoDiff(t, reasons(suspended), []string{"JobSuspended: Job suspended"})
	suspended.Status.Conditions[0].Reason, suspended.Status.Conditions[0].Message = "JobSuspended", "other"
	testkit.NoDiff(t, reasons(suspended), []string{"JobSuspended: Job suspended"})
	failed := jobOf(func(j *batchv1.Job) { j.Status.Failed = 7 })
	testkit.NoDiff(t, reasons(failed), []string{"BackoffLimitExceeded: Job has reached the specified backoff limit", "BackoffLimitExceeded: Job has reached the specified backoff limit"})
	resumed := jobOf(func(j *batchv1.Job) {
		j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}}
	})
	testkit.NoDiff(t, reasons(resumed), []string{"JobResumed: Job resumed"})
	complete := jobOf(completions(1), func(j *batchv1.Job) { j.Status.Succeeded = 1 })
	testkit.NoDiff(t, reasons(complete), []string{"CompletionsReached: Reached expected number of succeeded pods", "CompletionsReached: Reached expected number of succeeded pods"})
	lost := jobOf(perIndex(1), func(j *batchv1.Job) { j.Status.FailedIndexes, j.Status.CompletedIndexes = pointer("0,2"), "1,3" })
	testkit.NoDiff(t, reasons(lost), []string{"FailedIndexes: Job has failed indexes", "FailedIndexes: Job has failed indexes"})
	lost.Spec.MaxFailedIndexes = pointer[int32](1)
	testkit.NoDiff(t, reasons(lost), []string{"MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes", "MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes"})
	lost.Spec.MaxFailedIndexes = pointer[int32](2)
	testkit.NoDiff(t, reasons(lost), []string{"FailedIndexes: Job has failed indexes", "FailedIndexes: Job has failed indexes"})
	indexed := jobOf(perIndex(1))
	indexed.Spec.Template.Labels, indexed.Spec.Template.Annotations = map[string]string{"app": "j"}, map[string]string{"note": "x"}
	before := indexed.DeepCopy()
	pod := controllers.Job(indexed, nil).Create[1]
	testkit.NoDiff(t, indexed, before)
	testkit.NoDiff(t, pod, metav1.ObjectMeta{
		Labels:      map[string]string{"app": "j", batchv1.JobCompletionIndexAnnotation: "1"},
		Annotations: map[string]string{"note": "x", batchv1.JobCompletionIndexAnnotation: "1", batchv1.JobIndexFailureCountAnnotation: "0"},
		Finalizers:  []string{batchv1.JobTrackingFinalizer},
	})
}

// At most 500 pods are created or deleted in one sync, but a suspended Job loses all of them.
func TestJobInParts(t *testing.T) {
	large := jobOf(func(j *batchv1.Job) { j.Spec.Parallelism = pointer[int32](700) })
	testkit.Equal(t, len(controllers.Job(large, nil).Create), 500)
	var pods []controllers.Pod
	for i := range 700 {
		pods = append(pods, jobPod(fmt.Sprintf("p%d Running", i)))
	}
	testkit.Equal(t, len(controllers.Job(jobOf(), pods).Delete), 500)
	testkit.Equal(t, len(controllers.Job(jobOf(func(j *batchv1.Job) { j.Spec.Suspend = pointer(true) }), pods).Delete), 700)
}

func TestJobWants(t *testing.T) {
	failed := jobOf(perIndex(0))
	failed.Status.FailedIndexes, failed.Status.CompletedIndexes = pointer("0,1"), "2"
	for name, test := range map[string]struct {
		job          *batchv1.Job
		active, want int
	}{
		"parallelism":            {jobOf(), 0, 2},
		"completions":            {jobOf(completions(1)), 0, 1},
		"failed indexes":         {failed, 0, 1},
		"another controller":     {jobOf(func(j *batchv1.Job) { j.Spec.ManagedBy = pointer("x") }), 5, 5},
		"suspended":              {jobOf(func(j *batchv1.Job) { j.Spec.Suspend = pointer(true) }), 5, 0},
		"a work queue that ends": {jobOf(func(j *batchv1.Job) { j.Status.Succeeded = 1 }), 5, 5},
		"a Job that has ended": {jobOf(func(j *batchv1.Job) {
			j.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}}
		}), 5, 0},
	} {
		testkit.Equal(t, controllers.JobWants(test.job, test.active), test.want, name)
	}
}
