// Command webhook warns when a workload is created whose pods the namespace will not admit. The API server accepts such
// a workload silently, and its pods are missing: only an event of its controller says why.
//
// It is a validating webhook for CREATE of deployments, statefulsets, daemonsets and jobs, at the path /workloads, and
// never refuses one. It needs to list LimitRanges and ResourceQuotas.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota/admit"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs the webhook until it is interrupted, with a cache of what it lists.
func serve() error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	handler := &workloads{Client: manager.GetClient(), Decoder: admission.NewDecoder(scheme.Scheme)}
	manager.GetWebhookServer().Register("/workloads", &webhook.Admission{Handler: handler})
	return manager.Start(ctrl.SetupSignalHandler())
}

// workloads answers for workloads.
type workloads struct {
	Client  client.Reader
	Decoder admission.Decoder
}

// Handle answers for a workload that is to be created.
func (h *workloads) Handle(ctx context.Context, request admission.Request) admission.Response {
	object, err := scheme.Scheme.New(schema.GroupVersionKind(request.Kind))
	if err != nil {
		return admission.Allowed("") // not a kind of Kubernetes
	}
	workload, ok := object.(admit.APIObject)
	if !ok {
		return admission.Allowed("")
	}
	if err := h.Decoder.Decode(request, workload); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	namespace, err := h.namespace(ctx, request.Namespace)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return answer(namespace.Create(workload, admit.Attributes{}))
}

// namespace returns what decides on the pods of a namespace. Tenants write LimitRanges, so these have a bound.
func (h *workloads) namespace(ctx context.Context, name string) (*admit.Namespace, error) {
	var ranges corev1.LimitRangeList
	if err := h.Client.List(ctx, &ranges, client.InNamespace(name)); err != nil {
		return nil, err
	}
	var quotas corev1.ResourceQuotaList
	if err := h.Client.List(ctx, &quotas, client.InNamespace(name)); err != nil {
		return nil, err
	}
	size := admit.MaxSize{Objects: 100, Bytes: 256 << 10}
	return admit.Compile(
		computeresources.Pointers(ranges.Items), computeresources.Pointers(quotas.Items), admit.Options{MaxSize: size},
	)
}

// answer allows the workload, with a warning for each reason why one of its pods would be missing, and what helps.
func answer(decision admit.Decision) admission.Response {
	pods := decision.Pods
	if pods == nil || pods.Fit.Replicas >= pods.Wanted {
		return admission.Allowed("")
	}
	response := admission.Allowed("")
	for _, refusal := range pods.Fit.Next {
		text := fmt.Sprintf("%d of %d pods will be created: %v", pods.Fit.Replicas, pods.Wanted, refusal)
		response.Warnings = append(response.Warnings, text)
	}
	return response
}
