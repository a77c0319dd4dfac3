// Package hostports answers on which nodes the host ports of a pod are free, as the plugin NodePorts of the scheduler
// does.
//
// Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports, and HostPortInfo of
// k8s.io/kube-scheduler/framework.
package hostports

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Reason is why a pod may not be on a node with a pod that uses one of its host ports. Preemption can help.
const Reason = "node(s) didn't have free ports for the requested pod ports"

// allAddresses is the host IP of a port that is open on each address of a node. The scheduler compares host IPs as
// texts, so "::" is an address as any other.
const allAddresses = "0.0.0.0"

// Ports are the host ports of a pod.
type Ports []port

type port struct {
	ip       string
	protocol corev1.Protocol
	number   int32
}

// Of returns the host ports of a pod: those of its containers and sidecars, but not of other init containers. It is
// nil if there are none, and for a nil pod. On the network of the host, each port of a container is one, which the API
// server writes as a default.
//
// Source: GetHostPorts of k8s.io/kubernetes/pkg/scheduler/util, SetDefaults_Pod of k8s.io/kubernetes/pkg/apis/core/v1.
func Of(pod *corev1.Pod) (ports Ports) {
	if pod == nil {
		return nil
	}
	containers := podwalk.Of(&pod.Spec)
	for i := range containers.Len() {
		kind, container := containers.At(i)
		if !kind.RunsBesideApps() {
			continue
		}
		for _, p := range container.Ports {
			number := p.HostPort
			if number == 0 && pod.Spec.HostNetwork {
				number = p.ContainerPort
			}
			if number > 0 {
				ports = append(ports, port{orDefault(p.HostIP, allAddresses), orDefault(p.Protocol, corev1.ProtocolTCP), number})
			}
		}
	}
	return ports
}

func orDefault[T ~string](value, otherwise T) T {
	if value == "" {
		return otherwise
	}
	return value
}

// ConflictWith reports whether a node cannot have both pods: they use one port with one protocol, at one address or at
// all addresses.
func (ports Ports) ConflictWith(others Ports) bool {
	return slices.ContainsFunc(ports, func(p port) bool {
		return slices.ContainsFunc(others, p.conflictsWith)
	})
}

func (p port) conflictsWith(other port) bool {
	return p.number == other.number && p.protocol == other.protocol &&
		(p.ip == other.ip || p.ip == allAddresses || other.ip == allAddresses)
}

// Nodes counts the pods of each node that use one of the host ports of a pod.
type Nodes struct {
	ports     Ports
	pods      func(i int) []*corev1.Pod
	conflicts []int // by node, uncounted before the first question about it
}

const uncounted = -1

// On returns the counts of n nodes, with the pods that are on each of them. The pods of a node are asked for once, at
// the first question about it.
func (ports Ports) On(n int, pods func(i int) []*corev1.Pod) *Nodes {
	return &Nodes{ports, pods, slices.Repeat([]int{uncounted}, n)}
}

// Add counts a pod that is now on node i.
func (n *Nodes) Add(i int, pod *corev1.Pod) { n.change(i, pod, 1) }

// Remove undoes Add. The scheduler forgets a port with the first pod that leaves, even if another pod on the node uses
// it too; here the other pod counts. Only pods that were bound without the scheduler can share a port.
func (n *Nodes) Remove(i int, pod *corev1.Pod) { n.change(i, pod, -1) }

func (n *Nodes) change(i int, pod *corev1.Pod, by int) {
	if n.conflicts[i] != uncounted && n.ports.ConflictWith(Of(pod)) {
		n.conflicts[i] += by
	}
}

// Refusal returns why the pod may not be on node i, and "" if it may.
func (n *Nodes) Refusal(i int) string {
	if n.conflicts[i] == uncounted {
		n.conflicts[i] = 0
		for _, pod := range n.pods(i) {
			n.Add(i, pod)
		}
	}
	if n.conflicts[i] > 0 {
		return Reason
	}
	return ""
}
