package noderesources

import (
	"errors"
	"slices"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/layered"
)

// Cluster is a set of nodes with their pods, updated by events. It is a handle that computes, and no answer. The zero
// value has no nodes. A Cluster must not be copied after the first node was added.
//
// Each node has a Ledger, whose rules apply. Answers depend on the current nodes and pods, not on
// the order of events.
// Errors wrap computeresources.ErrExists if a node or pod is already in the cluster, and
// computeresources.ErrNotFound if it is not.
//
// Methods that write must not run at the same time as any other method, because the nodes share tables. They may run
// at the same time as those of a Clone.
//
// Memory: that of the ledgers, about 150 bytes for each node, 24 bytes for each node and scalar
// resource of a node, and about 250 bytes for each pod. Resources that only pods name cost nothing more.
type Cluster struct {
	rows
	nodeOfPod layered.Map[types.UID, string] // of pods that have a UID
	isShared  atomic.Bool                    // a Clone, or the cluster that it is of, has the same memory
}

var errNilCluster = errors.New("noderesources: a nil Cluster")

// orEmpty returns the cluster that answers for a nil one.
func (c *Cluster) orEmpty() *Cluster {
	if c == nil {
		return &Cluster{}
	}
	return c
}

// Clone returns a copy. Changing either does not change the other. Of a nil Cluster, it is an empty one.
//
// Cost: constant. The first change of either copies what there is for each node, less than 200 bytes, but not the pods;
// the first change of a node copies that node with its pods.
func (c *Cluster) Clone() *Cluster {
	own := &Cluster{}
	if c != nil {
		c.isShared.Store(true)
		own.rows, own.nodeOfPod = c.rows, c.nodeOfPod
		own.isShared.Store(true)
	}
	return own
}

// own copies what is shared, before it is written to.
func (c *Cluster) own() {
	if c.isShared.Load() {
		c.rows, c.nodeOfPod = *c.rows.copy(), c.nodeOfPod.Fork()
		c.isShared.Store(false)
	}
}

// AddNode adds a node without pods that has the allocatable resources of its status; see
// NewLedger. If there is a node of this name, it returns an error and nothing has changed.
//
// Cost: linear in the number of nodes, or constant on average for a name that sorts after all others.
func (c *Cluster) AddNode(name string, allocatable corev1.ResourceList) error {
	if c == nil {
		return errNilCluster
	}
	row, known := c.find(name)
	if known {
		return alreadyExists("node", name)
	}
	c.own()
	c.insert(row, name, *NewLedger(allocatable))
	return nil
}

// UpdateNode changes the allocatable resources of a node. They may be less than its pods request.
// If there is no node of this name, it returns an error and nothing has changed.
//
// Cost: linear in the number of resources, or in the number of nodes if the node no longer lists a
// scalar resource.
func (c *Cluster) UpdateNode(name string, allocatable corev1.ResourceList) error {
	row, known := c.orEmpty().find(name)
	if !known {
		return notFound("node", name)
	}
	c.own()
	c.member(row).setAllocatable(allocatable)
	c.readAll(row)
	c.forget()
	return nil
}

// RemoveNode removes a node and its pods. Removing one of these pods later is an error.
// If there is no node of this name, it returns an error and nothing has changed.
// Cost: linear in the number of nodes, and of pods on the node.
func (c *Cluster) RemoveNode(name string) error {
	row, known := c.orEmpty().find(name)
	if !known {
		return notFound("node", name)
	}
	c.own()
	for uid := range c.members[row].slots {
		c.nodeOfPod.Set(uid, nil)
	}
	c.remove(row)
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
	if c == nil {
		return errNilCluster
	}
	if c.nodeOfPod.Get(uid) != nil {
		return alreadyExists("pod", uid)
	}
	row, known := c.find(node)
	if !known {
		return notFound("node", node)
	}
	c.own()
	m := c.memberWithPods(row)
	if err := m.Add(uid, r); err != nil {
		return err
	}
	if uid != "" {
		c.nodeOfPod.Set(uid, m.name)
	}
	c.read(row, &r)
	return nil
}

// UpdatePod replaces the request of a pod, for example when it is resized. If there is no pod with
// this UID, it returns an error and nothing has changed. Cost and allocations are those of AddPod.
func (c *Cluster) UpdatePod(uid types.UID, r Request) error {
	if c == nil {
		return errNilCluster
	}
	node := c.nodeOfPod.Get(uid)
	if err := c.RemovePod(uid); err != nil {
		return err
	}
	return c.AddPod(uid, *node, r)
}

// RemovePod removes a pod from its node. If there is no pod with this UID, it returns
// an error and nothing has changed. Cost: as AddPod.
func (c *Cluster) RemovePod(uid types.UID) error {
	if c == nil {
		return errNilCluster
	}
	node := c.nodeOfPod.Get(uid)
	if node == nil {
		return notFound("pod", uid)
	}
	row, _ := c.find(*node)
	c.own()
	m := c.memberWithPods(row)
	before := m.pods[m.slots[uid]]
	if err := m.Remove(uid); err != nil {
		return err
	}
	c.nodeOfPod.Set(uid, nil)
	c.read(row, &before)
	return nil
}

// Nodes returns the names of the nodes, sorted.
func (c *Cluster) Nodes() []string { return slices.Clone(c.orEmpty().names) }

// Shortages returns what Ledger.Shortages returns for a node: why a pod with this request does not fit there, and nil
// if it fits. If there is no node of this name, it returns an error. Nothing is copied, so that it can be asked for
// each of many nodes.
func (c *Cluster) Shortages(r Request, node string, opts FitOptions) (Shortages, error) {
	c = c.orEmpty()
	row, known := c.find(node)
	if !known {
		return nil, notFound("node", node)
	}
	return c.members[row].appendShortages(nil, &r, &opts), nil
}

// Score returns the Ledger.Score of a node, and whether a pod with this request fits there. If it does not, or there is
// no node of this name, the score is zero. As with Shortages, nothing is copied.
func (c *Cluster) Score(r Request, node string, p Profile, opts FitOptions) (score int64, fits bool) {
	c = c.orEmpty()
	row, known := c.find(node)
	if !known || !c.members[row].fits(&r, &opts) {
		return 0, false
	}
	return c.members[row].Score(r, p), true
}

// Ledger returns a copy of the ledger of a node, with its pods. Changing the copy does not change
// the cluster. If there is no node of this name, it returns an error.
//
// Cost: linear in the number of pods on the node.
func (c *Cluster) Ledger(name string) (*Ledger, error) {
	c = c.orEmpty()
	row, known := c.find(name)
	if !known {
		return nil, notFound("node", name)
	}
	l := c.members[row].Ledger.copy()
	return &l, nil
}
