package admit

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/workload"
)

// Update returns the decision on an update of an object, or of the resize subresource of a pod: old is the stored
// object, and updated the object in the request. Both are only read. The status remains that of old, as on the server,
// where it is a subresource. If an object is nil, or their types differ, the Decision has no
// refusals and no object.
//
// With the Subresource resize, the request is a resize of a pod: only its resources and resize policies count. The API
// server sets defaults, as for a new pod; validates the changes (see computeresources.ValidateResize); checks
// LimitRanges, unless the pod is being deleted; checks the node, if req has one (see
// computeresources.ValidateResizeOnNode); and adds the increase to quotas. If old has no resourceVersion, it was never
// stored, and all of the new amounts are added. Until the node has actuated the resize, quotas count the larger of the
// old and the new amounts. Whether the node has room next to its other pods is not checked: see package noderesources.
//
// The API server does not check LimitRanges when a pod is updated otherwise, because only a resize can change
// its resources. It does when a PersistentVolumeClaim is updated, unless the claim is being
// deleted. Quotas count the increase of claims and services, and pods that enter or leave the scope
// Terminating; they ignore updates of workloads and of objects that are only counted. For a
// workload, Pods is the decision on the pods of the new template, in addition to the existing ones.
//
// Fields that cannot change are refused: those of a pod and a PersistentVolumeClaim, the template of a Job that has
// started, most fields of a StatefulSet, and selectors. Both objects have to be as the server stores them, with the
// same defaults.
//
// The messages for a pod and a claim do not contain the diff of the two specs that those of the server end with, and
// that for a template does not contain the template.
func (n *Namespace) Update(old, updated APIObject, req Attributes) Decision {
	d := n.newDecision(inPod)
	if workload.IsNil(old) || workload.IsNil(updated) || reflect.TypeOf(old) != reflect.TypeOf(updated) {
		return d.Decision
	}
	pod, isPod := updated.(*corev1.Pod)
	isResize := isPod && req.Subresource == resize
	d.Subject = subjectOf(updated, &req)
	if isResize {
		d.Subject = subjectOf(old, &req)
	} else if d.isUnserved(updated, req.Subresource) {
		return d.Decision
	}
	if d.isForeign(updated) || d.isForeign(old) {
		return d.Decision
	}
	if isResize {
		d.resize(old.(*corev1.Pod), pod, &req)
	} else {
		d.update(old, updated, &req)
	}
	return d.Decision
}

// update decides on an update of an object itself. The decision has the status of a copy of old.
func (d *decision) update(old, updated APIObject, req *Attributes) {
	ns := d.namespace
	old = roundTripCopy(old)
	stored := roundTripCopy(updated)
	identify(stored, ns, &Attributes{})
	d.Object = stored
	var w workload.Workload
	switch stored := stored.(type) {
	case *corev1.Pod:
		d.updatePod(ns, old.(*corev1.Pod), stored)
	case *corev1.PersistentVolumeClaim:
		d.updateClaim(ns, old.(*corev1.PersistentVolumeClaim), stored)
	case *corev1.Service:
		stored.Status = old.(*corev1.Service).Status
	case *resourcev1.ResourceClaim:
		stored.Status = old.(*resourcev1.ResourceClaim).Status
		setDeviceDefaults(&stored.Spec)
	default:
		w = workload.Of(stored)
		before := workload.Of(old)
		d.checkTemplate(ns, before.Template, &w, placeOfTemplate(stored))
		if w.Template != nil && before.Template != nil {
			ns.roundTemplate(&before.Template.Spec)
		}
		d.checkFixed(old, stored)
	}
	d.admit(ns.quotaObject(old, req), ns.quotaObject(stored, req), "")
	if w.Template != nil {
		d.Pods = ns.podsOf(stored, &w, req)
	}
}

// updatePod checks an update of a pod, which is a copy.
func (d *decision) updatePod(ns *Namespace, old, stored *corev1.Pod) {
	stored.Status = old.Status
	if !release.Rules(ns.opts.Kubernetes).CountsPodLevel() && old.Spec.Resources == nil {
		stored.Spec.Resources = nil
	}
	d.Changes = computeresources.ApplyRequestDefaults(&stored.Spec, ns.opts.Kubernetes)
	if stored.Spec.Resources == nil && release.Rules(ns.opts.Kubernetes).DefaultsPodLevelBeforeStoring() {
		stored.Spec.Resources = old.Spec.Resources.DeepCopy()
	}
	d.checkResources(ns, &old.Spec, &stored.Spec)
	if !equalResources(&old.Spec, &stored.Spec) {
		d.Refusals = append(d.Refusals, &Refusal{
			Ref: computeresources.Ref{Kind: computeresources.Pod}, Path: inPod.path().String(),
			What:    "pod: its requests or limits have changed",
			Remedy:  "update the subresource resize",
			Invalid: computeresources.FieldErrorOf(field.Forbidden(inPod.path(), workload.FixedPodFields)),
		})
	}
}

// equalResources reports whether two specs have the same containers with the same requests and
// limits, and the same at pod level.
func equalResources(a, b *corev1.PodSpec) bool {
	if len(a.Containers) != len(b.Containers) || len(a.InitContainers) != len(b.InitContainers) ||
		!equality.Semantic.DeepEqual(a.Resources, b.Resources) {
		return false
	}
	for ref, c := range computeresources.Containers(a) {
		other := ref.Resources(b)
		if other == nil || !equality.Semantic.DeepEqual(c.Resources, *other) {
			return false
		}
	}
	return true
}

// updateClaim checks an update of a PersistentVolumeClaim, which is a copy.
//
// Source: ValidatePersistentVolumeClaimUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
func (d *decision) updateClaim(ns *Namespace, old, stored *corev1.PersistentVolumeClaim) {
	stored.Status = old.Status
	d.Refusals = storageRefusals(&stored.Spec)
	d.checkFixedClaim(old, stored)
	if old.DeletionTimestamp == nil {
		bounds := podAmounts{violations: ns.policy.ValidateClaim(&old.Spec, &stored.Spec)}
		d.Refusals = append(d.Refusals, bounds.refusals(d.place)...)
	}
	d.checkExpansion(&ns.opts, old, stored)
}

// shrinkRefusal returns why a claim cannot request less: it must request more than its capacity.
func shrinkRefusal(old, updated *corev1.PersistentVolumeClaim) (p *Refusal, shrinks bool) {
	was, is := old.Spec.Resources.Requests[corev1.ResourceStorage], updated.Spec.Resources.Requests[corev1.ResourceStorage]
	capacity := old.Status.Capacity[corev1.ResourceStorage]
	if is.Cmp(was) >= 0 || is.Cmp(capacity) > 0 {
		return p, false
	}
	return &Refusal{
		Resource: corev1.ResourceStorage, Path: storagePath,
		What:   "claim: storage request " + quantity.Text(&is) + " is not above the capacity " + quantity.Text(&capacity),
		Remedy: "raise the request",
		Invalid: computeresources.FieldErrorOf(field.Forbidden(field.NewPath("spec", "resources", "requests", "storage"),
			"field can not be less than status.capacity")),
	}, true
}
