package testkit

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
)

// LimitRanges draws up to four LimitRanges of one namespace with the given quantities. They have types
// that the API server enforces, and one that it does not, and sometimes several items of one type; some
// are nil. The lists name some of ResourceNames and storage.
func LimitRanges(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[[]*corev1.LimitRange] {
	return rapid.Custom(func(t *rapid.T) []*corev1.LimitRange {
		var ranges []*corev1.LimitRange
		names := rapid.Permutation([]string{"a", "b", "c", "d"}).Draw(t, "names")
		for i := range rapid.IntRange(0, 4).Draw(t, "ranges") {
			if flip(t, "nil", 10) {
				ranges = append(ranges, nil)
				continue
			}
			lr := &corev1.LimitRange{}
			lr.Namespace, lr.Name = "ns", names[i]
			for range rapid.IntRange(0, 3).Draw(t, "items") {
				lr.Spec.Limits = append(lr.Spec.Limits, limitRangeItem(t, quantities))
			}
			ranges = append(ranges, lr)
		}
		return ranges
	})
}

func limitRangeItem(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) corev1.LimitRangeItem {
	list := ResourceList(quantities)
	item := corev1.LimitRangeItem{
		Type: rapid.SampledFrom([]corev1.LimitType{
			corev1.LimitTypeContainer, corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePod,
			corev1.LimitTypePersistentVolumeClaim, "example.com/Other",
		}).Draw(t, "type"),
		Max: list.Draw(t, "max"), Min: list.Draw(t, "min"),
	}
	if flip(t, "ratio", 2) {
		item.MaxLimitRequestRatio = ResourceList(rapid.Custom(func(t *rapid.T) resource.Quantity {
			return resource.MustParse(rapid.SampledFrom([]string{"0", "1", "1.5", "2", "16.1", "-1"}).Draw(t, "ratio"))
		})).Draw(t, "ratios")
	}
	if item.Type != corev1.LimitTypePod {
		item.Default, item.DefaultRequest = list.Draw(t, "default"), list.Draw(t, "default request")
	}
	if item.Type == corev1.LimitTypePersistentVolumeClaim && flip(t, "storage", 2) {
		item.Max = corev1.ResourceList{corev1.ResourceStorage: quantities.Draw(t, "storage")}
	}
	return item
}
