package quota

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// CalculateUsage returns the status that the quota controller writes if these are all objects: the
// limits of the spec, and the usage of the objects that match the quota. Without objects, it is the
// status of a new quota, whose usage is zero. Resources that no object can use, such as a
// misspelled one, have no usage. Objects that are known to be in other namespaces do not count.
//
// If the scope selector of the quota is invalid for an object, the first such error is returned
// with the status, which counts all other objects. The status of a nil quota is empty.
//
// Cost: O(objects × resources).
//
// Source: the resource quota controller of k8s.io/kubernetes, CalculateUsage of
// k8s.io/apiserver/pkg/quota/v1.
func CalculateUsage(objects []Object, quota *corev1.ResourceQuota) (corev1.ResourceQuotaStatus, error) {
	if quota == nil {
		return corev1.ResourceQuotaStatus{}, nil
	}
	fresh := corev1.ResourceQuota{ObjectMeta: quota.ObjectMeta, Spec: quota.Spec}
	status := corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard.DeepCopy(), Used: corev1.ResourceList{}}
	for name := range status.Hard {
		if isObjectResource(name) {
			status.Used[name] = resource.Quantity{Format: resource.DecimalSI}
		}
	}
	var fault error
	usage := corev1.ResourceList{}
	for _, object := range objects {
		matched, err := object.Matches(&fresh)
		if err != nil && fault == nil {
			fault = err
		}
		if !matched {
			continue
		}
		usage = object.UsageInto(usage)
		for name, used := range status.Used {
			if q, ok := usage[name]; ok {
				used.Add(q)
				status.Used[name] = used
			}
		}
	}
	return status, fault
}

// TotalUsage returns the usage of all objects that are within all of the scopes, for every
// resource: CalculateUsage for a quota with these scopes that lists all resources. Scopes(quota)
// returns the scopes of a quota. Without scopes, all objects count, in any namespace.
//
// If a scope is invalid for an object, the first such error is returned with the usage of all
// other objects. The result is never nil and owns its quantities. Cost: O(objects × resources).
//
// Source: CalculateUsageStats of k8s.io/apiserver/pkg/quota/v1/generic, without resources.
func TotalUsage(objects []Object, scopes []corev1.ScopedResourceSelectorRequirement) (corev1.ResourceList, error) {
	total, usage := corev1.ResourceList{}, corev1.ResourceList{}
	var fault error
	for _, object := range objects {
		within, err := object.inAll(scopes)
		if err != nil && fault == nil {
			fault = err
		}
		if within {
			usage = object.UsageInto(usage)
			resourcelist.AddInto(total, total, usage)
		}
	}
	return total, fault
}

// inAll reports whether an object is within all scopes, and returns the error of the first
// invalid one.
func (o *Object) inAll(scopes []corev1.ScopedResourceSelectorRequirement) (bool, error) {
	within := true
	for _, scope := range scopes {
		in, err := o.matchScope(scope)
		if err != nil {
			return false, err
		}
		within = within && in
	}
	return within, nil
}

// isObjectResource reports whether objects of any kind may use a resource.
func isObjectResource(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceConfigMaps, corev1.ResourceSecrets, corev1.ResourceQuotas, corev1.ResourceReplicationControllers:
		return true
	}
	return strings.HasPrefix(string(name), "count/") || strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass) ||
		isPodResource(name) || isVolumeClaimResource(name) || isServiceResource(name)
}
