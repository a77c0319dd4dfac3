package computeresources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContainerByID(t *testing.T) {
	status := func(name, id string) corev1.ContainerStatus {
		return corev1.ContainerStatus{Name: name, ContainerID: id}
	}
	ended := func(id string) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ContainerID: id}}
	}
	pod := &corev1.Pod{Spec: corev1.PodSpec{
		InitContainers: []corev1.Container{container("setup", nil, nil), sidecar("proxy", nil, nil)},
		Containers:     []corev1.Container{container("app", nil, nil), container("log", nil, nil), container("setup", nil, nil), container("waits", nil, nil), container("starts", nil, nil)},
	}}
	pod.Status.InitContainerStatuses = []corev1.ContainerStatus{status("setup", "containerd://1a"), status("proxy", "cri-o://1b"), status("app", "containerd://1c")}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{status("log", "containerd://2a"), status("app", "containerd://2b"), status("setup", "2c"), status("waits", ""), status("starts", "containerd://")}
	pod.Status.ContainerStatuses[0].LastTerminationState = ended("containerd://2d")
	pod.Status.ContainerStatuses[1].State = ended("containerd://2e")
	pod.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{status("shell", "containerd://3a")}
	for _, test := range []struct {
		name, id string
		want     computeresources.Ref
		found    bool
	}{
		{"an init container", "containerd://1a", computeresources.Ref{Kind: computeresources.Init, Index: 0, Name: "setup"}, true},
		{"a sidecar", "cri-o://1b", computeresources.Ref{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}, true},
		{"an app container", "containerd://2b", computeresources.Ref{Kind: computeresources.App, Index: 0, Name: "app"}, true},
		{"without the runtime", "2a", computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "log"}, true},
		{"without a runtime in the status", "2c", computeresources.Ref{Kind: computeresources.App, Index: 2, Name: "setup"}, true},
		{"before the last restart", "containerd://2d", computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "log"}, true},
		{"ended", "2e", computeresources.Ref{Kind: computeresources.App, Index: 0, Name: "app"}, true},
		{"an ephemeral container", "containerd://3a", computeresources.Ref{Name: "shell"}, true},
		{"another runtime", "docker://2a", computeresources.Ref{}, false},
		{"a runtime that the status does not name", "docker://2c", computeresources.Ref{}, false},
		{"a status without its container", "containerd://1c", computeresources.Ref{}, false},
		{"the beginning of an ID", "containerd://2", computeresources.Ref{}, false},
		{"the beginning of an ID without the runtime", "2", computeresources.Ref{}, false},
		{"unknown", "9a", computeresources.Ref{}, false},
		{"nothing but the runtime", "containerd://", computeresources.Ref{}, false},
		{"empty", "", computeresources.Ref{}, false},
	} {
		ref, found := computeresources.ContainerByID(pod, test.id)
		testkit.Equal(t, ref, test.want, test.name)
		testkit.Equal(t, found, test.found, test.name)
	}
	if ref, found := computeresources.ContainerByID(nil, "1a"); found || ref != (computeresources.Ref{}) {
		t.Errorf("%v of a nil pod", ref)
	}
}

func TestContainerByIDDoesNotAllocate(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", nil, nil)}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", ContainerID: "containerd://1a"}}
	if n := testing.AllocsPerRun(100, func() { computeresources.ContainerByID(pod, "1a") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// Each container is found by the ID in its status, in either form.
func TestContainerByIDFindsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		pod.Status = corev1.PodStatus{}
		ids, names := map[string]computeresources.Ref{}, map[string]bool{}
		for ref, c := range computeresources.Containers(&pod.Spec) {
			c.Name = fmt.Sprint("c", len(names))
			ref.Name, names[c.Name] = c.Name, true
			statuses := &pod.Status.InitContainerStatuses
			if len(ids) >= len(pod.Spec.InitContainers) { // app containers come last
				statuses = &pod.Status.ContainerStatuses
			}
			id := fmt.Sprintf("%03d", len(ids))
			ids[id] = ref
			*statuses = append(*statuses, corev1.ContainerStatus{Name: c.Name, ContainerID: "containerd://" + id})
		}
		for id, want := range ids {
			for _, text := range []string{id, "containerd://" + id} {
				ref, found := computeresources.ContainerByID(pod, text)
				testkit.Equal(t, ref, want, text)
				testkit.Equal(t, found, true, text)
			}
		}
		testkit.Contract(t, func() any {
			ref, found := computeresources.ContainerByID(pod, "000")
			return []any{ref, found}
		}, pod)
	})
}
