package taskrun

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/pipelinerun"
)

// livePod returns the pod of a TaskRun that has not ended, or nil.
func (in *input) livePod(name types.NamespacedName) *corev1.Pod {
	for _, pod := range in.live[name] {
		if !computeresources.HasEnded(pod) {
			return pod
		}
	}
	return nil
}

// stateOf says how far a run is that has begun, or "".
func (in *input) stateOf(name types.NamespacedName, status *pipelinerun.Status) string {
	ended, failed := status.Ended()
	pod := in.livePod(name)
	switch {
	case failed:
		return "has failed"
	case ended:
		return "is completed"
	case pod != nil:
		return "runs as pod " + pod.Name
	}
	return ""
}

// statusOf returns the status of a TaskRun, which is empty if it is not there.
func (in *input) statusOf(name types.NamespacedName) *pipelinerun.Status {
	for _, object := range in.Objects {
		if o, is := object.(*taskRun); is && o.Namespace == name.Namespace && o.Name == name.Name {
			return &o.Status
		}
	}
	return &pipelinerun.Status{}
}

// ofTaskRun returns the name of the TaskRun that a pod belongs to, or "".
func ofTaskRun(pod *corev1.Pod) string {
	if owner := metav1.GetControllerOfNoCopy(pod); owner != nil && owner.Kind == "TaskRun" {
		return owner.Name
	}
	return pod.Labels["tekton.dev/taskRun"]
}
