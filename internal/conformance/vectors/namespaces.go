package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	quota "k8s.io/apiserver/pkg/quota/v1"
	core "k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	evaluators "k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/vectors"
)

// verdict does what the API server does in turn: defaults of the API, defaults of the LimitRange,
// validation of the resources, bounds of the LimitRange.
func verdict(in vectors.Creation) (out vectors.Verdict, err error) {
	lr := in.Object()
	v1.SetObjectDefaults_LimitRange(lr)
	if in.Pod == nil {
		amount, err := resource.ParseQuantity(in.Storage)
		if err != nil {
			return out, err
		}
		claim := &core.PersistentVolumeClaim{}
		claim.Spec.Resources.Requests = core.ResourceList{core.ResourceStorage: amount}
		out.Messages = messages(oracle.ClaimViolations(lr, claim, nil))
		out.Admitted = len(out.Messages) == 0
		return out, nil
	}
	spec, err := in.Pod.PodSpec()
	if err != nil {
		return out, err
	}
	pod := &corev1.Pod{Spec: *spec}
	v1.SetObjectDefaults_Pod(pod)
	internal := &core.Pod{}
	if err := v1.Convert_v1_Pod_To_core_Pod(pod, internal, nil); err != nil {
		return out, err
	}
	if err := limitranger.PodMutateLimitFunc(lr, internal); err != nil {
		return out, err
	}
	for i := range internal.Spec.Containers {
		path := field.NewPath("spec", "containers").Index(i).Child("resources")
		for _, e := range corevalidation.ValidateContainerResourceRequirements(&internal.Spec.Containers[i].Resources, nil, path, corevalidation.PodValidationOptions{}) {
			out.Messages = append(out.Messages, e.Error())
		}
	}
	if len(out.Messages) == 0 {
		out.Messages = messages(oracle.PodViolations(lr, internal, nil))
	}
	slices.Sort(out.Messages)
	out.Admitted = len(out.Messages) == 0
	if !out.Admitted {
		return out, nil
	}
	stored := &corev1.Pod{}
	if err := v1.Convert_core_Pod_To_v1_Pod(internal, stored, nil); err != nil {
		return out, err
	}
	out.Containers = map[string]vectors.Requirements{}
	for _, list := range [][]corev1.Container{stored.Spec.InitContainers, stored.Spec.Containers} {
		for _, c := range list {
			out.Containers[c.Name] = vectors.Requirements{Requests: vectors.AmountsOf(c.Resources.Requests), Limits: vectors.AmountsOf(c.Resources.Limits)}
		}
	}
	return out, nil
}

// messages are the distinct parts of an error, sorted.
func messages(err error) (all []string) {
	if err == nil {
		return nil
	}
	if aggregate, is := err.(utilerrors.Aggregate); is {
		for _, e := range aggregate.Errors() {
			all = append(all, e.Error())
		}
	} else {
		all = []string{err.Error()}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// admissionOf asks the evaluator of the object and the admission plugin.
func admissionOf(object runtime.Object, evaluator quota.Evaluator, gvr schema.GroupVersionResource, in vectors.Request) (out vectors.Admission, err error) {
	usage, err := evaluator.Usage(object.DeepCopyObject())
	if err != nil {
		return out, err
	}
	out.Usage = vectors.AmountsOf(usage)
	rq, err := in.Quota()
	if err != nil {
		return out, err
	}
	out.Counts, err = evaluator.Matches(rq, object.DeepCopyObject())
	if err != nil {
		return out, err
	}
	attributes := admission.NewAttributesRecord(object.DeepCopyObject(), nil, schema.GroupVersionKind{}, "shop", "x", gvr, "", admission.Create, nil, false, nil)
	after, err := resourcequota.CheckRequest([]corev1.ResourceQuota{*rq}, attributes, evaluator, nil)
	if err != nil {
		_, out.Message, _ = strings.Cut(err.Error(), " is forbidden: ")
		if out.Message == "" {
			out.Message = err.Error()
		}
		return out, nil
	}
	out.Admitted, out.Used = true, vectors.AmountsOf(after[0].Status.Used)
	return out, nil
}

// admissionAnswer reads the object that is created.
func admissionAnswer(in vectors.Request) (vectors.Admission, error) {
	core := func(resource string) schema.GroupVersionResource {
		return corev1.SchemeGroupVersion.WithResource(resource)
	}
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "x"}
	switch in.Kind {
	case "Pod":
		pod := &corev1.Pod{ObjectMeta: meta}
		if err := json.Unmarshal(in.Spec, &pod.Spec); err != nil {
			return vectors.Admission{}, err
		}
		return admissionOf(pod, evaluators.NewPodEvaluator(nil, clock.RealClock{}), core("pods"), in)
	case "PersistentVolumeClaim":
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta}
		if err := json.Unmarshal(in.Spec, &claim.Spec); err != nil {
			return vectors.Admission{}, err
		}
		return admissionOf(claim, evaluators.NewPersistentVolumeClaimEvaluator(nil), core("persistentvolumeclaims"), in)
	case "Service":
		service := &corev1.Service{ObjectMeta: meta}
		if err := json.Unmarshal(in.Spec, &service.Spec); err != nil {
			return vectors.Admission{}, err
		}
		return admissionOf(service, evaluators.NewServiceEvaluator(nil), core("services"), in)
	}
	return vectors.Admission{}, fmt.Errorf("kind %s", in.Kind)
}
