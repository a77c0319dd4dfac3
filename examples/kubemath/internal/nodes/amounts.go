package nodes

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// short returns an amount for people, "-" for nothing.
func short(a report.Amounts, name corev1.ResourceName) string {
	q := a[name]
	switch {
	case q.IsZero():
		return "-"
	case name == corev1.ResourceCPU:
		return a.Text(name)
	default:
		return resourcelist.Short(q)
	}
}

// order are the resources that come first in lists of resources.
var order = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods,
	corev1.ResourceEphemeralStorage}

// names returns the resources of amounts in the order of the tables.
func names(lists ...report.Amounts) []corev1.ResourceName {
	all := report.Amounts{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	first := func(name corev1.ResourceName) int {
		return (slices.Index(order, name) + len(order) + 1) % (len(order) + 1)
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b corev1.ResourceName) int {
		return cmp.Or(cmp.Compare(first(a), first(b)), cmp.Compare(a, b))
	})
}

// inWords returns "cpu 500m, memory 2Gi", or "nothing".
func inWords(a report.Amounts) string {
	var words []string
	for _, name := range names(a) {
		words = append(words, wording.Printable(string(name))+" "+short(a, name))
	}
	return cmp.Or(strings.Join(words, ", "), "nothing")
}
