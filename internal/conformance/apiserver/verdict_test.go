package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func refusal(reason metav1.StatusReason, message string, causes ...metav1.StatusCause) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Reason: reason, Message: message, Details: &metav1.StatusDetails{Causes: causes},
	}}
}

func TestServerVerdict(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want verdict
	}{
		{name: "stored", want: verdict{Outcome: stored}},
		{
			name: "invalid, with a cause given twice",
			err: refusal(metav1.StatusReasonInvalid, `Pod "p" is invalid: …`,
				metav1.StatusCause{Field: "spec.containers[1].name", Message: "Required value"},
				metav1.StatusCause{Field: "spec.containers[0].resources.requests", Message: `Invalid value: "2": must be less than or equal to cpu limit of 1`},
				metav1.StatusCause{Field: "spec.containers[1].name", Message: "Required value"}),
			want: verdict{Outcome: invalid, Messages: []string{
				`spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`, "spec.containers[1].name: Required value",
			}},
		},
		{
			name: "a quota",
			err:  refusal(metav1.StatusReasonForbidden, `pods "p" is forbidden: exceeded quota: q, requested: cpu=1,pods=1, used: cpu=2,pods=3, limited: cpu=2,pods=3`),
			want: verdict{Outcome: forbidden, Messages: []string{"exceeded quota: q, requested: cpu=1,pods=1, used: cpu=2,pods=3, limited: cpu=2,pods=3"}},
		},
		{
			name: "one message of the LimitRanger",
			err:  refusal(metav1.StatusReasonForbidden, `pods "p" is forbidden: minimum cpu usage per Container is 100m.  No request is specified`),
			want: verdict{Outcome: forbidden, Messages: []string{"minimum cpu usage per Container is 100m.  No request is specified"}},
		},
		{
			name: "all messages of the LimitRanger",
			err: refusal(metav1.StatusReasonForbidden, `pods "p" is forbidden: [minimum memory usage per Pod is 1Gi, but request is 1Mi, `+
				`example.com/gpu max limit to request ratio per Container is 2, but provided ratio is 3.000000, `+
				`maximum cpu usage per Container is 1.  No limit is specified, maximum cpu usage per Container is 1, but limit is 2]`),
			want: verdict{Outcome: forbidden, Messages: []string{
				"example.com/gpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
				"maximum cpu usage per Container is 1, but limit is 2",
				"maximum cpu usage per Container is 1.  No limit is specified",
				"minimum memory usage per Pod is 1Gi, but request is 1Mi",
			}},
		},
		{
			name: "something else",
			err:  refusal(metav1.StatusReasonConflict, "the object has been modified"),
			want: verdict{Outcome: failed, Messages: []string{"the object has been modified"}},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := serverVerdict(test.err)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(verdict{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := serverVerdict(errors.New("connection refused")); err == nil {
		t.Error("an error that is no answer is taken for one")
	}
}

func TestChooseSeesPlantedDifferences(t *testing.T) {
	server := func() verdict {
		return verdict{Outcome: stored, Pod: &podFacts{
			Parts:      map[string]corev1.ResourceRequirements{"container c": {Requests: list("cpu", "1500m")}},
			Annotation: "LimitRanger plugin set: cpu request for container c", QOSClass: corev1.PodQOSBurstable,
		}}
	}
	same := server()
	same.Pod.Parts["container c"] = corev1.ResourceRequirements{Requests: list("cpu", "1.5"), Limits: corev1.ResourceList{}}
	other := verdict{Outcome: forbidden, Messages: []string{"no"}}
	if _, diff := choose(server(), []verdict{other, same}); diff != "" {
		t.Errorf("amounts that are the same differ:\n%s", diff)
	}
	plant := map[string]func(*verdict){
		"outcome":    func(v *verdict) { v.Outcome = invalid },
		"message":    func(v *verdict) { v.Messages = []string{"no"} },
		"amount":     func(v *verdict) { v.Pod.Parts["container c"].Requests["cpu"] = list("cpu", "1501m")["cpu"] },
		"resource":   func(v *verdict) { v.Pod.Parts["container c"].Requests["memory"] = list("cpu", "0")["cpu"] },
		"container":  func(v *verdict) { v.Pod.Parts["container d"] = corev1.ResourceRequirements{} },
		"annotation": func(v *verdict) { v.Pod.Annotation += ", memory" },
		"class":      func(v *verdict) { v.Pod.QOSClass = corev1.PodQOSGuaranteed },
	}
	for name, change := range plant {
		ours := server()
		change(&ours)
		if _, diff := choose(server(), []verdict{ours, other}); diff == "" {
			t.Errorf("another %s is not seen", name)
		}
	}
}

func TestUsageDifference(t *testing.T) {
	quotas := func(pairs ...string) []*corev1.ResourceQuota {
		return []*corev1.ResourceQuota{{ObjectMeta: named("q"), Status: corev1.ResourceQuotaStatus{Used: list(pairs...)}}}
	}
	if diff := usageDifference(quotas("memory", "1.5Gi"), quotas("memory", "1536Mi")); diff != "" {
		t.Errorf("the same: %s", diff)
	}
	for _, other := range [][]*corev1.ResourceQuota{quotas("memory", "1537Mi"), quotas(), quotas("memory", "1536Mi", "pods", "0"), nil} {
		if usageDifference(quotas("memory", "1.5Gi"), other) == "" {
			t.Errorf("%v is not seen", usage(other))
		}
	}
}

func TestManifest(t *testing.T) {
	pod := minimalPod()
	pod.Kind, pod.UID, pod.Spec.SchedulerName = "Pod", "1", "default-scheduler"
	pod.Spec.Containers[0].ImagePullPolicy = corev1.PullAlways
	want := "# create\nkind: Pod\nmetadata:\n  name: probe\nspec:\n  containers:\n  - image: i\n    name: c\n    resources: {}\n"
	if diff := cmp.Diff(want, manifest("create", pod)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPrint(t *testing.T) {
	c := &comparison{tally: tally{}, difference: "-1\n+2", manifests: []string{"a: 1\n", "b: 2\n"}}
	c.tally.add("pods", stored, 2)
	c.tally.add("pods", invalid, 1)
	var out strings.Builder
	if err := c.print(&out); err != nil {
		t.Fatal(err)
	}
	want := "pods  3  1 invalid, 2 stored\n\nA difference, in these steps:\n\na: 1\n---\nb: 2\n\n-1\n+2\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := c.missing(); err == nil || !strings.Contains(err.Error(), "never seen: pods forbidden by quotas") || strings.Contains(err.Error(), "pods stored") {
		t.Errorf("missing: %v", err)
	}
}
