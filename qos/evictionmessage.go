package qos

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// EvictionMessage returns the message in the status of a pod that the kubelet evicts under a pressure, word
// for word, with the space at its end: what the node was low on, the threshold and what was available, and
// which containers use more than they request; or the limit for local storage that the pod exceeds. It
// is empty for pods that are not in EvictionOrder, and an unknown pressure is an error.
//
// Containers are in the order of computeresources.Containers; the kubelet's order is that of its statistics. The
// release counts, and of the gates PodLevelResources.
//
// Source: evictionMessage and localStorageEviction of k8s.io/kubernetes/pkg/kubelet/eviction.
func EvictionMessage(pod *corev1.Pod, node NodePressure, kubernetes computeresources.Kubernetes) (string, error) {
	if err := node.validate(); err != nil {
		return "", err
	}
	if !isEvictable(pod) {
		return "", nil
	}
	used, known := node.Usage[pod.UID]
	if known {
		if message := exceededLimit(&pod.Spec, &used, kubernetes); message != "" {
			return message, nil
		}
	}
	if node.Pressure == "" {
		return "", nil
	}
	pressure := node.Pressure
	var b strings.Builder
	fmt.Fprintf(&b, "The node was low on resource: %v. ", pressure)
	if node.Threshold != nil && node.Available != nil {
		fmt.Fprintf(&b, "Threshold quantity: %v, available: %v. ", quantity.Text(node.Threshold),
			quantity.Text(node.Available))
	}
	if !known {
		return b.String(), nil
	}
	name := corev1.ResourceName(pressure)
	if pressure == MemoryPressure && release.Rules(kubernetes).CountsPodLevel() && resourcename.SetsPodLevel(&pod.Spec) {
		if request := quantity.Find(pod.Spec.Resources.Requests, name); request != nil {
			writeConsumption(&b, "Pod", pod.Name, used.Amount, request, name)
		}
	}
	if pressure == MemoryPressure || pressure == StoragePressure {
		for _, c := range computeresources.Containers(&pod.Spec) {
			request := c.Resources.Requests[name]
			if bytes, known := used.Containers[c.Name]; known && request.CmpInt64(bytes) < 0 {
				writeConsumption(&b, "Container", c.Name, bytes, &request, name)
			}
		}
	}
	return b.String(), nil
}

// writeConsumption writes what the pod or a container uses, and what it requests.
func writeConsumption(
	b *strings.Builder, what, name string, bytes int64, request *resource.Quantity, of corev1.ResourceName,
) {
	usage := resource.NewQuantity(bytes, resource.BinarySI)
	fmt.Fprintf(b, "%s %s was using %s, request is %s, has larger consumption of %v. ", what, name, usage,
		quantity.Text(request), of)
}

// exceededLimit returns the kubelet's message about the first limit for local storage that a pod exceeds:
// the size limit of an emptyDir, the limit of the pod, or that of an app container or sidecar. It is empty if there
// is none. A size limit has to be above zero, and the limit of a container not zero.
func exceededLimit(spec *corev1.PodSpec, used *PodUsage, kubernetes computeresources.Kubernetes) string {
	for i := range spec.Volumes {
		volume := &spec.Volumes[i]
		if volume.EmptyDir == nil || volume.EmptyDir.SizeLimit == nil {
			continue
		}
		limit := *volume.EmptyDir.SizeLimit
		if bytes, known := used.VolumeStorage[volume.Name]; known && limit.Sign() > 0 && limit.CmpInt64(bytes) < 0 {
			return fmt.Sprintf("Usage of EmptyDir volume %q exceeds the limit %q. ", volume.Name, limit.String())
		}
	}
	if !limitsLocalStorage(spec) {
		return ""
	}
	limit, set := computeresources.SpecLimits(spec, computeresources.Options{})[corev1.ResourceEphemeralStorage]
	if set && limit.CmpInt64(used.EphemeralStorage) < 0 {
		return fmt.Sprintf("Pod ephemeral local storage usage exceeds the total limit of containers %s. ", limit.String())
	}
	for ref, c := range computeresources.Containers(spec) {
		if !hasStorageLimit(ref.Kind, kubernetes) {
			continue
		}
		limit := c.Resources.Limits[corev1.ResourceEphemeralStorage]
		if bytes, known := used.ContainerStorage[c.Name]; known && !limit.IsZero() && limit.CmpInt64(bytes) < 0 {
			return fmt.Sprintf("Container %s exceeded its local ephemeral storage limit %q. ", c.Name, limit.String())
		}
	}
	return ""
}

// hasStorageLimit reports whether the kubelet enforces the limit for local storage of containers of a kind.
func hasStorageLimit(kind computeresources.Kind, kubernetes computeresources.Kubernetes) bool {
	switch kind {
	case computeresources.App:
		return true
	case computeresources.Sidecar:
		return release.Rules(kubernetes).LimitsStorageOfSidecars()
	case computeresources.Init, computeresources.Pod:
	}
	return false
}

// limitsLocalStorage reports whether a container has a limit for local storage.
func limitsLocalStorage(spec *corev1.PodSpec) bool {
	for _, c := range computeresources.Containers(spec) {
		if _, set := c.Resources.Limits[corev1.ResourceEphemeralStorage]; set {
			return true
		}
	}
	return false
}
