package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// quotaNames are the resource names that quotas are drawn from, by the objects that use them. The
// most usual come first.
var quotaNames = [][]corev1.ResourceName{
	{
		"pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory", "count/pods",
		"requests.ephemeral-storage", "limits.ephemeral-storage", "ephemeral-storage", "requests.example.com/gpu", "hugepages-2Mi", "requests.hugepages-2Mi",
		corev1.ResourceName("requests." + fpga), corev1.ResourceName("requests." + fpga),
	},
	{
		"requests.storage", "persistentvolumeclaims", "count/persistentvolumeclaims",
		"gold.storageclass.storage.k8s.io/requests.storage", "silver.storageclass.storage.k8s.io/persistentvolumeclaims",
		platinum + ".storageclass.storage.k8s.io/requests.storage", platinum + ".storageclass.storage.k8s.io/persistentvolumeclaims",
	},
	{"services", "count/services", "services.loadbalancers", "services.nodeports"},
	{
		"count/resourceclaims.resource.k8s.io", "gold.deviceclass.resource.k8s.io/devices", "silver.deviceclass.resource.k8s.io/devices",
		"requests.deviceclass.resource.kubernetes.io/gold", "requests.example.com/gpu",
	},
	{"configmaps", "count/configmaps", "count/secrets"},
	{
		"count/deployments.apps", "count/statefulsets.apps", "count/daemonsets.apps", "count/replicasets.apps",
		"count/jobs.batch", "count/cronjobs.batch", "replicationcontrollers", "count/replicationcontrollers",
	},
}

// addQuotas draws quotas and writes their status as the quota controller would in an empty
// namespace. Sometimes it writes that of a namespace that is not empty, or omits an amount.
//
// The status always has limits: without any, the server admits everything, and kubemath returns
// that the usage is unknown (see TestDivergenceQuotaWithoutStatus in the directory above).
func (n *namespace) addQuotas() {
	for range rapid.SampledFrom([]int{1, 0, 1, 2, 3}).Draw(n.t, "quotas") {
		q := &corev1.ResourceQuota{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ResourceQuota"}, ObjectMeta: n.next("quota")}
		q.Spec = quotaSpec(n.t)
		found := &corev1.ResourceQuota{}
		if a := n.answer(n.client.Create(n.ctx, n.path(coreGroup, "resourcequotas"), q, found), found); !a.isStored() {
			// Scopes cannot be combined with all names.
			n.tally.add("quotas", strings.ToLower(string(a.Reason)), 1)
			continue
		}
		q.ResourceVersion = found.ResourceVersion
		q.Status = n.controllerStatus(found)
		if once(n.t, "in use", 4) {
			for _, name := range sortedNames(q.Status.Used) {
				q.Status.Used[name] = quotaAmount(n.t, name)
			}
		}
		if once(n.t, "unknown", 20) && len(q.Status.Used) > 0 {
			delete(q.Status.Used, pick(n.t, "name", sortedNames(q.Status.Used)))
		}
		n.must(n.client.Update(n.ctx, n.path(coreGroup, "resourcequotas", q.Name, "status"), q, found))
		n.say("create, and replace --subresource status", q)
		n.quotas = append(n.quotas, found)
		n.tally.add("quotas", stored, 1)
	}
	if len(n.quotas) > 0 {
		n.must(n.awaitQuotas())
		n.compareUsage("the start")
	}
}

func sortedNames(list corev1.ResourceList) []corev1.ResourceName {
	return slices.Sorted(maps.Keys(list))
}

// quotaSpec draws limits and scopes. All names are those of one kind, as a quota with a
// scope has to have, or any.
func quotaSpec(t *rapid.T) (spec corev1.ResourceQuotaSpec) {
	names := quotaNames[rapid.SampledFrom([]int{0, 1, 0, 2, 3, 1, 0, 4, 5, 0}).Draw(t, "names")]
	if once(t, "any names", 4) {
		names = slices.Concat(quotaNames...)
	}
	spec.Hard = corev1.ResourceList{}
	for range rapid.IntRange(1, 4).Draw(t, "limits") {
		name := rapid.SampledFrom(names).Draw(t, "name")
		spec.Hard[name] = quotaAmount(t, name)
	}
	if once(t, "scopes", 4) {
		spec.Scopes = []corev1.ResourceQuotaScope{rapid.SampledFrom([]corev1.ResourceQuotaScope{
			corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
			corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeCrossNamespacePodAffinity, corev1.ResourceQuotaScopeVolumeAttributesClass,
		}).Draw(t, "scope")}
	}
	if once(t, "selector", 6) {
		scope := corev1.ScopedResourceSelectorRequirement{
			ScopeName: rapid.SampledFrom([]corev1.ResourceQuotaScope{corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeVolumeAttributesClass}).Draw(t, "scope"),
			Operator:  rapid.SampledFrom([]corev1.ScopeSelectorOperator{corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn, corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist}).Draw(t, "operator"),
		}
		if scope.Operator == corev1.ScopeSelectorOpIn || scope.Operator == corev1.ScopeSelectorOpNotIn {
			scope.Values = []string{rapid.SampledFrom([]string{"high", "low", "gold", platinum}).Draw(t, "value")}
		}
		spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{scope}}
	}
	return spec
}

// quotaAmount draws an amount under which some pods fit, but not many.
func quotaAmount(t *rapid.T, name corev1.ResourceName) resource.Quantity {
	parse := func(format string, from, to int) resource.Quantity {
		return resource.MustParse(fmt.Sprintf(format, rapid.IntRange(from, to).Draw(t, "amount")))
	}
	switch name {
	case "cpu", "requests.cpu", "limits.cpu":
		return parse("%d00m", 0, 80)
	case "memory", "requests.memory", "limits.memory", "hugepages-2Mi", "requests.hugepages-2Mi":
		return parse("%dMi", 0, 6000)
	case "requests.ephemeral-storage", "limits.ephemeral-storage", "ephemeral-storage", "requests.storage", "gold.storageclass.storage.k8s.io/requests.storage":
		return parse("%dGi", 0, 24)
	}
	return parse("%d", 0, 7)
}
