package limitrange

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1listers "k8s.io/client-go/listers/core/v1"

	"github.com/kubemath/kubemath/limitrange"
)

func GetVirtualLimitRange(namespace string, lister corev1listers.LimitRangeLister) (*corev1.LimitRange, error) {
	ranges, err := lister.LimitRanges(namespace).List(labels.Everything())
	if err != nil || len(ranges) == 0 {
		return nil, err
	}
	if len(ranges) == 1 {
		return ranges[0], nil
	}
	item := limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer)
	return &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}, nil
}
