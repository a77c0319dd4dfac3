package noderesources

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
)

// FitOptions select the resources that are left out of the comparison. The zero value means a default
// scheduler of a cluster without DeviceClasses, which leaves out none.
//
// Source: NodeResourcesFitArgs, and shouldDelegateResourceToDRA of
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
type FitOptions struct {
	// IgnoredResources and IgnoredGroups are extended resources that count on no node, for example
	// because a scheduler extender manages them. Resources that are not extended always count.
	IgnoredResources []corev1.ResourceName // by name: example.com/fpga
	IgnoredGroups    []string              // by the part of the name before the slash: example.com

	// ExtendedResources are the names of extended resources by device class, as
	// quota.ExtendedResources returns them. On a node whose allocatable amount of such a resource is
	// zero, the scheduler leaves a request for it to dynamic resource allocation, and so it does not
	// count here. The same holds for deviceclass.resource.kubernetes.io/<class>, the implicit name of
	// each class in the map, also of one whose extended resource has an empty name. A scheduler
	// without DRAExtendedResource has no such map. Whether there are devices is not considered.
	ExtendedResources map[string]corev1.ResourceName
}

// Shortage is a resource that a node has too little free of for a pod. Amounts are in the
// units of resourcelist.Integer; for corev1.ResourcePods, they are numbers of pods.
type Shortage struct {
	Resource  corev1.ResourceName `json:"resource,omitempty"`
	Requested int64               `json:"requested"` // by the pod
	Used      int64               `json:"used"`      // by the pods on the node
	Capacity  int64               `json:"capacity"`  // what the node has for pods
	// Unresolvable reports that the pod requests more than Capacity. Removing pods from the node
	// would not help.
	Unresolvable bool `json:"unresolvable,omitempty"`
}

// Error returns the message of the scheduler: "Too many pods" or "Insufficient cpu".
func (s *Shortage) Error() string {
	if s == nil {
		return "<nil>"
	}
	return messageOf(s.Resource)
}

// messageOf returns the message of the scheduler for a resource that is short.
func messageOf(name corev1.ResourceName) string {
	if name == corev1.ResourcePods {
		return "Too many pods"
	}
	return "Insufficient " + string(name)
}

// Shortages are in the order of the scheduler: pods, cpu, memory, ephemeral-storage, and then
// others by name.
type Shortages []Shortage

// Err returns nil if there are no shortages, and otherwise an error. The message for several
// shortages is "[a, b]". It wraps a *Shortage for each, which is a copy.
func (s Shortages) Err() error {
	errs := make([]*Shortage, len(s))
	for i, shortage := range s {
		errs[i] = &shortage
	}
	return aggregate.Of(errs)
}

// Unresolvable reports whether any of the shortages is unresolvable: then the pod does not fit on
// this node even without other pods.
func (s Shortages) Unresolvable() bool {
	return slices.ContainsFunc(s, func(s Shortage) bool { return s.Unresolvable })
}

// Shortfall returns how much more of each resource the node would have to have free for the pod to
// fit. It is empty if there are no shortages.
func (s Shortages) Shortfall() corev1.ResourceList {
	short := make(corev1.ResourceList, len(s))
	for _, of := range s {
		// In quantities, since the sum may be beyond an int64.
		lack := resourcelist.Quantity(of.Resource, of.Used)
		quantity.Add(&lack, resourcelist.Quantity(of.Resource, of.Requested))
		lack = quantity.Minus(lack, resourcelist.Quantity(of.Resource, of.Capacity))
		lack.Format = resourcelist.Quantity(of.Resource, resourcelist.Integer(of.Resource, lack)).Format
		short[of.Resource] = lack
	}
	return short
}

// Fits reports whether a pod with this request fits on the node in addition to its pods, that is,
// whether Shortages returns none. It does not allocate.
//
// Cost: a comparison for each resource that is requested, and a search by name for scalar
// ones.
func (l *Ledger) Fits(r Request, opts FitOptions) bool { return l.orEmpty().fits(&r, &opts) }

func (l *sums) fits(r *Request, opts *FitOptions) bool {
	if l.freePods < 1 {
		return false
	}
	for i := range r.native {
		if isShort(r.native[i].request, l.free[i]) {
			return false
		}
	}
	scalars := r.scalars
	for i := range scalars {
		s := &scalars[i]
		if isShort(s.request, l.freeOf(s.name)) && opts.counts(s, l.columnOf(s.name).allocatable) {
			return false
		}
	}
	return true
}

// Shortages returns the resources that the node has too little free of for a pod with this request,
// and nil if it fits. A pod that is on the node already is counted: remove it first.
//
// Requests count, and not what pods use: a node can be short of memory that nobody uses. There must be room
// for one more pod, and for each request above zero, that amount must be free. A
// resource that the pod does not request is ignored, even if it is overcommitted. A resource that
// the node does not list has an allocatable amount of zero; see FitOptions.ExtendedResources for those
// that a DeviceClass provides.
//
// Source: Fits, and Filter of NodeResourcesFit, of
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func (l *Ledger) Shortages(r Request, opts FitOptions) Shortages {
	return l.orEmpty().appendShortages(nil, &r, &opts)
}

func (l *sums) appendShortages(found Shortages, r *Request, opts *FitOptions) Shortages {
	if l.freePods < 1 {
		found = append(found, l.podShortage(0))
	}
	for i := range r.native {
		if n := r.native[i].request; isShort(n, l.free[i]) {
			found = append(found, l.native[i].shortage(nameOf(i), n, 0))
		}
	}
	scalars := r.scalars
	for i := range scalars {
		s := &scalars[i]
		if c := l.columnOf(s.name); isShort(s.request, l.freeOf(s.name)) && opts.counts(s, c.allocatable) {
			found = append(found, c.shortage(s.name, s.request, 0))
		}
	}
	return found
}

func isShort(requested, free int64) bool { return requested > 0 && requested > free }

// freeOf returns what is free of a scalar resource.
func (l *sums) freeOf(name corev1.ResourceName) int64 {
	if i, found := l.indexOf(name); found {
		return l.scalars[i].free
	}
	return 0
}

// columnOf returns the sum of a scalar resource, which is zero if neither the node nor a pod
// has it.
func (l *sums) columnOf(name corev1.ResourceName) column {
	if i, found := l.indexOf(name); found {
		return l.scalars[i].column
	}
	return column{}
}

// podShortage returns the shortage of pods once there are n more.
func (l *sums) podShortage(n int64) Shortage {
	return Shortage{Resource: corev1.ResourcePods, Requested: 1, Used: l.held + n, Capacity: l.maxPods}
}

// shortage returns the shortage of a resource once there are n more pods with the request.
func (c *column) shortage(name corev1.ResourceName, requested, n int64) Shortage {
	used := c.requested
	used.AddProduct(requested, n)
	return Shortage{name, requested, used.Int64(), c.allocatable, requested > c.allocatable}
}

// counts reports whether a resource counts on a node with this allocatable amount of it.
func (o *FitOptions) counts(s *scalar, allocatable int64) bool {
	return !o.ignores(s) && (allocatable > 0 || !o.Delegates(s.name))
}

// Delegates reports whether the scheduler leaves a resource to dynamic resource allocation on nodes where no amount of
// it is allocatable, because ExtendedResources has it.
func (o *FitOptions) Delegates(name corev1.ResourceName) bool {
	if o == nil {
		return false
	}
	if class, isImplicit := strings.CutPrefix(string(name), resourcev1.ResourceDeviceClassPrefix); isImplicit {
		if _, known := o.ExtendedResources[class]; known {
			return true
		}
	}
	for _, extended := range o.ExtendedResources {
		if extended == name {
			return true
		}
	}
	return false
}

// ignores reports whether a resource counts on no node.
func (o *FitOptions) ignores(s *scalar) bool {
	if !s.isExtended {
		return false
	}
	group, _, _ := strings.Cut(string(s.name), "/")
	return slices.Contains(o.IgnoredResources, s.name) || slices.Contains(o.IgnoredGroups, group)
}
