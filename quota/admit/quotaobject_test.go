package admit_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestQuotaObject(t *testing.T) {
	ended := pod(testkit.Container("app", list("cpu", "1"), nil))
	ended.Status.Phase = corev1.PodSucceeded
	deleted := pod(testkit.Container("app", list("cpu", "1"), nil))
	deleted.DeletionTimestamp, deleted.DeletionGracePeriodSeconds = &metav1.Time{Time: time.Unix(1000, 0)}, new(int64)
	exotic := &unstructured.Unstructured{}
	exotic.SetGroupVersionKind(schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"})
	podLevel := withPodLevel(pod(testkit.Container("app", list("cpu", "1"), nil)), list("cpu", "2"), nil)
	resized := pod(testkit.Container("app", list("cpu", "1"), nil))
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: list("cpu", "4")}}
	devices := &resourcev1.ResourceClaim{Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: []resourcev1.DeviceRequest{{
		Name: "gpu", Exactly: &resourcev1.ExactDeviceRequest{DeviceClassName: "gold", AllocationMode: resourcev1.DeviceAllocationModeExactCount, Count: 2},
	}}}}}
	for _, test := range []struct {
		name string
		obj  admit.APIObject
		opts admit.Options
		req  admit.Attributes
		want corev1.ResourceList // its usage of these
	}{
		{"a pod that has succeeded", ended, admit.Options{}, admit.Attributes{}, list("count/pods", "1")},
		{"a pod within its grace period", deleted, admit.Options{}, admit.Attributes{}, list("count/pods", "1", "pods", "1", "requests.cpu", "1")},
		{"a pod after its grace period", deleted, admit.Options{}, admit.Attributes{Now: time.Unix(2000, 0)}, list("count/pods", "1")},
		{"pod-level resources", podLevel, admit.Options{}, admit.Attributes{}, list("count/pods", "1", "pods", "1", "requests.cpu", "2")},
		{"pod-level resources that are ignored", podLevel, admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}, admit.Attributes{}, list("count/pods", "1", "pods", "1", "requests.cpu", "1")},
		{"a pod during a resize", resized, admit.Options{}, admit.Attributes{}, list("count/pods", "1", "pods", "1", "requests.cpu", "4")},
		{"a status that is ignored", resized, admit.Options{IgnoreStatus: true}, admit.Attributes{}, list("count/pods", "1", "pods", "1", "requests.cpu", "1")},
		{"a claim", storage("a", "1Gi"), admit.Options{}, admit.Attributes{}, list("requests.storage", "1Gi")},
		{"a service", &corev1.Service{}, admit.Options{}, admit.Attributes{}, list("services", "1")},
		{"a claim for devices", devices, admit.Options{}, admit.Attributes{}, list("gold.deviceclass.resource.k8s.io/devices", "2")},
		{"a claim for devices of an extended resource", devices, admit.Options{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}}, admit.Attributes{},
			list("gold.deviceclass.resource.k8s.io/devices", "2", "requests.example.com/gpu", "2")},
		{"extended resources that are ignored", devices, admit.Options{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}, IgnoreExtendedResources: true}, admit.Attributes{},
			list("gold.deviceclass.resource.k8s.io/devices", "2")},
		{"a workload", &appsv1.Deployment{}, admit.Options{}, admit.Attributes{}, list("count/deployments.apps", "1")},
		{"an unknown object, by its kind", exotic, admit.Options{}, admit.Attributes{}, list("count/ingresses.networking.k8s.io", "1")},
		{"an unknown object, by its resource", exotic, admit.Options{}, admit.Attributes{Resource: schema.GroupResource{Resource: "services"}}, list("count/services", "1")},
		{"none", nil, admit.Options{}, admit.Attributes{}, nil},
		{"a nil pointer", (*corev1.Pod)(nil), admit.Options{}, admit.Attributes{}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			usage := compile(t, nil, nil, test.opts).QuotaObject(test.obj, test.req).Usage()
			got := corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{
				"count/pods", "pods", "requests.cpu", "requests.storage", "services", "count/services",
				"count/deployments.apps", "count/ingresses.networking.k8s.io", "gold.deviceclass.resource.k8s.io/devices", "requests.example.com/gpu",
			} {
				if _, asked := test.want[name]; !asked && name == "count/services" {
					continue // in addition to services
				}
				if q, has := usage[name]; has {
					got[name] = q
				}
			}
			testkit.NoDiff(t, got, test.want, cmpopts.EquateEmpty())
		})
	}
}
