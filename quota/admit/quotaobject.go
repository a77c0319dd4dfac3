package admit

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// QuotaObject returns an object as the quotas of the namespace count it, for use with package
// quota. The object is used as it is, with its status and without defaults: for an object that is
// not created yet, pass the Object of its Decision. Of the attributes, Resource, Now and ClaimPod count.
// The result refers to the object. The result for a nil object is the zero Object.
func (n *Namespace) QuotaObject(obj APIObject, req Attributes) quota.Object {
	if workload.IsNil(obj) {
		return quota.Object{}
	}
	ns := n.orEmpty()
	return ns.quotaObject(obj, &req)
}

// quotaObject is QuotaObject for an object other than nil.
func (n *Namespace) quotaObject(obj APIObject, req *Attributes) quota.Object {
	switch obj := obj.(type) {
	case *corev1.Pod:
		return quota.Pod(obj, req.Now, n.opts.podOptions())
	case *corev1.PersistentVolumeClaim:
		return quota.PersistentVolumeClaim(obj)
	case *corev1.Service:
		return quota.Service(obj)
	case *resourcev1.ResourceClaim:
		return quota.ResourceClaim(obj, quota.ResourceClaimOptions{
			IgnoreExtendedResources: n.opts.IgnoreExtendedResources,
			ExtendedResources:       n.opts.ExtendedResources,
			Pod:                     quota.Pod(req.ClaimPod, time.Time{}, n.opts.podOptions()),
		})
	}
	return quota.Counted(schema.GroupResource(subjectOf(obj, req).Resource), obj)
}
