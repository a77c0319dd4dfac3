// Package nodeaffinity answers on which nodes the node selector and the node affinity of a pod let it be, and which of
// them it prefers.
//
// Source: k8s.io/component-helpers/scheduling/corev1/nodeaffinity, and the plugin NodeAffinity of
// k8s.io/kubernetes/pkg/scheduler/framework/plugins.
package nodeaffinity
