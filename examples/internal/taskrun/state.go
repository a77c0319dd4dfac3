package taskrun

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/inventory"
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
	if pod := in.livePod(name); status.State() == "" && pod != nil {
		return "runs as pod " + pod.Name
	}
	return status.State()
}

// statusOf returns the status of a TaskRun, which is empty if it is not there.
func (in *input) statusOf(name types.NamespacedName) *pipelinerun.Status {
	for _, o := range inventory.In[*taskRun](&in.List, name.Namespace) {
		if o.Name == name.Name {
			return &o.Status
		}
	}
	return &pipelinerun.Status{}
}
