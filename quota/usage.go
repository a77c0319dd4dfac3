package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Usage returns the usage of an object, by the resource names of quotas: what it uses of a quota
// that lists all resources.
//
//   - A pod uses one of count/pods for as long as it exists. Until it has ended
//     (computeresources.HasEnded), or its deletion grace period has expired, it also uses one of
//     pods, and its effective requests and limits, which include overhead: cpu, memory and
//     ephemeral-storage under their own name (the requests), and with the prefixes requests. and
//     limits.; hugepages under their own name and as requests.hugepages-…; extended resources as
//     requests.… only. Without deletionGracePeriodSeconds, the grace period never expires, so
//     such a pod counts until it has ended or is gone.
//   - A PersistentVolumeClaim uses one of persistentvolumeclaims and of
//     count/persistentvolumeclaims, and its storage, rounded up to whole bytes, as
//     requests.storage; and the same again under the name of its storage class. While it is
//     expanded, the larger of the requested and the allocated storage counts.
//   - A Service uses one of services and of count/services, one of services.loadbalancers
//     if it is of that type, and one of services.nodeports for each port that gets one.
//   - A ResourceClaim uses one of count/resourceclaims.resource.k8s.io, and for each device class
//     the maximum number of devices that it may get, as
//     <class>.deviceclass.resource.k8s.io/devices. See ResourceClaimOptions for extended resources.
//   - Any other object uses one of count/resource.group; config maps, secrets, quotas and
//     replication controllers also one of their plain name.
//   - An object WithUsage uses what the caller gave.
//
// The result is never nil. Cost: two allocations for a pod with cpu and memory, in addition to
// those of computeresources.PodRequests and PodLimits.
//
// Source: the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) Usage() corev1.ResourceList {
	usage := make(corev1.ResourceList, 8)
	o.usageInto(usage)
	return usage
}

// UsageInto clears dst, fills it with Usage and returns it. If dst is nil, it returns a new
// list. Dst must not be one of the lists of the object. For pods of cpu, memory and
// ephemeral-storage, it does not allocate once dst has grown to the number of names, except
// for amounts that need arbitrary precision.
func (o Object) UsageInto(dst corev1.ResourceList) corev1.ResourceList {
	if dst == nil {
		return o.Usage()
	}
	clear(dst)
	o.usageInto(dst)
	return dst
}

func (o *Object) usageInto(dst corev1.ResourceList) {
	switch {
	case o.none():
	case o.usage != nil:
		for name, q := range o.usage {
			dst[name] = q.DeepCopy()
		}
	case o.pod != nil:
		o.podUsageInto(dst)
	case o.volumeClaim != nil:
		volumeClaimUsageInto(dst, o.volumeClaim)
	case o.service != nil:
		serviceUsageInto(dst, o.service)
	case o.resourceClaim != nil:
		o.resourceClaimUsageInto(dst)
	default:
		for _, name := range countedNames(o.resource) {
			dst[name] = units(1)
		}
	}
}

// UsageIn returns the usage of one quota by an object: an amount for each resource that the quota
// limits and that objects of this kind may use, which is zero if this object uses none. The result
// is nil if the quota does not count the object. Errors are those of Matches.
//
// The usage of the quota with the object is the sum of status.used and the result.
func (o Object) UsageIn(quota *corev1.ResourceQuota) (corev1.ResourceList, error) {
	if matched, err := o.Matches(quota); !matched || err != nil {
		return nil, err
	}
	usage, in := o.Usage(), corev1.ResourceList{}
	for name := range inForce(quota) {
		// Some device classes are used by a name that does not match.
		if q, used := usage[name]; used || o.matchesResource(name) {
			in[name] = q
		}
	}
	return in, nil
}

// matchesResource reports whether objects of this kind may use a resource of a quota. A quota
// without such a resource does not count the object. Objects WithUsage may use the names that they have.
//
// Source: MatchingResources of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o *Object) matchesResource(name corev1.ResourceName) bool {
	switch {
	case o.none():
		return false
	case o.usage != nil:
		_, uses := o.usage[name]
		return uses
	case o.pod != nil:
		return isPodResource(name) && (o.countsImplicitNames() || !strings.HasPrefix(string(name), requestsOfDeviceClass))
	case o.volumeClaim != nil:
		return isVolumeClaimResource(name)
	case o.service != nil:
		return isServiceResource(name)
	case o.resourceClaim != nil:
		return o.claimOptions.matchesResource(name)
	default:
		return slices.Contains(countedNames(o.resource), name)
	}
}

// countedNames returns what a counted object uses one of: count/deployments.apps, and of some resources also
// their plain name.
func countedNames(resource schema.GroupResource) []corev1.ResourceName {
	names := []corev1.ResourceName{corev1.ResourceName("count/" + resource.String())}
	switch resource {
	case schema.GroupResource{Resource: "configmaps"}, schema.GroupResource{Resource: "resourcequotas"},
		schema.GroupResource{Resource: "replicationcontrollers"}, schema.GroupResource{Resource: "secrets"}:
		names = append(names, corev1.ResourceName(resource.Resource))
	}
	return names
}

// units returns a whole number of something.
func units(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) }
