package admit

import (
	"slices"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/workload"
)

// Pods is the decision on the pods that the controller of a workload creates.
type Pods struct {
	// Wanted is the number of pods that the workload wants at the same time: its replicas, or the
	// parallelism of a Job. It is 1 for a DaemonSet, per node, and 0 for a suspended Job.
	Wanted int64 `json:"wanted"`
	// First is the decision on the first pod. The paths of its refusals are fields of the workload.
	// Its Err is what the controller gets and writes into an event.
	First Decision `json:"first,omitzero"`
	// Fit is the number of pods that are admitted, one after the other, and what stops the next one. It is the same
	// before and after the workload itself is stored, since no limit counts both a workload and its pods.
	Fit ReplicaCount `json:"fit,omitzero"`
}

// Admitted reports whether as many pods are admitted as the workload wants.
func (p *Pods) Admitted() bool { return p == nil || p.Wanted <= p.Fit.Replicas }

// placeOfTemplate returns where the template of a workload is.
func placeOfTemplate(obj APIObject) place {
	if _, ok := obj.(*batchv1.CronJob); ok {
		return inJobTemplate
	}
	return inTemplate
}

// podOf returns a pod of a workload, as its controller creates it.
func podOf(owner APIObject, template *corev1.PodTemplateSpec, req *Attributes) *corev1.Pod {
	pod := &corev1.Pod{Spec: template.Spec}
	pod.Labels, pod.Annotations = template.Labels, template.Annotations
	pod.Namespace, pod.Name = owner.GetNamespace(), req.PodName
	if name := owner.GetName(); pod.Name == "" && name != "" {
		pod.GenerateName = name + "-"
	}
	return pod.DeepCopy()
}

// checkTemplate prepares the template of a workload as the API server does, and adds its errors. Missing
// requests are set to limits in the pods only. Old is the stored template, nil for a new workload.
func (d *decision) checkTemplate(ns *Namespace, old *corev1.PodTemplateSpec, w *workload.Workload, in place) {
	if w.Template == nil {
		return
	}
	spec := &w.Template.Spec
	ns.roundTemplate(spec)
	d.place = in
	var before *corev1.PodSpec
	if old != nil {
		before = &old.Spec
	}
	d.checkResources(ns, before, spec)
	for _, p := range d.Refusals {
		if p.Amount == nil {
			p.Invalid.Path = p.Path
			continue
		}
		p.Invalid = computeresources.FieldErrorOf(p.Amount.Field(in.path()))
	}
	d.checkSelector(w)
	d.place = inPod // quotas count the workload, regardless of its template
}

// roundTemplate changes the amounts of a template to those that are stored.
func (n *Namespace) roundTemplate(spec *corev1.PodSpec) {
	if !release.Rules(n.opts.Kubernetes).CountsPodLevel() {
		spec.Resources = nil
	}
	roundTripSpec(spec)
	written := podwalk.Writer{Spec: spec}
	written.RoundUp()
}

// podsOf returns the decision on the pods of a workload, which is counted by other names than they are.
func (n *Namespace) podsOf(owner APIObject, w *workload.Workload, req *Attributes) *Pods {
	m := member{object: podOf(owner, w.Template, req), n: 1, place: placeOfTemplate(owner)}
	m.decision, m.counted = n.decide(m.object, &Attributes{}, m.place)
	pods := &Pods{Wanted: int64(w.Wanted), Fit: n.replicasOf([]member{m}, &Attributes{})}
	if !m.decision.Admitted() { // the Fit has the reasons
		m.decision, _ = n.decide(m.object, &Attributes{}, m.place)
	}
	m.decision.Increases = slices.Clone(m.decision.Increases) // the Fit has them, too
	for i := range m.decision.Increases {
		increase := &m.decision.Increases[i]
		increase.Usage = increase.Usage.DeepCopy()
	}
	m.decision.applyReadDefaults()
	pods.First = m.decision.Decision
	return pods
}
