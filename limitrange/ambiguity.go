package limitrange

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
)

// Ambiguity is a container default that LimitRanges set to different amounts. The LimitRanger
// applies LimitRanges in no fixed order, and the first one sets its default, so equal pods may get
// different amounts.
type Ambiguity struct {
	Resource corev1.ResourceName `json:"resource"`
	Bound    Bound               `json:"bound"` // DefaultLimit or DefaultRequest
	// Values are all of the defaults, including equal ones, sorted by namespace, name and
	// item of their LimitRange.
	Values []BoundValue `json:"values"`
	// Refs are the containers of the pod that get the default, in the order of
	// computeresources.Containers. They are empty if there is no pod.
	Refs []computeresources.Ref `json:"refs,omitempty"`
}

// String returns the ambiguity in words: "Container cpu default: 1 of LimitRange team/a, 2 of
// LimitRange team/b".
func (a Ambiguity) String() string {
	var each []string
	for _, v := range a.Values {
		each = append(each, strings.TrimPrefix(v.boundAndSource(), v.Bound.String()+" "))
	}
	return fmt.Sprintf("%s %s %v: %s", corev1.LimitTypeContainer, a.Resource, a.Bound, strings.Join(each, ", "))
}

// Ambiguities returns the defaults of containers that LimitRanges set to different amounts, by
// resource, and the limit of a resource before its request. Of a pod, it returns those that its
// containers, init containers and sidecars get because they lack the amount: none if the order of
// LimitRanges does not matter for this pod. If spec is nil, it returns those of any pod.
//
// LimitRanges and the pod may come from manifests: the defaults that the server adds to an item when
// it stores it count (see WithDefaults), and a container with a limit does not lack a request. 1Gi
// and 1024Mi are equal. The quantities belong to the caller.
//
// Cost: O(n log n) for n values.
//
// Source: mutatePod of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func Ambiguities(ranges []*corev1.LimitRange, spec *corev1.PodSpec) []Ambiguity {
	var found []Ambiguity
	defaults := containerDefaults(ranges)
	for len(defaults) > 0 {
		first, n := defaults[0], 1
		differ := false
		for n < len(defaults) && defaults[n].compareKeys(first) == 0 {
			differ = differ || defaults[n].Amount.Cmp(first.Amount) != 0
			n++
		}
		refs := lackingRefs(spec, first)
		if differ && (spec == nil || len(refs) > 0) {
			found = append(found, Ambiguity{first.Resource, first.Bound, slices.Clone(defaults[:n]), refs})
		}
		defaults = defaults[n:]
	}
	return found
}

// lackingRefs returns the containers of a pod that get a default.
func lackingRefs(spec *corev1.PodSpec, v BoundValue) (refs []computeresources.Ref) {
	for ref, c := range computeresources.Containers(spec) {
		_, requested := c.Resources.Requests[v.Resource]
		_, limited := c.Resources.Limits[v.Resource]
		if !limited && (v.Bound == DefaultLimit || !requested) {
			refs = append(refs, ref)
		}
	}
	return refs
}

// containerDefaults returns all defaults of containers, by resource, bound and LimitRange.
func containerDefaults(ranges []*corev1.LimitRange) []BoundValue {
	var all []BoundValue
	for _, lr := range ranges {
		if lr != nil {
			stored := *lr
			stored.Spec.Limits = make([]corev1.LimitRangeItem, len(lr.Spec.Limits))
			for i := range lr.Spec.Limits {
				stored.Spec.Limits[i] = WithDefaults(lr.Spec.Limits[i])
			}
			all = appendValues(all, &stored)
		}
	}
	all = slices.DeleteFunc(all, func(v BoundValue) bool {
		return v.Type != corev1.LimitTypeContainer || v.Bound != DefaultLimit && v.Bound != DefaultRequest
	})
	slices.SortStableFunc(all, func(a, b BoundValue) int {
		if order := a.compareKeys(b); order != 0 {
			return order
		}
		return ordering.Sources(a.Source, b.Source)
	})
	return all
}
