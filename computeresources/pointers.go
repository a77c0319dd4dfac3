package computeresources

// Pointers returns pointers to the items of a list, such as the Items of a corev1.LimitRangeList,
// for functions that take a []*T. They point into items: nothing is copied. The result is nil if
// there are no items.
func Pointers[T any](items []T) []*T {
	if len(items) == 0 {
		return nil
	}
	all := make([]*T, len(items))
	for i := range items {
		all[i] = &items[i]
	}
	return all
}
