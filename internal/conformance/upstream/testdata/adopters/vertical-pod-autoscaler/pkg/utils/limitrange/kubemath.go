package limitrange

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/limitrange"
)

func (lc *limitsChecker) getLimitRangeItem(namespace string, limitType corev1.LimitType) (*corev1.LimitRangeItem, error) {
	ranges, err := lc.limitRangeLister.LimitRanges(namespace).List(labels.Everything())
	if err != nil {
		return nil, fmt.Errorf("error loading limit ranges: %s", err)
	}
	item := limitrange.AggregateOf(ranges).Item(limitType)
	item.DefaultRequest, item.MaxLimitRequestRatio = nil, nil // used nowhere
	if len(item.Min)+len(item.Max)+len(item.Default) == 0 {
		return nil, nil
	}
	return &item, nil
}
