package computeresources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
)

// The features that a node has to declare for a resize that needs them, sorted.
const (
	podLevelResizeFeature      = "InPlacePodLevelResourcesVerticalScaling"
	initContainerResizeFeature = "InPlacePodVerticalScalingInitContainers"
)

// ValidateResizeOnNode returns why the API server refuses to resize a pod in place on the node
// where it runs, by an update of the subresource resize: old is the stored pod, and updated the pod
// in the request. The server checks this after [ValidateResize] and LimitRanges. The elements are
// in its order; it reports the first one:
//
//   - the node does not declare a feature in its status that the resize needs: pod-level
//     resources, or those of init containers that run to completion, change
//   - the label kubernetes.io/os of the node is not linux
//   - the pod's new requests of cpu or memory, with its overhead, exceed the allocatable resources
//     of the node, even without other pods; for a node with other pods, see package noderesources
//
// A pod without a node (spec.nodeName), a nil node, and an update that changes no amount are not
// refused. Node should be that of spec.nodeName; its name is only used in messages.
//
// A nil pod is one without containers. The result owns its memory.
//
// Source: the admission plugins NodeDeclaredFeatureValidator and PodResizeValidator of
// k8s.io/kubernetes v1.37.
func ValidateResizeOnNode(old, updated *corev1.Pod, node *corev1.Node, opts ResizeOptions) Problems[*ResizeProblem] {
	if old == nil || updated == nil || node == nil || old.Spec.NodeName == "" {
		return nil
	}
	spec, _ := resized(old, updated, opts)
	if !changesResources(&old.Spec, spec) {
		return nil
	}
	var found Problems[*ResizeProblem]
	missing := missingFeatures(&old.Spec, spec, node)
	if len(missing) > 0 && release.Rules(opts.Kubernetes).ChecksDeclaredFeatures() {
		found = append(found, &ResizeProblem{Cause: ResizeNodeLacksFeatures, Node: node.Name, Features: missing})
	}
	if os, labelled := node.Labels[corev1.LabelOSStable]; labelled && os != string(corev1.Linux) {
		found = append(found, &ResizeProblem{Cause: ResizeNodeIsNotLinux, Node: node.Name, OS: os})
	}
	if p := tooLarge(spec, node); p != nil {
		found = append(found, p)
	}
	return found
}

// tooLarge returns the problem of a pod that requests more than a node has allocatable, nil if it
// does not.
func tooLarge(spec *corev1.PodSpec, node *corev1.Node) *ResizeProblem {
	p := ResizeProblem{Cause: ResizeNodeIsTooSmall, Node: node.Name, Requested: corev1.ResourceList{},
		Allocatable: corev1.ResourceList{}}
	requests := SpecRequests(spec, Options{})
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		requested, allocatable := requests[name], node.Status.Allocatable[name].DeepCopy()
		if requested.Cmp(allocatable) > 0 {
			p.Requested[name], p.Allocatable[name] = requested, allocatable
		}
	}
	if len(p.Requested) == 0 {
		return nil
	}
	return &p
}

// changesResources reports whether resources or resize policies of containers, or pod-level
// resources, differ.
func changesResources(old, updated *corev1.PodSpec) bool {
	isSame := func(a, b corev1.Container) bool {
		return equalResources(&a.Resources, &b.Resources) && slices.Equal(a.ResizePolicy, b.ResizePolicy)
	}
	return !equalResources(old.Resources, updated.Resources) ||
		!slices.EqualFunc(old.Containers, updated.Containers, isSame) ||
		!slices.EqualFunc(old.InitContainers, updated.InitContainers, isSame)
}

// missingFeatures returns the features that a resize needs and that the node does not declare.
func missingFeatures(old, updated *corev1.PodSpec, node *corev1.Node) (missing []string) {
	need := func(feature string) {
		if !slices.Contains(node.Status.DeclaredFeatures, feature) {
			missing = append(missing, feature)
		}
	}
	if !equalResources(old.Resources, updated.Resources) {
		need(podLevelResizeFeature)
	}
	was, is := podwalk.Of(old), podwalk.Of(updated)
	for i := range min(len(old.InitContainers), len(updated.InitContainers)) {
		kind, before := was.At(i)
		_, after := is.At(i)
		if !kind.RunsBesideApps() && !equalResources(&before.Resources, &after.Resources) {
			need(initContainerResizeFeature)
			break
		}
	}
	return missing
}
