package quota

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/workload"
)

// ClusterQuotasOf returns the quotas over several namespaces that an object describes, by its apiVersion and kind:
//
//   - a ClusterResourceQuota, or an AppliedClusterResourceQuota, of quota.openshift.io
//   - a GlobalResourceQuota of capsule.clastix.io
//   - the GlobalResourceQuotas that Capsule creates for the rules of a Tenant of capsule.clastix.io, without a status
//
// The object may have any type that marshals as JSON, such as *unstructured.Unstructured. The result is nil for
// all other objects, for nil and for a nil pointer. An object whose fields have other types is an error.
//
// Source: RuleGlobalResourceQuota of projectcapsule/capsule/pkg/tenant.
func ClusterQuotasOf(object runtime.Object) ([]*ClusterQuota, error) {
	if workload.IsNil(object) {
		return nil, nil
	}
	of := object.GetObjectKind().GroupVersionKind().GroupKind()
	convert, isKnown := map[string]func(*foreign) ([]*ClusterQuota, error){
		"ClusterResourceQuota.quota.openshift.io":        ofOpenShift,
		"AppliedClusterResourceQuota.quota.openshift.io": ofOpenShift,
		"GlobalResourceQuota.capsule.clastix.io":         ofCapsule,
		"Tenant.capsule.clastix.io":                      ofTenant,
	}[of.String()]
	if !isKnown {
		return nil, nil
	}
	read := &foreign{}
	text, err := json.Marshal(object)
	if err == nil {
		err = json.Unmarshal(text, read)
	}
	var quotas []*ClusterQuota
	if err == nil {
		quotas, err = convert(read)
	}
	if err != nil {
		return nil, fmt.Errorf("quota: %s %s: %w", of.Kind, read.Metadata.Name, err)
	}
	return quotas, nil
}

// foreign has the fields of the objects of other projects.
type foreign struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Selector struct {
			Labels      *metav1.LabelSelector `json:"labels"`
			Annotations map[string]string     `json:"annotations"`
		} `json:"selector"`
		NamespaceSelectors []struct{ *metav1.LabelSelector } `json:"namespaceSelectors"`
		Quota              corev1.ResourceQuotaSpec          `json:"quota"`
		Rules              []*struct {
			NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector"`
			Quota             []struct {
				corev1.ResourceQuotaSpec
				Name string `json:"name"`
			} `json:"quota"`
		} `json:"rules"`
	} `json:"spec"`
	Status struct {
		Total          corev1.ResourceQuotaStatus `json:"total"`
		Namespaces     json.RawMessage            `json:"namespaces"`
		NamespaceUsage map[string]struct {
			Used corev1.ResourceList `json:"used"`
		} `json:"namespaceUsage"`
	} `json:"status"`
}

// ofOpenShift takes a missing label selector for one that matches all labels.
func ofOpenShift(f *foreign) ([]*ClusterQuota, error) {
	var namespaces []struct {
		Namespace string                     `json:"namespace"`
		Status    corev1.ResourceQuotaStatus `json:"status"`
	}
	if len(f.Status.Namespaces) > 0 {
		if err := json.Unmarshal(f.Status.Namespaces, &namespaces); err != nil {
			return nil, err
		}
	}
	q := &ClusterQuota{Kind: ClusterResourceQuota, Name: f.Metadata.Name, Selectors: make([]metav1.LabelSelector, 1),
		Annotations: f.Spec.Selector.Annotations, Spec: f.Spec.Quota, Status: f.Status.Total}
	if selector := f.Spec.Selector.Labels; selector != nil {
		q.Selectors[0] = *selector
	}
	for i := range namespaces {
		q.note(namespaces[i].Namespace, namespaces[i].Status.Used)
	}
	return []*ClusterQuota{q}, nil
}

// ofCapsule leaves out selectors without fields, which match nothing there.
func ofCapsule(f *foreign) ([]*ClusterQuota, error) {
	q := &ClusterQuota{Kind: GlobalResourceQuota, Name: f.Metadata.Name, Spec: f.Spec.Quota, Status: f.Status.Total}
	for _, of := range f.Spec.NamespaceSelectors {
		if of.LabelSelector != nil {
			q.Selectors = append(q.Selectors, *of.LabelSelector)
		}
	}
	for name, of := range f.Status.NamespaceUsage {
		q.note(name, of.Used)
	}
	return []*ClusterQuota{q}, nil
}

// ofTenant returns a quota for each one in the rules, over the namespaces of the tenant that the rule selects.
func ofTenant(f *foreign) (quotas []*ClusterQuota, err error) {
	for _, rule := range f.Spec.Rules {
		if rule == nil {
			continue
		}
		for i := range rule.Quota {
			selector := metav1.LabelSelector{}
			if rule.NamespaceSelector != nil {
				selector = *rule.NamespaceSelector.DeepCopy()
			}
			metav1.AddLabelToSelector(&selector, "capsule.clastix.io/tenant", f.Metadata.Name)
			quotas = append(quotas, &ClusterQuota{Kind: GlobalResourceQuota,
				Name:      f.Metadata.Name + "-" + rule.Quota[i].Name,
				Selectors: []metav1.LabelSelector{selector}, Spec: rule.Quota[i].ResourceQuotaSpec})
		}
	}
	return quotas, nil
}

// note adds what the status says about a namespace. The sum is that of the status.
func (q *ClusterQuota) note(namespace string, used corev1.ResourceList) {
	if q.Namespaces == nil {
		q.Namespaces = map[string]corev1.ResourceList{}
	}
	if used == nil {
		used = corev1.ResourceList{}
	}
	q.Namespaces[namespace] = used
}
