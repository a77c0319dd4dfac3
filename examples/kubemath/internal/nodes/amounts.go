package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// Amounts are quantities in canonical form, by resource.
type Amounts map[corev1.ResourceName]string

func amountsOf(list corev1.ResourceList) Amounts {
	amounts := Amounts{}
	for name, q := range list {
		amounts[name] = canonical(q)
	}
	return amounts
}

func canonical(q resource.Quantity) string { return quantity.Canonical(q) }

// order are the resources that come first in lists of resources.
var order = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods, corev1.ResourceEphemeralStorage}

// names returns the resources of amounts in the order of the tables.
func names(lists ...Amounts) []corev1.ResourceName {
	all := map[corev1.ResourceName]bool{}
	for _, list := range lists {
		for name := range list {
			all[name] = true
		}
	}
	var sorted []corev1.ResourceName
	for _, name := range order {
		if all[name] {
			sorted = append(sorted, name)
			delete(all, name)
		}
	}
	return append(sorted, slices.Sorted(maps.Keys(all))...)
}

// inWords returns "cpu 500m, memory 2Gi", or "nothing".
func (a Amounts) inWords() string {
	var words []string
	for _, name := range names(a) {
		words = append(words, wording.Printable(string(name))+" "+short(name, a[name]))
	}
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}

var units = []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}

// short returns an amount for people: bytes are rounded to at most four digits, one of them after the
// decimal point, in the unit that needs so few; other amounts are not rounded.
func short(name corev1.ResourceName, amount string) string {
	if name != corev1.ResourceMemory && name != corev1.ResourceEphemeralStorage && !resourcelist.IsHugePages(name) {
		return amount
	}
	q, err := quantity.Parse(amount)
	if err != nil {
		return amount // cannot happen: it was a quantity
	}
	bytes, unit := q.AsApproximateFloat64(), 0
	sign := ""
	if bytes < 0 {
		bytes, sign = -bytes, "-"
	}
	for bytes >= 1024 && unit < len(units)-1 {
		bytes, unit = bytes/1024, unit+1
	}
	return sign + strings.TrimSuffix(fmt.Sprintf("%.1f", bytes), ".0") + units[unit]
}

// percentOf returns a percentage of an amount, rounded down.
func percentOf(part, whole string) (percent int64, ok bool) {
	p, err := quantity.Parse(part)
	w, failed := quantity.Parse(whole)
	if err != nil || failed != nil {
		return 0, false
	}
	return resourcelist.Percent(p, w)
}
