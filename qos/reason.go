package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// Reason is why a pod has its class, and not the next better one: what has to change first. String says it in words.
type Reason struct {
	Class corev1.PodQOSClass `json:"class,omitempty"`
	// Ref and Resource are the first container of a Burstable pod, in the order of computeresources.Containers, and
	// its first resource, cpu before memory, that keeps the pod from being Guaranteed. Ref is the pod if
	// spec.resources decides, also of a BestEffort pod, of which it has no request or limit of cpu or memory above
	// zero. Both are empty for any other BestEffort pod, of which no container has any, and for a Guaranteed pod.
	Ref      computeresources.Ref `json:"ref,omitzero"`
	Resource corev1.ResourceName  `json:"resource,omitempty"`
	// Request and Limit are those of Ref for Resource; missing ones are zero. A Burstable pod lacks the limit if that
	// is zero, and else the request if that is zero; otherwise, they are not equal.
	Request resource.Quantity `json:"request"`
	Limit   resource.Quantity `json:"limit"`
}

// String returns what keeps the pod from the better class, such as "container app has no
// cpu limit". The class is not repeated.
func (r Reason) String() string {
	switch r.Class {
	case corev1.PodQOSGuaranteed:
		return "requests equal limits for cpu and memory"
	case corev1.PodQOSBestEffort:
		if r.Ref.Kind == computeresources.Pod {
			return "spec.resources requests and limits neither cpu nor memory"
		}
		return "no container requests or limits cpu or memory"
	case corev1.PodQOSBurstable:
		return r.burstable()
	}
	return "unknown"
}

// burstable returns why a pod is not Guaranteed.
func (r Reason) burstable() string {
	switch {
	case !positive(&r.Limit):
		return fmt.Sprintf("%v has no %s limit", r.Ref, r.Resource)
	case !positive(&r.Request):
		return fmt.Sprintf("%v has a %s limit of %s, but no request", r.Ref, r.Resource, r.Limit.String())
	}
	return fmt.Sprintf("%v requests %s %s, but its limit is %s", r.Ref, r.Resource, r.Request.String(), r.Limit.String())
}

// Explain returns the class of a pod spec, as Class does, and what keeps the pod from the next
// better one: the first thing to change to get from BestEffort to Burstable, or from Burstable to
// Guaranteed. It only uses the spec: a running pod keeps the class in its status (PodClass) even if
// its spec now has another class. A nil spec is BestEffort, since nothing is set. The quantities of
// the result are its own. Of the gates, those of Class count.
func Explain(spec *corev1.PodSpec, kubernetes computeresources.Kubernetes) Reason {
	reason := Reason{Class: Class(spec, kubernetes)}
	switch reason.Class {
	case corev1.PodQOSGuaranteed:
		return reason
	case corev1.PodQOSBestEffort:
		if podwalk.PodLevelDecides(spec, release.Rules(kubernetes)) {
			reason.Ref.Kind = computeresources.Pod
		}
		return reason
	}
	for b := range blockers(spec, release.Rules(kubernetes)) {
		reason.Ref, reason.Resource = b.ref, b.name
		if b.request != nil {
			reason.Request = b.request.DeepCopy()
		}
		if b.limit != nil {
			reason.Limit = b.limit.DeepCopy()
		}
		break
	}
	return reason
}
