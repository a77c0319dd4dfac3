package recipes_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// Example_webhook decides on three pods of a namespace with a LimitRange and a ResourceQuota, as the
// API server does: a pod is stored with all defaults, or its client gets an error. The remedy is what
// the API server does not say.
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
	namespace, err := admit.Compile([]*corev1.LimitRange{&limits}, []*corev1.ResourceQuota{&compute}, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
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
		decision := namespace.Create(&pod, admit.Attributes{})
		if err := decision.Err(); err != nil {
			fmt.Println(err)
			fmt.Println("  " + decision.Refusals[0].Remedy)
			continue
		}
		stored := decision.Object.(*corev1.Pod)
		fmt.Println(stored.Name, "requests", resourcelist.String(stored.Spec.Containers[0].Resources.Requests))
		fmt.Println(stored.Annotations[limitrange.AnnotationKey])
	}
	// Output:
	// small requests cpu=250m,memory=256Mi
	// LimitRanger plugin set: cpu request for container app; cpu limit for container app
	// pods "large" is forbidden: exceeded quota: compute, requested: limits.memory=600Mi,requests.cpu=600m, used: limits.memory=512Mi,requests.cpu=500m, limited: limits.memory=1Gi,requests.cpu=1
	//   request less, or raise the quota
	// pods "bursty" is forbidden: cpu max limit to request ratio per Container is 10, but provided ratio is 20.000000
	//   request at least 200m, or set a limit of at most 1
}

// decodeForWebhook reads one object.
func decodeForWebhook(object any, manifest string) {
	if err := yaml.UnmarshalStrict([]byte(manifest), object); err != nil {
		panic(err)
	}
}
