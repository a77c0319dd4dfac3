package testkit

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
)

// NodePods draws the pods of a node with different UIDs: many of the same priority, request and name; few that have
// ended or are critical; and some with an emptyDir v with a size limit.
func NodePods(most int, quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[[]*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) []*corev1.Pod {
		var pods []*corev1.Pod
		for i := range rapid.IntRange(0, most).Draw(t, "pods") {
			pod := PodWith(quantities).Draw(t, "pod")
			Few(&pod.Spec)
			pod.UID = types.UID(fmt.Sprint(i))
			pod.Name = rapid.SampledFrom([]string{"p", "q"}).Draw(t, "name")
			if !flip(t, "any priority", 4) {
				pod.Annotations, pod.Spec.Priority = nil, pointer(rapid.SampledFrom([]int32{0, 0, -1, 1}).Draw(t, "priority"))
			}
			if flip(t, "end", 8) {
				pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
			}
			if flip(t, "volume", 4) {
				limit := quantities.Draw(t, "size limit")
				pod.Spec.Volumes = []corev1.Volume{{Name: "other"}, {Name: "v", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &limit}}}}
			}
			pods = append(pods, pod)
		}
		return pods
	})
}

// Use draws how much is used: few units, or any number of them.
func Use() *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Int64Range(0, 8), rapid.Int64Range(0, 8), rapid.Int64Range(0, 1<<37), rapid.Int64())
}

// Uses draws what the containers of a pod use, by name, and the volumes v and other. Some have no entry.
func Uses(pod *corev1.Pod) *rapid.Generator[map[string]int64] {
	return rapid.Custom(func(t *rapid.T) map[string]int64 {
		uses := map[string]int64{}
		for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers, {{Name: "v"}, {Name: "other"}}} {
			for i := range list {
				if !flip(t, "unknown", 4) {
					uses[list[i].Name] = Use().Draw(t, "use")
				}
			}
		}
		return uses
	})
}
