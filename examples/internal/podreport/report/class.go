package report

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

// QoS is the class of a pod.
type QoS struct {
	Class  corev1.PodQOSClass `json:"class"`
	Reason string             `json:"reason"`
	// Advice is what has to change to make the pod Guaranteed, if anything.
	Advice []string `json:"advice,omitempty"`
}

// explain returns the class that the pod has. A live pod keeps the class that it was
// created with, even if its spec would now give another.
func explain(pod *corev1.Pod) QoS {
	reason := qos.Explain(&pod.Spec, computeresources.Gates{})
	q := QoS{Class: qos.PodClass(pod, computeresources.Gates{}), Reason: reason.String()}
	if q.Class != reason.Class {
		q.Reason = fmt.Sprintf("set when the pod was created; by its spec it would be %s: %v", reason.Class, reason)
		return q
	}
	changes, unset := qos.GuaranteedChanges(&pod.Spec, computeresources.Gates{})
	for _, change := range changes {
		q.Advice = append(q.Advice, change.String())
	}
	for _, u := range unset {
		q.Advice = append(q.Advice, u.String())
	}
	return q
}
