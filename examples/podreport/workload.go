package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// workload is an object that runs pods.
type workload struct {
	place
	kind, namespace, name string
	home                  string // the namespace that it is in
	exists                bool   // it has been created already

	pods   int64        // how many run, or would run, at a time
	counts []countField // what the object says of it
	pod    *corev1.Pod  // as stated, without defaults
	prefix string       // of paths within the pod: empty, or spec.template and a dot
	claims []template   // what is claimed for each pod
}

// countField is a field that says how many pods there are.
type countField struct {
	path  string
	value *int32
}

// workloadOf returns the pod of a typed object, and how many there are of it.
func workloadOf(object any) (w workload) {
	switch o := object.(type) {
	case *corev1.Pod:
		w = workload{pods: 1, pod: o}
		if finished(o) {
			w.pods = 0
		}
		w.identify(&o.ObjectMeta)
	case *appsv1.Deployment:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *appsv1.StatefulSet:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.claims = claimTemplates(o.Spec.VolumeClaimTemplates)
		w.identify(&o.ObjectMeta)
	case *appsv1.ReplicaSet:
		w = replicated(o.Spec.Replicas, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *appsv1.DaemonSet:
		w = fromTemplate("spec", 1, &o.Spec.Template)
		w.identify(&o.ObjectMeta)
	case *batchv1.Job:
		w = fromJob("spec", &o.Spec)
		w.identify(&o.ObjectMeta)
	case *batchv1.CronJob:
		w = fromJob("spec.jobTemplate.spec", &o.Spec.JobTemplate.Spec)
		w.identify(&o.ObjectMeta)
	}
	w.claims = append(w.claims, ephemeralClaims(w.prefix, w.pod.Spec.Volumes)...)
	return w
}

func fromTemplate(path string, pods int64, template *corev1.PodTemplateSpec) workload {
	pod := &corev1.Pod{ObjectMeta: template.ObjectMeta, Spec: template.Spec}
	return workload{pods: pods, prefix: path + ".template.", pod: pod}
}

func replicated(replicas *int32, template *corev1.PodTemplateSpec) workload {
	w := fromTemplate("spec", orOne(replicas), template)
	w.counts = []countField{{"spec.replicas", replicas}}
	return w
}

// fromJob takes as many pods as run at the same time: never more than have to
// complete.
func fromJob(path string, job *batchv1.JobSpec) workload {
	pods := orOne(job.Parallelism)
	if job.Completions != nil {
		pods = min(pods, int64(*job.Completions))
	}
	w := fromTemplate(path, pods, &job.Template)
	w.counts = []countField{{path + ".parallelism", job.Parallelism}, {path + ".completions", job.Completions}}
	return w
}

func (w *workload) identify(meta *metav1.ObjectMeta) {
	w.namespace, w.name = meta.Namespace, nameOf(meta)
	w.exists = created(meta) || w.live()
}

// created reports whether a cluster has created the object, which gives all of them a UID.
func created(meta *metav1.ObjectMeta) bool { return meta.UID != "" }

// nameOf returns the name. One that the server is to complete is shown as its
// beginning.
func nameOf(meta *metav1.ObjectMeta) string {
	if meta.Name == "" && meta.GenerateName != "" {
		return meta.GenerateName + "..."
	}
	return meta.Name
}

func orOne(n *int32) int64 {
	if n == nil {
		return 1
	}
	return int64(*n)
}

// live reports whether the pod exists already, as its status shows.
func (w *workload) live() bool {
	return !equality.Semantic.DeepEqual(w.pod.Status, corev1.PodStatus{})
}

// finished reports whether a live pod has given back what it asked for.
func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// scale says how many pods there are, in words.
func (w *workload) scale() string {
	switch w.kind {
	case "Pod":
		if w.pods == 0 {
			return fmt.Sprintf("finished (%s), no longer counts", w.pod.Status.Phase)
		}
		return "1 pod"
	case "DaemonSet":
		return "1 pod per node"
	case "Job":
		return count(w.pods, "pod") + " at a time"
	case "CronJob":
		return count(w.pods, "pod") + " per run"
	default:
		return count(w.pods, "replica")
	}
}
