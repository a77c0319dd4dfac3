package conformance

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	upstream "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	testclock "k8s.io/utils/clock/testing"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// CalculateUsage is what the quota controller finds: upstream's evaluators over the objects of a
// namespace.
func TestQuotaCalculateUsage(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			if name == "any quantity" && oracle.Release == "1.38" {
				t.Skip("its sums of far amounts are rounded: see TestDivergenceSumOfFarAmounts")
			}
			rapid.Check(t, func(t *rapid.T) {
				listed := map[schema.GroupVersionResource][]runtime.Object{}
				var objects []quota.Object
				names := testkit.QuotaNames()
				for i := range rapid.IntRange(0, 5).Draw(t, "objects") {
					c := listedCounterpart(quantities, fmt.Sprint(i)).Draw(t, "object")
					listed[c.resource] = append(listed[c.resource], c.object)
					objects = append(objects, c.ours)
					names = append(names, namesFor(c)...)
				}
				q := testkit.ResourceQuota("q", names, quantities).Draw(t, "quota")
				if q.Spec.ScopeSelector != nil {
					// Upstream stops counting at an invalid one, in the order of a map.
					q.Spec.ScopeSelector.MatchExpressions = rapid.SliceOfN(validScope(), 0, 2).Draw(t, "selector")
				}
				want, err := upstream.CalculateUsage("shop", q.Spec.Scopes, q.Spec.Hard, evaluators(listed), q.Spec.ScopeSelector)
				testkit.OK(t, err)
				status, err := quota.CalculateUsage(objects, q)
				testkit.OK(t, err)
				// The counts of other resources are those of evaluators that a cluster
				// makes as it discovers them.
				got := status.Used
				for _, name := range []corev1.ResourceName{"count/deployments.apps", "count/secrets", "secrets", "count/resourceclaims.resource.k8s.io", "gold.deviceclass.resource.k8s.io/devices", "silver.deviceclass.resource.k8s.io/devices"} {
					delete(got, name)
				}
				if !upstream.Equals(want, got) {
					t.Fatalf("used %v, upstream %v", got, want)
				}
			})
		})
	}
}

// listedCounterpart draws objects that upstream has listers for, in the namespace shop.
func listedCounterpart(quantities *rapid.Generator[resource.Quantity], name string) *rapid.Generator[counterpart] {
	return rapid.Custom(func(t *rapid.T) counterpart {
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			claim := testkit.VolumeClaim(quantities).Draw(t, "claim")
			claim.Namespace, claim.Name = "shop", name
			return volumeClaimCounterpart(claim)
		case 1:
			service := testkit.Service().Draw(t, "service")
			service.Namespace, service.Name = "shop", name
			return serviceCounterpart(service)
		default:
			pod := testkit.QuotaPod(quantities).Draw(t, "pod")
			pod.Namespace, pod.Name = "shop", name
			return podCounterpart(pod)
		}
	})
}

func evaluators(listed map[schema.GroupVersionResource][]runtime.Object) upstream.Registry {
	lister := func(gvr schema.GroupVersionResource) (cache.GenericLister, error) {
		indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		for _, object := range listed[gvr] {
			if err := indexer.Add(object); err != nil {
				return nil, err
			}
		}
		return cache.NewGenericLister(indexer, gvr.GroupResource()), nil
	}
	return generic.NewRegistry([]upstream.Evaluator{
		core.NewPodEvaluator(lister, testclock.NewFakeClock(testkit.Now())), core.NewServiceEvaluator(lister), core.NewPersistentVolumeClaimEvaluator(lister),
	})
}
