package quota

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/labelselector"
)

// ClusterQuotaKind is the kind of a ClusterQuota. It says who enforces it, when, and in which words. The zero value
// counts as ClusterResourceQuota.
type ClusterQuotaKind string

const (
	// ClusterResourceQuota is OpenShift's: an admission plugin after ResourceQuota, which decides as that one does and
	// ignores all subresources.
	ClusterResourceQuota ClusterQuotaKind = "ClusterResourceQuota"
	// GlobalResourceQuota is Capsule's: a validating webhook, which answers before ResourceQuota. It refuses all that
	// adds to a quota of which any resource is exceeded.
	GlobalResourceQuota ClusterQuotaKind = "GlobalResourceQuota"
)

// ClusterQuota is a quota that several namespaces share. In presents it as a ResourceQuota of one of them, for Admit,
// Replicas, Remaining, CalculateUsage and admit.Compile.
type ClusterQuota struct {
	Kind ClusterQuotaKind `json:"kind,omitempty"`
	Name string           `json:"name"`

	// Names, Selectors and Annotations select namespaces: see Selects.
	Names       []string               `json:"names,omitempty"`
	Selectors   []metav1.LabelSelector `json:"selectors,omitempty"`
	Annotations map[string]string      `json:"annotations,omitempty"`

	// Spec has the limits of all namespaces together, and the scopes.
	Spec corev1.ResourceQuotaSpec `json:"spec,omitempty"`
	// Status has the limits that are enforced, and what all namespaces together use.
	Status corev1.ResourceQuotaStatus `json:"status,omitempty"`
	// Namespaces is what each of them uses. One that is not in it is not in the sum of the status.
	Namespaces map[string]corev1.ResourceList `json:"namespaces,omitempty"`
}

// Selects reports whether a namespace shares the quota: it is one of Names, or its labels match one of the Selectors
// and it has all Annotations, with their values. An empty selector matches all labels. Without Selectors, only Names
// count. An invalid selector is an error, unless the namespace is one of Names. A nil quota selects nothing, and a nil
// namespace is not selected.
//
// Source: GetObjectMatcher of openshift/library-go/pkg/quota/clusterquotamapping, and matchingGlobalResourceQuotas of
// projectcapsule/capsule/internal/webhook/globalresourcequota.
func (q *ClusterQuota) Selects(namespace *corev1.Namespace) (bool, error) {
	if q == nil || namespace == nil {
		return false, nil
	}
	if slices.Contains(q.Names, namespace.Name) {
		return true, nil
	}
	matches := false
	for i := range q.Selectors {
		selector, err := labelselector.Of(&q.Selectors[i])
		if err != nil {
			return false, fmt.Errorf("quota: %s %s has an invalid selector: %w", q.kind(), q.Name, err)
		}
		matches = matches || selector.Matches(labels.Set(namespace.Labels))
	}
	for name, value := range q.Annotations {
		other, isSet := namespace.Annotations[name]
		matches = matches && isSet && other == value
	}
	return matches, nil
}

// In returns the quota as a ResourceQuota of a namespace that it selects: its kind is that of the ClusterQuota, and its
// status that of all namespaces. Of a GlobalResourceQuota, the limits of the spec are enforced at once, and a usage
// that the status does not have is zero. In a Source, the quota has no namespace. The result owns its memory. It is nil
// for a nil quota.
//
// Source: GetQuotas of openshift/apiserver-library-go/pkg/admission/quota/clusterresourcequota.
func (q *ClusterQuota) In(namespace string) *corev1.ResourceQuota {
	if q == nil {
		return nil
	}
	own := &corev1.ResourceQuota{}
	own.Kind, own.Namespace, own.Name = string(q.kind()), namespace, q.Name
	q.Spec.DeepCopyInto(&own.Spec)
	q.Status.DeepCopyInto(&own.Status)
	if q.Kind != GlobalResourceQuota {
		return own
	}
	own.Status = corev1.ResourceQuotaStatus{Hard: own.Spec.Hard.DeepCopy(), Used: corev1.ResourceList{}}
	for name := range own.Spec.Hard {
		used, known := q.Status.Used[name]
		if !known {
			used = resource.Quantity{Format: resource.DecimalSI}
		}
		own.Status.Used[name] = used.DeepCopy()
	}
	return own
}

// SetUsed replaces what a namespace uses, and changes the sum in the status by the difference. After Admit, it is what
// the namespace used before and the Increase; CalculateUsage with In of the namespace returns it afresh. Nil removes a
// namespace that is no longer selected. The usage is copied. SetUsed of a nil quota is a no-op.
//
// Source: syncQuotaForNamespaces of openshift/cluster-policy-controller/pkg/quota/clusterquotareconciliation, and
// UpdateQuotaStatus of openshift/apiserver-library-go/pkg/admission/quota/clusterresourcequota.
func (q *ClusterQuota) SetUsed(namespace string, used corev1.ResourceList) {
	if q == nil {
		return
	}
	q.Status.Used = resourcelist.Add(resourcelist.Subtract(q.Status.Used, q.Namespaces[namespace]), used)
	if used == nil {
		delete(q.Namespaces, namespace)
		return
	}
	if q.Namespaces == nil {
		q.Namespaces = map[string]corev1.ResourceList{}
	}
	q.Namespaces[namespace] = used.DeepCopy()
}

// DeepCopy returns a copy that shares no memory with the quota, nil for nil.
func (q *ClusterQuota) DeepCopy() *ClusterQuota {
	if q == nil {
		return nil
	}
	own := *q
	own.Names, own.Selectors = slices.Clone(q.Names), slices.Clone(q.Selectors)
	for i := range own.Selectors {
		own.Selectors[i] = *q.Selectors[i].DeepCopy()
	}
	own.Annotations, own.Namespaces = maps.Clone(q.Annotations), maps.Clone(q.Namespaces)
	for name, used := range own.Namespaces {
		own.Namespaces[name] = used.DeepCopy()
	}
	q.Spec.DeepCopyInto(&own.Spec)
	q.Status.DeepCopyInto(&own.Status)
	return &own
}

func (q *ClusterQuota) kind() ClusterQuotaKind {
	if q.Kind == "" {
		return ClusterResourceQuota
	}
	return q.Kind
}

// clusterKind returns the kind of a ClusterQuota that a quota presents, empty for a ResourceQuota.
func clusterKind(kind string) ClusterQuotaKind {
	switch k := ClusterQuotaKind(kind); k {
	case ClusterResourceQuota, GlobalResourceQuota:
		return k
	}
	return ""
}

// turn returns when quotas of a kind decide, relative to others.
func turn(kind string) int {
	switch clusterKind(kind) {
	case GlobalResourceQuota:
		return -1
	case ClusterResourceQuota:
		return 1
	}
	return 0
}
