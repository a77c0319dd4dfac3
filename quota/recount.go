package quota

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// CalculateUsage returns the status of a quota as the quota controller would write it if these
// were all the objects there are: the limits of the spec, and what the objects cost that
// the quota concerns. Without objects it is that of a new quota, with zero of everything
// in use. Resources that nothing is charged for, such as a misspelled one, have no usage.
// Objects known to be in other namespaces do not count.
//
// The error is that of an object whose scope the quota's selector cannot tell; objects
// before and after it are counted. A nil quota has an empty status.
//
// Cost: O(objects × resources).
//
// Source: the resource quota controller of k8s.io/kubernetes, CalculateUsage of
// k8s.io/apiserver/pkg/quota/v1.
func CalculateUsage(quota *corev1.ResourceQuota, objects []Object) (corev1.ResourceQuotaStatus, error) {
	if quota == nil {
		return corev1.ResourceQuotaStatus{}, nil
	}
	fresh := corev1.ResourceQuota{ObjectMeta: quota.ObjectMeta, Spec: quota.Spec}
	status := corev1.ResourceQuotaStatus{Hard: quota.Spec.Hard.DeepCopy(), Used: corev1.ResourceList{}}
	for name := range status.Hard {
		if anyoneCharges(name) {
			status.Used[name] = resource.Quantity{Format: resource.DecimalSI}
		}
	}
	var fault error
	cost := corev1.ResourceList{}
	for _, object := range objects {
		matched, err := object.Matches(&fresh)
		if err != nil && fault == nil {
			fault = err
		}
		if !matched {
			continue
		}
		cost = object.UsageInto(cost)
		for name, used := range status.Used {
			if q, ok := cost[name]; ok {
				used.Add(q)
				status.Used[name] = used
			}
		}
	}
	return status, fault
}

// anyoneCharges reports whether objects of any kind may cost a resource.
func anyoneCharges(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceConfigMaps, corev1.ResourceSecrets, corev1.ResourceQuotas, corev1.ResourceReplicationControllers:
		return true
	}
	return strings.HasPrefix(string(name), "count/") || strings.HasSuffix(string(name), corev1.ResourceClaimsPerClass) ||
		chargesPods(name) || chargesVolumeClaims(name) || chargesServices(name)
}
