package main

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// checkWorkload returns why the API server would reject a workload, where a report
// on it would mislead. It is no validation of the rest.
func checkWorkload(w *workload) []fault {
	v := validity{prefix: w.prefix}
	if w.name == "" {
		v.faults = append(v.faults, fault{"metadata.name", "missing"})
	}
	for _, c := range w.counts {
		if c.value != nil && *c.value < 0 {
			v.faults = append(v.faults, fault{c.path, fmt.Sprintf("%d is negative", *c.value)})
		}
	}
	spec := w.pod.Spec.DeepCopy()
	computeresources.ApplyRequestDefaults(spec)
	v.checkNames(spec)
	v.checkContainers(spec)
	v.checkPodLevel(spec)
	v.checkClass(w.pod.Status.QOSClass)
	return v.faults
}

type validity struct {
	prefix string // of paths within the pod
	faults []fault
}

func (v *validity) fault(path, format string, args ...any) {
	v.faults = append(v.faults, fault{v.prefix + path, fmt.Sprintf(format, args...)})
}

func (v *validity) checkNames(spec *corev1.PodSpec) {
	if len(spec.Containers) == 0 {
		v.fault("spec.containers", "no containers")
	}
	seen := map[string]bool{}
	for ref, c := range computeresources.Containers(spec) {
		path := ref.Path(nil).Child("name").String()
		switch {
		case c.Name == "":
			v.fault(path, "missing")
		case seen[c.Name]:
			v.fault(path, "%q is the name of two containers", c.Name)
		}
		seen[c.Name] = true
	}
}

func (v *validity) checkContainers(spec *corev1.PodSpec) {
	for ref, c := range computeresources.Containers(spec) {
		v.checkOrder(ref.Path(nil).Child("resources").String(), &c.Resources)
	}
}

// checkOrder finds requests above the limit.
func (v *validity) checkOrder(path string, r *corev1.ResourceRequirements) {
	for _, name := range slices.Sorted(maps.Keys(r.Limits)) {
		request, limit := r.Requests[name], r.Limits[name]
		if request.Cmp(limit) > 0 {
			v.fault(fmt.Sprintf("%s.requests[%s]", path, name), "%s is above the limit, %s", canonical(request), canonical(limit))
		}
	}
}

// checkPodLevel finds containers that ask for more than the pod as a whole.
func (v *validity) checkPodLevel(spec *corev1.PodSpec) {
	own := spec.Resources
	if own == nil {
		return
	}
	v.checkOrder("spec.resources", own)
	ofContainers := computeresources.Options{IgnorePodLevel: true, ExcludeOverhead: true}
	requests := computeresources.PodRequests(spec, ofContainers)
	for _, name := range slices.Sorted(maps.Keys(own.Requests)) {
		request, sum := own.Requests[name], requests[name]
		if sum.Cmp(request) > 0 {
			v.fault(fmt.Sprintf("spec.resources.requests[%s]", name), "%s is less than the containers request, %s", canonical(request), canonical(sum))
		}
	}
	for ref, c := range computeresources.Containers(spec) {
		for _, name := range slices.Sorted(maps.Keys(c.Resources.Limits)) {
			limit := c.Resources.Limits[name]
			if whole, stated := own.Limits[name]; stated && limit.Cmp(whole) > 0 {
				v.fault(fmt.Sprintf("%v.resources.limits[%s]", ref.Path(nil), name), "%s is above the limit of the pod, %s", canonical(limit), canonical(whole))
			}
		}
	}
}

// checkClass finds a class in a status that no server has written.
func (v *validity) checkClass(class corev1.PodQOSClass) {
	switch class {
	case "", corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort:
	default:
		v.fault("status.qosClass", "%q is not a class", class)
	}
}
