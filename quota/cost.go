package quota

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Usage returns what an object costs, by the names that quotas have for it: what is charged
// to a quota that names all of them.
//
//   - A pod costs one of count/pods for as long as it exists. Until it has ended, or its
//     grace period for deletion is over, it also costs one of pods, and its effective
//     requests and limits: cpu, memory and ephemeral-storage under their own name (the
//     requests), and with the prefixes requests. and limits.; hugepages under their own
//     name and as requests.hugepages-…; extended resources as requests.… only.
//   - A PersistentVolumeClaim costs one of persistentvolumeclaims and of
//     count/persistentvolumeclaims, and its storage, rounded up to whole bytes, as
//     requests.storage; and the number and the storage once more under the name of its
//     storage class. While it grows, the greater of request and allocation counts.
//   - A Service costs one of services and of count/services, one of services.loadbalancers
//     if it is of that type, and one of services.nodeports for each port that gets one.
//   - A ResourceClaim costs one of count/resourceclaims.resource.k8s.io, and for each
//     device class the most devices that it may get, as <class>.deviceclass.resource.k8s.io/devices.
//     See ResourceClaimOptions for extended resources.
//   - Any other object costs one of count/resource.group; config maps, secrets, quotas and
//     replication controllers also one of their plain name.
//
// The result is never nil. Cost: two allocations for a pod of cpu and memory, besides those
// of computeresources.PodRequests and PodLimits.
//
// Source: the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) Usage() corev1.ResourceList {
	cost := make(corev1.ResourceList, 8)
	o.costInto(cost)
	return cost
}

// UsageInto clears dst, fills it with Cost and returns it. If dst is nil, it returns a new
// list. Dst must not be one of the lists of the object. For pods of cpu, memory and
// ephemeral-storage, it does not allocate once dst has grown to the number of names, except
// for amounts that need arbitrary precision.
func (o Object) UsageInto(dst corev1.ResourceList) corev1.ResourceList {
	if dst == nil {
		return o.Usage()
	}
	clear(dst)
	o.costInto(dst)
	return dst
}

func (o *Object) costInto(dst corev1.ResourceList) {
	switch {
	case o.none():
	case o.pod != nil:
		o.podCostInto(dst)
	case o.volumeClaim != nil:
		volumeClaimCostInto(dst, o.volumeClaim)
	case o.service != nil:
		serviceCostInto(dst, o.service)
	case o.resourceClaim != nil:
		o.resourceClaimCostInto(dst)
	default:
		for _, name := range countedNames(o.resource) {
			dst[name] = units(1)
		}
	}
}

// MatchesResource reports whether objects of this kind may cost a resource of this name. A quota
// concerns only objects that it names such a resource of.
//
// Source: MatchingResources of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) MatchesResource(name corev1.ResourceName) bool {
	switch {
	case o.none():
		return false
	case o.pod != nil:
		return chargesPods(name)
	case o.volumeClaim != nil:
		return chargesVolumeClaims(name)
	case o.service != nil:
		return chargesServices(name)
	case o.resourceClaim != nil:
		return o.claimOptions.charges(name)
	default:
		return resourcelist.Contains(countedNames(o.resource), name)
	}
}

// CountName returns the name under which quotas count the objects of a resource:
// count/pods, count/deployments.apps.
func CountName(resource schema.GroupResource) corev1.ResourceName {
	return corev1.ResourceName("count/" + resource.String())
}

// countedNames returns what a counted object costs one of.
func countedNames(resource schema.GroupResource) []corev1.ResourceName {
	names := []corev1.ResourceName{CountName(resource)}
	switch resource {
	case schema.GroupResource{Resource: "configmaps"}, schema.GroupResource{Resource: "resourcequotas"},
		schema.GroupResource{Resource: "replicationcontrollers"}, schema.GroupResource{Resource: "secrets"}:
		names = append(names, corev1.ResourceName(resource.Resource))
	}
	return names
}

// units returns a whole number of something.
func units(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalSI) }
