package noderesources

import (
	"maps"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Cluster is a set of nodes with their pods, updated by events. It is a handle that computes, and no answer. The zero
// value has no nodes. A Cluster must not be copied after the first node was added.
//
// Each node has a Ledger, whose rules apply. Answers depend on the current nodes and pods, not on
// the order of events.
//
// Methods that write must not run at the same time as any other method, because the nodes share tables.
//
// Memory: that of the ledgers, about 150 bytes for each node, 24 bytes for each node and scalar
// resource, and about 250 bytes for each pod.
type Cluster struct {
	rows

	nodes     map[string]*member
	members   []*member             // by row
	nodeOfPod map[types.UID]*member // of pods that have a UID
}

// member is a node of a cluster.
type member struct {
	row int
	Ledger
}

// AddNode adds a node without pods that has the allocatable resources of its status; see
// NewLedger. If there is a node of this name, it returns an error and nothing has changed.
//
// Cost: linear in the number of nodes, or constant on average for a name that sorts after all others.
func (c *Cluster) AddNode(name string, allocatable corev1.ResourceList) error {
	if _, known := c.nodes[name]; known {
		return alreadyExists("node", name)
	}
	if c.nodes == nil {
		c.nodes, c.nodeOfPod = map[string]*member{}, map[types.UID]*member{}
	}
	m := &member{row: sort.SearchStrings(c.names, name)}
	m.setAllocatable(allocatable)
	c.nodes[name] = m
	c.members = slices.Insert(c.members, m.row, m)
	for _, behind := range c.members[m.row+1:] {
		behind.row++
	}
	c.insert(m.row, name, &m.Ledger)
	return nil
}

// UpdateNode changes the allocatable resources of a node. They may be less than its pods request.
// If there is no node of this name, it returns an error and nothing has changed.
//
// Cost: linear in the number of resources, or in the number of nodes if the node no longer lists a
// scalar resource.
func (c *Cluster) UpdateNode(name string, allocatable corev1.ResourceList) error {
	m, known := c.nodes[name]
	if !known {
		return notFound("node", name)
	}
	m.setAllocatable(allocatable)
	c.readAll(m.row)
	c.forget()
	return nil
}

// RemoveNode removes a node and its pods. Removing one of these pods later is an error.
// If there is no node of this name, it returns an error and nothing has changed.
// Cost: linear in the number of nodes, and of pods on the node.
func (c *Cluster) RemoveNode(name string) error {
	m, known := c.nodes[name]
	if !known {
		return notFound("node", name)
	}
	for uid := range m.slots {
		delete(c.nodeOfPod, uid)
	}
	delete(c.nodes, name)
	c.members = slices.Delete(c.members, m.row, m.row+1)
	for _, behind := range c.members[m.row:] {
		behind.row--
	}
	c.remove(m.row)
	c.forget()
	return nil
}

// AddPod adds a pod to a node, whether or not it fits. If there is a pod with this UID on any node,
// or no such node, it returns an error and nothing has changed.
// Pods without a UID count, but cannot be updated or removed: see Ledger.Add.
//
// Cost: constant, apart from the number of scalar resources. It does not allocate once the
// cluster, and the node, have held as many pods and scalar resources before.
func (c *Cluster) AddPod(uid types.UID, node string, r Request) error {
	if _, known := c.nodeOfPod[uid]; known {
		return alreadyExists("pod", uid)
	}
	m, known := c.nodes[node]
	if !known {
		return notFound("node", node)
	}
	if err := m.Add(uid, r); err != nil {
		return err
	}
	if uid != "" {
		c.nodeOfPod[uid] = m
	}
	c.read(m.row, &r)
	return nil
}

// UpdatePod replaces the request of a pod, for example when it is resized. If there is no pod with
// this UID, it returns an error and nothing has changed. Cost and allocations are those of AddPod.
func (c *Cluster) UpdatePod(uid types.UID, r Request) error {
	m, known := c.nodeOfPod[uid]
	if !known {
		return notFound("pod", uid)
	}
	if err := c.RemovePod(uid); err != nil {
		return err
	}
	return c.AddPod(uid, c.names[m.row], r)
}

// RemovePod removes a pod from its node. If there is no pod with this UID, it returns
// an error and nothing has changed. Cost: as AddPod.
func (c *Cluster) RemovePod(uid types.UID) error {
	m, known := c.nodeOfPod[uid]
	if !known {
		return notFound("pod", uid)
	}
	before := m.pods[m.slots[uid]]
	if err := m.Remove(uid); err != nil {
		return err
	}
	delete(c.nodeOfPod, uid)
	c.read(m.row, &before)
	return nil
}

// Nodes returns the names of the nodes, sorted.
func (c *Cluster) Nodes() []string { return slices.Clone(c.names) }

// Shortages returns what Ledger.Shortages returns for a node: why a pod with this request does not fit there, and nil
// if it fits. If there is no node of this name, it returns an error. Nothing is copied, so that it can be asked for
// each of many nodes.
func (c *Cluster) Shortages(r Request, node string, opts FitOptions) (Shortages, error) {
	m, known := c.nodes[node]
	if !known {
		return nil, notFound("node", node)
	}
	return m.appendShortages(nil, &r, &opts), nil
}

// Ledger returns a copy of the ledger of a node, with its pods. Changing the copy does not change
// the cluster. If there is no node of this name, it returns an error.
//
// Cost: linear in the number of pods on the node.
func (c *Cluster) Ledger(name string) (*Ledger, error) {
	m, known := c.nodes[name]
	if !known {
		return nil, notFound("node", name)
	}
	return &Ledger{sums: m.sums.copy(), slots: maps.Clone(m.slots), pods: slices.Clone(m.pods),
		vacant: slices.Clone(m.vacant)}, nil
}
