package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// What keeps a pod from the next better class, as in Reason.Blocker.
const (
	noBlocker            = ""
	nothingSet           = "nothing set"
	nothingSetAtPodLevel = "nothing set at pod level"
	noLimit              = "no limit"
	noRequest            = "no request"
	requestNotLimit      = "request is not the limit"
)

// Reason is why a pod has its class, and not the next better one.
type Reason struct {
	Class corev1.PodQOSClass `json:"class,omitempty"`
	// Blocker is what keeps the pod from the next better class, and empty for a Guaranteed pod. Of
	// BestEffort pods, it is "nothing set": no container requests or limits cpu or memory above zero;
	// or "nothing set at pod level": spec.resources is set, so only pod-level resources count, but it
	// has no such amount. Of Burstable pods, it is "no limit", or one of zero; "no request", beside a
	// limit; or "request is not the limit".
	Blocker string `json:"blocker,omitempty"`
	// Ref and Resource are the first container, in the order of computeresources.Containers, and
	// its first resource, cpu before memory, that Blocker applies to. Ref is the pod if
	// spec.resources is set, or if nothing is set.
	Ref      computeresources.Ref `json:"ref,omitzero"`
	Resource corev1.ResourceName  `json:"resource,omitempty"`
	// Request and Limit are those of Ref for Resource; missing ones are zero.
	Request resource.Quantity `json:"request"`
	Limit   resource.Quantity `json:"limit"`
}

// String returns what keeps the pod from the better class, such as "container app has no
// cpu limit". The class is not repeated.
func (r Reason) String() string {
	switch r.Blocker {
	case nothingSet:
		return "no container requests or limits cpu or memory"
	case nothingSetAtPodLevel:
		return "spec.resources requests and limits neither cpu nor memory"
	case noLimit:
		return fmt.Sprintf("%v has no %s limit", r.Ref, r.Resource)
	case noRequest:
		return fmt.Sprintf("%v has a %s limit of %s, but no request", r.Ref, r.Resource, r.Limit.String())
	case requestNotLimit:
		return fmt.Sprintf("%v requests %s %s, but its limit is %s", r.Ref, r.Resource, r.Request.String(), r.Limit.String())
	case noBlocker:
		return "requests equal limits for cpu and memory"
	}
	return "unknown"
}

// Explain returns the class of a pod spec, as Class does, and what keeps the pod from the next
// better one: the first thing to change to get from BestEffort to Burstable, or from Burstable to
// Guaranteed. It only uses the spec: a running pod keeps the class in its status (PodClass) even if
// its spec now has another class. A nil spec is BestEffort, since nothing is set. The quantities of
// the result are its own. Of the gates, IgnorePodLevel counts.
func Explain(spec *corev1.PodSpec, gates computeresources.Gates) Reason {
	spec = counted(spec, gates)
	reason := Reason{Class: Class(spec, computeresources.Gates{})}
	switch reason.Class {
	case corev1.PodQOSGuaranteed:
		return reason
	case corev1.PodQOSBestEffort:
		reason.Blocker = nothingSet
		if spec != nil && spec.Resources != nil {
			reason.Blocker = nothingSetAtPodLevel
		}
		reason.Ref.Kind = computeresources.Pod
		return reason
	}
	for b := range blockers(spec) {
		reason.Blocker, reason.Ref, reason.Resource = b.blocker, b.ref, b.name
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
