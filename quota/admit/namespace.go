package admit

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Options are the differences from a default cluster, which is the zero value.
type Options struct {
	// Limited is the configuration of the admission plugin ResourceQuota: resources that may only
	// be used if a quota allows it.
	Limited []quota.LimitedResource

	// Kubernetes is the cluster. All gates count. With InPlacePodLevelResourcesVerticalScaling, pods with pod-level
	// resources can be resized, but quotas do not count their pod-level status.
	Kubernetes computeresources.Kubernetes

	// IgnoreStatus selects what quotas count of the status of a pod: see quota.PodOptions.
	IgnoreStatus bool

	// IgnoreExtendedResources and ExtendedResources select how quotas count ResourceClaims: see
	// quota.ResourceClaimOptions.
	IgnoreExtendedResources bool
	ExtendedResources       map[string]corev1.ResourceName

	// PriorityClasses, RuntimeClasses and StorageClasses are those of the cluster. From them follow the priority,
	// overhead, node selector and tolerations of pods, and the class of claims that name none; what names another
	// class is refused. Of a nil list, nothing is known but the PriorityClasses that each cluster has,
	// system-node-critical and system-cluster-critical: nothing follows, nothing is refused, and Decision.Unknown
	// says which class would be needed. Nil elements are ignored.
	PriorityClasses []*schedulingv1.PriorityClass
	RuntimeClasses  []*nodev1.RuntimeClass
	StorageClasses  []*storagev1.StorageClass
	// Incomplete are the kinds, PriorityClass, RuntimeClass or StorageClass, of which the cluster may have other classes
	// than those in their list. What names another one is not refused. Another kind is an error of Compile.
	Incomplete []string

	// MaxSize bounds the LimitRanges and quotas. Zero is no bound.
	MaxSize MaxSize
}

// Namespace has the LimitRanges and ResourceQuotas of one namespace, and the resources that are
// limited by default. It is never modified after Compile, and is safe for concurrent use. A nil
// Namespace has neither LimitRanges nor quotas.
//
// Concurrent callers do not wait for each other: they share nothing that is written. What they
// allocate is for the garbage collector, which they do share.
type Namespace struct {
	name   string // empty if neither LimitRanges nor quotas name it
	ranges []*corev1.LimitRange
	policy *limitrange.Policy // of ranges
	quotas []*corev1.ResourceQuota
	opts   Options
	order  []string // of LimitRanges, in which the policy sets defaults; nil is by name
}

// Compile returns a namespace with these LimitRanges and quotas, in any order; nil ones are
// ignored. It copies all it needs. See computeresources.Pointers for the Items of a list.
//
// Quotas may present others that the namespace shares with more of them: see quota.ClusterQuota.In. Namespaces do not
// know of each other: pass them on to quota.ClusterQuota.SetUsed.
//
// LimitRanges may come from manifests: Compile adds the defaults that the API server adds to their items. Of a quota,
// only the status counts, as on the server: one from a manifest admits everything (Decision.Unenforced) until
// quota.CalculateUsage has computed its status. All LimitRanges and quotas that name a namespace must name the same
// one. An object in another namespace, an object that the API server would not store (see limitrange.ValidateObject
// and quota.ValidateObject; other metadata is not validated), an invalid scope selector, or an unknown kind of
// Incomplete in opts is an error: an aggregate of an error for each field, with the object and the value, sorted by
// the names of the objects. What is larger than Options.MaxSize is an error before anything else. The namespace is nil
// then.
//
// Cost: O(n log n) for n values. Reuse the Namespace for many objects.
func Compile(ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, opts Options) (*Namespace, error) {
	var objects []APIObject
	for _, lr := range ranges {
		objects = append(objects, lr)
	}
	for _, q := range quotas {
		objects = append(objects, q)
	}
	if err := opts.MaxSize.Check(objects...); err != nil {
		return nil, err
	}
	opts.Limited = cloneLimited(opts.Limited)
	opts.ExtendedResources = maps.Clone(opts.ExtendedResources)
	opts.Kubernetes = cloneKubernetes(opts.Kubernetes)
	opts.ownClasses()
	completed, owned := completedRanges(ranges), sortedQuotas(quotas)
	name := nameOf(completed, owned)
	if err := validate(name, completed, owned, &opts); err != nil {
		return nil, err
	}
	return &Namespace{
		name:   name,
		ranges: completed,
		policy: limitrange.Compile(completed, opts.Kubernetes),
		quotas: owned,
		opts:   opts,
	}, nil
}

// LimitRanges returns copies of the LimitRanges as the API server stores them, sorted by namespace and name.
func (n *Namespace) LimitRanges() []*corev1.LimitRange {
	if n == nil {
		return nil
	}
	list := make([]*corev1.LimitRange, len(n.ranges))
	for i, lr := range n.ranges {
		list[i] = lr.DeepCopy()
	}
	return list
}

// Kubernetes returns that of the Options.
func (n *Namespace) Kubernetes() computeresources.Kubernetes {
	if n == nil {
		return computeresources.Kubernetes{}
	}
	return cloneKubernetes(n.opts.Kubernetes)
}

// Quotas returns copies of the quotas, sorted by namespace and name.
func (n *Namespace) Quotas() []*corev1.ResourceQuota {
	if n == nil {
		return nil
	}
	list := make([]*corev1.ResourceQuota, len(n.quotas))
	for i, q := range n.quotas {
		list[i] = q.DeepCopy()
	}
	return list
}

// orEmpty returns the namespace, or an empty one for nil.
func (n *Namespace) orEmpty() Namespace {
	if n == nil {
		return Namespace{}
	}
	return *n
}

// podOptions returns what quotas count of a pod.
func (o *Options) podOptions() quota.PodOptions {
	return quota.PodOptions{Kubernetes: o.Kubernetes, IgnoreStatus: o.IgnoreStatus}
}

// completedRanges returns copies of LimitRanges with the defaults of the server, by name.
func completedRanges(ranges []*corev1.LimitRange) []*corev1.LimitRange {
	var list []*corev1.LimitRange
	for _, lr := range ranges {
		if lr == nil {
			continue
		}
		completed := lr.DeepCopy()
		for i := range completed.Spec.Limits {
			item := limitrange.WithDefaults(lr.Spec.Limits[i])
			roundTrip(&item.Min, &item.Max, &item.Default, &item.DefaultRequest, &item.MaxLimitRequestRatio)
			completed.Spec.Limits[i] = item
		}
		list = append(list, completed)
	}
	slices.SortStableFunc(list, func(a, b *corev1.LimitRange) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// sortedQuotas returns copies of quotas, by name.
func sortedQuotas(quotas []*corev1.ResourceQuota) []*corev1.ResourceQuota {
	var list []*corev1.ResourceQuota
	for _, q := range quotas {
		if q != nil {
			own := q.DeepCopy()
			roundTrip(&own.Spec.Hard, &own.Status.Hard, &own.Status.Used)
			list = append(list, own)
		}
	}
	slices.SortStableFunc(list, func(a, b *corev1.ResourceQuota) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(plugin(a.Kind), plugin(b.Kind)))
	})
	return list
}

func cloneKubernetes(kubernetes computeresources.Kubernetes) computeresources.Kubernetes {
	k := &kubernetes
	for _, gate := range []**bool{
		&k.PodLevelResources, &k.PodLevelResourcesFixDefaulting, &k.PodLevelResourcesFixKubeletQOSClass,
		&k.InPlacePodLevelResourcesVerticalScaling, &k.InPlacePodVerticalScalingInitContainers, &k.NodeDeclaredFeatures,
		&k.MaxUnavailableStatefulSet, &k.StatefulSetRecreateStrategy, &k.MemoryQoS,
	} {
		if *gate != nil {
			own := **gate
			*gate = &own
		}
	}
	return kubernetes
}

func cloneLimited(limited []quota.LimitedResource) []quota.LimitedResource {
	list := slices.Clone(limited)
	for i := range list {
		list[i].MatchContains = slices.Clone(list[i].MatchContains)
		list[i].MatchScopes = slices.Clone(list[i].MatchScopes)
		for j := range list[i].MatchScopes {
			list[i].MatchScopes[j] = *list[i].MatchScopes[j].DeepCopy()
		}
	}
	return list
}
