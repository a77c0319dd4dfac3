package conformance

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/core/helper"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/core/validation"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// quotaObjectNames are names that quotas have, and others.
var quotaObjectNames = []corev1.ResourceName{
	"cpu", "memory", "ephemeral-storage", "requests.cpu", "limits.memory", "requests.storage", "storage", "limits.ephemeral-storage",
	"hugepages-2Mi", "requests.hugepages-2Mi", "limits.hugepages-2Mi", "pods", "services", "services.nodeports", "persistentvolumeclaims", "resourcequotas",
	"count/pods", "count/deployments.apps", "nvidia.com/gpu", "requests.nvidia.com/gpu", "gold.storageclass.storage.k8s.io/requests.storage",
	"kubernetes.io/x", "unknown", "", "a/b/c", "A b", "-x",
}

func quotaObject() *rapid.Generator[*corev1.ResourceQuota] {
	scope := rapid.SampledFrom([]corev1.ResourceQuotaScope{
		corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort,
		corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeVolumeAttributesClass,
		corev1.ResourceQuotaScopeCrossNamespacePodAffinity, "", "Unknown",
	})
	expression := rapid.Custom(func(t *rapid.T) corev1.ScopedResourceSelectorRequirement {
		return corev1.ScopedResourceSelectorRequirement{
			ScopeName: scope.Draw(t, "scope"),
			Operator:  rapid.SampledFrom([]corev1.ScopeSelectorOperator{"In", "NotIn", "Exists", "Exists", "DoesNotExist", "", "Odd"}).Draw(t, "operator"),
			Values:    rapid.SampledFrom([][]string{nil, {}, {"high"}, {"high", "low"}}).Draw(t, "values"),
		}
	})
	return rapid.Custom(func(t *rapid.T) *corev1.ResourceQuota {
		amounts := func(label string) (list corev1.ResourceList) {
			for _, name := range rapid.SliceOfN(rapid.SampledFrom(quotaObjectNames), 0, 4).Draw(t, label) {
				if list == nil {
					list = corev1.ResourceList{}
				}
				list[name] = stored(quantityRanges[rapid.SampledFrom([]string{"any quantity", "ordinary quantities", "bytes"}).Draw(t, "range")]).Draw(t, "amount")
			}
			return list
		}
		q := &corev1.ResourceQuota{}
		q.Name = rapid.SampledFrom([]string{"quota", "quota", "quota", "Quota", ""}).Draw(t, "name")
		q.Namespace, q.ResourceVersion = "team", rapid.SampledFrom([]string{"1", "1", "1", ""}).Draw(t, "version")
		q.Spec.Hard = amounts("hard")
		q.Spec.Scopes = rapid.SliceOfN(scope, 0, 3).Draw(t, "scopes")
		if rapid.IntRange(0, 1).Draw(t, "selector") == 0 {
			q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: rapid.SliceOfN(expression, 0, 3).Draw(t, "expressions")}
		}
		if rapid.IntRange(0, 3).Draw(t, "status") == 0 {
			q.Status = corev1.ResourceQuotaStatus{Hard: amounts("status.hard"), Used: amounts("status.used")}
		}
		return q
	})
}

func coreQuota(t testkit.TB, q *corev1.ResourceQuota) *core.ResourceQuota {
	t.Helper()
	out := &core.ResourceQuota{}
	if err := upstream.Convert_v1_ResourceQuota_To_core_ResourceQuota(q.DeepCopy(), out, nil); err != nil {
		t.Fatalf("%v", err)
	}
	return out
}

func TestQuotaObjects(t *testing.T) {
	valid, found := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		q, old := quotaObject().Draw(t, "quota"), quotaObject().Draw(t, "old")
		if rapid.Bool().Draw(t, "an update of the same") {
			old = q.DeepCopy()
			slices.Reverse(old.Spec.Scopes)
			for _, name := range quantity.Names(old.Spec.Hard) {
				if rapid.IntRange(0, 3).Draw(t, "an old amount") == 0 {
					old.Spec.Hard[name] = stored(testkit.Quantity()).Draw(t, "amount")
				}
			}
		}
		ours := quota.ValidateObject(nil, q, kubernetes)
		// Kubernetes repeats errors of scopes, but not in its message.
		testkit.NoDiff(t, slices.Compact(texts(ours)), slices.Compact(texts(validation.ValidateResourceQuota(coreQuota(t, q)))))
		if diff := cmp.Diff(slices.Compact(texts(validation.ValidateResourceQuotaUpdate(coreQuota(t, q), coreQuota(t, old)))), slices.Compact(texts(quota.ValidateObject(old, q, kubernetes)))); diff != "" {
			t.Fatalf("update (-kubernetes +kubemath):\n%s", diff)
		}
		found += len(ours)
		if len(ours) == 0 {
			valid++
		}
	})
	t.Logf("%d valid, %d errors", valid, found)
	if valid == 0 || found == 0 {
		t.Errorf("%d valid quotas, and %d errors", valid, found)
	}
}

func TestQuotaNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.SampledFrom(append(testkit.QuotaNames(), quotaObjectNames...)), rapid.Custom(func(t *rapid.T) corev1.ResourceName {
			return corev1.ResourceName(rapid.StringMatching(`(requests\.|limits\.)?[a-z-]{0,6}(/[a-z]{0,3}){0,2}`).Draw(t, "text"))
		})).Draw(t, "name")
		want, got := texts(validation.ValidateResourceQuotaResourceName(core.ResourceName(name), nil)), texts(resourcename.ValidateOfQuota(name, nil))
		testkit.NoDiff(t, got, want, name)
		if want, got := helper.IsStandardQuotaResourceName(core.ResourceName(name)), resourcename.IsStandardOfQuota(name); want != got {
			t.Fatalf("IsStandardOfQuota(%q) is %v, want %v", name, got, want)
		}
	})
}
