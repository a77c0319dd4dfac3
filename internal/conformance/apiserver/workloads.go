package main

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// templateOf is the template of a workload, nil of any other object.
func templateOf(object any) *corev1.PodTemplateSpec {
	switch object := object.(type) {
	case *appsv1.Deployment:
		return &object.Spec.Template
	case *appsv1.StatefulSet:
		return &object.Spec.Template
	case *appsv1.DaemonSet:
		return &object.Spec.Template
	case *appsv1.ReplicaSet:
		return &object.Spec.Template
	case *corev1.ReplicationController:
		return object.Spec.Template
	case *batchv1.Job:
		return &object.Spec.Template
	case *batchv1.CronJob:
		return &object.Spec.JobTemplate.Spec.Template
	}
	return nil
}

// createWorkload draws a workload and creates it, and then, as no controllers run here, its pods.
func (n *namespace) createWorkload() {
	workload := n.drawWorkload()
	ranges, quotas := n.ranges, n.quotas
	found, _ := n.judge(n.create("workloads", n.pathOf(workload), workload), func(in *admit.Namespace) admit.Decision {
		return in.Create(workload, admit.Attributes{})
	})
	if found == nil {
		return
	}
	n.counted = append(n.counted, found)
	n.createPods(found, func(podName string) []admit.Decision {
		var all []admit.Decision
		for _, o := range inAllOrders(ranges, quotas) {
			in, err := admit.Compile(o.ranges, o.quotas, admitOptions)
			n.must(err)
			all = append(all, in.Create(workload, admit.Attributes{PodName: podName}))
		}
		return all
	})
}

// pathOf is where objects of the kind of this one are.
func (n *namespace) pathOf(object admit.APIObject, rest ...string) string {
	resource, group := resourceOf(object), coreGroup
	if resource.Group != "" {
		group = "/apis/" + resource.Group + "/" + resource.Version
	}
	return n.path(group, append([]string{resource.Resource}, rest...)...)
}

// changeWorkload changes amounts in the template of a workload.
func (n *namespace) changeWorkload() {
	i := pick(n.t, "workload", n.changeable())
	old := n.counted[i]
	workload := old.DeepCopyObject().(admit.APIObject)
	change(n.t, &templateOf(workload).Spec)
	request := n.update("workloads changed", n.pathOf(workload, workload.GetName()), workload)
	found, _ := n.judge(request, func(in *admit.Namespace) admit.Decision {
		return in.Update(old, workload, admit.Attributes{})
	})
	if found != nil {
		n.counted[i] = found
	}
}

// changeable returns which of the counted objects are workloads whose template can change: that of
// a Job cannot.
func (n *namespace) changeable() (all []int) {
	for i, object := range n.counted {
		if _, job := object.(*batchv1.Job); !job && templateOf(object) != nil {
			all = append(all, i)
		}
	}
	return all
}

// createPods creates the pods that a controller makes of a workload, until one is refused, and
// compares their number and the answer to the last with what was known before there was any.
func (n *namespace) createPods(workload admit.APIObject, decisions func(podName string) []admit.Decision) {
	prefix := workload.GetName() + "-"
	for made := range 4 {
		pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
		template := templateOf(workload).DeepCopy()
		pod.Namespace, pod.Labels, pod.Annotations, pod.Spec = n.name, template.Labels, template.Annotations, template.Spec
		name := prefix + generated
		if _, ordinal := workload.(*appsv1.StatefulSet); ordinal {
			name = fmt.Sprintf("%s%d", prefix, made)
			pod.Name = name
		} else {
			pod.GenerateName = prefix
		}
		server := n.sendPod("pods of workloads", pod)
		if !n.foreseen(made, server, decisions(name)) {
			n.differ("pod %d of %s: the server answers\n%d %s %s\nwhich is not what was expected of the workload", made+1, prefix, server.Code, server.Reason, server.Message)
		}
		n.tally.add("workloads, and their next pod", foreseenAs(server), 1)
		if !server.isStored() {
			return
		}
	}
}

func foreseenAs(server answer) string {
	if server.isStored() {
		return "stored, as foreseen"
	}
	return "refused, as foreseen"
}

// foreseen reports whether the answer to a pod, after so many of the same workload, agrees with one
// of the decisions on the workload: on the first pod, and on how many fit. The server draws the order of
// LimitRanges anew for each pod, so that later pods may get other defaults than the first.
func (n *namespace) foreseen(made int, server answer, decisions []admit.Decision) bool {
	for _, d := range decisions {
		fit := d.Pods.Fit
		first, err := predictions(nil, d.Pods.First)
		n.must(err)
		if made > 0 && fit.Least < fit.Most && (server.isStored() && int64(made) < fit.Most || !server.isStored() && int64(made) >= fit.Least) {
			return true // sendPod has compared the message
		}
		if made == 0 && !agrees(server, first) || server.isStored() != (int64(made) < fit.Replicas) {
			continue
		}
		if server.isStored() {
			return true
		}
		a, err := answerOf(fit.Err(), nil)
		n.must(err)
		next := prediction{answer: withoutOrder(a)}
		if agrees(server, append([]prediction{next}, ofEachRange(next, fit.Next)...)) {
			return true
		}
	}
	return false
}

// agrees reports whether an answer is predicted, but for the order of the parts of its message.
func agrees(server answer, possible []prediction) bool {
	return slices.ContainsFunc(possible, func(p prediction) bool { return difference(byParts(server), byParts(p.answer)) == "" })
}

// drawWorkload draws a workload of any kind.
func (n *namespace) drawWorkload() admit.APIObject {
	t := n.t
	kind := rapid.SampledFrom([]string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "CronJob"}).Draw(t, "kind")
	meta := n.next(strings.ToLower(kind))
	pod := n.drawPod()
	pod.Spec.RuntimeClassName = nil // admission sets the overhead of pods, not of templates
	runs := kind == "Job" || kind == "CronJob"
	if runs {
		pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	} else {
		pod.Spec.ActiveDeadlineSeconds = nil
	}
	labels := map[string]string{"app": meta.Name}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: pod.Spec}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	replicas := pointer(rapid.Int32Range(0, 5).Draw(t, "replicas"))
	apps := metav1.TypeMeta{APIVersion: "apps/v1", Kind: kind}
	batch := metav1.TypeMeta{APIVersion: "batch/v1", Kind: kind}
	if runs {
		template.Labels = nil // the server sets them
	}
	job := batchv1.JobSpec{Template: template, Parallelism: replicas}
	switch kind {
	case "Deployment":
		return &appsv1.Deployment{TypeMeta: apps, ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: replicas, Selector: selector, Template: template}}
	case "StatefulSet":
		return &appsv1.StatefulSet{TypeMeta: apps, ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: replicas, Selector: selector, Template: template, ServiceName: "s"}}
	case "DaemonSet":
		return &appsv1.DaemonSet{TypeMeta: apps, ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Selector: selector, Template: template}}
	case "ReplicaSet":
		return &appsv1.ReplicaSet{TypeMeta: apps, ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Replicas: replicas, Selector: selector, Template: template}}
	case "Job":
		return &batchv1.Job{TypeMeta: batch, ObjectMeta: meta, Spec: job}
	case "CronJob":
		return &batchv1.CronJob{TypeMeta: batch, ObjectMeta: meta, Spec: batchv1.CronJobSpec{Schedule: "0 0 * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: job}}}
	}
	return &corev1.ReplicationController{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: kind}, ObjectMeta: meta,
		Spec: corev1.ReplicationControllerSpec{Replicas: replicas, Selector: labels, Template: &template},
	}
}
