package inventory

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/quota"
)

// SharedQuota is a quota of several namespaces: a ClusterResourceQuota or AppliedClusterResourceQuota of OpenShift, whose
// status has an OpenShiftUsage of each, or a GlobalResourceQuota of Capsule, which lists their names. Only the fields are
// read that quota.ClusterQuotasOf looks at.
type SharedQuota[N any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              SharedSpec `json:"spec"`
	Status            struct {
		Total          *corev1.ResourceQuotaStatus `json:"total,omitempty"`
		Namespaces     []N                         `json:"namespaces,omitempty"`
		NamespaceUsage map[string]struct {
			Used corev1.ResourceList `json:"used,omitempty"`
		} `json:"namespaceUsage,omitempty"`
	} `json:"status,omitzero"`
}

// SharedSpec selects namespaces, and has the limits for all of them together.
type SharedSpec struct {
	Selector *struct {
		Labels      *metav1.LabelSelector `json:"labels,omitempty"`
		Annotations map[string]string     `json:"annotations,omitempty"`
	} `json:"selector,omitempty"`
	NamespaceSelectors []map[string]any         `json:"namespaceSelectors,omitempty"`
	Quota              corev1.ResourceQuotaSpec `json:"quota"`
}

// OpenShiftUsage is what a namespace uses of a ClusterResourceQuota.
type OpenShiftUsage struct {
	Namespace string                     `json:"namespace"`
	Status    corev1.ResourceQuotaStatus `json:"status"`
}

// UnmarshalJSON ignores all other fields, so that they are not reported as unknown.
func (q *SharedQuota[N]) UnmarshalJSON(text []byte) error {
	type plain SharedQuota[N]
	return json.Unmarshal(text, (*plain)(q))
}

// DeepCopyObject returns a copy.
func (q *SharedQuota[N]) DeepCopyObject() runtime.Object {
	text, err := json.Marshal(q)
	own := &SharedQuota[N]{}
	if err == nil {
		err = own.UnmarshalJSON(text)
	}
	if err != nil {
		panic(err) // it was read from JSON
	}
	return own
}

// Limits returns the limits for all namespaces together.
func (q *SharedQuota[N]) Limits() corev1.ResourceList { return q.Spec.Quota.Hard }

// SetLimits sets the limits for all namespaces together.
func (q *SharedQuota[N]) SetLimits(hard corev1.ResourceList) { q.Spec.Quota.Hard = hard }

// IsShared reports whether a quota of a namespace is what the namespace has of one that it shares with others.
func IsShared(q *corev1.ResourceQuota) bool { return quota.SourceOf(q, "").Kind != "ResourceQuota" }
