package admit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
)

// podAmounts are what the API server and LimitRanges set in a pod, and what is wrong with its amounts, or those of a
// claim.
type podAmounts struct {
	defaulted  []computeresources.Change // requests that follow from limits
	defaults   []computeresources.Change // those of LimitRanges, set after that
	invalid    computeresources.Problems[*computeresources.InvalidResource]
	violations computeresources.Problems[*limitrange.Violation]

	ratiosAreExact bool // in the LimitRanger: see release.Rules.ComparesBoundsExactly
}

// createPod runs the steps of the API server for a new pod, which is a copy without a status: requests
// default to limits, LimitRanges set defaults, classes set theirs, pod-level defaults follow, the pod is validated, and
// LimitRanges are enforced.
// A cluster without pod-level resources drops them first.
func (d *decision) createPod(ns *Namespace, stored *corev1.Pod) {
	stored.DeletionTimestamp, stored.DeletionGracePeriodSeconds = nil, nil
	roundTripSpec(&stored.Spec)
	if !release.Rules(ns.opts.Kubernetes).CountsPodLevel() {
		stored.Spec.Resources = nil
	}
	a := podAmounts{
		defaulted: computeresources.ApplyRequestDefaults(&stored.Spec, ns.opts.Kubernetes),
		defaults:  ns.policy.ApplyDefaults(&stored.Spec),

		ratiosAreExact: release.Rules(ns.opts.Kubernetes).ComparesBoundsExactly(),
	}
	refused := d.setPriority(&ns.opts, &stored.Spec)
	setTolerations(&stored.Spec)
	early, late := d.setRuntimeClass(&ns.opts, &stored.Spec)
	ofPod := computeresources.ApplyPodLevelDefaults(&stored.Spec, ns.opts.Kubernetes)
	a.invalid = computeresources.Validate(nil, &stored.Spec, ns.opts.Kubernetes)
	a.violations = ns.policy.Validate(nil, &stored.Spec)
	stored.Status.Phase = corev1.PodPending
	stored.Status.QOSClass = qos.Class(&stored.Spec, ns.opts.Kubernetes)
	d.Object = stored
	d.Refusals = slices.Concat(refused, early, volumeRefusals(&stored.Spec, d.place), a.refusals(d.place), late)
	d.Changes = slices.Concat(a.defaulted, a.defaults, ofPod)
	if last := lastDefaults(a.defaults, d.Order.Defaults); len(last) > 0 {
		metav1.SetMetaDataAnnotation(&stored.ObjectMeta, limitrange.AnnotationKey, limitrange.Annotation(last))
	}
}

// setTolerations sets how long a pod tolerates a node that is not ready or not reachable, unless the pod sets it.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds.
func setTolerations(spec *corev1.PodSpec) {
	const defaultSeconds = 300
	var seconds *[2]int64 // one for each, in one allocation
	for i, taint := range [2]string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		isSet := slices.ContainsFunc(spec.Tolerations, func(t corev1.Toleration) bool {
			return (t.Key == taint || t.Key == "") && (t.Effect == corev1.TaintEffectNoExecute || t.Effect == "")
		})
		if isSet {
			continue
		}
		if seconds == nil {
			seconds = &[2]int64{defaultSeconds, defaultSeconds}
			spec.Tolerations = slices.Grow(spec.Tolerations, 2)
		}
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: taint, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds[i],
		})
	}
}

// applyReadDefaults sets what the API server of 1.36 and older sets when it reads a pod from its store: pod-level
// requests that follow from container amounts that a LimitRange set. All other defaults are set already. A pod of
// another namespace stays as it is.
func (d *decision) applyReadDefaults() {
	pod, ok := d.Object.(*corev1.Pod)
	if !ok || pod.Spec.Resources == nil || d.isUnread() {
		return
	}
	d.Changes = append(d.Changes, computeresources.ApplyRequestDefaults(&pod.Spec, d.namespace.opts.Kubernetes)...)
}

// checkResources adds what is invalid in a pod spec that LimitRanges do not apply to: of a template, or
// of an update. The stored spec is nil for a new template.
func (d *decision) checkResources(ns *Namespace, old, spec *corev1.PodSpec) {
	a := podAmounts{invalid: computeresources.Validate(old, spec, ns.opts.Kubernetes)}
	d.Refusals = append(volumeRefusals(spec, d.place), a.refusals(d.place)...)
}

// refusals returns the invalid amounts in the order of the API server, which validates app containers
// before init containers, and then the bounds that the pod violates.
func (a *podAmounts) refusals(in place) (refusals []*Refusal) {
	if len(a.invalid) == 0 && len(a.violations) == 0 {
		return nil
	}
	path := in.path()
	for _, invalid := range a.invalid {
		refusals = append(refusals, a.invalidRefusal(invalid, path))
	}
	validated := func(r *Refusal) computeresources.Ref { // where the API server validates it
		if r.Amount.Cause == computeresources.AbovePodLevel {
			return computeresources.Ref{Kind: computeresources.Pod}
		}
		return r.Ref
	}
	slices.SortStableFunc(refusals, func(a, b *Refusal) int { return ordering.Refs(validated(a), validated(b)) })
	for _, v := range a.violations {
		defaults := a.defaultsOf(v.Ref, v.Resource)
		from := originsOf(defaults)
		from.request.followsLimit = slices.ContainsFunc(a.defaulted, func(d computeresources.Change) bool {
			return d.Ref == v.Ref && d.Resource == v.Resource && d.List == computeresources.Requests
		})
		refusals = append(refusals, a.violationRefusal(v, defaults, from, path))
	}
	return refusals
}

// defaultsOf returns what LimitRanges have set in a container of one resource.
func (a *podAmounts) defaultsOf(ref computeresources.Ref, name corev1.ResourceName) (of []computeresources.Change) {
	for _, d := range a.defaults {
		if d.Ref == ref && d.Resource == name {
			d.To = quantity.Clone(d.To)
			of = append(of, d)
		}
	}
	return of
}

// invalidRefusal returns an amount that the API server rejects. Defaults of LimitRanges are named only if
// a request contradicts its limit.
func (a *podAmounts) invalidRefusal(i *computeresources.InvalidResource, path *field.Path) *Refusal {
	r := &Refusal{Ref: i.Ref, Resource: i.Resource, Path: i.Field(path).Field, Amount: i,
		Invalid: computeresources.FieldErrorOf(i.Field(nil))}
	if i.Cause == computeresources.AbovePodLevel { // the path of the API server does not exist
		r.Path = i.Ref.Path(path).Child("resources", "limits").Key(string(i.Resource)).String()
	}
	if i.Cause != computeresources.RequestAboveLimit && i.Cause != computeresources.RequestNotLimit {
		r.What, r.Remedy = wordsOfInvalid(i), remedyOfInvalid(i)
		return r
	}
	r.Defaults = a.defaultsOf(i.Ref, i.Resource)
	r.What, r.Remedy = wordsOfMismatch(i, originsOf(r.Defaults))
	if n := len(r.Defaults); n > 0 {
		r.Source = r.Defaults[n-1].Source
	}
	return r
}

// appendFailures adds the failures of quotas.
func appendFailures(refusals []*Refusal, failures computeresources.Problems[*quota.Failure], in place) []*Refusal {
	for _, f := range failures {
		p := &Refusal{Path: in.path().String(), Source: f.Source, Failure: f}
		if len(f.Resources) == 1 {
			p.Resource = f.Resources[0]
		}
		p.What, p.Remedy = wordsOfFailure(f)
		refusals = append(refusals, p)
	}
	return refusals
}
