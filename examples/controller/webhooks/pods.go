package webhooks

import (
	"context"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/limitrange"
)

// Pods refuses the pods that the API server would refuse for the LimitRanges of their
// namespace, in words that say what to change. It changes nothing.
type Pods struct {
	Client  client.Reader
	Decoder admission.Decoder
}

// Handle answers for one pod that is to be created.
func (h *Pods) Handle(ctx context.Context, request admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := h.Decoder.Decode(request, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	var ranges corev1.LimitRangeList
	if err := h.Client.List(ctx, &ranges, client.InNamespace(request.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	problems := diagnose(pod, ranges.Items)
	if len(problems) == 0 {
		return admission.Allowed("")
	}
	return admission.Denied(strings.Join(problems, "; "))
}

// diagnose returns why a pod is not admitted under LimitRanges.
//
// The pod has their defaults already. To be told apart from what its author has written,
// they are taken out and given again. If that does not give the same pod, they were not
// those, and the pod is taken as it is.
func diagnose(pod *corev1.Pod, ranges []corev1.LimitRange) []string {
	all := make([]*corev1.LimitRange, len(ranges))
	for i := range ranges {
		all[i] = &ranges[i]
	}
	policy := limitrange.Compile(all, limitrange.Options{})
	admitted := policy.Admit(written(pod))
	if !equality.Semantic.DeepEqual(admitted.Spec, &pod.Spec) {
		admitted = policy.Admit(&pod.Spec)
	}
	var problems []string
	for _, problem := range admitted.Problems() {
		problems = append(problems, problem.String())
	}
	return problems
}
