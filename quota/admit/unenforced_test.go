package admit_test

import (
	"math"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// A quota whose status has no limits yet refuses nothing, and every answer says which limits those are.
func TestUnenforced(t *testing.T) {
	fresh := resourceQuota("fresh", list("requests.cpu", "500m"), nil)
	fresh.Status.Hard = nil
	partly := resourceQuota("partly", list("pods", "3", "requests.cpu", "1"), list("pods", "1"))
	partly.Status.Hard = list("pods", "3")
	quotas := []*corev1.ResourceQuota{partly, fresh}
	namespace := compile(t, nil, quotas, admit.Options{})
	want := func() computeresources.Problems[*quota.Failure] {
		of := func(name string) *quota.Failure {
			source := computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: name, Field: "status.hard"}
			return &quota.Failure{Cause: quota.StatusUnknown, Source: source, Resources: []corev1.ResourceName{"requests.cpu"}}
		}
		return computeresources.Problems[*quota.Failure]{of("fresh"), of("partly")}
	}
	check := func(name string, got computeresources.Problems[*quota.Failure]) {
		t.Helper()
		testkit.NoDiff(t, got, want(), name)
	}
	object := pod(testkit.Container("app", list("cpu", "1"), nil))
	d := namespace.Create(object, admit.Attributes{})
	if err := d.Err(); err != nil || !d.Admitted() {
		t.Errorf("create: %v", err)
	}
	check("create", d.Unenforced)
	used := map[string]corev1.ResourceList{}
	for _, q := range namespace.After(d).Quotas() {
		used[q.Name] = q.Status.Used
	}
	testkit.NoDiff(t, used, map[string]corev1.ResourceList{"fresh": nil, "partly": list("pods", "2")}, "used")

	larger := stored(pod(testkit.Container("app", list("cpu", "2"), nil)))
	resize := namespace.Update(stored(object.DeepCopy()), larger, admit.Attributes{Subresource: "resize"})
	if err := resize.Err(); err != nil {
		t.Errorf("resize: %v", err)
	}
	check("resize", resize.Unenforced)

	fit := namespace.Replicas([]admit.APIObject{object}, admit.Attributes{})
	if fit.Replicas != 2 || answerOf(t, fit.Err()).Message != `pods "web" is forbidden: exceeded quota: partly, requested: pods=1, used: pods=3, limited: pods=3` {
		t.Errorf("%d replicas, then %v", fit.Replicas, fit.Err())
	}
	check("replicas", fit.Unenforced)
	check("groups", namespace.Replicas([]admit.APIObject{object, storage("data", "1Gi")}, admit.Attributes{}).Unenforced)
	if fit := compile(t, nil, quotas[1:], admit.Options{}).Replicas([]admit.APIObject{object}, admit.Attributes{}); fit.Replicas != math.MaxInt64 || !fit.Unbounded || len(fit.Unenforced) != 1 {
		t.Errorf("a quota without a status allows %d, %v", fit.Replicas, fit.Unenforced)
	}

	deployment := &appsv1.Deployment{ObjectMeta: named("web"), Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: object.Spec}}}
	workload := namespace.Create(deployment, admit.Attributes{})
	if len(workload.Unenforced) > 0 {
		t.Errorf("the deployment itself: %v", workload.Unenforced)
	}
	check("pods of a deployment", workload.Pods.First.Unenforced)
	check("replicas of a deployment", workload.Pods.Fit.Unenforced)

	negative := pod(testkit.Container("app", list("cpu", "-1"), nil))
	refused := namespace.Replicas([]admit.APIObject{negative}, admit.Attributes{})
	refused.Unenforced[0].Resources[0] = "changed"
	again := namespace.Create(negative, admit.Attributes{})
	if again.Err() == nil {
		t.Error("a negative request is admitted")
	}
	check("an invalid pod", again.Unenforced)
}
