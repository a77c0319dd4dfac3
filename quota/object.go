package quota

import (
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is an object as quotas count it. It refers to the original object and does not copy it: a
// change of the original changes the Object. The zero value is no object: it uses nothing, and
// every quota admits it.
type Object struct {
	resource schema.GroupResource
	meta     metav1.Object // nil if the object has no metadata

	// At most one of these is set. Without any, the object is counted.
	pod           *corev1.Pod
	volumeClaim   *corev1.PersistentVolumeClaim
	service       *corev1.Service
	resourceClaim *resourcev1.ResourceClaim

	now          time.Time // for pod
	podOptions   PodOptions
	claimOptions *ResourceClaimOptions // for resourceClaim

	usage corev1.ResourceList // that the caller gives, and nil otherwise: see WithUsage
}

// Pod returns a pod, or the pod of a template, at a time: a pod whose deletion grace period has
// expired by then uses only count/pods. The time only matters for pods that are being deleted. A
// nil pod returns the zero Object.
func Pod(pod *corev1.Pod, now time.Time, opts PodOptions) Object {
	if pod == nil {
		return Object{}
	}
	return Object{resource: schema.GroupResource{Resource: "pods"}, meta: pod, pod: pod, now: now, podOptions: opts}
}

// PersistentVolumeClaim returns a PersistentVolumeClaim. A nil claim returns the zero Object.
func PersistentVolumeClaim(claim *corev1.PersistentVolumeClaim) Object {
	if claim == nil {
		return Object{}
	}
	return Object{resource: schema.GroupResource{Resource: "persistentvolumeclaims"}, meta: claim, volumeClaim: claim}
}

// Service returns a Service. A nil service returns the zero Object.
func Service(service *corev1.Service) Object {
	if service == nil {
		return Object{}
	}
	return Object{resource: schema.GroupResource{Resource: "services"}, meta: service, service: service}
}

// ResourceClaim returns a ResourceClaim. It uses the devices that it may get of each DeviceClass, and by
// the options, extended resources: see Object.Usage. Pass a claim as it is stored: a request without a mode is for
// no device, as the API server sets ExactCount and 1 before (admit.Namespace.Create). A nil claim returns the zero
// Object.
func ResourceClaim(claim *resourcev1.ResourceClaim, opts ResourceClaimOptions) Object {
	if claim == nil {
		return Object{}
	}
	return Object{
		resource: schema.GroupResource{Group: resourcev1.GroupName, Resource: "resourceclaims"},
		meta:     claim, resourceClaim: claim, claimOptions: &opts,
	}
}

// Counted returns an object of any other resource, such as deployments.apps or secrets, whose
// number a quota limits. The metadata identifies the object, and may be nil for a template. An
// empty resource returns the zero Object.
func Counted(resource schema.GroupResource, meta metav1.Object) Object {
	if resource.Resource == "" {
		return Object{}
	}
	if v := reflect.ValueOf(meta); v.Kind() == reflect.Pointer && v.IsNil() {
		meta = nil // of a pointer to an object
	}
	return Object{resource: resource, meta: meta}
}

// WithUsage returns the object with a usage that the caller knows better: that of a virtual machine instead of the pod
// that runs it, or that of a kind that quotas only count. It replaces Usage, and says by its names, also those that
// Kubernetes does not know, which resources of a quota the object may use. The object is within the same scopes as
// before, has to set no resources (see MissingRequired), and any update of it applies (see Assessment.Applies).
//
// The usage is not copied. With nil, the object uses nothing. The zero Object becomes an object without a name, of no
// resource, and within no scope.
func (o Object) WithUsage(usage corev1.ResourceList) Object {
	o.usage = usage
	if usage == nil {
		o.usage = corev1.ResourceList{}
	}
	return o
}

// Key identifies an object in a cluster: its resource, namespace and name.
type Key struct {
	Resource  schema.GroupResource `json:"resource,omitzero"`
	Namespace string               `json:"namespace,omitempty"`
	Name      string               `json:"name,omitempty"`
}

// Key returns the key of the object. Objects without metadata have no name.
func (o Object) Key() Key {
	key := Key{Resource: o.resource}
	if o.meta != nil {
		key.Namespace, key.Name = o.meta.GetNamespace(), o.meta.GetName()
	}
	return key
}

// none reports whether the Object is the zero value.
func (o *Object) none() bool { return o.resource.Resource == "" && o.usage == nil }

// isStored reports whether a quota may have counted an old object. The caller knows an object without metadata.
func (o *Object) isStored() bool {
	return o.meta == nil || o.meta.GetResourceVersion() != ""
}
