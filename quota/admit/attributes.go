package admit

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// APIObject is any API object, like client.Object of controller-runtime. Pods,
// PersistentVolumeClaims, Services, ResourceClaims and workloads must have the types of k8s.io/api;
// an unstructured object is only counted.
type APIObject interface {
	metav1.Object
	runtime.Object
}

// Attributes are the attributes of a request other than its objects; what holds for all requests is in Options. The
// zero value is enough for objects that have a name and one of the types in the package documentation.
type Attributes struct {
	// Subresource is the subresource that an Update is sent to: resize, of a pod, or empty for the object itself. A
	// request for any other one is refused with 404 NotFound, as by an API server that does not serve it.
	Subresource string

	// GeneratedName is the name that the server generates from metadata.generateName, for objects
	// without a name. If it is empty, messages contain metadata.generateName instead.
	GeneratedName string

	// PodName is the name that the controller of a workload gives to its pods. If it is empty,
	// messages contain the name of the workload and "-" instead.
	PodName string

	// Resource is the resource of an object of another type, such as ingresses of
	// networking.k8s.io. If it is empty, it is guessed from the kind of the object.
	Resource schema.GroupResource

	// Now is the time of an Update or a QuotaObject. It matters for pods that are being deleted: quotas
	// stop counting them when their grace period expires. At the zero time, no grace period has
	// expired.
	Now time.Time

	// Node is the node of a pod that is resized: see computeresources.ValidateResizeOnNode. If it is
	// nil, the node is not checked. It is only read.
	Node *corev1.Node

	// ClaimPod is the pod whose extended resources a ResourceClaim was created for: see
	// quota.ResourceClaimOptions. It is only read.
	ClaimPod *corev1.Pod
}
