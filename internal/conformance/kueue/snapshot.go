package kueue

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/resources"
	"sigs.k8s.io/kueue/pkg/workload"

	"github.com/kubemath/kubemath/quota/quotatree"
)

// Snapshot returns what Kueue's scheduler sees of nodes that use nothing. Nodes without children are ClusterQueues,
// the others Cohorts. Resources are named flavor/resource. Max, Guarantee and Used are not Kueue's, and ignored.
func Snapshot(nodes []quotatree.Node) (*scheduler.Snapshot, error) {
	parents, flavors := map[string]bool{}, map[api.ResourceFlavorReference]bool{}
	for i := range nodes {
		parents[nodes[i].Parent] = true
		for name := range nodes[i].Nominal {
			flavors[FlavorResource(name).Flavor] = true
		}
	}
	cache := scheduler.New(nothing{})
	for flavor := range flavors { // a ClusterQueue is inactive without its flavors
		cache.AddOrUpdateResourceFlavor(logr.Discard(), &api.ResourceFlavor{ObjectMeta: metav1.ObjectMeta{Name: string(flavor)}})
	}
	ctx := logr.NewContext(context.Background(), logr.Discard())
	for i := range nodes {
		n := &nodes[i]
		var sharing *api.FairSharing
		if n.Weight != nil {
			sharing = &api.FairSharing{Weight: n.Weight}
		}
		meta, parent := metav1.ObjectMeta{Name: n.Name}, api.CohortReference(n.Parent)
		var err error
		if parents[n.Name] {
			err = cache.AddOrUpdateCohort(&api.Cohort{ObjectMeta: meta, Spec: api.CohortSpec{ParentName: parent, ResourceGroups: groupsOf(n), FairSharing: sharing}})
		} else {
			err = cache.AddClusterQueue(ctx, &api.ClusterQueue{ObjectMeta: meta, Spec: api.ClusterQueueSpec{CohortName: parent, ResourceGroups: groupsOf(n), FairSharing: sharing}})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
	}
	snapshot, err := cache.Snapshot(ctx)
	if err == nil && len(snapshot.InactiveClusterQueueSets) > 0 {
		err = fmt.Errorf("inactive: %v", snapshot.InactiveClusterQueueSets)
	}
	return snapshot, err
}

// groupsOf returns the quotas of a node, each flavor in one group.
func groupsOf(n *quotatree.Node) []api.ResourceGroup {
	group := api.ResourceGroup{}
	for _, name := range slices.Sorted(maps.Keys(n.Nominal)) {
		fr := FlavorResource(name)
		quota := api.ResourceQuota{Name: fr.Resource, NominalQuota: resources.ResourceQuantity(fr.Resource, n.Nominal[name])}
		if limit, ok := n.BorrowingLimit[name]; ok {
			q := resources.ResourceQuantity(fr.Resource, limit)
			quota.BorrowingLimit = &q
		}
		if limit, ok := n.LendingLimit[name]; ok {
			q := resources.ResourceQuantity(fr.Resource, limit)
			quota.LendingLimit = &q
		}
		if !slices.Contains(group.CoveredResources, fr.Resource) {
			group.CoveredResources = append(group.CoveredResources, fr.Resource)
		}
		if last := len(group.Flavors) - 1; last < 0 || group.Flavors[last].Name != fr.Flavor { // names are sorted by flavor
			group.Flavors = append(group.Flavors, api.FlavorQuotas{Name: fr.Flavor})
		}
		last := &group.Flavors[len(group.Flavors)-1]
		last.Resources = append(last.Resources, quota)
	}
	if len(group.Flavors) == 0 {
		return nil
	}
	return []api.ResourceGroup{group}
}

// FlavorResource returns the two parts of flavor/resource.
func FlavorResource(name corev1.ResourceName) resources.FlavorResource {
	flavor, resource, _ := strings.Cut(string(name), "/")
	return resources.FlavorResource{Flavor: api.ResourceFlavorReference(flavor), Resource: corev1.ResourceName(resource)}
}

// Usage returns amounts as Kueue has them.
func Usage(amounts map[corev1.ResourceName]int64) workload.Usage {
	quota := make(resources.FlavorResourceQuantities, len(amounts))
	for name, n := range amounts {
		quota[FlavorResource(name)] = n
	}
	return workload.Usage{Quota: quota}
}

// CountsAs returns the option by which flavors of a resource are compared together, as Kueue does.
func CountsAs(nodes []quotatree.Node) quotatree.Options {
	o := quotatree.Options{CountsAs: map[corev1.ResourceName]corev1.ResourceName{}}
	for i := range nodes {
		for name := range nodes[i].Nominal {
			o.CountsAs[name] = FlavorResource(name).Resource
		}
	}
	return o
}

// nothing is a client of a cluster without LocalQueues and Workloads, which the cache lists.
type nothing struct{ client.Client }

func (nothing) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }
