package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

func TestAnswerOf(t *testing.T) {
	refusal := &apierrors.StatusError{ErrStatus: metav1.Status{Code: 403, Reason: metav1.StatusReasonForbidden, Message: `pods "p" is forbidden: no`}}
	got, err := answerOf(refusal, nil)
	if want := (answer{Code: 403, Reason: "Forbidden", Message: `pods "p" is forbidden: no`}); err != nil || got != want || got.isStored() {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := answerOf(nil, minimalPod()); err != nil || !got.isStored() {
		t.Errorf("stored: %+v, %v", got, err)
	}
	if _, err := answerOf(errors.New("connection refused"), nil); err == nil {
		t.Error("an error that is no answer is taken for one")
	}
}

func storedAnswer() answer {
	pod := minimalPod()
	pod.Annotations = map[string]string{limitrange.AnnotationKey: "LimitRanger plugin set: cpu request for container c"}
	pod.Spec.Containers[0].Resources.Requests = list("cpu", "1500m")
	pod.Status.QOSClass = corev1.PodQOSBurstable
	return answer{Code: 200, Stored: facts(pod)}
}

func TestDifference(t *testing.T) {
	same := storedAnswer()
	same.Stored.(podFacts).Parts["container c"] = corev1.ResourceRequirements{Requests: list("cpu", "1.5"), Limits: corev1.ResourceList{}}
	testkit.Equal(t, difference(storedAnswer(), same), "", "amounts that are the same differ")
	plant := map[string]func(*answer, *podFacts){
		"code":       func(a *answer, _ *podFacts) { a.Code = 201 },
		"reason":     func(a *answer, _ *podFacts) { a.Reason = "Conflict" },
		"message":    func(a *answer, _ *podFacts) { a.Message = "no" },
		"amount":     func(_ *answer, f *podFacts) { f.Parts["container c"].Requests["cpu"] = list("cpu", "1501m")["cpu"] },
		"resource":   func(_ *answer, f *podFacts) { f.Parts["container c"].Requests["memory"] = list("cpu", "0")["cpu"] },
		"container":  func(_ *answer, f *podFacts) { f.Parts["container d"] = corev1.ResourceRequirements{} },
		"annotation": func(_ *answer, f *podFacts) { f.Annotation += ", memory" },
		"class":      func(_ *answer, f *podFacts) { f.QOSClass = corev1.PodQOSGuaranteed },
	}
	for name, change := range plant {
		ours := storedAnswer()
		f := ours.Stored.(podFacts)
		change(&ours, &f)
		ours.Stored = f
		if difference(storedAnswer(), ours) == "" {
			t.Errorf("another %s is not seen", name)
		}
	}
}

// Of claims and workloads, the amounts are compared.
func TestFacts(t *testing.T) {
	claim, deployment := &corev1.PersistentVolumeClaim{}, &appsv1.Deployment{}
	before := []any{facts(claim), facts(deployment)}
	claim.Spec.Resources.Requests = list("storage", "1Gi")
	deployment.Spec.Template.Spec = minimalPod().Spec
	for i, after := range []any{facts(claim), facts(deployment)} {
		if cmp.Equal(before[i], after) {
			t.Errorf("%T: amounts are not seen", after)
		}
	}
}

func TestByParts(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"a map in two orders", `pods "p" is forbidden: [no x, no y]`, `pods "p" is forbidden: [no y, no x]`, true},
		{"another part", `pods "p" is forbidden: [no x, no y]`, `pods "p" is forbidden: [no x, no z]`, false},
		{"a part twice", `pods "p" is forbidden: [no x, no y]`, `pods "p" is forbidden: [no x, no y, no y]`, false},
		{"another object", `pods "p" is forbidden: [no x, no y]`, `pods "q" is forbidden: [no y, no x]`, false},
		{"one message with commas", `used: x=1,y=2`, `used: y=2,x=1`, false},
	}
	for _, test := range tests {
		a, b := byParts(answer{Message: test.a}), byParts(answer{Message: test.b})
		if same := a == b; same != test.same {
			t.Errorf("%s: same is %v\n%s\n%s", test.name, same, a.Message, b.Message)
		}
	}
}

func TestUsageDifference(t *testing.T) {
	quotas := func(pairs ...string) []*corev1.ResourceQuota {
		return []*corev1.ResourceQuota{{ObjectMeta: named("q"), Status: corev1.ResourceQuotaStatus{Used: list(pairs...)}}}
	}
	testkit.Equal(t, usageDifference(quotas("memory", "1.5Gi"), quotas("memory", "1536Mi")), "", "the same")
	for _, other := range [][]*corev1.ResourceQuota{quotas("memory", "1537Mi"), quotas(), quotas("memory", "1536Mi", "pods", "0"), nil} {
		if usageDifference(quotas("memory", "1.5Gi"), other) == "" {
			t.Errorf("%v is not seen", usage(other))
		}
	}
}

func TestPrint(t *testing.T) {
	c := &comparison{tally: tally{}, difference: "-1\n+2", manifests: []string{"a: 1\n", "b: 2\n"}}
	c.tally.add("pods", stored, 2)
	c.tally.add("pods", invalid, 1)
	var out strings.Builder
	testkit.OK(t, c.print(&out))
	want := "pods  3  1 invalid, 2 stored\n\nA difference, in these steps:\n\na: 1\n---\nb: 2\n\n-1\n+2\n"
	testkit.NoDiff(t, out.String(), want)
	if err := c.missing(); err == nil || !strings.Contains(err.Error(), "never seen: pods forbidden by quotas") || strings.Contains(err.Error(), "pods stored") {
		t.Errorf("missing: %v", err)
	}
}
