package admit

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Pods is the decision on the pods that the controller of a workload creates.
type Pods struct {
	// Wanted is the number of pods that the workload wants at the same time: its replicas, or the
	// parallelism of a Job. It is 1 for a DaemonSet, per node, and 0 for a suspended Job.
	Wanted int64
	// First is the decision on the first pod. The paths of its refusals are fields of the workload.
	// Its Err is what the controller gets and writes into an event.
	First Decision

	namespace *Namespace  // with the workload in it
	pod       *corev1.Pod // as the controller creates it
	place     place
}

// Fit returns the number of pods that are admitted, one after the other, and what stops the next one. The
// result for nil is the zero ReplicaCount.
//
// Cost: that of Namespace.Replicas for a pod.
func (p *Pods) Fit() ReplicaCount {
	if p == nil {
		return ReplicaCount{}
	}
	d, counted := p.namespace.decide(p.pod, &Attributes{}, p.place)
	return d.fit(counted)
}

// Admitted reports whether as many pods are admitted as the workload wants. The cost is that of Fit.
func (p *Pods) Admitted() bool { return p == nil || p.Wanted <= p.Fit().Replicas }

// workload is the part of a workload that determines its pods. It refers to the object.
type workload struct {
	template *corev1.PodTemplateSpec
	place    place
	wanted   int64
	selector *metav1.LabelSelector
}

// workloadOf returns the part of a workload that determines its pods. It has no template if the
// object is not a workload.
func workloadOf(obj APIObject) workload {
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		return workload{&obj.Spec.Template, inTemplate, replicasOrDefault(obj.Spec.Replicas), obj.Spec.Selector}
	case *appsv1.StatefulSet:
		return workload{&obj.Spec.Template, inTemplate, replicasOrDefault(obj.Spec.Replicas), obj.Spec.Selector}
	case *appsv1.ReplicaSet:
		return workload{&obj.Spec.Template, inTemplate, replicasOrDefault(obj.Spec.Replicas), obj.Spec.Selector}
	case *appsv1.DaemonSet:
		return workload{&obj.Spec.Template, inTemplate, 1, obj.Spec.Selector}
	case *batchv1.Job:
		return workload{&obj.Spec.Template, inTemplate, jobPods(&obj.Spec), obj.Spec.Selector}
	case *batchv1.CronJob:
		job := &obj.Spec.JobTemplate.Spec
		return workload{&job.Template, inJobTemplate, jobPods(job), nil}
	case *corev1.ReplicationController:
		w := workload{obj.Spec.Template, inTemplate, replicasOrDefault(obj.Spec.Replicas), nil}
		if len(obj.Spec.Selector) > 0 {
			w.selector = &metav1.LabelSelector{MatchLabels: obj.Spec.Selector}
		}
		return w
	}
	return workload{}
}

// replicasOrDefault returns n, or the default of the API server.
func replicasOrDefault(n *int32) int64 {
	if n == nil {
		return 1
	}
	return int64(*n)
}

// jobPods returns how many pods of a Job run at the same time at the start.
func jobPods(spec *batchv1.JobSpec) int64 {
	switch {
	case spec.Suspend != nil && *spec.Suspend:
		return 0
	case spec.Completions != nil:
		return min(replicasOrDefault(spec.Parallelism), int64(*spec.Completions))
	}
	return replicasOrDefault(spec.Parallelism)
}

// pod returns a pod of the workload, as its controller creates it.
func (w *workload) pod(owner APIObject, req *Attributes) *corev1.Pod {
	pod := &corev1.Pod{Spec: w.template.Spec}
	pod.Labels, pod.Annotations = w.template.Labels, w.template.Annotations
	pod.Namespace, pod.Name = owner.GetNamespace(), req.PodName
	if name := owner.GetName(); pod.Name == "" && name != "" {
		pod.GenerateName = name + "-"
	}
	return pod
}

// checkTemplate prepares the template of a workload as the API server does, and adds its errors. Missing
// requests are set to limits in the pods only. Old is the stored template, nil for a new workload.
func (d *Decision) checkTemplate(ns *Namespace, old *corev1.PodTemplateSpec, w *workload) {
	if w.template == nil {
		return
	}
	spec := &w.template.Spec
	ns.roundTemplate(spec)
	d.place = w.place
	var before *corev1.PodSpec
	if old != nil {
		before = &old.Spec
	}
	d.checkResources(ns, before, spec)
	for _, p := range d.Refusals {
		if p.Amount == nil {
			p.Invalid.Field = p.Path
			continue
		}
		p.Invalid = p.Amount.Field(w.place.path())
	}
	d.checkSelector(w)
	d.place = inPod // quotas count the workload, regardless of its template
}

// roundTemplate changes the amounts of a template to those that are stored.
func (n *Namespace) roundTemplate(spec *corev1.PodSpec) {
	if n.opts.IgnorePodLevel {
		spec.Resources = nil
	}
	roundTripSpec(spec)
	written := podwalk.Writer{Spec: spec}
	written.RoundUp()
}

// podsOf returns the decision on the pods of a workload.
func (n *Namespace) podsOf(owner APIObject, w *workload, req *Attributes) *Pods {
	pods := &Pods{Wanted: w.wanted, namespace: n, pod: w.pod(owner, req).DeepCopy(), place: w.place}
	pods.First, _ = n.decide(pods.pod, &Attributes{}, w.place)
	ns := n.orEmpty()
	pods.First.applyReadDefaults(&ns.opts)
	return pods
}
