package preemption

import (
	"fmt"

	v1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func getPodsToPreempt(pod *v1.Pod, pods []*v1.Pod, requirements admissionRequirementList) ([]*v1.Pod, error) {
	theirs, theirErr := upstreamGetPodsToPreempt(pod, append([]*v1.Pod{}, pods...), requirements)
	var short noderesources.Shortages
	for _, r := range requirements {
		short = append(short, noderesources.Shortage{Resource: r.resourceName, Requested: r.quantity})
	}
	var reported []*v1.Pod // with their allocated resources in the spec already
	for _, other := range pods {
		own := other.DeepCopy()
		own.Status = v1.PodStatus{QOSClass: other.Status.QOSClass}
		reported = append(reported, own)
	}
	in := beside.Keep("getPodsToPreempt", pod, reported)
	victims, err := noderesources.CriticalVictims(pod, short, reported, noderesources.KubeletOptions{Kubernetes: cluster.Kubernetes()})
	in.Unchanged()
	var ours []*v1.Pod
	for _, i := range victims {
		ours = append(ours, pods[i])
	}
	beside.Compare("getPodsToPreempt", ours, theirs)
	beside.Compare("getPodsToPreempt", fmt.Sprint(err), fmt.Sprint(theirErr))
	return ours, err
}
