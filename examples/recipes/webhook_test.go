package recipes_test

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// admitPod decides as the API server does: it returns the pod that is stored, with all defaults,
// or the error that the client sees. Of several quotas that refuse a pod, the API server names only
// the first.
func admitPod(pod *corev1.Pod, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, now time.Time) (*corev1.Pod, error) {
	pods := corev1.Resource("pods")
	admission := limitrange.Compile(ranges, limitrange.Options{}).Admit(&pod.Spec)
	if admission.Invalid != nil {
		return nil, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Pod").GroupKind(), pod.Name, admission.Invalid.ErrorList(nil))
	}
	if err := admission.Violations.Err(); err != nil {
		return nil, apierrors.NewForbidden(pods, pod.Name, err)
	}
	stored := pod.DeepCopy()
	stored.Spec = *admission.Spec
	if note := limitrange.Annotation(admission.Defaults); note != "" {
		metav1.SetMetaDataAnnotation(&stored.ObjectMeta, limitrange.AnnotationKey, note)
	}
	if _, failures := quota.Admit(quota.Pod(stored, now, quota.PodOptions{}), quotas, quota.AdmitOptions{}); failures != nil {
		return nil, apierrors.NewForbidden(pods, pod.Name, &failures[0])
	}
	return stored, nil
}

// Example_webhook decides on three pods of a namespace with a LimitRange and a ResourceQuota.
func Example_webhook() {
	var limits corev1.LimitRange
	var compute corev1.ResourceQuota
	decodeForWebhook(&limits, `
metadata: {namespace: shop, name: limits}
spec: {limits: [{type: Container, defaultRequest: {cpu: 250m}, default: {cpu: 1}, maxLimitRequestRatio: {cpu: 10}}]}`)
	decodeForWebhook(&compute, `
metadata: {namespace: shop, name: compute}
status:
  hard: {requests.cpu: 1, limits.memory: 1Gi}
  used: {requests.cpu: 500m, limits.memory: 512Mi}`)
	for _, manifest := range []string{`
metadata: {namespace: shop, name: small}
spec: {containers: [{name: app, resources: {limits: {memory: 256Mi}}}]}`, `
metadata: {namespace: shop, name: large}
spec: {containers: [{name: app, resources: {requests: {cpu: 600m}, limits: {memory: 600Mi}}}]}`, `
metadata: {namespace: shop, name: bursty}
spec: {containers: [{name: app, resources: {requests: {cpu: 100m}, limits: {cpu: 2, memory: 64Mi}}}]}`,
	} {
		var pod corev1.Pod
		decodeForWebhook(&pod, manifest)
		stored, err := admitPod(&pod, []*corev1.LimitRange{&limits}, []*corev1.ResourceQuota{&compute}, time.Now())
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(stored.Name, "requests", resourcelist.String(stored.Spec.Containers[0].Resources.Requests))
		fmt.Println(stored.Annotations[limitrange.AnnotationKey])
	}
	// Output:
	// small requests cpu=250m,memory=256Mi
	// LimitRanger plugin set: cpu request for container app; cpu limit for container app
	// pods "large" is forbidden: exceeded quota: compute, requested: limits.memory=600Mi,requests.cpu=600m, used: limits.memory=512Mi,requests.cpu=500m, limited: limits.memory=1Gi,requests.cpu=1
	// pods "bursty" is forbidden: cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000
}

// decodeForWebhook reads one object.
func decodeForWebhook(object any, manifest string) {
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		panic(err)
	}
}
