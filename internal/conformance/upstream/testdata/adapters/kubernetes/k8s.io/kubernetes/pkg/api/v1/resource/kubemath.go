package resource

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"kubemath.example/upstream/beside"
)

func requestOptions() computeresources.Options {
	return computeresources.Options{Gates: computeresources.Gates{IgnorePodLevel: !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources)}}
}

func GetResourceRequestQuantity(pod *corev1.Pod, name corev1.ResourceName) resource.Quantity {
	in := beside.Keep("GetResourceRequestQuantity", pod)
	theirs := upstreamGetResourceRequestQuantity(pod.DeepCopy(), name)
	ours := computeresources.SpecRequests(&pod.Spec, requestOptions())[name]
	in.Unchanged()
	beside.Compare("GetResourceRequestQuantity", ours, theirs)
	return ours
}

func GetResourceRequest(pod *corev1.Pod, name corev1.ResourceName) int64 {
	if name == corev1.ResourcePods {
		beside.Forward("GetResourceRequest", "the number of pods in a pod")
		return upstreamGetResourceRequest(pod, name)
	}
	in := beside.Keep("GetResourceRequest", pod)
	theirs := upstreamGetResourceRequest(pod.DeepCopy(), name)
	totals := computeresources.SpecTotals(&pod.Spec, computeresources.Requests, requestOptions())
	var ours int64
	switch name {
	case corev1.ResourceCPU:
		ours = totals.MilliCPU
	case corev1.ResourceMemory:
		ours = totals.Memory
	case corev1.ResourceEphemeralStorage:
		ours = totals.EphemeralStorage
	default:
		ours = totals.ScalarResources[name]
	}
	in.Unchanged()
	beside.Compare("GetResourceRequest", ours, theirs)
	return ours
}

// downwardValue is the value of a field for a container in a pod of its own.
func downwardValue(function string, field *corev1.ResourceFieldSelector, container *corev1.Container, node corev1.ResourceList, theirs string, theirErr error) (string, error) {
	in := beside.Keep(function, container, node)
	own := *field
	own.ContainerName = container.Name
	spec := corev1.PodSpec{Containers: []corev1.Container{*container}}
	value, err := computeresources.DownwardValue(&spec, own, computeresources.DownwardOptions{NodeAllocatable: node})
	in.Unchanged()
	if err != nil {
		beside.Compare(function+": an error", err.Error(), fmt.Sprint(theirErr))
		return "", err
	}
	ours := strconv.FormatInt(value, 10)
	beside.Compare(function, ours, theirs)
	return ours, nil
}

func ExtractContainerResourceValue(fs *corev1.ResourceFieldSelector, container *corev1.Container) (string, error) {
	theirs, err := upstreamExtractContainerResourceValue(fs.DeepCopy(), container.DeepCopy())
	return downwardValue("ExtractContainerResourceValue", fs, container, nil, theirs, err)
}

func ExtractResourceValueByContainerName(fs *corev1.ResourceFieldSelector, pod *corev1.Pod, name string) (string, error) {
	return byName("ExtractResourceValueByContainerName", fs, pod, name, nil, func() (string, error) {
		return upstreamExtractResourceValueByContainerName(fs.DeepCopy(), pod.DeepCopy(), name)
	})
}

func ExtractResourceValueByContainerNameAndNodeAllocatable(fs *corev1.ResourceFieldSelector, pod *corev1.Pod, name string, node corev1.ResourceList) (string, error) {
	return byName("ExtractResourceValueByContainerNameAndNodeAllocatable", fs, pod, name, node, func() (string, error) {
		return upstreamExtractResourceValueByContainerNameAndNodeAllocatable(fs.DeepCopy(), pod.DeepCopy(), name, node.DeepCopy())
	})
}

// byName does not look at the pod level, which the kubelet has put in the place of the node's.
func byName(function string, fs *corev1.ResourceFieldSelector, pod *corev1.Pod, name string, node corev1.ResourceList, original func() (string, error)) (string, error) {
	in := beside.Keep(function, pod, node)
	theirs, theirErr := original()
	field := *fs
	field.ContainerName = name
	value, err := computeresources.DownwardValue(&pod.Spec, field, computeresources.DownwardOptions{NodeAllocatable: node, Gates: computeresources.Gates{IgnorePodLevel: true}})
	in.Unchanged()
	if err != nil {
		beside.Compare(function+": an error", err.Error(), fmt.Sprint(theirErr))
		return "", err
	}
	ours := strconv.FormatInt(value, 10)
	beside.Compare(function, ours, theirs)
	return ours, nil
}
