package admit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
)

// createPod prepares a pod as the API server does, and checks it against LimitRanges.
func (d *Decision) createPod(ns *Namespace, pod *corev1.Pod, req *Attributes) {
	stored := &corev1.Pod{TypeMeta: pod.TypeMeta}
	pod.ObjectMeta.DeepCopyInto(&stored.ObjectMeta)
	pod.Spec.DeepCopyInto(&stored.Spec)
	stored.DeletionTimestamp, stored.DeletionGracePeriodSeconds = nil, nil
	rereadSpec(&stored.Spec)
	a := ns.policy.ApplyAdmission(&stored.Spec)
	stored.Status.Phase = corev1.PodPending
	stored.Status.QOSClass = qos.Class(&stored.Spec, ns.opts.Gates)
	d.Object = named(stored, req)
	d.Refusals = append(volumeRefusals(&stored.Spec, d.place), podRefusals(&a, d.place)...)
	d.Changes = append(a.Defaulted, a.Defaults...)
	if len(a.Defaults) > 0 {
		annotate(stored, limitrange.Annotation(a.Defaults))
	}
}

// annotate adds the LimitRanger's annotation to a pod.
func annotate(pod *corev1.Pod, text string) {
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	pod.Annotations[limitrange.AnnotationKey] = text
}

// reread sets what the API server sets when it reads a pod from its store: pod-level requests that
// follow from container amounts that a LimitRange set. All other defaults are set already.
func (d *Decision) reread(opts *Options) {
	pod, ok := d.Object.(*corev1.Pod)
	if ok && pod.Spec.Resources != nil {
		d.Changes = append(d.Changes, computeresources.ApplyRequestDefaults(&pod.Spec, opts.Gates)...)
	}
}

// checkResources adds what is invalid in a pod spec that LimitRanges do not apply to: of a template, or
// of an update. The stored spec is nil for a new template.
func (d *Decision) checkResources(ns *Namespace, old, spec *corev1.PodSpec) {
	a := limitrange.Admission{Spec: spec, Invalid: computeresources.Validate(old, spec, ns.opts.Gates)}
	d.Refusals = append(volumeRefusals(spec, d.place), podRefusals(&a, d.place)...)
}

// podRefusals returns the invalid amounts of a pod in the order of the API server, which validates
// app containers before init containers, and then the bounds that the pod violates.
func podRefusals(a *limitrange.Admission, in place) Refusals {
	if a.Admitted() {
		return nil
	}
	path := in.path()
	diagnosed := a.Problems() // one for each, with mismatches before the rest of Invalid
	mismatches := slices.DeleteFunc(slices.Clone(a.Invalid), func(i computeresources.InvalidResource) bool { return !isMismatch(&i) })
	mismatch, other := 0, len(mismatches)
	var refusals Refusals
	for i := range a.Invalid {
		of := &other
		if isMismatch(&a.Invalid[i]) {
			of = &mismatch
		}
		refusals = append(refusals, invalidRefusal(diagnosed[*of], &a.Invalid[i], path))
		*of++
	}
	slices.SortStableFunc(refusals, func(a, b Refusal) int { return validated(&a).Compare(validated(&b)) })
	for _, p := range diagnosed[len(a.Invalid):] {
		refusals = append(refusals, violationRefusal(p, path))
	}
	return refusals
}

// isMismatch reports whether a request is invalid because of its limit.
func isMismatch(i *computeresources.InvalidResource) bool {
	return i.Cause == computeresources.RequestAboveLimit || i.Cause == computeresources.RequestNotLimit
}

// validated returns the part of the pod where the API server validates an amount.
func validated(p *Refusal) computeresources.Ref {
	if p.Amount.Cause == computeresources.AbovePodLevel {
		return computeresources.Ref{Kind: computeresources.Pod}
	}
	return p.Ref
}

// invalidRefusal returns an amount that the API server rejects, with the problem and remedy of package
// limitrange.
func invalidRefusal(diagnosed limitrange.Problem, i *computeresources.InvalidResource, path *field.Path) Refusal {
	p := Refusal{
		Ref: i.Ref, Resource: i.Resource, Path: manifestPath(i, path),
		What: diagnosed.What, Remedy: diagnosed.Remedy, Defaults: diagnosed.Defaults,
		Invalid: i.Field(nil), Amount: i,
	}
	if p.Remedy == "" {
		p.What, p.Remedy = wordsOfInvalid(i), remedyOfInvalid(i)
	}
	if n := len(p.Defaults); n > 0 {
		p.Source = p.Defaults[n-1].Source
	}
	return p
}

// manifestPath returns the field of an invalid amount. The path of the API server for limits above
// the pod-level limit does not exist.
func manifestPath(i *computeresources.InvalidResource, path *field.Path) string {
	if i.Cause == computeresources.AbovePodLevel {
		return i.Ref.Path(path).Child("resources", "limits").Key(string(i.Resource)).String()
	}
	return i.Field(path).Field
}

// violationRefusal returns the refusal for a bound that a pod or a claim violates.
func violationRefusal(p limitrange.Problem, path *field.Path) Refusal {
	return Refusal{
		Ref: p.Ref, Resource: p.Resource, Path: p.Violation.Field(path).Field, Source: p.Violation.Source,
		What: p.What, Remedy: p.Remedy, Defaults: p.Defaults, Violation: p.Violation,
	}
}

// appendFailures adds the failures of quotas.
func appendFailures(refusals Refusals, failures quota.Failures, in place) Refusals {
	for i := range failures {
		f := &failures[i]
		p := Refusal{Path: in.path().String(), Source: f.Source, Failure: f}
		if len(f.Resources) == 1 {
			p.Resource = f.Resources[0]
		}
		p.What, p.Remedy = wordsOfFailure(f)
		refusals = append(refusals, p)
	}
	return refusals
}
