package kubemath

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	capsule "github.com/projectcapsule/capsule/api/v1beta2"
	"github.com/projectcapsule/capsule/pkg/api"
)

// drawn is a Tenant, and what its namespaces use of each resource, by scopes.
type drawn struct {
	tenant     *capsule.Tenant
	namespaces []string
	use        map[string]corev1.ResourceList // by namespace and scopes
	over       bool                           // they use more than they may, together or one of them
}

// amounts are those of a quota for each resource, and what one namespace uses of it.
var amounts = map[corev1.ResourceName][2][]string{
	"requests.cpu":               {{"2", "1500m", "10"}, {"0", "375m", "500m", "1", "250m"}},
	"limits.cpu":                 {{"4", "2500m"}, {"0", "1", "333m"}},
	"requests.memory":            {{"2Gi", "1G", "1536Mi"}, {"0", "384Mi", "100M", "512Mi"}},
	"limits.memory":              {{"2Gi", "8Gi"}, {"0", "1Gi", "128Mi"}},
	"pods":                       {{"7", "3", "20"}, {"0", "1", "3"}},
	"services.loadbalancers":     {{"1", "2"}, {"0", "1"}},
	"count/deployments.apps":     {{"5"}, {"0", "2"}},
	"requests.storage":           {{"50Gi"}, {"0", "10Gi", "20Gi"}},
	"requests.nvidia.com/gpu":    {{"4"}, {"0", "1", "2"}},
	"persistentvolumeclaims":     {{"10"}, {"0", "4"}},
	"requests.ephemeral-storage": {{"10Gi"}, {"0", "3Gi"}},
}

func draw(t *rapid.T) *drawn {
	oneIn := func(n int, label string) bool { return rapid.IntRange(1, n).Draw(t, label) == 1 }
	d := &drawn{tenant: &capsule.Tenant{}, use: map[string]corev1.ResourceList{}}
	d.tenant.Name = rapid.SampledFrom([]string{"oil", "solar", "a-b"}).Draw(t, "tenant")
	quotas := &d.tenant.Spec.ResourceQuota
	quotas.Scope = rapid.SampledFrom([]api.ResourceQuotaScope{api.ResourceQuotaScopeTenant, api.ResourceQuotaScopeTenant, api.ResourceQuotaScopeNamespace}).Draw(t, "scope")
	for i := range rapid.IntRange(1, 4).Draw(t, "namespaces") {
		d.namespaces = append(d.namespaces, fmt.Sprintf("%s-%d", d.tenant.Name, i))
	}
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		item := corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{}}
		names := slices.Sorted(maps.Keys(amounts))
		switch {
		case oneIn(8, "priority class"):
			item.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"low"}}}}
			names = []corev1.ResourceName{"requests.cpu", "pods", "limits.memory"}
		case oneIn(8, "BestEffort"):
			item.Scopes, names = []corev1.ResourceQuotaScope{"BestEffort"}, []corev1.ResourceName{"pods"}
		case oneIn(8, "NotTerminating"):
			item.Scopes, names = []corev1.ResourceQuotaScope{"NotTerminating"}, []corev1.ResourceName{"requests.cpu", "pods", "requests.memory"}
		}
		for range rapid.IntRange(1, 3).Draw(t, "resources") {
			name := rapid.SampledFrom(names).Draw(t, "resource")
			item.Hard[name] = resource.MustParse(rapid.SampledFrom(amounts[name][0]).Draw(t, "hard"))
		}
		quotas.Items = append(quotas.Items, item)
		d.drawUse(t, &item)
	}
	d.decide()
	return d
}

// scopesOf returns a key of the scopes of a quota.
func scopesOf(spec *corev1.ResourceQuotaSpec) string {
	return fmt.Sprint(spec.Scopes, spec.ScopeSelector != nil)
}

// drawUse draws what namespaces use of an item. Quotas with the same scopes count the same.
func (d *drawn) drawUse(t *rapid.T, item *corev1.ResourceQuotaSpec) {
	for _, namespace := range d.namespaces {
		key := namespace + scopesOf(item)
		if d.use[key] == nil {
			d.use[key] = corev1.ResourceList{}
		}
		for _, name := range slices.Sorted(maps.Keys(item.Hard)) {
			if _, has := d.use[key][name]; !has {
				d.use[key][name] = resource.MustParse(rapid.SampledFrom(amounts[name][1]).Draw(t, "used"))
			}
		}
	}
}

// decide decides whether more is used than the items allow.
func (d *drawn) decide() {
	for _, item := range d.tenant.Spec.ResourceQuota.Items {
		for name, hard := range item.Hard {
			sum := resource.Quantity{}
			for _, namespace := range d.namespaces {
				used := d.use[namespace+scopesOf(&item)][name]
				sum.Add(used)
				d.over = d.over || used.Cmp(hard) > 0
			}
			d.over = d.over || d.tenant.Spec.ResourceQuota.Scope == api.ResourceQuotaScopeTenant && sum.Cmp(hard) > 0
		}
	}
}

// used returns what the quota controller counts: of each resource that the quota has.
func (d *drawn) used(q *corev1.ResourceQuota) corev1.ResourceList {
	used := corev1.ResourceList{}
	for name := range q.Spec.Hard {
		used[name] = d.use[q.Namespace+scopesOf(&q.Spec)][name].DeepCopy()
	}
	return used
}

// store creates the Tenant and its namespaces.
func (d *drawn) store(t testing.TB, c *cluster) {
	d.tenant.Labels = map[string]string{corev1.LabelMetadataName: d.tenant.Name} // by the webhook
	c.create(t, d.tenant)
	for _, name := range d.namespaces {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"capsule.clastix.io/tenant": d.tenant.Name, corev1.LabelMetadataName: name}}}
		ns.OwnerReferences = []metav1.OwnerReference{{APIVersion: capsule.GroupVersion.String(), Kind: "Tenant", Name: d.tenant.Name, UID: d.tenant.UID}}
		ns.Status.Phase = corev1.NamespaceActive
		c.create(t, ns)
	}
	c.create(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other", Labels: map[string]string{"capsule.clastix.io/tenant": strings.ToUpper(d.tenant.Name)}}})
}
