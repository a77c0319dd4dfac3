package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Fits reports whether what is requested fits beside what is used: used + requested ≤ hard
// for every resource that hard names. The arguments are in the order of the API server's
// message. A request for zero, or less, always fits, even where more is used than allowed. What
// hard does not name is not limited; what used does not name is not used.
//
// It does not answer whether a pod fits on a node, which has no more than it names: for a pod
// with a GPU, Fits(requests, used, allocatable) is true where there are no GPUs. Use Fits of
// computeresources/resourcelist for that.
//
// Cost: two look-ups for each resource that is requested. It allocates for amounts that need
// arbitrary precision alone: beyond an int64, or with decimals that are no whole number up
// to 2^52.
//
// Source: Mask, Add and LessThanOrEqual of k8s.io/apiserver/pkg/quota/v1, as its admission
// plugin combines them.
func Fits(requested, used, hard corev1.ResourceList) bool {
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

// Exceeded returns the resources that do not fit, by the rule of Fits, sorted; nil if
// everything does. What hard does not name is never exceeded: for a node, which has no more
// than it names, use Insufficient of computeresources/resourcelist.
func Exceeded(requested, used, hard corev1.ResourceList) []corev1.ResourceName {
	var exceeded []corev1.ResourceName
	for name, request := range requested {
		limit, limited := hard[name]
		in := used[name]
		if limited && !fits(name, &limit, &in, &request) {
			exceeded = append(exceeded, name)
		}
	}
	slices.Sort(exceeded)
	return exceeded
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
