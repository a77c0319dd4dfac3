package inventory_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// What is read of a quota of several namespaces is all that the library reads of it, and a copy can be changed.
func TestSharedQuota(t *testing.T) {
	l := read(&inventory.List{Home: "home"}, "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\nmetadata: {name: team}\nother: 1\n"+
		"spec: {selector: {labels: {matchLabels: {a: b}}, annotations: {c: d}}, quota: {hard: {pods: 3}, scopes: [Terminating]}}\n"+
		"status: {total: {hard: {pods: 3}, used: {pods: 2}}, namespaces: [{namespace: shop, status: {used: {pods: 2}}}]}\n",
		"apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\nmetadata: {name: team}\n"+
			"spec: {namespaceSelectors: [{matchLabels: {a: b}}, {}], quota: {hard: {pods: 3}}}\n"+
			"status: {namespaces: [shop], total: {used: {pods: 2}}, namespaceUsage: {shop: {used: {pods: 2}}}}\n")
	if len(l.Problems) > 0 || len(l.Objects) != 2 || l.Objects[0].GetNamespace() != "" {
		t.Fatalf("%v, %v", l.Problems, l.Objects)
	}
	for i, want := range []quota.ClusterQuota{
		{Kind: quota.ClusterResourceQuota, Annotations: map[string]string{"c": "d"}},
		{Kind: quota.GlobalResourceQuota},
	} {
		got, err := quota.ClusterQuotasOf(l.Objects[i].DeepCopyObject())
		testkit.OK(t, err)
		q := got[0]
		used, all := q.Namespaces["shop"]["pods"], q.Status.Used["pods"]
		if q.Kind != want.Kind || q.Name != "team" || used.Value() != 2 || all.Value() != 2 || len(q.Selectors) != 1 || q.Selectors[0].MatchLabels["a"] != "b" {
			t.Errorf("%+v", q)
		}
		testkit.NoDiff(t, q.Annotations, want.Annotations)
		own := l.Objects[i].DeepCopyObject().(interface {
			Limits() corev1.ResourceList
			SetLimits(corev1.ResourceList)
		})
		own.SetLimits(corev1.ResourceList{"pods": resource.MustParse("9")})
		after, err := quota.ClusterQuotasOf(l.Objects[i])
		testkit.OK(t, err)
		if text := resourcelist.String(own.Limits()) + " " + resourcelist.String(after[0].Spec.Hard); text != "pods=9 pods=3" {
			t.Error(text)
		}
	}
}

// Quotas of several namespaces, and the views of them that a project has, have no namespace.
func TestSharedQuotasHaveNoNamespace(t *testing.T) {
	const more = "metadata: {name: team}\nspec: {quota: {hard: {pods: 3}}}\n"
	l := read(&inventory.List{Home: "home"}, "apiVersion: quota.openshift.io/v1\nkind: ClusterResourceQuota\n"+more,
		"apiVersion: quota.openshift.io/v1\nkind: AppliedClusterResourceQuota\n"+more,
		"apiVersion: capsule.clastix.io/v1beta2\nkind: GlobalResourceQuota\n"+more, manifest("Pod", "name: p"))
	var namespaces []string
	for _, o := range l.Objects {
		namespaces = append(namespaces, o.GetNamespace())
	}
	testkit.NoDiff(t, namespaces, []string{"", "", "", "home"})
}
