package explain

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Downward is an amount that a container reads from the downward API.
type Downward struct {
	Name  string `json:"name"`  // of the environment variable, or of the file in its volume
	Field string `json:"field"` // such as limits.cpu
	// Value is empty if it is what the node has, which is not known.
	Value string `json:"value,omitempty"`
	// From is what has the amount, if the container has no limit: the pod level, or the node.
	From string `json:"from,omitempty"`
}

// downwardOf returns the amounts that a container reads: in its environment, and in files of the pod's volumes. Only the environment
// knows limits of the pod level, and may have amounts of another container.
func downwardOf(pod *corev1.Pod, c *corev1.Container, allocatable corev1.ResourceList) (all []Downward) {
	for _, env := range c.Env {
		if env.ValueFrom != nil && env.ValueFrom.ResourceFieldRef != nil {
			all = append(all, inEnvironment(env.Name, env.ValueFrom.ResourceFieldRef, pod, c, allocatable))
		}
	}
	for _, volume := range pod.Spec.Volumes {
		for _, file := range filesOf(&volume) {
			if ref := file.ResourceFieldRef; ref != nil && ref.ContainerName == c.Name {
				all = append(all, valueOf(volume.Name+"/"+file.Path, ref, nil, c, allocatable))
			}
		}
	}
	return all
}

// inEnvironment returns what a variable of a container has. By its name, an init container has no limits but its own.
//
// Source: containerResourceRuntimeValue and defaultPodLimitsForDownwardAPI of k8s.io/kubernetes/pkg/kubelet, and
// findContainerInPod of k8s.io/kubernetes/pkg/api/v1/resource.
func inEnvironment(name string, ref *corev1.ResourceFieldSelector, pod *corev1.Pod, c *corev1.Container,
	allocatable corev1.ResourceList) Downward {
	if ref.ContainerName == "" {
		return valueOf(name, ref, pod.Spec.Resources, c, allocatable)
	}
	if own := named(pod.Spec.Containers, ref.ContainerName); own != nil {
		return valueOf(name, ref, pod.Spec.Resources, own, allocatable)
	}
	if own := named(pod.Spec.InitContainers, ref.ContainerName); own != nil {
		d := valueOf(name, ref, nil, own, corev1.ResourceList{})
		d.From = ""
		return d
	}
	return Downward{Name: name, Field: ref.Resource} // the container does not start
}

func named(containers []corev1.Container, name string) *corev1.Container {
	i := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &containers[i]
}

func filesOf(volume *corev1.Volume) (files []corev1.DownwardAPIVolumeFile) {
	if volume.DownwardAPI != nil {
		return volume.DownwardAPI.Items
	}
	if volume.Projected == nil {
		return nil
	}
	for _, source := range volume.Projected.Sources {
		if source.DownwardAPI != nil {
			files = append(files, source.DownwardAPI.Items...)
		}
	}
	return files
}

// valueOf returns what a container reads of itself. Instead of a missing limit of cpu, memory or ephemeral storage, that is the
// limit of the pod level, or what is allocatable on the node. It is rounded up to a multiple of the divisor.
//
// Source: defaultPodLimitsForDownwardAPI of k8s.io/kubernetes/pkg/kubelet, CollectData of
// k8s.io/kubernetes/pkg/volume/downwardapi, and ExtractContainerResourceValue of k8s.io/kubernetes/pkg/api/v1/resource (v1.37).
func valueOf(name string, ref *corev1.ResourceFieldSelector, podLevel *corev1.ResourceRequirements, c *corev1.Container,
	allocatable corev1.ResourceList) Downward {
	d := Downward{Name: name, Field: ref.Resource}
	amounts, of := c.Resources.Requests, corev1.ResourceName(strings.TrimPrefix(ref.Resource, "requests."))
	if limit, isLimit := strings.CutPrefix(ref.Resource, "limits."); isLimit {
		amounts, of = c.Resources.Limits, corev1.ResourceName(limit)
		if q := amounts[of]; q.IsZero() && !strings.HasPrefix(limit, "hugepages-") {
			d.From, amounts = "the node", allocatable
			if podLevel != nil {
				if q := podLevel.Limits[of]; !q.IsZero() {
					d.From, amounts = "the pod level", podLevel.Limits
				}
			}
			if amounts == nil {
				return d
			}
		}
	}
	divisor := ref.Divisor
	if divisor.IsZero() {
		divisor = resource.MustParse("1")
	}
	part, whole := resourcelist.Integer(of, divisor), resourcelist.Integer(of, amounts[of])
	if part <= 0 { // which the API server refuses
		return d
	}
	parts := whole / part
	if whole%part > 0 {
		parts++
	}
	d.Value = fmt.Sprint(parts)
	return d
}
