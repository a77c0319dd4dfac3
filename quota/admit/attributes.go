package admit

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// APIObject is any object of the API: what controller-runtime calls client.Object. Pods,
// PersistentVolumeClaims, Services, ResourceClaims and workloads have to be of the types of
// k8s.io/api; an unstructured one is only counted.
type APIObject interface {
	metav1.Object
	runtime.Object
}

// Attributes are what a request has beside its objects. The zero value will do for objects with a
// name, of the types that the package documentation names.
type Attributes struct {
	// GeneratedName is the name that the server makes of metadata.generateName, for objects
	// without a name. If it is empty, messages have metadata.generateName in its place.
	GeneratedName string

	// PodName is the name of the pods of a workload, which its controller makes. If it is empty,
	// messages have the name of the workload and "-" in its place.
	PodName string

	// Resource is the resource of an object of another type, such as ingresses of
	// networking.k8s.io. If it is empty, that is guessed from the kind that the object names.
	Resource schema.GroupResource

	// Now is the time of an Update or a Resize. It matters for pods that are being deleted: once
	// their grace period is over, quotas count them no longer. At the zero time, none is over.
	Now time.Time

	// Node is the node of the pod of a Resize: see computeresources.ValidateResizeOnNode. If it is
	// nil, the node is not asked about. It is only read.
	Node *corev1.Node

	// ClaimPod is the pod for whose extended resources a ResourceClaim is made: see
	// quota.ResourceClaimOptions. It is only read.
	ClaimPod *corev1.Pod
}
