package objects

import (
	"slices"
	"strings"
)

// served are the kinds of the groups whose kinds are known, by version.
var served = map[string][]string{
	"v1": {"Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "LimitRange", "Namespace", "Node", "PersistentVolume", "PersistentVolumeClaim",
		"Pod", "PodTemplate", "ReplicationController", "ResourceQuota", "Secret", "Service", "ServiceAccount", "Status",
		"Config"}, // of kubectl
	"apps/v1":        {"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"},
	"autoscaling/v1": {"HorizontalPodAutoscaler", "Scale"},
	"autoscaling/v2": {"HorizontalPodAutoscaler"},
	"batch/v1":       {"CronJob", "Job"},
	"policy/v1":      {"Eviction", "PodDisruptionBudget"},
}

// gone are the kinds of other groups that API servers had before 1.33, by version: all of a version if none is named.
// Source: the deprecated API migration guide of the documentation of Kubernetes.
var gone = map[string][]string{
	"admissionregistration.k8s.io/v1beta1": {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"},
	"apiextensions.k8s.io/v1beta1":         nil,
	"apiregistration.k8s.io/v1beta1":       nil,
	"certificates.k8s.io/v1beta1":          {"CertificateSigningRequest"},
	"coordination.k8s.io/v1beta1":          {"Lease"},
	"discovery.k8s.io/v1beta1":             nil,
	"events.k8s.io/v1beta1":                nil,
	"flowcontrol.apiserver.k8s.io/v1beta1": nil,
	"flowcontrol.apiserver.k8s.io/v1beta2": nil,
	"flowcontrol.apiserver.k8s.io/v1beta3": nil,
	"networking.k8s.io/v1beta1":            {"Ingress", "IngressClass"},
	"node.k8s.io/v1beta1":                  nil,
	"rbac.authorization.k8s.io/v1alpha1":   nil,
	"rbac.authorization.k8s.io/v1beta1":    nil,
	"scheduling.k8s.io/v1beta1":            nil,
	"storage.k8s.io/v1beta1":               {"CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment"},
}

// isUnserved reports whether no API server has the kind: its group is known and does not have it, or it is gone.
func (n names) isUnserved() bool {
	if kinds, known := gone[n.apiVersion]; known {
		return len(kinds) == 0 || slices.Contains(kinds, strings.TrimSuffix(n.kind, "List"))
	}
	group, _, hasGroup := strings.Cut(n.apiVersion, "/")
	return (!hasGroup || slices.Contains([]string{"apps", "autoscaling", "batch", "extensions", "policy"}, group)) &&
		!slices.Contains(served[n.apiVersion], strings.TrimSuffix(n.kind, "List")) && n.kind != "List"
}
