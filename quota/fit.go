package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
)

// WithinHard reports whether a request fits into a quota: used + requested ≤ hard for every resource in
// hard. The arguments are in the order of the API server's message. A request for zero or less
// always fits, even if the quota is exceeded already. A resource that is not in hard is not
// limited; a resource that is not in used has a usage of zero.
//
// WithinHard does not answer whether a pod fits on a node. A node that does not list a
// resource has none of it. A quota that does not list it sets no limit, so WithinHard would admit a pod with a GPU.
// Use [github.com/kubemath/kubemath/computeresources/resourcelist.Fits] for nodes.
//
// Cost: two lookups for each requested resource. It allocates only for amounts that need arbitrary
// precision: those beyond an int64, or decimals that are not whole numbers up to 2^52.
//
// Source: Mask, Add and LessThanOrEqual of k8s.io/apiserver/pkg/quota/v1, as its admission
// plugin combines them.
func WithinHard(requested, used, hard corev1.ResourceList) bool {
	for name, request := range requested {
		limit := hard[name]
		if limit.IsZero() {
			if _, limited := hard[name]; !limited {
				continue
			}
		}
		in := used[name]
		if !fits(name, &limit, &in, &request) {
			return false
		}
	}
	return true
}

// FailuresOf returns the failure of a quota of this name, with these limits and this usage, if the
// request does not fit by the rule of WithinHard: one ExceededQuota with the resources that do not fit,
// sorted, their amounts, and the message of the API server. The result is nil if everything fits, and
// owns its memory. A resource that is not in hard is never exceeded. For nodes, use
// [github.com/kubemath/kubemath/computeresources/resourcelist.Insufficient].
//
// Negative amounts fit; the server refuses them earlier (NegativeUsage).
//
// Source: CheckRequest of k8s.io/apiserver/pkg/admission/plugin/resourcequota.
func FailuresOf(requested, used, hard corev1.ResourceList, name string) computeresources.Problems[*Failure] {
	return aggregate.Pointers(failuresOf(requested, used, hard,
		computeresources.Source{Kind: "ResourceQuota", Name: name, Field: "spec.hard"}))
}

// failuresOf is FailuresOf for a quota with a namespace.
func failuresOf(requested, used, hard corev1.ResourceList, source computeresources.Source) []Failure {
	var names []corev1.ResourceName
	for name, request := range requested {
		limit, limited := hard[name]
		in := used[name]
		if limited && !fits(name, &limit, &in, &request) {
			names = append(names, name)
		}
	}
	return exceeded(names, requested, used, hard, source)
}

// failuresOfAny is failuresOf for a GlobalResourceQuota: a request for more of any resource is refused if any other one
// is exceeded.
//
// Source: reserve of projectcapsule/capsule/internal/webhook/globalresourcequota.
func failuresOfAny(requested, used, hard corev1.ResourceList, source computeresources.Source) []Failure {
	var names []corev1.ResourceName
	grows := false
	for name, limit := range hard {
		request, sum := requested[name], used[name].DeepCopy()
		grows = grows || request.Sign() > 0
		if request.Sign() > 0 {
			sum.Add(request)
		}
		if sum.Cmp(limit) > 0 {
			names = append(names, name)
		}
	}
	if !grows {
		return nil
	}
	return exceeded(names, requested, used, hard, source)
}

// exceeded returns the failure of a quota that is exceeded by some resources, nil for none. It sorts the names.
func exceeded(
	names []corev1.ResourceName, requested, used, hard corev1.ResourceList, source computeresources.Source,
) []Failure {
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	f := Failure{
		Cause: ExceededQuota, Source: source, Resources: names,
		Requested: corev1.ResourceList{}, Used: corev1.ResourceList{}, Hard: corev1.ResourceList{},
	}
	for _, name := range names {
		f.Requested[name], f.Hard[name] = requested[name].DeepCopy(), hard[name].DeepCopy()
		if in, known := used[name]; known {
			f.Used[name] = in.DeepCopy()
		}
	}
	return []Failure{f}
}

// fits compares bytes and counts as integers, which also spares the allocations of
// decimals such as 1.5Gi, and CPU, which is set in milli-units, as quantities. All of
// them are copies, so that it may change how they hold their values.
func fits(name corev1.ResourceName, limit, in, request *resource.Quantity) bool {
	if request.Sign() <= 0 {
		return true
	}
	if !strings.HasSuffix(string(name), string(corev1.ResourceCPU)) {
		asked, small1 := quantity.Small(request, 0)
		used, small2 := quantity.Small(in, 0)
		allowed, small3 := quantity.Small(limit, 0)
		if small1 && small2 && small3 {
			return used+asked <= allowed
		}
	}
	sum := in.DeepCopy()
	sum.Add(*request)
	return sum.Cmp(*limit) <= 0
}
