package cgroupconfig

import (
	"cmp"
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
	limits := sameForAll(nodeSizes, 0)
	if pod != nil {
		limits = addHugePages(limits, computeresources.SpecRequests(&pod.Spec, computeresources.Options{}))
	}
	return limits
}

// containerHugePages returns the limits of a container, or else of its pod, for the sizes of the
// node; for all sizes if those of the node are not known.
func containerHugePages(podLevel, own corev1.ResourceList, nodeSizes []int64) []HugePages {
	set := addHugePages(nil, podLevel)
	for _, h := range addHugePages(nil, own) {
		*limitOf(&set, h.Size) = h.Limit
	}
	if len(nodeSizes) == 0 {
		return set
	}
	limits := sameForAll(nodeSizes, 0)
	for i, h := range limits {
		limits[i].Limit = *limitOf(&set, h.Size)
	}
	return limits
}

// sameForAll returns the same limit for all sizes. Sizes of 0 or less are ignored.
func sameForAll(sizes []int64, limit int64) (limits []HugePages) {
	for _, size := range sizes {
		if size > 0 {
			*limitOf(&limits, size) = limit
		}
	}
	return limits
}

// addHugePages adds the huge pages in a list. Names of the same size, such as 2Mi and 2048Ki, add up. A negative
// amount counts as zero, and a name without a size is ignored.
func addHugePages(limits []HugePages, list corev1.ResourceList) []HugePages {
	for name, q := range list {
		if page, ok := pageSize(name); ok {
			limit := limitOf(&limits, quantity.Integer(page, 0))
			*limit = quantity.AddSaturated(*limit, max(0, quantity.Integer(q, 0)))
		}
	}
	return limits
}

// limitOf returns the limit of a size among sorted ones. If it is new, it is 0.
func limitOf(limits *[]HugePages, size int64) *int64 {
	i, found := slices.BinarySearchFunc(*limits, size, func(h HugePages, size int64) int {
		return cmp.Compare(h.Size, size)
	})
	if !found {
		*limits = slices.Insert(*limits, i, HugePages{Size: size})
	}
	return &(*limits)[i].Limit
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
