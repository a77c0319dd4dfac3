package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/quota"
)

func TestAssessmentApplies(t *testing.T) {
	deadline := int64(60)
	pod := podOf()
	terminating := quota.Pod(&corev1.Pod{Spec: corev1.PodSpec{ActiveDeadlineSeconds: &deadline}}, time.Time{}, quota.PodOptions{})
	service := quota.Service(&corev1.Service{})
	volume := quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	devices := quota.ResourceClaim(&resourcev1.ResourceClaim{}, quota.ResourceClaimOptions{})
	secret := quota.Counted(schema.GroupResource{Resource: "secrets"}, nil)
	for _, test := range []struct {
		name           string
		old, object    quota.Object
		subresource    string
		create, update bool
	}{
		{"nothing", quota.Object{}, quota.Object{}, "", false, false},
		{"a pod", pod, pod, "", true, false},
		{"a pod that becomes Terminating", pod, terminating, "", true, true},
		{"pod that is no longer Terminating", terminating, pod, "", true, true},
		{"a pod that remains Terminating", terminating, terminating, "", true, false},
		{"a pod in the place of another kind", service, terminating, "", true, false},
		{"a resize", pod, pod, "resize", false, true},
		{"the status of a pod", pod, terminating, "status", false, false},
		{"a binding", pod, pod, "binding", false, false},
		{"a service", service, service, "", true, true},
		{"the status of a service", service, service, "status", false, false},
		{"a claim for storage", volume, volume, "", true, true},
		{"the status of a claim for storage", volume, volume, "status", false, true},
		{"another subresource of a claim for storage", volume, volume, "resize", false, false},
		{"a claim for devices", devices, devices, "", true, true},
		{"the status of a claim for devices", devices, devices, "status", false, false},
		{"a counted object", secret, secret, "", true, false},
		{"the scale of one", secret, secret, "scale", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts := quota.AdmitOptions{Subresource: test.subresource}
			if got := quota.Admit(quota.Object{}, test.object, nil, opts).Applies; got != test.create {
				t.Errorf("to a creation: %v, want %v", got, test.create)
			}
			if got := quota.Admit(test.old, test.object, nil, opts).Applies; got != test.update {
				t.Errorf("to an update: %v, want %v", got, test.update)
			}
		})
	}
}
