package tekton

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // its evaluator converts pods
	upstream "k8s.io/kubernetes/pkg/apis/core/v1"
	quotacore "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	registry "k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"
)

// Admitted is a pod on its way through the API server.
type Admitted struct {
	Defaulted *corev1.Pod // with the API's own defaults
	Stored    *corev1.Pod // with those of LimitRanges, in their order; also if the pod is refused
	Err       error       // why it is refused: validation, LimitRanges, quotas
}

// Admit returns what the API server makes of a pod, in its order: defaults, mutation by LimitRanges, validation of the
// object, validation by LimitRanges, quotas.
func (r Run) Admit(created *corev1.Pod) (a Admitted, err error) {
	a.Defaulted = created.DeepCopy()
	upstream.SetObjectDefaults_Pod(a.Defaulted)
	p := &core.Pod{}
	if err := upstream.Convert_v1_Pod_To_core_Pod(a.Defaulted.DeepCopy(), p, nil); err != nil {
		return a, err
	}
	for _, lr := range r.Ranges {
		if err := limitranger.PodMutateLimitFunc(lr.DeepCopy(), p); err != nil {
			return a, err
		}
	}
	a.Stored = &corev1.Pod{}
	if err := upstream.Convert_core_Pod_To_v1_Pod(p.DeepCopy(), a.Stored, nil); err != nil {
		return a, err
	}
	upstream.SetObjectDefaults_Pod(a.Stored) // when it is read again
	a.Err = r.refusal(p)
	return a, nil
}

func (r Run) refusal(p *core.Pod) error {
	rest.FillObjectMetaSystemFields(&p.ObjectMeta)
	if err := rest.BeforeCreate(registry.Strategy, genericrequest.WithNamespace(context.Background(), p.Namespace), p); err != nil {
		return err
	}
	attributes := admission.NewAttributesRecord(p, nil, core.Kind("Pod").WithVersion("v1"), p.Namespace, p.Name,
		core.Resource("pods").WithVersion("v1"), "", admission.Create, &metav1.CreateOptions{}, false, nil)
	for _, lr := range r.Ranges {
		if err := limitranger.PodValidateLimitFunc(lr.DeepCopy(), p); err != nil {
			return admission.NewForbidden(attributes, err)
		}
	}
	var quotas []corev1.ResourceQuota
	for _, q := range r.Quotas {
		quotas = append(quotas, *q.DeepCopy())
	}
	_, err := resourcequota.CheckRequest(quotas, attributes, quotacore.NewPodEvaluator(nil, clock.RealClock{}), nil)
	return err
}
