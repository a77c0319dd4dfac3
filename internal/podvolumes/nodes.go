package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Nodes are the nodes on which a pod with volumes may be. They hold for the claims, volumes and classes that there were
// when the volumes of the pod were read; pods come and leave.
type Nodes struct {
	volumes *Volumes
	nodes   []*corev1.Node
	pods    func(i int) []*corev1.Pod
	checks  []check // by node
	disks   []int   // by node, the pods that use a disk of the pod
	onePod  int     // uses of claims that only one pod may use, on all nodes
}

// check is what VolumeBinding and VolumeZone say of a node.
type check struct {
	nodeConflict, bindConflict, notEnough, volumeNotFound, zoneConflict bool

	unknown  []Kind
	bindings []Binding
}

// On checks the nodes, and counts the pods on each of them. A nil node is left out. The function, which is kept,
// returns the pods as they are when it is called.
func (v *Volumes) On(nodes []*corev1.Node, pods func(i int) []*corev1.Pod) *Nodes {
	n := &Nodes{volumes: v, nodes: nodes, pods: pods, checks: make([]check, len(nodes)), disks: make([]int, len(nodes))}
	at := place{nameless: &corev1.Node{}}
	for i, node := range nodes {
		if node == nil {
			continue
		}
		if !v.all.refuses() {
			at.name, at.nameless.Labels = node.Name, node.Labels
			v.checkBound(&at, &n.checks[i])
			v.checkUnbound(&at, &n.checks[i])
			n.checks[i].zoneConflict = !v.isInZones(node)
		}
		if !v.hasDisks && len(v.onePod) == 0 {
			continue
		}
		for _, pod := range pods(i) {
			n.Add(i, pod)
		}
	}
	return n
}

// Add counts a pod that is now on node i.
func (n *Nodes) Add(i int, pod *corev1.Pod) { n.count(i, pod, 1) }

// Remove undoes Add. The scheduler counts a claim once, and forgets it with the first pod that leaves and uses a claim
// of this name, in any namespace; here each pod counts, and only those in the namespace of the claim.
func (n *Nodes) Remove(i int, pod *corev1.Pod) { n.count(i, pod, -1) }

func (n *Nodes) count(i int, pod *corev1.Pod, sign int) {
	if pod == nil || n.nodes[i] == nil {
		return
	}
	if n.volumes.hasDisks && n.volumes.conflictsWith(pod) {
		n.disks[i] += sign
	}
	n.onePod += sign * n.volumes.onePodUses(pod)
}

// Verdict returns why the pod may not be on node i, in the order of the plugins. What is unknown about a claim of the
// pod is unknown on each node.
//
// Source: Filter of the plugins.
func (n *Nodes) Verdict(i int) Verdict {
	if n.nodes[i] == nil || n.volumes.all.refuses() {
		return n.volumes.all
	}
	c := &n.checks[i]
	binding := c.reasons()
	switch {
	case n.disks[i] > 0:
		return Verdict{Reasons: []string{DiskConflict}, IsPreemptable: true}
	case n.onePod > 0:
		return Verdict{Reasons: []string{OnePodConflict}, IsPreemptable: true}
	case len(binding) > 0:
		return Verdict{Reasons: binding}
	case c.zoneConflict:
		return Verdict{Reasons: []string{ZoneConflict}}
	}
	verdict := n.volumes.all
	verdict.dependOn(c.unknown...)
	return verdict
}

// HasUnknown reports whether objects that are not known decide about some node.
func (n *Nodes) HasUnknown() bool {
	return len(n.volumes.all.Unknown) > 0 ||
		slices.ContainsFunc(n.checks, func(c check) bool { return len(c.unknown) > 0 })
}

// reasons returns why VolumeBinding refuses a node.
func (c *check) reasons() (reasons []string) {
	for _, reason := range []struct {
		isOne bool
		text  string
	}{
		{c.nodeConflict, NodeConflict}, {c.bindConflict, BindConflict}, {c.notEnough, NotEnoughStorage},
		{c.volumeNotFound, VolumeNotFound},
	} {
		if reason.isOne {
			reasons = append(reasons, reason.text)
		}
	}
	return reasons
}
