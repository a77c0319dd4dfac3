package quota_test

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func TestUnspecified(t *testing.T) {
	everything := []corev1.ResourceName{
		"requests.memory", "limits.memory", "memory", "cpu", "requests.cpu", "limits.cpu", "cpu",
		"ephemeral-storage", "limits.ephemeral-storage", "pods", "hugepages-2Mi", "requests.example.com/gpu",
	}
	complete := list("cpu", "0", "memory", "0")
	for _, test := range []struct {
		name  string
		spec  corev1.PodSpec
		names []corev1.ResourceName
		want  []string
	}{
		{"nothing set", corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}}, everything, []string{
			"cpu for: a", "limits.cpu for: a", "limits.memory for: a", "memory for: a", "requests.cpu for: a", "requests.memory for: a",
		}},
		{"containers by name, each once", corev1.PodSpec{
			Containers:     []corev1.Container{container("z", nil, nil), container("b", list("cpu", "1"), nil), container("same", nil, nil)},
			InitContainers: []corev1.Container{container("a", nil, nil), sidecar("same", nil, nil)},
		}, []corev1.ResourceName{"cpu"}, []string{"cpu for: a,same,z"}},
		{"empty pod-level resources", corev1.PodSpec{
			Containers: []corev1.Container{container("a", nil, nil)},
			Resources:  &corev1.ResourceRequirements{Requests: list("ephemeral-storage", "1Gi")},
		}, []corev1.ResourceName{"cpu"}, []string{"cpu for: a"}},
		{"one resource at pod level", corev1.PodSpec{
			Containers: []corev1.Container{container("a", nil, nil)},
			Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1")},
		}, everything, nil}, // it lifts the requirement for all of them
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, u := range quota.Pod(&corev1.Pod{Spec: test.spec}, time.Time{}, quota.PodOptions{}).MissingRequired(test.names) {
				got = append(got, string(u.Resource)+" for: "+strings.Join(u.Containers, ","))
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
	whole := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}, Resources: &corev1.ResourceRequirements{Requests: complete}}}
	if got := quota.Pod(whole, time.Time{}, quota.PodOptions{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}).MissingRequired([]corev1.ResourceName{"cpu"}); len(got) != 1 {
		t.Errorf("without pod-level resources: %v", got)
	}
	if got := quota.Service(&corev1.Service{}).MissingRequired(everything); got != nil {
		t.Errorf("service: %v", got)
	}
}
