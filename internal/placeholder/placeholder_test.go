package placeholder_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placeholder"
)

func TestOf(t *testing.T) {
	const assistant = "affinity-assistant-0123456789"
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod)
		want   string // "" for no placeholder
	}{
		{"labels", func(*corev1.Pod) {}, "a"},
		{"no label of an instance", func(p *corev1.Pod) { delete(p.Labels, placeholder.InstanceLabel) }, assistant},
		{"no labels", func(p *corev1.Pod) { p.Labels = nil }, assistant},
		{"no labels, and another name", func(p *corev1.Pod) { p.Labels, p.Name = nil, "web-0" }, ""},
		{"letters", func(p *corev1.Pod) { p.Labels, p.Name = nil, "affinity-assistant-abcdef0123-0" }, "affinity-assistant-abcdef0123"},
		{"another ordinal", func(p *corev1.Pod) { p.Labels, p.Name = nil, assistant+"-1" }, ""},
		{"no ordinal", func(p *corev1.Pod) { p.Labels, p.Name = nil, assistant }, ""},
		{"a digit too few", func(p *corev1.Pod) { p.Labels, p.Name = nil, "affinity-assistant-012345678-0" }, ""},
		{"a digit too many", func(p *corev1.Pod) { p.Labels, p.Name = nil, "affinity-assistant-01234567890-0" }, ""},
		{"no digit", func(p *corev1.Pod) { p.Labels, p.Name = nil, "affinity-assistant-012345678g-0" }, ""},
		{"upper case", func(p *corev1.Pod) { p.Labels, p.Name = nil, "affinity-assistant-012345678F-0" }, ""},
		{"a longer name", func(p *corev1.Pod) { p.Labels, p.Name = nil, "x-"+assistant+"-0" }, ""},
		{"digits alone", func(p *corev1.Pod) { p.Labels, p.Name = nil, "0123456789-0" }, ""},
		{"another component", func(p *corev1.Pod) { p.Labels[placeholder.ComponentLabel] = "web" }, ""},
		{"no node", func(p *corev1.Pod) { p.Spec.NodeName = "" }, ""},
		{"has failed", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }, ""},
		{"has succeeded", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, ""},
		{"is being deleted", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }, "a"},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{NodeName: "n"}}
		pod.Name = assistant + "-0"
		pod.Labels = map[string]string{placeholder.ComponentLabel: placeholder.Component, placeholder.InstanceLabel: "a"}
		test.change(pod)
		if got, is := placeholder.Of(pod); is != (test.want != "") || is && got != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got, is, test.want)
		}
	}
}

func TestWaitsFor(t *testing.T) {
	term := func(component, instance string) corev1.PodAffinityTerm {
		return corev1.PodAffinityTerm{LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
			placeholder.ComponentLabel: component, placeholder.InstanceLabel: instance,
		}}}
	}
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod)
		want   []string
	}{
		{"waits", func(*corev1.Pod) {}, []string{"a", "b"}},
		{"has a node", func(p *corev1.Pod) { p.Spec.NodeName = "n" }, nil},
		{"has ended", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }, nil},
		{"is being deleted", func(p *corev1.Pod) { p.DeletionTimestamp = &metav1.Time{} }, nil},
		{"is gated", func(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} }, nil},
		{"no affinity", func(p *corev1.Pod) { p.Spec.Affinity = nil }, nil},
		{"affinity to nodes", func(p *corev1.Pod) { p.Spec.Affinity.PodAffinity = nil }, nil},
	} {
		pod := &corev1.Pod{Spec: corev1.PodSpec{Affinity: &corev1.Affinity{PodAffinity: &corev1.PodAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{}, term(placeholder.Component, "a"), term("web", "c"), term(placeholder.Component, ""), term(placeholder.Component, "b"),
			},
		}}}}
		test.change(pod)
		if got := placeholder.WaitsFor(pod); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDefaultRequests(t *testing.T) {
	requests := placeholder.DefaultRequests()
	if cpu, memory := requests.Cpu(), requests.Memory(); len(requests) != 2 || cpu.String() != "50m" || memory.String() != "100Mi" {
		t.Errorf("%v", requests)
	}
}
