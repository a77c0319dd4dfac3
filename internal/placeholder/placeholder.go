// Package placeholder identifies the pods that keep the tasks of a run on one node, and the pods that
// wait for one of them.
package placeholder

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// The names that are documented in package affinity.
const (
	Component      = "affinity-assistant"
	ComponentLabel = "app.kubernetes.io/component"
	InstanceLabel  = "app.kubernetes.io/instance"
)

// digits is the length of the hexadecimal number in the name of a placeholder.
const digits = 10

// Of reports whether a pod is a placeholder that has a node and has not ended, and returns the name of
// its StatefulSet. The label of the component says what a pod is; a pod without that label is
// recognized by its name. A placeholder that is being deleted counts. The pod must not be nil.
func Of(pod *corev1.Pod) (assistant string, ok bool) {
	if pod.Spec.NodeName == "" || podwalk.HasEnded(pod) {
		return "", false
	}
	component, labeled := pod.Labels[ComponentLabel]
	byName := strings.TrimSuffix(pod.Name, "-0")
	if labeled {
		return cmp.Or(pod.Labels[InstanceLabel], byName), component == Component
	}
	hash := strings.TrimPrefix(byName, Component+"-")
	return byName, pod.Name == Component+"-"+hash+"-0" && isDigits(hash)
}

func isDigits(text string) bool {
	return len(text) == digits && strings.Trim(text, "0123456789abcdef") == ""
}

// WaitsFor returns the names of the placeholders on whose node a pod has to run and that it waits for.
// A pod does not wait if it has a node, has ended, is being deleted, or has scheduling gates. A gate is
// removed first, by the controller that has set it, such as Kueue. The pod must not be nil.
func WaitsFor(pod *corev1.Pod) (assistants []string) {
	if pod.Spec.NodeName != "" || podwalk.HasEnded(pod) || pod.DeletionTimestamp != nil ||
		len(pod.Spec.SchedulingGates) > 0 {
		return nil
	}
	a := pod.Spec.Affinity
	if a == nil || a.PodAffinity == nil {
		return nil
	}
	for _, term := range a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
		if term.LabelSelector == nil || term.LabelSelector.MatchLabels[ComponentLabel] != Component {
			continue
		}
		if name := term.LabelSelector.MatchLabels[InstanceLabel]; name != "" {
			assistants = append(assistants, name)
		}
	}
	return assistants
}

// DefaultRequests returns what a placeholder requests unless it is told otherwise, as in Tekton: 50m of
// cpu and 100Mi of memory.
func DefaultRequests() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(50, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(100<<20, resource.BinarySI),
	}
}
