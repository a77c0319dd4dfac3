package computeresources

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ResizeCause is the reason why the API server refuses to resize a pod in place. Constants begin with Resize. The zero
// value is unspecified.
type ResizeCause string

const (
	ResizeInvalid                 ResizeCause = "Invalid"           // the new amounts are invalid
	ResizeOfStaticPod             ResizeCause = "StaticPod"         // the pod is a mirror pod
	ResizeOfWindowsPod            ResizeCause = "WindowsPod"        // the pod is a Windows pod
	ResizeChangesClass            ResizeCause = "ChangesClass"      // the QoS class would change
	ResizeUnsupportedByNode       ResizeCause = "UnsupportedByNode" // the status lacks resources of containers
	ResizePodLevelDisabled        ResizeCause = "PodLevelDisabled"  // the cluster resizes no pod-level resources
	ResizeOfPodLevel              ResizeCause = "PodLevel"          // no cluster of the release resizes them
	ResizeRemovesPodLevel         ResizeCause = "RemovesPodLevel"   // spec.resources was removed
	ResizeRemovesAmount           ResizeCause = "RemovesAmount"     // a request or limit was removed
	ResizeLowersMemoryLimit       ResizeCause = "LowersMemoryLimit" // without a restart, in 1.33
	ResizeAddsMemoryLimit         ResizeCause = "AddsMemoryLimit"   // without a restart, in 1.33
	ResizeOfOtherThanCompute      ResizeCause = "OtherThanCompute"  // policies and claims, too
	ResizeOfSidecar               ResizeCause = "Sidecar"           // the same of a sidecar, up to 1.35
	ResizeWithNodeClaims          ResizeCause = "NodeClaims"        // the pod claims node-allocatable resources
	ResizeAddsOrRemovesContainers ResizeCause = "AddsOrRemovesContainers"
	ResizeRenamesContainer        ResizeCause = "RenamesContainer"      // or reorders containers
	ResizeOfInitContainer         ResizeCause = "InitContainer"         // the cluster cannot resize init containers
	ResizeRestartsInitContainer   ResizeCause = "RestartsInitContainer" // by its resize policy

	// Those of ValidateResizeOnNode.

	ResizeNodeLacksFeatures ResizeCause = "NodeLacksFeatures" // the node does not declare features that the resize needs
	ResizeNodeIsNotLinux    ResizeCause = "NodeIsNotLinux"    // the node does not run Linux
	ResizeNodeIsTooSmall    ResizeCause = "NodeIsTooSmall"    // the pod would request more than the node has allocatable
)

// ResizeProblem is one reason why the API server refuses to resize a pod in place, because of the pod
// (ValidateResize) or of its node (ValidateResizeOnNode).
type ResizeProblem struct {
	// Ref is the container, or the pod for pod-level resources. It is zero if the problem concerns
	// something else of the pod. For ResizeAddsOrRemovesContainers, it refers to a list of
	// containers: it has no name, and the kind App, or Init for init containers and sidecars.
	Ref Ref `json:"ref,omitzero"`
	// List and Resource are the amount for ResizeInvalid and for a memory limit, and the first removed
	// amount of a list for ResizeRemovesAmount, since the server returns one error for each list. For
	// ResizeRestartsInitContainer, Resource is that of the resize policy.
	List     List                `json:"list,omitzero"`
	Resource corev1.ResourceName `json:"resource,omitempty"`
	Cause    ResizeCause         `json:"cause"`
	// Invalid is what is wrong with the new amounts for ResizeInvalid, and nil otherwise.
	Invalid *InvalidResource `json:"invalid,omitempty"`
	// ClassBefore and ClassAfter are the QoS classes for ResizeChangesClass, and ClassInStatus is that of the status
	// of the pod, which the message has; it may be empty.
	ClassBefore   corev1.PodQOSClass `json:"classBefore,omitempty"`
	ClassAfter    corev1.PodQOSClass `json:"classAfter,omitempty"`
	ClassInStatus corev1.PodQOSClass `json:"classInStatus,omitempty"`

	// Node is the name of the node, for the causes that begin with ResizeNode.
	Node string `json:"node,omitempty"`
	// Features are those that the node does not declare, sorted, for ResizeNodeLacksFeatures.
	Features []string `json:"features,omitempty"`
	// OS is the value of the label kubernetes.io/os, for ResizeNodeIsNotLinux.
	OS string `json:"os,omitempty"`
	// Requested are the new requests of the pod, and Allocatable the amounts of the node, of the
	// resources that the node has too little of, for ResizeNodeIsTooSmall.
	Requested   corev1.ResourceList `json:"requested,omitempty"`
	Allocatable corev1.ResourceList `json:"allocatable,omitempty"`
}

// Error returns the message of the API server: `spec: Invalid value: "Burstable": Pod QOS Class may
// not change as a result of resizing`. About a node, it has no field and no name of the pod: "node
// didn't have enough allocatable resources: cpu, requested: 5000, allocatable: 4000". CPU is in
// milli-units there, memory in bytes, rounded up, and at most math.MaxInt64.
func (p *ResizeProblem) Error() string {
	if p == nil {
		return "<nil>"
	}
	err := p.Field(nil)
	if p.Cause == ResizeNodeLacksFeatures || p.Cause == ResizeNodeIsNotLinux || p.Cause == ResizeNodeIsTooSmall {
		return err.Detail
	}
	return err.Error()
}

// Field returns the error of the API server, word for word; about a node, its message, as Forbidden at
// the pod spec. Path is that of the pod spec; nil is
// spec, where a Pod has it. The errors about static pods, pods of Windows and clusters that cannot
// resize pod-level resources have an empty path, as on the server. The result shares nothing with
// p.
func (p *ResizeProblem) Field(path *field.Path) *field.Error {
	if p == nil {
		return nil
	}
	if path == nil {
		path = field.NewPath("spec")
	}
	switch p.Cause {
	case ResizeInvalid:
		if p.Invalid != nil {
			return p.Invalid.Field(path)
		}
	case ResizeOfStaticPod:
		return field.Forbidden(field.NewPath(""), "static pods cannot be resized")
	case ResizeOfWindowsPod:
		return field.Forbidden(field.NewPath(""), "windows pods cannot be resized")
	case ResizeChangesClass:
		return field.Invalid(path, p.ClassInStatus, "Pod QOS Class may not change as a result of resizing")
	case ResizeUnsupportedByNode:
		return field.Forbidden(path, "Pod running on node without support for resize")
	case ResizePodLevelDisabled:
		return field.Forbidden(field.NewPath(""), "resize of pods with pod-level resources is forbidden when "+
			"InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled")
	case ResizeOfPodLevel:
		return field.Forbidden(field.NewPath(""), "pods with pod-level resources cannot be resized")
	case ResizeLowersMemoryLimit, ResizeAddsMemoryLimit:
		return p.memoryLimit(path)
	case ResizeOfSidecar:
		return field.Forbidden(path, "only cpu and memory resources for sidecar containers are mutable")
	case ResizeRemovesPodLevel:
		return field.Forbidden(path.Child("resources"), "pod-level resources cannot be removed")
	case ResizeRemovesAmount:
		return p.removesAmount(path)
	case ResizeOfOtherThanCompute:
		return p.otherThanCompute(path)
	case ResizeWithNodeClaims:
		return field.Forbidden(path, "pods with node allocatable resource claims cannot be resized")
	case ResizeAddsOrRemovesContainers:
		list := p.Ref.Kind.list()
		return field.Forbidden(path.Child(list), list+" may not be added or removed on resize")
	case ResizeRenamesContainer:
		return field.Forbidden(p.Ref.Path(path).Child("name"), p.Ref.Kind.list()+" may not be renamed or reordered on resize")
	case ResizeOfInitContainer:
		return field.Forbidden(path, "resources for non-sidecar init containers are immutable")
	case ResizeRestartsInitContainer:
		return field.Forbidden(p.Ref.Path(path),
			"non-sidecar init containers with a resize policy of RestartContainer cannot be resized")
	case ResizeNodeLacksFeatures:
		return field.Forbidden(path, fmt.Sprintf("pod update requires features %s which are not available on node %q",
			strings.Join(p.Features, ", "), p.Node))
	case ResizeNodeIsNotLinux:
		return field.Forbidden(path, fmt.Sprintf("pod resize is only supported on linux nodes, node %q is %q", p.Node, p.OS))
	case ResizeNodeIsTooSmall:
		return field.Forbidden(path, "node didn't have enough allocatable resources: "+p.shortOf())
	}
	return field.Forbidden(path, string(p.Cause))
}

// shortOf returns what the node has too little of.
func (p *ResizeProblem) shortOf() string {
	var short []string
	if q, ok := p.Requested[corev1.ResourceCPU]; ok {
		short = append(short,
			fmt.Sprintf("cpu, requested: %d, allocatable: %d",
				quantity.Integer(q, resource.Milli), quantity.Integer(*p.Allocatable.Cpu(), resource.Milli)))
	}
	if q, ok := p.Requested[corev1.ResourceMemory]; ok {
		short = append(short,
			fmt.Sprintf("memory, requested: %d, allocatable: %d",
				quantity.Integer(q, 0), quantity.Integer(*p.Allocatable.Memory(), 0)))
	}
	return strings.Join(short, "; ")
}

// removesAmount returns the error about a list from which an amount was removed.
func (p *ResizeProblem) removesAmount(path *field.Path) *field.Error {
	level := "resource"
	if p.Ref.Kind == Pod {
		level = "pod-level resource"
	}
	list := p.List.String() + "s"
	return field.Forbidden(p.Ref.Path(path).Child("resources", list), level+" "+list+" cannot be removed")
}

// memoryLimit returns the error about a limit that is lowered or added without a restart.
func (p *ResizeProblem) memoryLimit(path *field.Path) *field.Error {
	verb := "decreased"
	if p.Cause == ResizeAddsMemoryLimit {
		verb = "added"
	}
	return field.Forbidden(p.Ref.Path(path).Child("resources", "limits").Key(string(corev1.ResourceMemory)),
		"memory limits cannot be "+verb+" unless resizePolicy is RestartContainer")
}

// otherThanCompute returns the error about what can never change.
func (p *ResizeProblem) otherThanCompute(path *field.Path) *field.Error {
	switch {
	case p.Ref.Kind == Pod:
		return field.Forbidden(path, "only cpu and memory resources are mutable at pod-level")
	case p.Ref.Kind.list() == initList:
		return field.Forbidden(p.Ref.Path(path), "only cpu and memory resources for init or sidecar containers are mutable")
	}
	return field.Forbidden(path, "only cpu and memory resources are mutable")
}
