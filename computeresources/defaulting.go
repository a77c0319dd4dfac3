package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ApplyRequestDefaults sets the requests that the API server sets by default when it decodes a pod, and returns what
// it has set: for app containers in their order, then for init containers and sidecars, then for the pod;
// sorted by resource name within each.
//
// A container that has a limit and no request for a resource requests its limit. Finally, all amounts are rounded up
// to milli-units, the precision of the API: "0.0015" of cpu becomes 2m. The result does not report rounding.
//
// The server sets these defaults of a Pod first: before LimitRanges, quotas and the QoS class. It
// does not set them in the template of a workload, but in its pods when they are created. Applying
// them again changes nothing. Spec and the result share no memory. For a nil spec, the result is
// nil.
//
// Since 1.37, or with PodLevelResourcesFixDefaulting, defaults in spec.resources come later: see
// [ApplyPodLevelDefaults]. Amounts there are still rounded. Up to 1.36, if the pod has a pod-level limit of cpu or
// memory, its pod-level request is the sum of its containers' requests or, if they request none, the limit; and if
// the pod sets any pod-level resource, and its containers have limits of hugepages that the pod neither requests nor
// limits, the pod-level limit and request are set to what the containers need.
//
// Without PodLevelResources, no defaults are set in spec.resources.
//
// Source: SetDefaults_Pod and SetDefaults_ResourceList of
// k8s.io/kubernetes/pkg/apis/core/v1.
func ApplyRequestDefaults(spec *corev1.PodSpec, kubernetes Kubernetes) []Change {
	if spec == nil {
		return nil
	}
	d := newDefaulter(spec, kubernetes)
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		i = cs.AppsFirst(i)
		kind, c := cs.At(i)
		d.setMissing(i, Ref{Kind(kind), cs.Index(i), c.Name}, Requests, c.Resources.Requests, c.Resources.Limits)
	}
	rules := release.Rules(kubernetes)
	if spec.Resources != nil && rules.CountsPodLevel() && !rules.DefaultsPodLevelBeforeStoring() {
		d.setHugePagesLimits()
		if len(spec.Resources.Limits) > 0 {
			d.setPodRequests()
		}
	}
	// The sums are of amounts that are not rounded yet, as on the server.
	d.RoundUp()
	for i := range d.set {
		*d.set[i].To, _ = quantity.RoundUp(*d.set[i].To)
	}
	return d.set
}

// ApplyPodLevelDefaults sets the pod-level requests and limits that the API server sets by default right before it
// validates and stores a new or resized pod, and returns what it has set: limits of hugepages, then requests, then
// limits; sorted by resource name within each. All are those of spec.resources, if it sets any request or limit:
//
//   - If containers have limits of hugepages that the pod neither requests nor limits, the pod is limited to what
//     they need.
//   - The request that is missing of cpu or memory is what the containers request or, if they request none, the limit
//     of the pod; that of hugepages is their limit.
//   - The limit that is missing of a resource that the pod requests is the sum of the limits of the containers, if
//     all of them have one, init containers included. If the pod requests more, it is the request.
//
// The server sets these defaults after [ApplyRequestDefaults], the defaults of LimitRanges and changes by webhooks,
// and before validation, quotas and the QoS class. Applying them again changes nothing. Spec and the result share no
// memory.
//
// The result is nil for a nil spec, up to 1.36, and without PodLevelResources or PodLevelResourcesFixDefaulting.
//
// Source: DefaultPodLevelResources of k8s.io/kubernetes/pkg/api/pod.
func ApplyPodLevelDefaults(spec *corev1.PodSpec, kubernetes Kubernetes) []Change {
	rules := release.Rules(kubernetes)
	if spec == nil || spec.Resources == nil || !rules.DefaultsPodLevelBeforeStoring() ||
		len(spec.Resources.Requests)+len(spec.Resources.Limits) == 0 {
		return nil
	}
	d := newDefaulter(spec, kubernetes)
	d.setHugePagesLimits()
	d.setPodRequests()
	d.setPodLimits()
	return d.set
}

// defaulter writes defaults into a pod spec.
type defaulter struct {
	podwalk.Writer
	containers Options // for the sums of the containers
	set        []Change
}

func newDefaulter(spec *corev1.PodSpec, kubernetes Kubernetes) defaulter {
	return defaulter{
		Writer:     podwalk.Writer{Spec: spec},
		containers: Options{Kubernetes: kubernetes, IgnorePodLevel: true, ExcludeOverhead: true},
	}
}

// setMissing sets the amounts that one list of part i of the pod lacks to their defaults.
func (d *defaulter) setMissing(i int, ref Ref, list List, has, defaults corev1.ResourceList) {
	if !lacksAny(has, defaults) {
		return
	}
	for _, name := range quantity.Names(defaults) {
		if _, set := has[name]; set {
			continue
		}
		d.Set(i, podwalk.List(list), name, defaults[name])
		to := defaults[name]
		d.set = append(d.set, Change{Ref: ref, List: list, Resource: name, To: quantity.Clone(&to)})
	}
}

// setMissingOfPod sets the pod-level amounts that one list lacks to their defaults.
func (d *defaulter) setMissingOfPod(list List, defaults corev1.ResourceList) {
	d.setMissing(podwalk.Of(d.Spec).Len(), Ref{Kind: Pod}, list, list.Of(d.Spec.Resources), defaults)
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
	defaults := corev1.ResourceList{}
	for name, limit := range SpecLimits(d.Spec, d.containers) {
		if _, requested := own.Requests[name]; resourcename.IsHugePages(name) && !requested {
			defaults[name] = limit
		}
	}
	d.setMissingOfPod(Limits, defaults)
}

// setPodRequests sets the pod-level requests of a pod: what its containers request, and otherwise its
// limits. Hugepages cannot be overcommitted, and so always follow the limit.
func (d *defaulter) setPodRequests() {
	defaults := corev1.ResourceList{}
	for name, limit := range d.Spec.Resources.Limits {
		if resourcename.IsPodLevel(name) {
			defaults[name] = limit
		}
	}
	for name, request := range SpecRequests(d.Spec, d.containers) {
		if resourcename.IsPodLevel(name) && !resourcename.IsHugePages(name) {
			defaults[name] = request
		}
	}
	d.setMissingOfPod(Requests, defaults)
}

// setPodLimits sets the pod-level limits of what the pod requests and all of its containers limit.
func (d *defaulter) setPodLimits() {
	if !lacksAny(d.Spec.Resources.Limits, d.Spec.Resources.Requests) {
		return
	}
	defaults := corev1.ResourceList{}
	for name, limit := range SpecLimits(d.Spec, d.containers) {
		request, requested := d.Spec.Resources.Requests[name]
		if !requested || !resourcename.IsPodLevel(name) || !d.limitsAll(name) {
			continue
		}
		if request.Cmp(limit) > 0 {
			limit = request
		}
		defaults[name] = limit
	}
	d.setMissingOfPod(Limits, defaults)
}

// limitsAll reports whether all containers limit a resource, even to zero.
func (d *defaulter) limitsAll(name corev1.ResourceName) bool {
	cs := podwalk.Of(d.Spec)
	for i := range cs.Len() {
		_, c := cs.At(i)
		if _, limited := c.Resources.Limits[name]; !limited {
			return false
		}
	}
	return true
}
