package admit

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/quota"
)

// resize is the subresource by which the resources of a pod change.
const resize = "resize"

// resize decides on a resize of a pod. It is read from its text.
func (d *decision) resize(old, updated *corev1.Pod, req *Attributes) {
	ns := d.namespace
	old, sent := roundTripCopy(old).(*corev1.Pod), roundTripCopy(updated).(*corev1.Pod)
	stored := old.DeepCopy()
	identify(stored, ns, &Attributes{})
	a := podAmounts{
		defaulted:      computeresources.ApplyRequestDefaults(&sent.Spec, ns.opts.Kubernetes),
		ratiosAreExact: release.Rules(ns.opts.Kubernetes).ComparesBoundsExactly(),
	}
	isLive := old.DeletionTimestamp == nil
	if isLive {
		a.defaults = ns.policy.ApplyDefaults(&sent.Spec)
	}
	refused := computeresources.ValidateResize(old, sent, ns.opts.resizeOptions())
	ofPod := computeresources.ApplyResize(stored, sent, ns.opts.resizeOptions())
	if isLive {
		a.violations = ns.policy.Validate(&old.Spec, &stored.Spec)
	}
	d.Object = stored
	d.Changes = slices.Concat(a.defaulted, a.defaults, ofPod)
	d.Refusals = append(resizeRefusals(&a, refused),
		nodeRefusals(computeresources.ValidateResizeOnNode(old, sent, req.Node, ns.opts.resizeOptions()))...)
	d.admit(quota.Pod(old, req.Now, ns.opts.podOptions()), quota.Pod(stored, req.Now, ns.opts.podOptions()), resize)
	d.applyReadDefaults()
}

// resizeOptions returns the options for a resize.
func (o *Options) resizeOptions() computeresources.ResizeOptions {
	return computeresources.ResizeOptions{Kubernetes: o.Kubernetes}
}

// resizeRefusals returns the invalid amounts, everything else that the API server refuses, and the
// violated bounds.
func resizeRefusals(a *podAmounts, refused computeresources.Problems[*computeresources.ResizeProblem]) []*Refusal {
	var others []*Refusal
	for _, r := range refused {
		if r.Invalid != nil {
			a.invalid = append(a.invalid, r.Invalid)
		} else {
			others = append(others, resizeRefusal(r))
		}
	}
	return slices.Insert(a.refusals(inPod), len(a.invalid), others...)
}

// resizeRefusal returns one reason why a pod cannot be resized.
func resizeRefusal(r *computeresources.ResizeProblem) *Refusal {
	err := r.Field(nil)
	return &Refusal{
		Ref: r.Ref, Resource: r.Resource, Path: err.Field,
		What: subjectOfResize(r.Ref) + ": " + err.Detail, Remedy: remedyOfResize(r.Cause),
		Invalid: computeresources.FieldErrorOf(err), Resize: r,
	}
}

// nodeRefusals returns why a pod cannot be resized on its node.
func nodeRefusals(problems computeresources.Problems[*computeresources.ResizeProblem]) (refusals []*Refusal) {
	for _, p := range problems {
		r := &Refusal{Path: field.NewPath("spec").String(), What: p.Error(), Remedy: remedyOfResize(p.Cause), Node: p}
		if names := resourcelist.ResourceNames(p.Requested); len(names) == 1 {
			r.Resource = names[0]
		}
		refusals = append(refusals, r)
	}
	return refusals
}

// subjectOfResize returns what a refusal is about: a container, or the pod.
func subjectOfResize(ref computeresources.Ref) string {
	if ref.Name == "" {
		return computeresources.Pod.String()
	}
	return ref.String()
}
