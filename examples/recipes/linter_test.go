package recipes_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/limitrange"
)

// podSpec returns the pod spec in a manifest, and where it is.
func podSpec(kind string, manifest []byte) (*corev1.PodSpec, *field.Path, error) {
	spec := field.NewPath("spec")
	switch kind {
	case "Pod":
		var o corev1.Pod
		return &o.Spec, spec, yaml.Unmarshal(manifest, &o)
	case "Deployment":
		var o appsv1.Deployment
		return &o.Spec.Template.Spec, spec.Child("template", "spec"), yaml.Unmarshal(manifest, &o)
	case "StatefulSet":
		var o appsv1.StatefulSet
		return &o.Spec.Template.Spec, spec.Child("template", "spec"), yaml.Unmarshal(manifest, &o)
	case "CronJob":
		var o batchv1.CronJob
		return &o.Spec.JobTemplate.Spec.Template.Spec, spec.Child("jobTemplate", "spec", "template", "spec"), yaml.Unmarshal(manifest, &o)
	}
	return nil, nil, fmt.Errorf("%s has no pods", kind)
}

// lint returns what the API server will refuse about the pods of a manifest: requests and limits
// that are invalid, and those that the LimitRanges of the namespace do not allow.
func lint(manifest []byte, policy *limitrange.Policy) error {
	var meta metav1.TypeMeta
	if err := yaml.Unmarshal(manifest, &meta); err != nil {
		return err
	}
	spec, path, err := podSpec(meta.Kind, manifest)
	if err != nil {
		return err
	}
	return policy.Admit(spec).Problems().ErrorList(path).ToAggregate()
}

// Example_linter checks four manifests against the LimitRange of their namespace. The first is fine.
func Example_linter() {
	item := corev1.LimitRangeItem{}
	if err := yaml.Unmarshal([]byte("{type: Container, max: {cpu: 2}, default: {cpu: 500m}}"), &item); err != nil {
		panic(err)
	}
	bounds := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		limitrange.WithDefaults(item, limitrange.ServerRules),
	}}}
	bounds.Name = "bounds"
	policy := limitrange.Compile([]*corev1.LimitRange{bounds}, limitrange.Options{})
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
		if err := lint([]byte(manifest), policy); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// spec.template.spec.containers[1].resources.requests: Invalid value: "1": container proxy: request cpu 1 is above the default limit 500m from LimitRange bounds: set a limit or lower the request
	// spec.jobTemplate.spec.template.spec.containers[0].resources.limits[cpu]: Invalid value: "4": container job: limit cpu 4 is above the maximum 2 of LimitRange bounds: lower the limit
	// spec.template.spec.initContainers[0].resources.limits[cpu]: Invalid value: "3": init container setup: limit cpu 3 is above the maximum 2 of LimitRange bounds: lower the limit
}
