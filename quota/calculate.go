package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// CalculateUsage returns the status that the quota controller writes if these are all objects: the
// limits of the spec, and the usage of the objects that match the quota. Without objects, it is the
// status of a new quota, whose usage is zero. Resources that no object can use, such as a
// misspelled one, have no usage. If an object WithUsage has a resource, even with zero, objects can use it.
// Objects that are known to be in other namespaces do not count.
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
		given := func(o Object) bool { return o.usage != nil && o.matchesResource(name) }
		if isObjectResource(name) || slices.ContainsFunc(objects, given) {
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

// isObjectResource reports whether objects of any kind may use a resource.
func isObjectResource(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceConfigMaps, corev1.ResourceSecrets, corev1.ResourceQuotas, corev1.ResourceReplicationControllers:
		return true
	}
	return strings.HasPrefix(string(name), "count/") || strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass) ||
		isPodResource(name) || isVolumeClaimResource(name) || isServiceResource(name)
}
