package qos

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// Blocker says what keeps a pod from the next better class.
type Blocker uint8

const (
	// Nothing keeps it: the pod is Guaranteed.
	Nothing Blocker = iota
	// NothingSet: no container requests or limits cpu or memory above zero.
	NothingSet
	// NothingSetAtPodLevel: spec.resources is set, and so decides alone, but neither
	// requests nor limits cpu or memory above zero.
	NothingSetAtPodLevel
	// NoLimit: a container has no limit, or one of zero.
	NoLimit
	// NoRequest: a container has a limit, but requests nothing.
	NoRequest
	// RequestNotLimit: a container requests something else than its limit.
	RequestNotLimit
)

// Reason is why a pod has its class, and not the next better one.
type Reason struct {
	Class corev1.PodQOSClass
	Blocker Blocker
	// Ref and Resource are the first container, in the order of
	// computeresources.Containers, and its first resource, cpu before memory, for
	// which Cause holds. Ref is the pod if the pod as a whole decides, or if
	// nothing is stated.
	Ref      computeresources.Ref
	Resource corev1.ResourceName
	// Request and Limit are what Ref states for Resource; absent ones are zero.
	Request, Limit resource.Quantity
}

// String returns what keeps the pod from the better class, such as "container app has no
// cpu limit". The class is not repeated.
func (r Reason) String() string {
	switch r.Blocker {
	case NothingSet:
		return "no container requests or limits cpu or memory"
	case NothingSetAtPodLevel:
		return "the pod as a whole requests and limits neither cpu nor memory"
	case NoLimit:
		return fmt.Sprintf("%v has no %s limit", r.Ref, r.Resource)
	case NoRequest:
		return fmt.Sprintf("%v has a %s limit of %s, but no request", r.Ref, r.Resource, r.Limit.String())
	case RequestNotLimit:
		return fmt.Sprintf("%v requests %s %s, but its limit is %s", r.Ref, r.Resource, r.Request.String(), r.Limit.String())
	case Nothing:
		return "requests equal limits for cpu and memory"
	}
	return "unknown"
}

// Explain returns the class of a pod spec, as Class does, and what keeps the pod from
// the next better one: the first thing to change on the way from BestEffort to
// Burstable, or from Burstable to Guaranteed. It is about the spec: a running pod keeps
// the class in its status (PodClass) even if its spec would by now give another. A nil
// spec is BestEffort, since nothing is stated. The quantities of the result are its own.
func Explain(spec *corev1.PodSpec) Reason {
	reason := Reason{Class: Class(spec)}
	switch reason.Class {
	case corev1.PodQOSGuaranteed:
		return reason
	case corev1.PodQOSBestEffort:
		reason.Blocker = NothingSet
		if spec != nil && spec.Resources != nil {
			reason.Blocker = NothingSetAtPodLevel
		}
		reason.Ref.Kind = computeresources.Pod
		return reason
	}
	for o := range obstacles(spec) {
		reason.Blocker, reason.Ref, reason.Resource = o.cause, o.ref, o.name
		reason.Request, reason.Limit = o.request.DeepCopy(), o.limit.DeepCopy()
		break
	}
	return reason
}
