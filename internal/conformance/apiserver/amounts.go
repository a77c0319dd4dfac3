package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	gpu       corev1.ResourceName = "example.com/gpu"
	hugePages corev1.ResourceName = "hugepages-2Mi"
	fpga      corev1.ResourceName = "example.com/fpga" // limited by default
)

// amount draws an amount of a resource: mostly one that is usual in manifests and small enough for
// several to fit under a quota, and sometimes any.
func amount(t *rapid.T, name corev1.ResourceName) resource.Quantity {
	if once(t, "odd", 60) {
		return comparable().Draw(t, "amount")
	}
	var texts []string
	switch name {
	case corev1.ResourceCPU:
		if rapid.Bool().Draw(t, "any milli") {
			return resource.MustParse(fmt.Sprintf("%dm", rapid.IntRange(0, 2500).Draw(t, "milli")))
		}
		texts = []string{"0", "100m", "250m", "333m", "500m", "1", "0.1", "1.5", "2", "0.0015"}
	case corev1.ResourceMemory:
		texts = []string{"0", "64Mi", "100M", "128Mi", "0.1Gi", "256Mi", "1Gi", "1.5Gi", "1e9", "123456789", "2Gi"}
	case gpu, fpga:
		texts = []string{"1", "2", "0", "3"}
	case hugePages:
		texts = []string{"2Mi", "4Mi", "0", "10Mi", "1Mi"}
	default:
		texts = []string{"1Gi", "0", "2Gi", "1.5Gi", "500M", "10Gi", "0.5", "100m"}
	}
	return resource.MustParse(rapid.SampledFrom(texts).Draw(t, "amount"))
}

// comparable draws amounts from the whole range, as they are after they have been written into a
// manifest, except those for which the two are known to differ: the server garbles amounts beyond 64
// bits in milli-units, and reads negative fractions differently depending on their representation (see
// TestDivergenceLimitRangeBeyond64Bits in the directory above). Half of the range leaves room for sums.
func comparable() *rapid.Generator[resource.Quantity] {
	return rapid.Map(testkit.Quantity(), written).Filter(func(q resource.Quantity) bool {
		n := quantity.Integer(q, resource.Milli)
		return -1<<53 < n && n < 1<<53 && (n >= 0 || n%1000 == 0)
	})
}

// written returns an amount as the server reads it. A sum of 1e3 and 6 keeps its exponent until it
// is text, which is 1006.
func written(q resource.Quantity) resource.Quantity { return resource.MustParse(q.String()) }

// rising draws a number of amounts, mostly in ascending order.
func rising(t *rapid.T, name corev1.ResourceName, n int) []resource.Quantity {
	all := make([]resource.Quantity, n)
	for i := range all {
		all[i] = amount(t, name)
	}
	if once(t, "in any order", 10) {
		return all
	}
	for i := range all {
		for j := i; j > 0 && all[j].Cmp(all[j-1]) < 0; j-- {
			all[j], all[j-1] = all[j-1], all[j]
		}
	}
	return all
}

// requirements draws the requests and limits of a container.
func requirements(t *rapid.T) (r corev1.ResourceRequirements) {
	set := func(list *corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) {
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = q
	}
	for _, resource := range []struct {
		name corev1.ResourceName
		in   int
	}{{corev1.ResourceCPU, 1}, {corev1.ResourceMemory, 1}, {corev1.ResourceEphemeralStorage, 4}, {gpu, 8}, {fpga, 25}, {hugePages, 10}} {
		name := resource.name
		if !once(t, string(name), resource.in) {
			continue
		}
		if (name == gpu || name == fpga || name == hugePages) && !once(t, "apart", 12) {
			q := amount(t, name)
			set(&r.Limits, name, q)
			if rapid.Bool().Draw(t, "request") {
				set(&r.Requests, name, q.DeepCopy())
			}
			continue
		}
		two := rising(t, name, 2)
		switch rapid.IntRange(0, 4).Draw(t, "form") {
		case 0:
		case 1:
			set(&r.Requests, name, two[0])
		case 2:
			set(&r.Limits, name, two[0])
		case 3:
			set(&r.Requests, name, two[0])
			set(&r.Limits, name, two[0].DeepCopy())
		case 4:
			set(&r.Requests, name, two[0])
			set(&r.Limits, name, two[1])
		}
	}
	return r
}
