package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ApplyRequestDefaults sets the requests that the API server sets by default, and returns what it has set:
// for app containers in their order, then for init containers and sidecars, then for the pod;
// sorted by resource name within each.
//
// A container that has a limit and no request for a resource requests its limit. If the pod has a
// pod-level limit of cpu or memory, its pod-level request is the sum of its containers' requests
// or, if they request none, the limit. If the pod sets any pod-level resource, and its containers
// have limits of hugepages that the pod neither requests nor limits, the pod-level limit and
// request are set to what the containers need. Finally, all amounts are rounded up to milli-units,
// the precision of the API: "0.0015" of cpu becomes 2m. The result does not report rounding.
//
// The server sets these defaults of a Pod first: before LimitRanges, quotas and the QoS class. It
// does not set them in the template of a workload, but in its pods when they are created. Applying
// them again changes nothing. Spec and the result share no memory. For a nil spec, the result is
// nil.
//
// Without PodLevelResources, no defaults are set in spec.resources. Amounts there are still rounded.
//
// Source: SetDefaults_Pod and SetDefaults_ResourceList of
// k8s.io/kubernetes/pkg/apis/core/v1.
func ApplyRequestDefaults(spec *corev1.PodSpec, kubernetes Kubernetes) []Change {
	if spec == nil {
		return nil
	}
	d := defaulter{Writer: podwalk.Writer{Spec: spec}}
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		i = cs.AppsFirst(i)
		kind, c := cs.At(i)
		d.setRequests(i, Ref{Kind(kind), cs.Index(i), c.Name}, c.Resources.Requests, c.Resources.Limits)
	}
	if spec.Resources != nil && release.Rules(kubernetes).CountsPodLevel() {
		d.setHugePagesLimits()
		d.setPodRequests()
	}
	// The sums are of amounts that are not rounded yet, as on the server.
	d.RoundUp()
	for i := range d.set {
		*d.set[i].To, _ = quantity.RoundUp(*d.set[i].To)
	}
	return d.set
}

// defaulter writes defaults into a pod spec.
type defaulter struct {
	podwalk.Writer
	set []Change
}

// setRequests sets the requests of part i of the pod that are missing to their defaults.
func (d *defaulter) setRequests(i int, ref Ref, requests, defaults corev1.ResourceList) {
	if !lacksAny(requests, defaults) {
		return
	}
	for _, name := range quantity.Names(defaults) {
		if _, requested := requests[name]; requested {
			continue
		}
		d.Set(i, podwalk.Requests, name, defaults[name])
		to := defaults[name]
		d.set = append(d.set, Change{Ref: ref, List: Requests, Resource: name, To: quantity.Clone(&to)})
	}
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

// setHugePagesLimits limits the hugepages of the pod to those of its containers.
func (d *defaulter) setHugePagesLimits() {
	own := d.Spec.Resources
	if len(own.Limits) == 0 && len(own.Requests) == 0 {
		return
	}
	limits := SpecLimits(d.Spec, Options{IgnorePodLevel: true, ExcludeOverhead: true})
	for _, name := range quantity.Names(limits) {
		_, requested := own.Requests[name]
		_, limited := own.Limits[name]
		if !resourcename.IsHugePages(name) || requested || limited {
			continue
		}
		d.Set(podwalk.Of(d.Spec).Len(), podwalk.Limits, name, limits[name])
		to := limits[name]
		d.set = append(d.set, Change{Ref: Ref{Kind: Pod}, List: Limits, Resource: name, To: quantity.Clone(&to)})
	}
}

// setPodRequests sets the pod-level requests of a pod that has pod-level limits: what its
// containers request, and otherwise its limits. Hugepages cannot be overcommitted, and so
// always follow the limit.
func (d *defaulter) setPodRequests() {
	own := d.Spec.Resources
	if len(own.Limits) == 0 {
		return
	}
	defaults := corev1.ResourceList{}
	for name, limit := range own.Limits {
		if resourcename.IsPodLevel(name) {
			defaults[name] = limit
		}
	}
	for name, request := range SpecRequests(d.Spec, Options{IgnorePodLevel: true, ExcludeOverhead: true}) {
		if resourcename.IsPodLevel(name) && !resourcename.IsHugePages(name) {
			defaults[name] = request
		}
	}
	d.setRequests(podwalk.Of(d.Spec).Len(), Ref{Kind: Pod}, own.Requests, defaults)
}
