package cgroupconfig

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// podHugePages returns the requests of a pod by size, with 0 for each of the node's other sizes.
func podHugePages(pod *corev1.Pod, nodeSizes []int64) []HugePages {
	var limits []HugePages
	if pod != nil {
		limits = hugePagesIn(computeresources.SpecRequests(&pod.Spec, computeresources.Options{}))
	}
	for _, size := range nodeSizes {
		limits = withSize(limits, size)
	}
	return limits
}

// containerHugePages returns the limits of a container, or else of its pod, for the sizes of the
// node; for all sizes if those of the node are not known.
func containerHugePages(podLevel, own corev1.ResourceList, nodeSizes []int64) []HugePages {
	set := hugePagesIn(own)
	for _, p := range hugePagesIn(podLevel) {
		if _, found := find(set, p.Size); !found {
			set = insert(set, p)
		}
	}
	if len(nodeSizes) == 0 {
		return set
	}
	var limits []HugePages
	for _, size := range nodeSizes {
		limits = withSize(limits, size)
	}
	for i, l := range limits {
		if j, found := find(set, l.Size); found {
			limits[i] = set[j]
		}
	}
	return limits
}

// sameForAll returns the same limit for all sizes.
func sameForAll(sizes []int64, limit int64) []HugePages {
	var limits []HugePages
	for _, size := range sizes {
		limits = withSize(limits, size)
	}
	for i := range limits {
		limits[i].Limit = limit
	}
	return limits
}

// withSize returns limits, with 0 for a size that they lack. Sizes of 0 or less are ignored.
func withSize(limits []HugePages, size int64) []HugePages {
	if _, found := find(limits, size); found || size <= 0 {
		return limits
	}
	return insert(limits, HugePages{Size: size})
}

// hugePagesIn returns the huge pages in a list, sorted by size. Names of the same size, such as
// 2Mi and 2048Ki, add up. A negative amount counts as zero, and a name without a size is ignored.
func hugePagesIn(list corev1.ResourceList) []HugePages {
	var limits []HugePages
	for name, q := range list {
		page, ok := pageSize(name)
		if !ok {
			continue
		}
		size := quantity.Integer(page, 0)
		amount := max(0, quantity.Integer(q, 0))
		if i, found := find(limits, size); found {
			limits[i].Limit = quantity.AddSaturated(limits[i].Limit, amount)
		} else {
			limits = insert(limits, HugePages{size, amount})
		}
	}
	return limits
}

// pageSize returns the page size in the name of a hugepages resource. It rejects sizes that are
// written with an exponent or in exabytes (1E, 1Ei, 1e6), because no node has pages with such
// names.
func pageSize(name corev1.ResourceName) (size resource.Quantity, ok bool) {
	if strings.ContainsAny(strings.TrimPrefix(string(name), corev1.ResourceHugePagesPrefix), "eE") {
		return resource.Quantity{}, false
	}
	return resourcename.HugePageSize(name)
}

func find(limits []HugePages, size int64) (index int, found bool) {
	return slices.BinarySearchFunc(limits, size, func(h HugePages, size int64) int {
		switch {
		case h.Size < size:
			return -1
		case h.Size > size:
			return 1
		default:
			return 0
		}
	})
}

func insert(limits []HugePages, h HugePages) []HugePages {
	i, _ := find(limits, h.Size)
	return slices.Insert(limits, i, h)
}
