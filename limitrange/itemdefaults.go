package limitrange

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// WithDefaults returns a copy of an item as the API server stores it: with all amounts rounded up to
// milli-units, and, if it is of type Container, with the defaults that follow from its bounds. Per
// resource, a missing default limit is the maximum; then a missing default request is the default
// limit or, if there is none, the minimum. Nothing is validated (see ValidateObject). Applying
// WithDefaults again changes nothing.
//
// Source: SetDefaults_LimitRangeItem and SetDefaults_ResourceList of
// k8s.io/kubernetes/pkg/apis/core/v1.
func WithDefaults(item corev1.LimitRangeItem) corev1.LimitRangeItem {
	done := *item.DeepCopy()
	if item.Type == corev1.LimitTypeContainer {
		fill(&done.Default, done.Max)
		fill(&done.DefaultRequest, done.Default)
		fill(&done.DefaultRequest, done.Min)
	}
	for _, list := range []corev1.ResourceList{done.Max, done.Min, done.Default, done.DefaultRequest,
		done.MaxLimitRequestRatio} {
		quantity.RoundUpAll(list)
	}
	return done
}

// fill sets the entries of list that are missing to those of defaults.
func fill(list *corev1.ResourceList, defaults corev1.ResourceList) {
	for name, q := range defaults {
		if _, stated := (*list)[name]; !stated {
			quantity.Set(list, name, q)
		}
	}
}
