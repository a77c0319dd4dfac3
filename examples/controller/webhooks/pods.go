package webhooks

import (
	"context"
	"errors"
	"net/http"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit"
)

// Pods refuses the pods that the API server would refuse for their resources and the LimitRanges
// of their namespace, with its status code, reason and message, and with a warning for each
// refusal that says what to change. It changes nothing.
//
// The API server checks quotas, because it reads them from storage and not from a cache.
type Pods struct {
	Client  client.Reader
	Decoder admission.Decoder
	MaxSize admit.MaxSize // of the LimitRanges, which tenants may write
}

// Handle answers for one pod that is to be created.
func (h *Pods) Handle(ctx context.Context, request admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := h.Decoder.Decode(request, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	var list corev1.LimitRangeList
	if err := h.Client.List(ctx, &list, client.InNamespace(request.Namespace), client.UnsafeDisableDeepCopy); err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	namespace, err := admit.Compile(computeresources.Pointers(list.Items), nil, admit.Options{MaxSize: h.MaxSize})
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return answer(decide(pod, namespace))
}

// decide returns the decision on a pod, and what else the API server can decide about a pod that was
// written like it.
//
// The pod already has the defaults of LimitRanges. To distinguish them from what its author wrote,
// they are removed and applied again, in every order of LimitRanges. If the result is never the same
// pod, they were other defaults, and the pod is checked unchanged.
func decide(pod *corev1.Pod, namespace *admit.Namespace) (admit.Decision, admit.Outcomes) {
	unchanged := namespace.Create(pod, admit.Attributes{}) // with what the API server sets of any pod
	outcomes := namespace.Possible(nil, written(pod), admit.Attributes{})
	for _, decision := range outcomes.Decisions {
		if stored := decision.Object.(*corev1.Pod); equality.Semantic.DeepEqual(stored.Spec, unchanged.Object.(*corev1.Pod).Spec) {
			return decision, outcomes
		}
	}
	return unchanged, admit.Outcomes{}
}

// answer returns the answer of the API server, with the remedies as warnings, which clients show
// beside it. A pod is admitted with a warning if the next one like it may be refused, in another order
// of LimitRanges.
func answer(decision admit.Decision, outcomes admit.Outcomes) admission.Response {
	if decision.Admitted() && outcomes.Depends {
		i := slices.IndexFunc(outcomes.Decisions, func(d admit.Decision) bool { return !d.Admitted() })
		return admission.Allowed("").WithWarnings("the next pod like this one may be rejected, as LimitRanges have different defaults: " + outcomes.Decisions[i].Refusals[0].Error())
	}
	var refused apierrors.APIStatus
	if !errors.As(decision.Err(), &refused) {
		return admission.Allowed("")
	}
	status := refused.Status()
	response := admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &status}}
	for _, refusal := range decision.Refusals {
		response.Warnings = append(response.Warnings, refusal.Error())
	}
	return response
}
