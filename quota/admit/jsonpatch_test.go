package admit_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// The patch of the changes of a decision makes of a pod the one that is stored: the server has nothing more
// to set. That holds for the template of a workload, too.
func TestJSONPatchOfChangesIsStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Patched(t, drawnPod().Draw(t, "pod"), []byte("[]")) // as it is read
		ranges := rangeList().Draw(t, "ranges")
		namespace, err := admit.Compile(ranges, nil, options().Draw(t, "options"))
		testkit.OK(t, err)
		d := namespace.Create(pod, admit.Attributes{})
		patch, err := computeresources.JSONPatch(&pod.Spec, d.Changes, nil)
		testkit.OK(t, err)
		again := namespace.Create(testkit.Patched(t, pod, patch), admit.Attributes{})
		testkit.Equal(t, len(again.Changes), 0, "changes of the patched pod", string(patch))
		wantSpec(t, again.Object, &d.Object.(*corev1.Pod).Spec)

		deployment := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: pod.Spec}}}
		deployment.Namespace = "shop"
		first := namespace.Create(deployment, admit.Attributes{}).Pods.First
		patch, err = computeresources.JSONPatch(&deployment.Spec.Template.Spec, first.Changes, field.NewPath("spec", "template", "spec"))
		testkit.OK(t, err)
		next := namespace.Create(testkit.Patched(t, deployment, patch), admit.Attributes{}).Pods.First
		testkit.Equal(t, len(next.Changes), 0, "changes of the pods of the patched Deployment", string(patch))
		wantSpec(t, next.Object, &first.Object.(*corev1.Pod).Spec)
	})
}

// wantSpec checks that a pod has a spec, as it is written. A sum of different formats is written in another way than it is read, so
// that it is read twice.
func wantSpec(t *rapid.T, got admit.APIObject, want *corev1.PodSpec) {
	t.Helper()
	written := func(spec *corev1.PodSpec) string {
		return testkit.Fingerprint(testkit.WithNil(testkit.Patched(t, testkit.Patched(t, spec, []byte("[]")), []byte("[]"))))
	}
	testkit.Equal(t, written(&got.(*corev1.Pod).Spec), written(want), "the stored spec")
}
