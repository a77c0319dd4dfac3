package whatif

import (
	"encoding/json"
	"maps"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// merged returns what is stored once an object is applied over a stored one, as kubectl apply does. What was applied
// before is what kubectl has noted, and otherwise what formerOf returns.
func merged(stored, obj admit.APIObject) admit.APIObject {
	_, isTyped := reflect.TypeOf(stored).Elem().FieldByName("ObjectMeta")
	if reflect.TypeOf(stored) != reflect.TypeOf(obj) || !isTyped {
		own := obj.DeepCopyObject().(admit.APIObject)
		keepMetadata(own, stored)
		return own
	}
	manifest := obj.DeepCopyObject().(admit.APIObject)
	delete(manifest.GetAnnotations(), corev1.LastAppliedConfigAnnotation)
	former := formerOf(stored)
	note := stored.GetAnnotations()[corev1.LastAppliedConfigAnnotation]
	noted := reflect.New(reflect.TypeOf(stored).Elem()).Interface().(admit.APIObject)
	if note != "" && json.Unmarshal([]byte(note), noted) == nil {
		former = noted
	}
	own := applied.Merge(former, manifest, stored).(admit.APIObject)
	applied.KeepDefaults(own, stored)
	if secret, is := own.(*corev1.Secret); is {
		storeText(secret, stored.(*corev1.Secret))
	}
	return own
}

// storeText makes the text of a Secret data, as the API server does, unless it has not done so with what is stored.
//
// Source: Convert_v1_Secret_To_core_Secret of k8s.io/kubernetes/pkg/apis/core/v1.
func storeText(own, stored *corev1.Secret) {
	if stored.StringData != nil || own.StringData == nil {
		return
	}
	data := maps.Clone(own.Data)
	if data == nil {
		data = map[string][]byte{}
	}
	for name, text := range own.StringData {
		data[name] = []byte(text)
	}
	own.Data, own.StringData = data, nil
}

// noteApplied notes what was applied, as kubectl does, where it has noted something before.
func noteApplied(own, obj admit.APIObject) {
	if _, isNoted := own.GetAnnotations()[corev1.LastAppliedConfigAnnotation]; !isNoted {
		return
	}
	if text, err := json.Marshal(obj); err == nil {
		annotations := maps.Clone(own.GetAnnotations())
		annotations[corev1.LastAppliedConfigAnnotation] = string(text)
		own.SetAnnotations(annotations)
	}
}

// formerOf returns what counts as applied before if kubectl has not noted it: what decides on the amounts and the
// nodes of the pods of a workload, which nobody else sets in templates, how its pods are replaced, and the amounts of
// ResourceQuotas and LimitRanges.
func formerOf(stored admit.APIObject) runtime.Object {
	_, isQuota := stored.(*corev1.ResourceQuota)
	_, isRange := stored.(*corev1.LimitRange)
	if shared, _ := quota.ClusterQuotasOf(stored); isQuota || isRange || shared != nil {
		return stored
	}
	template := formerTemplate(templateOf(stored))
	switch stored := stored.(type) {
	case *corev1.ReplicationController:
		return &corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Template: &template}}
	case *appsv1.ReplicaSet:
		return &appsv1.ReplicaSet{Spec: appsv1.ReplicaSetSpec{Template: template}}
	case *appsv1.Deployment:
		return &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Template: template, Paused: stored.Spec.Paused,
			Strategy: stored.Spec.Strategy}}
	case *appsv1.StatefulSet:
		return &appsv1.StatefulSet{Spec: appsv1.StatefulSetSpec{Template: template, Ordinals: stored.Spec.Ordinals,
			UpdateStrategy: stored.Spec.UpdateStrategy}}
	case *appsv1.DaemonSet:
		return &appsv1.DaemonSet{Spec: appsv1.DaemonSetSpec{Template: template,
			UpdateStrategy: stored.Spec.UpdateStrategy}}
	case *batchv1.Job:
		return &batchv1.Job{Spec: batchv1.JobSpec{Template: template}}
	case *batchv1.CronJob:
		return &batchv1.CronJob{Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{
			Spec: batchv1.JobSpec{Template: template}}}}
	}
	return nil
}

// formerTemplate returns what decides on the amounts and the nodes of the pods of a template, which may be nil, and the
// names of its containers and volumes. It omits what the API server sets by default.
func formerTemplate(template *corev1.PodTemplateSpec) (former corev1.PodTemplateSpec) {
	if template == nil {
		return former
	}
	spec := &template.Spec
	containers := func(all []corev1.Container) (former []corev1.Container) {
		for i := range all {
			former = append(former, corev1.Container{Name: all[i].Name, Resources: all[i].Resources,
				RestartPolicy: all[i].RestartPolicy, Ports: formerPorts(all[i].Ports, spec.HostNetwork)})
		}
		return former
	}
	former.Spec = corev1.PodSpec{InitContainers: containers(spec.InitContainers), Containers: containers(spec.Containers),
		Resources: spec.Resources, ResourceClaims: spec.ResourceClaims, Overhead: spec.Overhead,
		RuntimeClassName: spec.RuntimeClassName, ActiveDeadlineSeconds: spec.ActiveDeadlineSeconds,
		PriorityClassName: spec.PriorityClassName, Priority: spec.Priority, PreemptionPolicy: spec.PreemptionPolicy,
		NodeName: spec.NodeName, NodeSelector: spec.NodeSelector, Tolerations: spec.Tolerations, Affinity: spec.Affinity,
		TopologySpreadConstraints: spec.TopologySpreadConstraints, SchedulingGates: spec.SchedulingGates,
		HostNetwork: spec.HostNetwork, HostUsers: spec.HostUsers}
	if spec.SchedulerName != corev1.DefaultSchedulerName {
		former.Spec.SchedulerName = spec.SchedulerName
	}
	for _, v := range spec.Volumes {
		former.Spec.Volumes = append(former.Spec.Volumes, corev1.Volume{Name: v.Name})
	}
	return former
}

// formerPorts returns the ports of a container that are ports of its host. On the network of the host each one is, with
// the same number, which the API server sets.
func formerPorts(ports []corev1.ContainerPort, hostNetwork bool) (former []corev1.ContainerPort) {
	for _, p := range ports {
		if !hostNetwork && p.HostPort == 0 {
			continue
		}
		p.Name = ""
		if hostNetwork {
			p.HostPort = 0
		}
		if p.Protocol == corev1.ProtocolTCP {
			p.Protocol = ""
		}
		former = append(former, p)
	}
	return former
}

// coversMeta reports whether an object has all labels and annotations of another one, except for what kubectl notes.
func coversMeta(stored, obj metav1.Object) bool {
	for name, value := range obj.GetAnnotations() {
		if other, isSet := stored.GetAnnotations()[name]; name != corev1.LastAppliedConfigAnnotation &&
			(!isSet || other != value) {
			return false
		}
	}
	for name, value := range obj.GetLabels() {
		if other, isSet := stored.GetLabels()[name]; !isSet || other != value {
			return false
		}
	}
	return true
}

// covers reports whether a stored value has all that an applied one sets. The API server has added defaults to what it
// stores.
func covers(stored, manifest reflect.Value) bool { return applied.Covers(stored, manifest) }

// hasOtherTemplate reports whether the pods of a workload have to be replaced by others.
func hasOtherTemplate(stored, obj admit.APIObject) bool {
	a, b := templateOf(stored), templateOf(obj)
	return a != nil && b != nil && !sameTemplate(a, b)
}

// sameTemplate reports whether an applied template is the stored one: nothing is left out but what the server sets by
// default. A stored template with a name stands for others, to which a webhook may have added something.
func sameTemplate(stored, applied *corev1.PodTemplateSpec) bool {
	return coversTemplate(stored, applied) && (stored.Name != "" || !leavesOut(stored, applied))
}

// coversTemplate reports whether a stored template has all that an applied one sets. What decides on amounts and nodes
// has to be equal.
func coversTemplate(stored, applied *corev1.PodTemplateSpec) bool {
	return coversMeta(&stored.ObjectMeta, &applied.ObjectMeta) &&
		covers(reflect.ValueOf(&stored.Spec), reflect.ValueOf(&applied.Spec)) &&
		equality.Semantic.DeepEqual(formerTemplate(stored), formerTemplate(applied))
}

// leavesOut reports whether a template leaves out labels, annotations or fields of a stored one that the API server does
// not set. The label with the hash is of the ReplicaSet.
func leavesOut(stored, template *corev1.PodTemplateSpec) bool {
	meta := metav1.ObjectMeta{Labels: maps.Clone(stored.Labels), Annotations: stored.Annotations}
	delete(meta.Labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return !coversMeta(&template.ObjectMeta, &meta) ||
		applied.LeavesOut(reflect.ValueOf(stored.Spec), reflect.ValueOf(template.Spec))
}

// isOutdated reports whether a pod is of a former template of its controller.
func (d *draft) isOutdated(p *pod, it *item) bool {
	now := templateOf(it.object)
	if p.template == nil || now == nil || p.template == now {
		return false
	}
	both := [2]*corev1.PodTemplateSpec{p.template, now}
	same, known := d.same[both]
	if !known {
		if d.same == nil {
			d.same = map[[2]*corev1.PodTemplateSpec]bool{}
		}
		same = sameTemplate(p.template, now)
		d.same[both] = same
	}
	return !same
}

// templateOf returns the pod template of a workload, nil for other objects.
func templateOf(obj admit.APIObject) *corev1.PodTemplateSpec { return workload.Of(obj).Template }
