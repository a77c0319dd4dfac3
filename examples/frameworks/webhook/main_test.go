package main

import (
	"fmt"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func TestWarnings(t *testing.T) {
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}}
	quota.Status.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("4")}
	quota.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("2500m")}
	handler := &workloads{
		Client:  fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(quota).Build(),
		Decoder: admission.NewDecoder(scheme.Scheme),
	}
	for _, tt := range []struct {
		name, namespace, cpu string
		replicas             int
		want                 string
	}{
		{"enough", "shop", "500m", 3, ""},
		{"another namespace", "web", "500m", 30, ""},
		{
			"too many", "shop", "500m", 5,
			"3 of 5 pods will be created: ResourceQuota shop/team lacks requests.cpu=500m: request less, or raise the quota",
		},
	} {
		deployment := fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"namespace": %q, "name": "web"},
			"spec": {"replicas": %d, "template": {"spec": {"containers": [
				{"name": "app", "resources": {"requests": {"cpu": %q}}}]}}}}`, tt.namespace, tt.replicas, tt.cpu)
		response := handler.Handle(t.Context(), admission.Request{AdmissionRequest: admissionv1.AdmissionRequest{
			Kind:      metav1.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
			Namespace: tt.namespace, Operation: admissionv1.Create, Object: runtime.RawExtension{Raw: []byte(deployment)},
		}})
		got := ""
		for _, warning := range response.Warnings {
			got += warning
		}
		if !response.Allowed || got != tt.want {
			t.Errorf("%s: allowed %v, warnings %q, want %q", tt.name, response.Allowed, got, tt.want)
		}
	}
}
