package comparison

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// quotas returns the rows of the quotas that changed. The last answer about a quota counts.
func (d *Difference) quotas(lists ...[]*corev1.ResourceQuota) (rows []Quota) {
	last := map[types.NamespacedName]*corev1.ResourceQuota{}
	for _, q := range slices.Concat(lists...) {
		last[types.NamespacedName{Namespace: q.Namespace, Name: q.Name}] = q
	}
	for _, name := range sorted(slices.Collect(maps.Keys(last))) {
		is := last[name]
		rows = append(rows, changed(Quota{Namespace: name.Namespace, Name: name.Name}, d.QuotaBefore(is).Status, is.Status, nil, nil)...)
	}
	return rows
}

// changed returns a row of each resource of a quota that changed, or whose shares did.
func changed(q Quota, was, is corev1.ResourceQuotaStatus, before, after *quota.ClusterQuota) (rows []Quota) {
	for _, name := range resourcelist.ResourceNames(resourcelist.Add(was.Hard, is.Hard)) {
		q.Resource, q.Shares = name, SharesOf(after, name)
		q.Before, q.After = UsageOf(was.Used, was.Hard, name), UsageOf(is.Used, is.Hard, name)
		if q.Before.Used != q.After.Used || q.Before.Hard != q.After.Hard || !maps.Equal(q.Shares, SharesOf(before, name)) {
			rows = append(rows, q)
		}
	}
	return rows
}

// QuotaBefore returns a quota as it was before, an empty one if there was none.
func (d *Difference) QuotaBefore(q *corev1.ResourceQuota) *corev1.ResourceQuota {
	for _, before := range d.Before.Namespace(q.Namespace).Quotas() {
		if quota.SourceOf(before, "") == quota.SourceOf(q, "") {
			return before
		}
	}
	return &corev1.ResourceQuota{}
}

func (d *Difference) sharedQuotas() (rows []Quota) {
	before := map[string]*quota.ClusterQuota{}
	for _, q := range d.Before.ClusterQuotas() {
		before[string(q.Kind)+" "+q.Name] = q
	}
	for _, is := range d.After.ClusterQuotas() {
		was := before[string(is.Kind)+" "+is.Name]
		if was == nil {
			was = &quota.ClusterQuota{}
		}
		rows = append(rows, changed(Quota{Kind: string(is.Kind), Name: is.Name}, was.Status, is.Status, was, is)...)
	}
	return rows
}

// SharesOf returns what each namespace uses of a resource; nil of a quota that is nil.
func SharesOf(q *quota.ClusterQuota, name corev1.ResourceName) map[string]string {
	if q == nil {
		return nil
	}
	shares := map[string]string{}
	for namespace, used := range q.Namespaces {
		shares[namespace] = quantity.Canonical(used[name])
	}
	return shares
}

// nodes returns what is requested of nodes before and afterwards, and the sum over all.
func (d *Difference) nodes(names []string) (nodes []Node, total *Node) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		nodes = append(nodes, Node{Name: name, Before: LoadOf(d.Before, name), After: LoadOf(d.After, name)})
	}
	if len(nodes) > 0 {
		total = &Node{Name: "all nodes", Before: LoadOf(d.Before, d.Before.Nodes()...),
			After: LoadOf(d.After, d.After.Nodes()...)}
	}
	return nodes, total
}

// sums returns the requests and the limits of all pods before and afterwards, if manifests are all that is known, without nodes, and
// one of them changed. There are no limits if no pod has some.
func (d *Difference) sums() []Node {
	if len(d.In.Cluster.Objects)+len(d.Before.Nodes())+len(d.After.Nodes()) > 0 {
		return nil
	}
	requests, limits := Node{Name: "requests"}, Node{Name: "limits"}
	requests.Before, limits.Before = d.sumsOf(d.Before)
	requests.After, limits.After = d.sumsOf(d.After)
	if maps.Equal(requests.Before, requests.After) && maps.Equal(limits.Before, limits.After) {
		return nil
	}
	if len(limits.Before)+len(limits.After) == 0 {
		return []Node{requests}
	}
	return []Node{requests, limits}
}

func (d *Difference) sumsOf(c *whatif.Cluster) (requests, limits map[corev1.ResourceName]Usage) {
	pods, opts := c.Pods(""), computeresources.Options{}
	names := map[string]bool{"": true} // of nodes that are not in the input
	for _, object := range slices.Concat(d.In.Old.Objects, d.In.Change.Objects) {
		if spec := inventory.PodSpec(object); spec != nil && !names[spec.NodeName] {
			names[spec.NodeName] = true
			pods = append(pods, c.Pods(spec.NodeName)...)
		}
	}
	requested, limited := corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(int64(len(pods)), resource.DecimalSI)}, corev1.ResourceList{}
	for i := range pods {
		resourcelist.AddInto(requested, requested, computeresources.PodRequests(pods[i].Object, opts))
		resourcelist.AddInto(limited, limited, computeresources.PodLimits(pods[i].Object, opts))
	}
	return amounts(requested), amounts(limited)
}

func amounts(list corev1.ResourceList) map[corev1.ResourceName]Usage {
	all := map[corev1.ResourceName]Usage{}
	for name, amount := range list {
		all[name] = Usage{Used: quantity.Canonical(amount)}
	}
	return all
}

// LoadOf returns the sum over nodes that are there, empty if none is.
func LoadOf(c *whatif.Cluster, names ...string) map[corev1.ResourceName]Usage {
	requested, allocatable := corev1.ResourceList{}, corev1.ResourceList{}
	for _, name := range names {
		if ledger, err := c.Ledger(name); err == nil {
			resourcelist.AddInto(requested, requested, ledger.Requested())
			resourcelist.AddInto(allocatable, allocatable, ledger.Allocatable())
		}
	}
	load := map[corev1.ResourceName]Usage{}
	for name := range allocatable {
		load[name] = UsageOf(requested, allocatable, name)
	}
	return load
}

// UsageOf returns what is used of a limit; zero if there is neither.
func UsageOf(used, hard corev1.ResourceList, name corev1.ResourceName) (u Usage) {
	limit, limited := hard[name]
	if !limited {
		return u
	}
	u.Used, u.Hard = quantity.Canonical(used[name]), quantity.Canonical(limit)
	if percent, ok := resourcelist.Percent(used[name], limit); ok {
		u.Percent = &percent
	}
	return u
}
