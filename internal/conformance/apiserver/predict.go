package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
)

// podVerdicts returns what kubemath says about a pod: one verdict, or several where the
// server's own depends on the order in which it takes LimitRanges or quotas. Admit is asked
// about the pod with all defaults, which is its own.
func podVerdicts(ranges []*corev1.LimitRange, pod *corev1.Pod, admit func(*corev1.Pod) []verdict) (all []verdict) {
	for _, order := range orders(ranges) {
		a := limitrange.Compile(order, limitrange.Options{}).Admit(&pod.Spec)
		if len(a.Invalid) > 0 {
			var messages []string
			for _, err := range a.Invalid {
				messages = append(messages, err.Error())
			}
			all = append(all, verdict{Outcome: invalid, Messages: distinct(messages)})
			continue
		}
		if len(a.Violations) > 0 {
			all = append(all, violationVerdicts(a.Violations)...)
			continue
		}
		defaulted := pod.DeepCopy()
		defaulted.Spec = *a.Spec
		// The answer has passed through etcd, and the server's defaults once more.
		read := a.Spec.DeepCopy()
		computeresources.ApplyRequestDefaults(read, computeresources.DefaultOptions{})
		for _, v := range admit(defaulted) {
			if v.Outcome == stored {
				v.Pod = &podFacts{Parts: parts(read), Annotation: limitrange.Annotation(a.Defaults), QOSClass: qos.Class(a.Spec, qos.Options{})}
			}
			all = append(all, v)
		}
	}
	return all
}

// violationVerdicts are those of each LimitRange that objects: the server stops at the
// first one that it comes to.
func violationVerdicts(violations []limitrange.Violation) (all []verdict) {
	messages := map[string][]string{}
	for _, v := range violations {
		messages[v.Source.Name] = append(messages[v.Source.Name], v.Error())
	}
	for _, m := range messages {
		all = append(all, verdict{Outcome: forbidden, Messages: distinct(m), by: "LimitRanges"})
	}
	return all
}

// orders returns LimitRanges in all orders. Their names say the order.
func orders(ranges []*corev1.LimitRange) (all [][]*corev1.LimitRange) {
	if len(ranges) == 0 {
		return [][]*corev1.LimitRange{nil}
	}
	for i := range ranges {
		rest := slices.Delete(slices.Clone(ranges), i, i+1)
		for _, others := range orders(rest) {
			order := append([]*corev1.LimitRange{ranges[i].DeepCopy()}, others...)
			for j, lr := range order {
				lr.Name = string(rune('a' + j))
			}
			all = append(all, order)
		}
	}
	return all
}

// quotaVerdicts are those that Admit or AdmitUpdate leave: the server stops at the first
// quota that fails, in no fixed order. It looks first whether every quota can tell, and
// only then whether anything is exceeded.
func quotaVerdicts(after []*corev1.ResourceQuota, failures quota.Failures) (all []verdict) {
	if len(failures) == 0 {
		return []verdict{{Outcome: stored, after: after}}
	}
	early := slices.DeleteFunc(slices.Clone(failures), func(f quota.Failure) bool { return f.Cause > quota.StatusUnknown })
	if len(early) > 0 {
		// Of one quota, the first reason is the server's.
		failures = slices.CompactFunc(early, func(a, b quota.Failure) bool { return a.Source.Name == b.Source.Name })
	}
	for _, f := range failures {
		all = append(all, verdict{Outcome: forbidden, Messages: []string{f.Error()}, by: "quotas"})
	}
	return all
}

// parts are the requirements of a pod, by where they stand.
func parts(spec *corev1.PodSpec) map[string]corev1.ResourceRequirements {
	all := map[string]corev1.ResourceRequirements{}
	for ref, c := range computeresources.Containers(spec) {
		all[ref.String()] = corev1.ResourceRequirements{Requests: c.Resources.Requests, Limits: c.Resources.Limits}
	}
	if spec.Resources != nil {
		all["pod"] = *spec.Resources
	}
	return all
}

// facts are what the server has made of a pod.
func facts(pod *corev1.Pod) *podFacts {
	return &podFacts{Parts: parts(&pod.Spec), Annotation: pod.Annotations[limitrange.AnnotationKey], QOSClass: pod.Status.QOSClass}
}
