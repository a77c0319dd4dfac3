package migrate

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Beginnings of the annotations in which Capsule writes the amount of a Tenant, and what its namespaces
// use together.
const (
	hardAnnotation = "quota.capsule.clastix.io/hard-"
	usedAnnotation = "quota.capsule.clastix.io/used-"
)

// TenantOf returns the name of the Tenant for whose resourceQuotas Capsule keeps a quota, or "" if it
// keeps it for none. Such a quota is controlled by the Tenant; or it is named capsule-TENANT-NUMBER, and
// has the label of that Tenant or Capsule's annotation of an amount. A nil quota has no Tenant.
//
// Source: syncResourceQuota of internal/controllers/tenant of Capsule.
func TenantOf(q *corev1.ResourceQuota) string {
	if q == nil {
		return ""
	}
	if owner := metav1.GetControllerOf(q); owner != nil && owner.Kind == "Tenant" &&
		strings.HasPrefix(owner.APIVersion, "capsule.clastix.io/") {
		return owner.Name
	}
	end := strings.LastIndex(q.Name, "-")
	name, isOne := strings.CutPrefix(q.Name[:max(end, 0)], "capsule-")
	if number := q.Name[end+1:]; !isOne || number == "" || strings.Trim(number, "0123456789") != "" {
		return ""
	}
	if q.Labels["projectcapsule.dev/tenant"] == name || q.Labels["capsule.clastix.io/tenant"] == name {
		return name
	}
	for key := range q.Annotations {
		if strings.HasPrefix(key, hardAnnotation) {
			return name
		}
	}
	return ""
}

// capacityOf returns the amounts of the item of a Tenant for which Capsule keeps some quotas, or why they
// are unknown, with the path of what is missing.
//
// The quotas of scope Tenant have them as annotations. Each quota itself allows the amount minus what
// others use, so that the sum of the quotas is no capacity.
func capacityOf(tenant string, quotas []*corev1.ResourceQuota) (corev1.ResourceList, *field.Error) {
	capacity, used := corev1.ResourceList{}, corev1.ResourceList{}
	for _, q := range quotas {
		used = resourcelist.AddInto(used, used, q.Status.Used)
	}
	for _, q := range quotas {
		for _, name := range quantity.Names(q.Spec.Hard) {
			key := annotationOf(hardAnnotation, name)
			hard, ok := annotated(q, key)
			if other, twice := capacity[name]; !ok || twice && hard.Cmp(other) != 0 {
				return nil, unknown(tenant, key, "its amount of "+string(name)+" is not in the quotas")
			}
			capacity[name] = hard
			key = annotationOf(usedAnnotation, name)
			if _, has := q.Annotations[key]; !has {
				continue
			}
			if sum, ok := annotated(q, key); !ok || sum.Cmp(used[name]) != 0 {
				return nil, unknown(tenant, key, "its namespaces use another amount of "+string(name)+" than these quotas")
			}
		}
	}
	return capacity, nil
}

func unknown(tenant, annotation, why string) *field.Error {
	return field.Forbidden(field.NewPath("metadata", "annotations").Key(annotation),
		fmt.Sprintf("the quota is that of Tenant %s, which is needed: %s", tenant, why))
}

// annotated returns the amount in an annotation, and whether it is one. An exponent of more than three
// characters is refused: resource.ParseQuantity would write out all zeros of 1e-1000000000.
func annotated(q *corev1.ResourceQuota, key string) (amount resource.Quantity, ok bool) {
	text := q.Annotations[key]
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 4 {
		return amount, false
	}
	amount, err := resource.ParseQuantity(text)
	return amount, err == nil && amount.Sign() >= 0
}

// annotationOf returns the annotation of a resource, whose name is hashed if it is too long.
//
// Source: createAnnotation of api/v1beta2 of Capsule.
func annotationOf(prefix string, name corev1.ResourceName) string {
	text := strings.ReplaceAll(string(name), "/", "_")
	if len(prefix)+len(text) > 63 {
		sum := md5.Sum([]byte(text)) // as Capsule's
		text = hex.EncodeToString(sum[:])
	}
	return prefix + text
}

// tenantSource returns the source of the quotas that Capsule keeps for an item of a Tenant, and notes its
// name; or the losses. A part of them cannot stay, because Capsule deletes the quotas with the item.
func tenantSource(quotas []*corev1.ResourceQuota, names map[string]bool) (s PoolSource, losses []Loss) {
	tenant := TenantOf(quotas[0])
	for _, q := range quotas {
		_, lost := carried(q)
		losses = append(losses, lost...)
	}
	if len(losses) > 0 {
		return s, losses
	}
	capacity, problem := capacityOf(tenant, quotas)
	if problem != nil {
		for _, q := range quotas {
			losses = append(losses, Loss{Quota: nameOf(q), Problem: computeresources.FieldErrorOf(problem)})
		}
		return s, losses
	}
	kept := make([]*corev1.ResourceQuota, len(quotas))
	for i, q := range quotas {
		kept[i] = q.DeepCopy()
	}
	s = sourceOf(kept, names)
	s.Capacity.Hard = capacity
	return s, nil
}
