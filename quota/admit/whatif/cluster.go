package whatif

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// Options are the differences from a default cluster, which is the zero value.
type Options struct {
	// Admission are the options of the namespaces. ExtendedResources, if nil, are those of the DeviceClasses among the
	// objects, from release 1.36 on, and count for nodes as well. PriorityClasses, RuntimeClasses and StorageClasses
	// among the objects are added to the lists. If there are some of a kind among the objects of the cluster, they are
	// all of it, but not if they are applied to a cluster whose list is nil: see Incomplete.
	Admission admit.Options

	// IgnoredResources and IgnoredGroups are extended resources that the scheduler ignores: see
	// noderesources.FitOptions.
	IgnoredResources []corev1.ResourceName
	IgnoredGroups    []string

	// Profile is that of the scheduler. Nil is the default one. The cluster keeps it.
	Profile *Profile

	// AtOnce replaces all pods of a Deployment at once, as with the strategy Recreate, whatever its strategy is. The
	// pods of a rolling update go one after the other, and may get stuck on the way.
	AtOnce bool
	// RunCronJobs creates one Job of each CronJob that is created or whose template changes, once it is not suspended and
	// no other Job forbids it. Otherwise, CronJobs create nothing, since there is no clock.
	RunCronJobs bool
	// Now is the time at which pods that are being deleted are counted: see admit.Attributes.
	Now time.Time
}

// Cluster has the objects of a cluster, the usage of its quotas and the pods of its nodes. It is never
// modified, and safe for concurrent use. A nil Cluster is empty.
//
// Memory: less than 1 KB for each pod, in addition to its objects, which it refers to.
type Cluster struct {
	objects
	profile compiled
	places  *places.Places
	located bool // there is or was a node; otherwise, nothing is known of places
	assumed bool // pods that workloads have were not among the objects
	depends bool // placements depend on the order of LimitRanges

	hasNamespaces bool // Namespaces were among the objects: these are all of them

	complete []podvolumes.Kind // of these, all objects of the cluster are known
}

// pod is a pod. It is never written to.
type pod struct {
	places.Pod
	owner    key
	template *corev1.PodTemplateSpec // that it was created from; nil if it has no owner
	choice   *places.Choice          // of its node; nil if there was none
	ended    bool                    // it has no place
	unknown  []string                // classes that its admission depended on, and fields that its node did
	assumed  bool                    // it was not read: the status of its controller counts it
	fails    bool                    // its containers do not start
	depends  bool                    // that it is there, or on its node, depends on the order of LimitRanges
}

func (p *pod) compare(other *pod) int { return ordering.Names(p.NamespacedName, other.NamespacedName) }

// Nodes returns the names of the nodes, sorted. If nothing is said about places, there are none: see Read.
func (c *Cluster) Nodes() []string {
	if c == nil || !c.located {
		return nil
	}
	return c.places.Names()
}

// Ledger returns a new ledger of a node, with its pods. Their UIDs there are not those of the objects, which those of
// manifests do not have, but namespace/name. If there is no node of this name, it returns an error that wraps
// computeresources.ErrNotFound.
func (c *Cluster) Ledger(name string) (*noderesources.Ledger, error) {
	if c.placesOrNone().Node(name) == nil {
		return nil, notFound("", key{"Node", name})
	}
	return c.places.Ledger(name)
}

func notFound(namespace string, k key) error {
	return fmt.Errorf("whatif: %v %w", sourceOf(namespace, k), computeresources.ErrNotFound)
}

// Namespace returns the LimitRanges and quotas of a namespace, with their usage, for further questions. Those that it
// shares with others are among its quotas: see quota.ClusterQuota.In. It is nil if there is nothing in it.
func (c *Cluster) Namespace(name string) *admit.Namespace {
	if c == nil {
		return nil
	}
	s, d := c.spaces[name], draft{Cluster: c}
	if changed := d.sharedChange(name); changed > 0 && (s == nil || s.seen != changed) {
		d := c.edit()
		return d.admission(d.space(name))
	}
	if s == nil {
		return nil
	}
	return s.compiled
}

// Pod returns a pod as it is now. If there is no pod of this name, it returns an error that wraps
// computeresources.ErrNotFound.
//
// Cost: for a pod that waits, a comparison with each node.
func (c *Cluster) Pod(name types.NamespacedName) (Pod, error) {
	var p *pod
	if c != nil {
		p = c.podOf(name)
	}
	if p == nil {
		return Pod{}, notFound(name.Namespace, key{"Pod", name.Name})
	}
	d := &draft{Cluster: c}
	if !c.hasPlace(p) {
		d = c.view()
	}
	answer := d.podAnswer(p)
	answer.Before = p.Node
	return answer, nil
}

// Pods returns the pods on a node that have not ended, by namespace and name; for an empty name, those without a node,
// in the order in which the scheduler tries them.
//
// Cost: linear in the pods of a node; for each different pod that waits, a comparison with each node.
func (c *Cluster) Pods(node string) (answers []Pod) {
	if c == nil {
		return nil
	}
	if node == "" {
		d := c.view()
		for _, p := range c.waiting() {
			answers = append(answers, d.podAnswer(p))
		}
		return answers
	}
	d := &draft{Cluster: c} // pods with a node ask no question about places
	for _, p := range c.podsOn(node) {
		answer := d.podAnswer(p)
		answer.Before = node
		answers = append(answers, answer)
	}
	return answers
}

// podsOn returns the pods on a node that have not ended, by namespace and name.
func (c *Cluster) podsOn(node string) []*pod { return c.asStored(c.placesOrNone().On(node)) }

// waiting returns the pods that wait for a node, in the order in which the scheduler tries them.
func (c *Cluster) waiting() []*pod { return c.asStored(c.placesOrNone().Waiting()) }

// asStored returns pods with what else is known of them.
func (c *Cluster) asStored(all []*places.Pod) []*pod {
	pods := make([]*pod, len(all))
	for i, p := range all {
		pods[i] = c.podOf(p.NamespacedName)
	}
	return pods
}

// view returns a draft for questions about the cluster, which is only read.
func (c *Cluster) view() *draft {
	own := *c
	own.places = c.placesOrNone().Fork()
	return &draft{Cluster: &own}
}

// podAnswer returns what has become of a pod.
func (d *draft) podAnswer(p *pod) Pod {
	answer := Pod{
		Object: p.Object, Owner: d.topOwner(p), Node: p.Node,
		Unknown: d.unknownOf(p), Assumed: p.assumed, Depends: p.depends,
	}
	if p.choice != nil {
		answer.Choice = Choice(*p.choice)
		answer.Choice.Nodes, answer.Choice.Relative = slices.Clone(p.choice.Nodes), slices.Clone(p.choice.Relative)
	}
	if !p.ended && !d.hasPlace(p) {
		answer.Waits = reasonOf(d.places.WhyWaiting(p.Shape))
		answer.Depends = answer.Depends || d.depends
	}
	return answer
}

// topOwner returns the workload at the top of the owners of a pod.
func (c *Cluster) topOwner(p *pod) computeresources.Source {
	if p.owner == (key{}) {
		return computeresources.Source{}
	}
	k, _ := c.top(p.Namespace, p.owner)
	return sourceOf(p.Namespace, k)
}

// top returns the object at the top of the owners of an object, or itself, and the last of them that is there.
func (o *objects) top(namespace string, k key) (top key, last *item) {
	for range 8 { // owners may refer to each other
		it := o.itemOf(namespace, k)
		if it == nil {
			break
		}
		last = it
		if it.owner == (key{}) {
			break
		}
		k = it.owner
	}
	return k, last
}

// isUncertain reports whether decisions in the namespace may depend on those about other objects.
func (s *space) isUncertain() bool { return s != nil && s.depends && s.quotas > 0 }
