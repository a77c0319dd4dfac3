package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
)

// DefaultOptions describe how a cluster differs from a default Kubernetes 1.37 cluster, which is
// the zero value.
type DefaultOptions struct {
	// IgnorePodLevel sets no default in spec.resources, as a cluster without
	// PodLevelResources (KEP-2837). What is set there is rounded all the same.
	IgnorePodLevel bool
}

// ApplyRequestDefaults sets the requests that spec leaves to the API server, and
// returns what it has set: for app containers in their order, then for init
// containers and sidecars, then for the pod; by resource name within each.
//
// A container that has a limit and no request for a resource requests its limit. If
// the pod has pod-level limits, it requests what its containers request of cpu and
// memory, and otherwise its limits. If it sets anything at pod level, hugepages that
// its containers limit, and that it neither requests nor limits itself, are limited
// to what the containers need, and requested in turn. In the end, all amounts are
// rounded up to milli-units, since the API keeps no more of them: "0.0015" of cpu
// becomes 2m. Rounding is not reported.
//
// The server does this with a Pod before anything else looks at it: before
// LimitRanges, quotas and the QoS class. It does not do it with the template of a
// workload, whose pods get it when they are created. Applying it again changes
// nothing. The values set are spec's own, and those returned are the caller's. A nil
// spec stays as it is.
//
// Source: SetDefaults_Pod and SetDefaults_ResourceList of
// k8s.io/kubernetes/pkg/apis/core/v1.
func ApplyRequestDefaults(spec *corev1.PodSpec, opts DefaultOptions) []Change {
	if spec == nil {
		return nil
	}
	var set []Change
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		i = cs.AppsFirst(i)
		kind, c := cs.At(i)
		set = applyRequests(set, Ref{kindOf(kind), cs.Index(i), c.Name}, &c.Resources, c.Resources.Limits)
	}
	if spec.Resources != nil && !opts.IgnorePodLevel {
		set = applyHugePagesLimits(set, spec)
		set = applyPodRequests(set, spec)
	}
	// What was added up was not rounded yet, as on the server.
	ApplyRounding(spec)
	for i := range set {
		*set[i].To, _ = quantity.RoundUp(*set[i].To)
	}
	return set
}

// ApplyRounding rounds every amount of spec up to milli-units, since the API keeps no more of
// them: requests and limits of containers, init containers and sidecars, those at pod level, and
// overhead. The server does this with pods, where it is the last step of ApplyRequestDefaults, and
// with the templates of workloads. A spec without such amounts is not written to, nor is nil.
//
// Source: SetDefaults_ResourceList of k8s.io/kubernetes/pkg/apis/core/v1.
func ApplyRounding(spec *corev1.PodSpec) {
	if spec == nil {
		return
	}
	for _, c := range Containers(spec) {
		quantity.RoundUpAll(c.Resources.Requests)
		quantity.RoundUpAll(c.Resources.Limits)
	}
	quantity.RoundUpAll(spec.Overhead)
	if spec.Resources != nil {
		quantity.RoundUpAll(spec.Resources.Requests)
		quantity.RoundUpAll(spec.Resources.Limits)
	}
}

// applyRequests sets each request of r that is missing to its default.
func applyRequests(set []Change, ref Ref, r *corev1.ResourceRequirements, defaults corev1.ResourceList) []Change {
	if !lacksAny(r.Requests, defaults) {
		return set
	}
	for _, name := range quantity.Names(defaults) {
		if _, requested := r.Requests[name]; requested {
			continue
		}
		quantity.Set(&r.Requests, name, defaults[name])
		set = append(set, changeTo(ref, Requests, name, defaults[name]))
	}
	return set
}

// lacksAny reports whether a list lacks an entry of defaults.
func lacksAny(list, defaults corev1.ResourceList) bool {
	for name := range defaults {
		if _, set := list[name]; !set {
			return true
		}
	}
	return false
}

// changeTo returns the change that sets an amount. It owns the amount.
func changeTo(ref Ref, list List, name corev1.ResourceName, to resource.Quantity) Change {
	return Change{Ref: ref, List: list, Resource: name, To: quantity.Clone(&to)}
}

// applyHugePagesLimits limits the hugepages of the pod to those of its containers.
func applyHugePagesLimits(set []Change, spec *corev1.PodSpec) []Change {
	own := spec.Resources
	if len(own.Limits) == 0 && len(own.Requests) == 0 {
		return set
	}
	limits := SpecLimits(spec, Options{IgnorePodLevel: true, ExcludeOverhead: true})
	for _, name := range quantity.Names(limits) {
		_, requested := own.Requests[name]
		_, limited := own.Limits[name]
		if !resourcelist.IsHugePages(name) || requested || limited {
			continue
		}
		quantity.Set(&own.Limits, name, limits[name])
		set = append(set, changeTo(Ref{Kind: Pod}, Limits, name, limits[name]))
	}
	return set
}

// applyPodRequests sets the pod-level requests of a pod that has pod-level limits: what its
// containers request, and otherwise its limits. Hugepages cannot be overcommitted, and so
// always follow the limit.
func applyPodRequests(set []Change, spec *corev1.PodSpec) []Change {
	own := spec.Resources
	if len(own.Limits) == 0 {
		return set
	}
	defaults := corev1.ResourceList{}
	for name, limit := range own.Limits {
		if resourcelist.IsPodLevel(name) {
			defaults[name] = limit
		}
	}
	for name, request := range SpecRequests(spec, Options{IgnorePodLevel: true, ExcludeOverhead: true}) {
		if resourcelist.IsPodLevel(name) && !resourcelist.IsHugePages(name) {
			defaults[name] = request
		}
	}
	return applyRequests(set, Ref{Kind: Pod}, own, defaults)
}
