package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// Only the fields that count are kept, because objects of a cluster have many others.

// reduceObject removes unused metadata from an object.
func reduceObject(object admit.APIObject) {
	object.SetManagedFields(nil)
	object.SetLabels(nil)
	object.SetAnnotations(nil)
	object.SetFinalizers(nil)
	object.SetOwnerReferences(nil)
}

// reducePod removes unused fields of a pod, or of a pod template.
func reducePod(meta *metav1.ObjectMeta, spec *corev1.PodSpec) {
	meta.ManagedFields, meta.Labels, meta.Finalizers, meta.OwnerReferences = nil, nil, nil, nil
	given, isGiven := meta.Annotations[limitrange.AnnotationKey]
	if meta.Annotations = nil; isGiven {
		meta.Annotations = map[string]string{limitrange.AnnotationKey: given}
	}
	for i := range spec.InitContainers {
		reduceContainer(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		reduceContainer(&spec.Containers[i])
	}
	spec.EphemeralContainers = nil
	spec.Volumes, spec.ImagePullSecrets, spec.Tolerations, spec.HostAliases = nil, nil, nil, nil
	spec.DNSConfig, spec.ReadinessGates, spec.TopologySpreadConstraints = nil, nil, nil
	spec.SecurityContext = nil
	spec.ServiceAccountName, spec.DeprecatedServiceAccount, spec.SchedulerName = "", "", ""
	spec.TerminationGracePeriodSeconds, spec.EnableServiceLinks, spec.PreemptionPolicy = nil, nil, nil
}

func reduceContainer(c *corev1.Container) {
	*c = corev1.Container{Name: c.Name, Resources: c.Resources, ResizePolicy: c.ResizePolicy, RestartPolicy: c.RestartPolicy}
}

// reduceStatus keeps the phase of a pod and the resources of its containers.
func reduceStatus(s *corev1.PodStatus) {
	s.Conditions = slices.DeleteFunc(s.Conditions, func(c corev1.PodCondition) bool {
		return c.Type != corev1.PodResizePending && c.Type != corev1.PodResizeInProgress
	})
	if len(s.Conditions) == 0 {
		s.Conditions = nil
	}
	s.ContainerStatuses, s.InitContainerStatuses = reduceStatuses(s.ContainerStatuses), reduceStatuses(s.InitContainerStatuses)
	s.EphemeralContainerStatuses = nil
	s.HostIP, s.HostIPs, s.PodIP, s.PodIPs, s.StartTime, s.Message, s.Reason = "", nil, "", nil, nil, "", ""
	s.ObservedGeneration = 0
}

// reduceStatuses returns the resources in the statuses of containers, or nil if there are none.
func reduceStatuses(statuses []corev1.ContainerStatus) []corev1.ContainerStatus {
	said := false
	for i := range statuses {
		s := &statuses[i]
		*s = corev1.ContainerStatus{Name: s.Name, AllocatedResources: s.AllocatedResources, Resources: s.Resources}
		said = said || s.AllocatedResources != nil || s.Resources != nil
	}
	if !said {
		return nil
	}
	return statuses
}
