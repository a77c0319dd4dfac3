package inventory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/quota/admit"
)

// Kinds are those that use quotas or nodes, or decide who may. Others change nothing that is computed of a cluster.
var Kinds = objects.Kinds{
	{"v1", "Namespace"}:             reflect.TypeFor[corev1.Namespace](),
	{"v1", "Node"}:                  reflect.TypeFor[corev1.Node](),
	{"v1", "LimitRange"}:            reflect.TypeFor[corev1.LimitRange](),
	{"v1", "ResourceQuota"}:         reflect.TypeFor[corev1.ResourceQuota](),
	{"v1", "Pod"}:                   reflect.TypeFor[corev1.Pod](),
	{"v1", "ReplicationController"}: reflect.TypeFor[corev1.ReplicationController](),
	{"v1", "Service"}:               reflect.TypeFor[corev1.Service](),
	{"v1", "ConfigMap"}:             reflect.TypeFor[corev1.ConfigMap](),
	{"v1", "Secret"}:                reflect.TypeFor[corev1.Secret](),
	{"v1", "PersistentVolumeClaim"}: reflect.TypeFor[corev1.PersistentVolumeClaim](),
	{"v1", "PersistentVolume"}:      reflect.TypeFor[corev1.PersistentVolume](),
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
	{"batch/v1", "CronJob"}:         reflect.TypeFor[batchv1.CronJob](),

	{"policy/v1", "PodDisruptionBudget"}:            reflect.TypeFor[policyv1.PodDisruptionBudget](),
	{"scheduling.k8s.io/v1", "PriorityClass"}:       reflect.TypeFor[schedulingv1.PriorityClass](),
	{"node.k8s.io/v1", "RuntimeClass"}:              reflect.TypeFor[nodev1.RuntimeClass](),
	{"storage.k8s.io/v1", "StorageClass"}:           reflect.TypeFor[storagev1.StorageClass](),
	{"storage.k8s.io/v1", "CSINode"}:                reflect.TypeFor[storagev1.CSINode](),
	{"storage.k8s.io/v1", "CSIDriver"}:              reflect.TypeFor[storagev1.CSIDriver](),
	{"storage.k8s.io/v1", "CSIStorageCapacity"}:     reflect.TypeFor[storagev1.CSIStorageCapacity](),
	{"resource.k8s.io/v1", "ResourceClaim"}:         reflect.TypeFor[resourcev1.ResourceClaim](),
	{"resource.k8s.io/v1", "ResourceClaimTemplate"}: reflect.TypeFor[resourcev1.ResourceClaimTemplate](),
	{"resource.k8s.io/v1", "DeviceClass"}:           reflect.TypeFor[resourcev1.DeviceClass](),

	{"quota.openshift.io/v1", "ClusterResourceQuota"}:        reflect.TypeFor[SharedQuota[OpenShiftUsage]](),
	{"quota.openshift.io/v1", "AppliedClusterResourceQuota"}: reflect.TypeFor[SharedQuota[OpenShiftUsage]](),
	{"capsule.clastix.io/v1beta2", "GlobalResourceQuota"}:    reflect.TypeFor[SharedQuota[string]](),
}

// PodSpec returns the spec of the pods of an object, nil if it has none.
func PodSpec(object admit.APIObject) *corev1.PodSpec {
	if p, isPod := object.(*corev1.Pod); isPod {
		return &p.Spec
	}
	if t := PodTemplate(object); t != nil {
		return &t.Spec
	}
	return nil
}

// Priority returns the priority of a pod, zero if it has none.
func Priority(pod *corev1.Pod) int32 {
	if pod.Spec.Priority == nil {
		return 0
	}
	return *pod.Spec.Priority
}

// PodTemplate returns the template of the pods of a workload, nil if it has none.
func PodTemplate(object admit.APIObject) *corev1.PodTemplateSpec {
	template, _ := podsOf(object)
	return template
}

// Replicas returns the field of an object that says how many replicas it has, nil if there is none.
func Replicas(object admit.APIObject) **int32 {
	_, replicas := podsOf(object)
	return replicas
}

// podsOf returns the template of a workload, and the field of its replicas; nil for what it does not have.
func podsOf(object admit.APIObject) (template *corev1.PodTemplateSpec, replicas **int32) {
	switch o := object.(type) {
	case *corev1.ReplicationController:
		return o.Spec.Template, &o.Spec.Replicas
	case *appsv1.Deployment:
		return &o.Spec.Template, &o.Spec.Replicas
	case *appsv1.ReplicaSet:
		return &o.Spec.Template, &o.Spec.Replicas
	case *appsv1.StatefulSet:
		return &o.Spec.Template, &o.Spec.Replicas
	case *appsv1.DaemonSet:
		return &o.Spec.Template, nil
	case *batchv1.Job:
		return &o.Spec.Template, nil
	case *batchv1.CronJob:
		return &o.Spec.JobTemplate.Spec.Template, nil
	}
	return nil, nil
}

// Manifest is an object that k8s.io/api does not have, of whose spec and status only some fields are read.
type Manifest[S, T any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              S `json:"spec"`
	Status            T `json:"status"`
}

// UnmarshalJSON ignores all other fields, so that they are not reported as unknown.
func (m *Manifest[S, T]) UnmarshalJSON(text []byte) error {
	type plain Manifest[S, T]
	return json.Unmarshal(text, (*plain)(m))
}

// DeepCopyObject returns m, which nobody changes.
func (m *Manifest[S, T]) DeepCopyObject() runtime.Object { return m }

// Admission returns the options of admission with the classes among objects. This is the rule for when they are all of a kind,
// so that naming another one is an error: if kubectl was asked for them, or if one of them is of a cluster, because the input is
// a dump then. That is one with a UID, or a PriorityClass of the system. Manifests define classes, but there may be others. Of a
// cluster that is given as such (diff -on, nodes), package whatif takes all kinds that are there for complete.
func Admission(objects []admit.APIObject, asked bool) (o admit.Options) {
	o.PriorityClasses = classes[*schedulingv1.PriorityClass](&o, objects, asked, "PriorityClass")
	o.RuntimeClasses = classes[*nodev1.RuntimeClass](&o, objects, asked, "RuntimeClass")
	o.StorageClasses = classes[*storagev1.StorageClass](&o, objects, asked, "StorageClass")
	return o
}

func classes[C admit.APIObject](o *admit.Options, objects []admit.APIObject, asked bool, kind string) (all []C) {
	if asked {
		all = []C{}
	}
	for _, object := range objects {
		if class, is := object.(C); is {
			all = append(all, class)
			asked = asked || class.GetUID() != "" || kind == "PriorityClass" && strings.HasPrefix(class.GetName(), "system-")
		}
	}
	if !asked {
		o.Incomplete = append(o.Incomplete, kind)
	}
	return all
}

// Template is an object with a pod template that owns nothing in the list: its pods are not there.
type Template struct {
	Object admit.APIObject
	Spec   *corev1.PodSpec
	Place  objects.Place
	// Replicas is how many of its pods run at the same time, one for a DaemonSet. Field sets it.
	Replicas int32
	Field    string
}

// Templates returns the templates whose pods are not in the list. Those without containers, or with negative replicas, are
// problems instead.
func (l *List) Templates() (all []Template) {
	owners := l.owners()
	for i, o := range l.Objects {
		t := Template{Object: o, Spec: PodSpec(o), Place: l.Places[i]}
		kind, _, _ := strings.Cut(t.Place.Named, " ") // which has the namespace of the manifest, if any
		named := kind + " " + wording.Qualified(o.GetNamespace(), o.GetName())
		if _, isPod := o.(*corev1.Pod); isPod || t.Spec == nil || owners[named] || o.GetUID() != "" && owners[string(o.GetUID())] {
			continue
		}
		t.Replicas, t.Field = replicasOf(o)
		switch {
		case len(t.Spec.Containers) == 0:
			l.Fail(t.Place, objects.Invalid, "spec.template.spec.containers", "no containers")
		case t.Replicas < 0:
			l.Fail(t.Place, objects.Invalid, t.Field, fmt.Sprintf("%d is negative", t.Replicas))
		default:
			all = append(all, t)
		}
	}
	return all
}

// owners returns the controllers of the objects, by UID, and by kind and name.
func (l *List) owners() map[string]bool {
	owners := map[string]bool{}
	for _, o := range l.Objects {
		if ref := metav1.GetControllerOfNoCopy(o); ref != nil {
			owners[string(ref.UID)] = true
			owners[ref.Kind+" "+wording.Qualified(o.GetNamespace(), ref.Name)] = true
		}
	}
	return owners
}

// replicasOf returns how many pods of an object run at the same time, and the field that sets this number. It defaults
// to one, and is zero for a Job that has finished or is suspended, and for a CronJob. A Job wants no more than are yet to succeed.
func replicasOf(object admit.APIObject) (replicas int32, field string) {
	set := new(int32)
	field = "spec.replicas"
	if of := Replicas(object); of != nil {
		set = *of
	}
	switch o := object.(type) {
	case *appsv1.DaemonSet:
		return 1, field
	case *batchv1.Job:
		field = "spec.parallelism"
		ended := slices.ContainsFunc(o.Status.Conditions, func(c batchv1.JobCondition) bool {
			return c.Status == corev1.ConditionTrue && (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed)
		})
		if ended || o.Spec.Suspend != nil && *o.Spec.Suspend {
			return 0, field
		}
		one := int32(1)
		set = cmp.Or(o.Spec.Parallelism, &one)
		if most := o.Spec.Completions; most != nil && *most >= 0 {
			return min(*set, max(0, *most-o.Status.Succeeded)), field
		}
	}
	if set == nil {
		return 1, field
	}
	return *set, field
}
