package replay_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// quotaAdmission is a row of pods that were created, in turn, in a namespace with
// ResourceQuotas, and what each quota had in use afterwards.
type quotaAdmission struct {
	Name   string
	Quotas []*corev1.ResourceQuota
	Steps  []struct {
		Pod      corev1.Pod
		Outcome  string
		Messages []string
		Used     map[string]corev1.ResourceList
	}
}

// replayQuotaAdmission compares outcome, message and all usage after each step. The server
// stops at the first quota that fails: its message has to be among ours.
func replayQuotaAdmission(t *testing.T, raw json.RawMessage) bool {
	var c quotaAdmission
	decode(t, raw, &c)
	quotas := c.Quotas
	for _, step := range c.Steps {
		recorded := computeresources.Kubernetes{Release: "1.36"} // the release of the server
		computeresources.ApplyRequestDefaults(&step.Pod.Spec, recorded)
		assessment := quota.Admit(quota.Object{}, quota.Pod(&step.Pod, time.Time{}, quota.PodOptions{Kubernetes: recorded}), quotas, quota.AdmitOptions{})
		var messages []string
		for _, f := range assessment.Failures {
			messages = append(messages, f.Error())
		}
		admitted := len(assessment.Failures) == 0
		switch {
		case admitted != (step.Outcome == "admitted"):
			t.Fatalf("%s: %s: %q, the server says %s %q", c.Name, step.Pod.Name, messages, step.Outcome, step.Messages)
		case admitted:
			quotas = assessment.After(quotas, 1)
		}
		for _, want := range step.Messages {
			if !slices.Contains(messages, want) {
				t.Errorf("%s: %s: the server says %q, and not %q", c.Name, step.Pod.Name, want, messages)
			}
		}
		used := map[string]corev1.ResourceList{}
		for _, q := range quotas {
			used[q.Name] = q.Status.Used
		}
		testkit.NoDiff(t, used, step.Used, c.Name, "in use after", step.Pod.Name)
	}
	return len(c.Steps) > 0
}
