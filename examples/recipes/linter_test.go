package recipes_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/quota/admit"
)

// objects are the kinds that are checked.
var objects = map[string]func() admit.APIObject{
	"Pod":         func() admit.APIObject { return &corev1.Pod{} },
	"Deployment":  func() admit.APIObject { return &appsv1.Deployment{} },
	"StatefulSet": func() admit.APIObject { return &appsv1.StatefulSet{} },
	"CronJob":     func() admit.APIObject { return &batchv1.CronJob{} },
}

// lint returns what the API server will refuse of a manifest, or of the pods that follow from it:
// requests and limits that are invalid, and those that the LimitRanges of the namespace do not allow.
func lint(manifest []byte, namespace *admit.Namespace) error {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(manifest, &meta); err != nil {
		return err
	}
	blank := objects[meta.Kind]
	if blank == nil {
		return fmt.Errorf("%s has no pods", meta.Kind)
	}
	obj := blank()
	if err := yaml.Unmarshal(manifest, obj); err != nil {
		return err
	}
	decision := namespace.Create(obj, admit.Attributes{})
	refusals := decision.Refusals
	if decision.Admitted() && decision.Pods != nil {
		refusals = decision.Pods.First.Refusals
	}
	return refusals.ErrorList(nil).ToAggregate()
}

// Example_linter checks four manifests against the LimitRange of their namespace. The first is fine.
func Example_linter() {
	bounds := &corev1.LimitRange{}
	if err := yaml.Unmarshal([]byte(`
metadata: {name: bounds}
spec: {limits: [{type: Container, max: {cpu: 2}, default: {cpu: 500m}}]}`), bounds); err != nil {
		panic(err)
	}
	namespace, err := admit.Compile([]*corev1.LimitRange{bounds}, nil, admit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, manifest := range []string{`
kind: Pod
spec: {containers: [{name: app}]}`, `
kind: Deployment
spec: {template: {spec: {containers: [{name: app}, {name: proxy, resources: {requests: {cpu: 1}}}]}}}`, `
kind: CronJob
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: job, resources: {limits: {cpu: 4}}}]}}}}}`, `
kind: StatefulSet
spec: {template: {spec: {initContainers: [{name: setup, resources: {limits: {cpu: 3}}}], containers: [{name: db}]}}}`,
	} {
		if err := lint([]byte(manifest), namespace); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// spec.template.spec.containers[1].resources.requests: Invalid value: "1": container proxy: request cpu 1 is above the default limit 500m from LimitRange bounds: set a limit or lower the request
	// spec.jobTemplate.spec.template.spec.containers[0].resources.limits[cpu]: Invalid value: "4": container job: limit cpu 4 is above the maximum 2 of LimitRange bounds: lower the limit
	// spec.template.spec.initContainers[0].resources.limits[cpu]: Invalid value: "3": init container setup: limit cpu 3 is above the maximum 2 of LimitRange bounds: lower the limit
}
