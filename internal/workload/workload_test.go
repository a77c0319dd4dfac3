package workload_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/workload"
)

func TestOf(t *testing.T) {
	three := int32(3)
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "n"}}
	job := batchv1.JobSpec{Template: template, Parallelism: &three, Completions: new(int32), Selector: selector}
	for name, test := range map[string]struct {
		object   any
		selects  bool
		replicas bool
		wanted   int
		counted  int32
	}{
		"Deployment": {&appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: template, Selector: selector}, Status: appsv1.DeploymentStatus{Replicas: 2}}, true, true, 1, 0},
		"StatefulSet": {&appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Template: template, Selector: selector, Replicas: &three},
			Status: appsv1.StatefulSetStatus{Replicas: 2}}, true, true, 3, 2},
		"ReplicaSet": {&appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Template: template, Replicas: &three}, Status: appsv1.ReplicaSetStatus{Replicas: 2}}, false, true, 3, 2},
		"ReplicationController": {&corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Template: &template, Selector: selector.MatchLabels},
			Status: corev1.ReplicationControllerStatus{Replicas: 2}}, true, true, 1, 2},
		"DaemonSet": {&appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: template, Selector: selector}, Status: appsv1.DaemonSetStatus{CurrentNumberScheduled: 2}}, true, false, 1, 2},
		"Job":       {&batchv1.Job{Spec: job, Status: batchv1.JobStatus{Active: 2}}, true, false, 0, 2},
		"CronJob":   {&batchv1.CronJob{Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: job}}}, false, false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := workload.Of(test.object)
			if got.Template == nil || got.Template.Spec.NodeName != "n" {
				t.Errorf("template %v", got.Template)
			}
			testkit.Equal(t, got.Selector != nil, test.selects, "selector")
			testkit.Equal(t, got.Replicas != nil, test.replicas, "replicas")
			testkit.Equal(t, got.Wanted, test.wanted, "wanted")
			testkit.Equal(t, got.Counted, test.counted, "counted")
		})
	}
	testkit.NoDiff(t, workload.Of(&corev1.Pod{}), workload.Workload{})
}

// Replicas is the field of the object, by which it is scaled.
func TestReplicasAreThoseOfTheObject(t *testing.T) {
	var deployment appsv1.Deployment
	var set appsv1.StatefulSet
	var replicas appsv1.ReplicaSet
	var controller corev1.ReplicationController
	for field, object := range map[**int32]any{
		&deployment.Spec.Replicas: &deployment, &set.Spec.Replicas: &set,
		&replicas.Spec.Replicas: &replicas, &controller.Spec.Replicas: &controller,
	} {
		if workload.Of(object).Replicas != field {
			t.Errorf("%T: not its replicas", object)
		}
	}
}

func TestPodsOfJob(t *testing.T) {
	yes := true
	number := func(n int32) *int32 { return &n }
	for name, test := range map[string]struct {
		spec      batchv1.JobSpec
		succeeded int32
		want      int
	}{
		"by default":               {batchv1.JobSpec{}, 0, 1},
		"parallelism":              {batchv1.JobSpec{Parallelism: number(4)}, 9, 4},
		"few completions":          {batchv1.JobSpec{Parallelism: number(4), Completions: number(3)}, 0, 3},
		"few completions left":     {batchv1.JobSpec{Parallelism: number(4), Completions: number(5)}, 3, 2},
		"all have succeeded":       {batchv1.JobSpec{Parallelism: number(4), Completions: number(5)}, 6, 0},
		"suspended":                {batchv1.JobSpec{Parallelism: number(4), Suspend: &yes}, 0, 0},
		"not suspended":            {batchv1.JobSpec{Parallelism: number(4), Suspend: new(bool)}, 0, 4},
		"a number that is invalid": {batchv1.JobSpec{Parallelism: number(-4)}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Equal(t, workload.PodsOfJob(&test.spec, test.succeeded), test.want)
		})
	}
}

func TestIsNil(t *testing.T) {
	var none *corev1.Pod
	for _, test := range []struct {
		object any
		want   bool
	}{{nil, true}, {none, true}, {&corev1.Pod{}, false}, {corev1.Pod{}, false}} {
		testkit.Equal(t, workload.IsNil(test.object), test.want)
	}
}
