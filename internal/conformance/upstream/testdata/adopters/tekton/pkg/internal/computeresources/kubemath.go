package computeresources

import (
	"context"

	"github.com/tektoncd/pipeline/pkg/pod"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1listers "k8s.io/client-go/listers/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
)

func NewTransformer(_ context.Context, namespace string, lister corev1listers.LimitRangeLister) pod.Transformer {
	return func(p *corev1.Pod) (*corev1.Pod, error) {
		ranges, err := lister.LimitRanges(namespace).List(labels.Everything())
		if err != nil {
			return p, err
		}
		item := limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer)
		changes, _ := steps.Fill(&p.Spec, item, steps.TektonStep, steps.TektonOptions())
		return p, computeresources.ApplyChanges(&p.Spec, changes)
	}
}
