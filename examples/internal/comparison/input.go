package comparison

import (
	"cmp"
	"embed"
	"iter"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// Samples has a folder with a cluster and one with a change.
//
//go:embed samples
var Samples embed.FS

// Kinds are those that use quotas or nodes, or decide who may. Others change nothing that is computed.
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
	{"apps/v1", "Deployment"}:       reflect.TypeFor[appsv1.Deployment](),
	{"apps/v1", "ReplicaSet"}:       reflect.TypeFor[appsv1.ReplicaSet](),
	{"apps/v1", "StatefulSet"}:      reflect.TypeFor[appsv1.StatefulSet](),
	{"apps/v1", "DaemonSet"}:        reflect.TypeFor[appsv1.DaemonSet](),
	{"batch/v1", "Job"}:             reflect.TypeFor[batchv1.Job](),
	{"batch/v1", "CronJob"}:         reflect.TypeFor[batchv1.CronJob](),

	{"scheduling.k8s.io/v1", "PriorityClass"}:       reflect.TypeFor[schedulingv1.PriorityClass](),
	{"node.k8s.io/v1", "RuntimeClass"}:              reflect.TypeFor[nodev1.RuntimeClass](),
	{"resource.k8s.io/v1", "ResourceClaim"}:         reflect.TypeFor[resourcev1.ResourceClaim](),
	{"resource.k8s.io/v1", "ResourceClaimTemplate"}: reflect.TypeFor[resourcev1.ResourceClaimTemplate](),
	{"resource.k8s.io/v1", "DeviceClass"}:           reflect.TypeFor[resourcev1.DeviceClass](),
}

// List is objects in the order of the input. Of objects of the same kind and name, the last one counts.
type List struct {
	Objects  []admit.APIObject
	Places   []objects.Place // of the objects
	Problems []objects.Problem
	Skipped  map[string]int // how many objects of other kinds

	home  string // of objects without a namespace
	index map[identity]int
}

// NewList returns an empty list. Objects without a namespace are in the given one.
func NewList(home string) List {
	return List{home: home, index: map[identity]int{}, Skipped: map[string]int{}}
}

// Input is a change, and the cluster that it is applied to.
type Input struct {
	Cluster List
	Old     List // what was applied before: what Change lacks of it is deleted
	Change  List
}

type identity struct{ kind, namespace, name string }

// Read adds objects.
func (l *List) Read(all iter.Seq[objects.Object]) {
	for o := range all {
		if o.Unknown() {
			l.Skipped[o.Kind]++
			continue
		}
		l.Problems = append(l.Problems, o.Problems...)
		if object, ok := o.Typed.(admit.APIObject); ok {
			failed := objects.Guarded(o.Place, func() { l.add(o.Place, o.Kind, object) })
			l.Problems = append(l.Problems, failed...)
		}
	}
}

func (l *List) add(at objects.Place, kind string, object admit.APIObject) {
	if object.GetName() == "" {
		l.Problems = append(l.Problems, objects.Problems(at, objects.Invalid, objects.Fault{Field: "metadata.name", Text: "missing"})...)
		return
	}
	l.complete(object)
	id := identity{kind, object.GetNamespace(), object.GetName()}
	if i, known := l.index[id]; known {
		l.Objects[i], l.Places[i] = object, at
		return
	}
	l.index[id] = len(l.Objects)
	l.Objects, l.Places = append(l.Objects, object), append(l.Places, at)
}

// complete sets the namespace of a namespaced object, and what the API server sets of a node.
func (l *List) complete(object admit.APIObject) {
	switch o := object.(type) {
	case *corev1.Node:
		if len(o.Status.Allocatable) == 0 {
			o.Status.Allocatable = o.Status.Capacity
		}
	case *corev1.Namespace, *schedulingv1.PriorityClass, *nodev1.RuntimeClass, *resourcev1.DeviceClass:
	default:
		o.SetNamespace(cmp.Or(o.GetNamespace(), l.home))
	}
}

func (l *List) has(id identity) bool {
	_, known := l.index[id]
	return known
}

// without returns the objects of which another list has none of the same kind and name, the last ones first.
func (l *List) without(other *List) (objects []admit.APIObject) {
	gone := make([]bool, len(l.Objects))
	for id, i := range l.index {
		gone[i] = !other.has(id)
	}
	for i, o := range slices.Backward(l.Objects) {
		if gone[i] {
			objects = append(objects, o)
		}
	}
	return objects
}

// Has reports whether the list has an object of a kind.
func (l *List) Has(kind string) bool {
	for id := range l.index {
		if id.kind == kind {
			return true
		}
	}
	return false
}
