package admit

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota"
)

// Resize returns the decision on an update of the resize subresource of a pod: old is the stored
// pod, and updated the pod in the request; only its resources and resize policies count. Both
// are only read. If a pod is nil, the Decision has no refusals and no object.
//
// The API server sets defaults, as for a new pod; validates the changes (see
// computeresources.ValidateResize); checks LimitRanges, unless the pod is being deleted; checks the
// node, if req has one (see computeresources.ValidateResizeOnNode); and adds the increase to
// quotas. If old has no resourceVersion, it was never stored, and all of the new amounts are added.
// Until the node has actuated the resize, quotas count the larger of the old and the new amounts.
// Whether the node has room next to its other pods is not checked: see package noderesources.
func (n *Namespace) Resize(old, updated *corev1.Pod, req Attributes) Decision {
	d := Decision{namespace: n}
	if old == nil || updated == nil {
		return d
	}
	ns := n.orEmpty()
	d.subject = subjectOf(old, &req)
	if d.isForeign(updated) || d.isForeign(old) {
		return d
	}
	r := resized{old: roundTripCopy(old).(*corev1.Pod), sent: roundTripCopy(updated).(*corev1.Pod), now: req.Now,
		node: req.Node}
	d.decideResize(&ns, &r)
	if r.defaults > 0 { // Possible sets others
		own := r
		own.node = r.node.DeepCopy()
		d.resized = &own
	}
	return d
}

// resized is the request of a Resize, as it is read from its text.
type resized struct {
	old  *corev1.Pod
	sent *corev1.Pod // with the defaults of the server and of LimitRanges, once they are set
	now  time.Time
	node *corev1.Node

	defaults int // how many LimitRanges have set in sent
}

// decideResize is Resize with copies of the pods.
func (d *Decision) decideResize(ns *Namespace, r *resized) {
	old, sent := r.old, r.sent
	stored := old.DeepCopy()
	identify(stored, ns, &Attributes{})
	a := podAmounts{defaulted: computeresources.ApplyRequestDefaults(&sent.Spec, ns.opts.Gates)}
	if d.Changes != nil { // set already: see decideAgain
		a.defaulted = d.Changes
	}
	isLive := old.DeletionTimestamp == nil
	if isLive {
		a.defaults = ns.policy.ApplyDefaults(&sent.Spec)
	}
	refused := computeresources.ValidateResize(old, sent, ns.opts.resizeOptions())
	computeresources.ApplyResize(stored, sent, ns.opts.resizeOptions())
	if isLive {
		a.violations = ns.policy.Validate(&stored.Spec)
	}
	d.Object = stored
	d.Changes = append(a.defaulted, a.defaults...)
	r.defaults = len(a.defaults)
	d.Refusals = append(resizeRefusals(&a, refused),
		nodeRefusals(computeresources.ValidateResizeOnNode(old, sent, r.node, ns.opts.resizeOptions()))...)
	d.admit(quota.Pod(old, r.now, ns.opts.podOptions()), quota.Pod(stored, r.now, ns.opts.podOptions()), "resize")
	d.applyReadDefaults()
}

// resizeOptions returns the options for a resize.
func (o *Options) resizeOptions() computeresources.ResizeOptions {
	return computeresources.ResizeOptions{Gates: o.Gates}
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
		Invalid: err, Resize: r,
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
