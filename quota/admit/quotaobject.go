package admit

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/quota"
)

// QuotaObject returns an object as the quotas of the namespace count it, for package quota: what
// it uses of them, or which of them concern it. It is taken as it stands, with its status and
// without defaults: pass the Object of a Decision for one that is still to be created. The result
// refers to the object. No object, a nil pointer included, is none.
func (n *Namespace) QuotaObject(obj APIObject, req Attributes) quota.Object {
	if isNil(obj) {
		return quota.Object{}
	}
	ns := n.parts()
	return ns.quotaObject(obj, &req)
}

// quotaObject is QuotaObject of an object that is there.
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
	return quota.Counted(subjectOf(obj, req).resource, obj)
}
