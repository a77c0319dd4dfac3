package whatif

import (
	corev1 "k8s.io/api/core/v1"
)

// unknownFields returns the fields of a pod that the scheduler reads and that are not considered here, sorted.
func unknownFields(spec *corev1.PodSpec) (fields []string) {
	add := func(isSet bool, field string) {
		if isSet {
			fields = append(fields, field)
		}
	}
	add(len(spec.ResourceClaims) > 0, "spec.resourceClaims")
	add(spec.SchedulerName != "" && spec.SchedulerName != corev1.DefaultSchedulerName, "spec.schedulerName")
	add(hasBoundVolume(spec), "spec.volumes")
	return fields
}

// hasBoundVolume reports whether a volume may determine the node of a pod.
func hasBoundVolume(spec *corev1.PodSpec) bool {
	for i := range spec.Volumes {
		v := &spec.Volumes[i].VolumeSource
		switch {
		case v.ConfigMap != nil, v.Secret != nil, v.EmptyDir != nil, v.DownwardAPI != nil, v.Projected != nil,
			v.HostPath != nil, v.Image != nil:
		case *v != (corev1.VolumeSource{}):
			return true
		}
	}
	return false
}
