// Package declaredfeatures answers which of the features that nodes declare a pod needs, as the plugin
// NodeDeclaredFeatures of the scheduler does (KEP-5328).
//
// Source: k8s.io/component-helpers/nodedeclaredfeatures, and
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodedeclaredfeatures, of Kubernetes 1.37.2. Other features of the
// registry there count for updates of pods. VolumeBindMountOptions is left out: it is alpha, and the API server drops
// the options of mounts without its gate.
package declaredfeatures

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Reason is why a pod may not be on a node that lacks a feature. Preemption cannot help.
const Reason = "node(s) didn't match Pod's required features"

// The features that pods need.
const (
	restartAllContainers = "RestartAllContainersOnContainerExits"
	userNamespacesOnHost = "UserNamespacesHostNetworkSupport"
)

// Of returns the names of the features that a pod needs of its node, nil if it needs none.
func Of(spec *corev1.PodSpec) (names []string) {
	if slices.ContainsFunc(spec.Containers, restartsAll) || slices.ContainsFunc(spec.InitContainers, restartsAll) {
		names = append(names, restartAllContainers)
	}
	if spec.HostNetwork && spec.HostUsers != nil && !*spec.HostUsers {
		names = append(names, userNamespacesOnHost)
	}
	return names
}

// restartsAll reports whether all containers of a pod may be restarted when a container exits.
func restartsAll(c corev1.Container) bool {
	return slices.ContainsFunc(c.RestartPolicyRules, func(r corev1.ContainerRestartRule) bool {
		return r.Action == corev1.ContainerRestartRuleActionRestartAllContainers
	})
}

// HasAll reports whether a node declares all of the features.
func HasAll(node *corev1.Node, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(node.Status.DeclaredFeatures, name)
	})
}
