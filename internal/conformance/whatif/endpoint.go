package main

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// endpoint is where objects of a type are.
type endpoint struct {
	kind, group, name string // group is the path of the API
	namespaced        bool
	read              func(items json.RawMessage) ([]admit.APIObject, error)
}

// read decodes the items of a list.
func read[T any, P interface {
	*T
	admit.APIObject
}](items json.RawMessage) (objects []admit.APIObject, err error) {
	var list []T
	err = json.Unmarshal(items, &list)
	for i := range list {
		objects = append(objects, P(&list[i]))
	}
	return objects, err
}

var endpoints = []endpoint{
	{"Namespace", "/api/v1", "namespaces", false, read[corev1.Namespace]},
	{"Node", "/api/v1", "nodes", false, read[corev1.Node]},
	{"PriorityClass", "/apis/scheduling.k8s.io/v1", "priorityclasses", false, read[schedulingv1.PriorityClass]},
	{"StorageClass", "/apis/storage.k8s.io/v1", "storageclasses", false, read[storagev1.StorageClass]},
	{"PersistentVolume", "/api/v1", "persistentvolumes", false, read[corev1.PersistentVolume]},
	{"Service", "/api/v1", "services", true, read[corev1.Service]},
	{"PersistentVolumeClaim", "/api/v1", "persistentvolumeclaims", true, read[corev1.PersistentVolumeClaim]},
	{"LimitRange", "/api/v1", "limitranges", true, read[corev1.LimitRange]},
	{"ResourceQuota", "/api/v1", "resourcequotas", true, read[corev1.ResourceQuota]},
	{"ConfigMap", "/api/v1", "configmaps", true, read[corev1.ConfigMap]},
	{"Deployment", "/apis/apps/v1", "deployments", true, read[appsv1.Deployment]},
	{"ReplicaSet", "/apis/apps/v1", "replicasets", true, read[appsv1.ReplicaSet]},
	{"StatefulSet", "/apis/apps/v1", "statefulsets", true, read[appsv1.StatefulSet]},
	{"ControllerRevision", "/apis/apps/v1", "controllerrevisions", true, read[appsv1.ControllerRevision]},
	{"DaemonSet", "/apis/apps/v1", "daemonsets", true, read[appsv1.DaemonSet]},
	{"ReplicationController", "/api/v1", "replicationcontrollers", true, read[corev1.ReplicationController]},
	{"Job", "/apis/batch/v1", "jobs", true, read[batchv1.Job]},
	{"Pod", "/api/v1", "pods", true, read[corev1.Pod]},
}

func kindOf(object admit.APIObject) string { return reflect.TypeOf(object).Elem().Name() }

func endpointOf(object admit.APIObject) *endpoint {
	return &endpoints[slices.IndexFunc(endpoints, func(r endpoint) bool { return r.kind == kindOf(object) })]
}

// path returns where an object is, or with an empty name, where objects like it are.
func (r *endpoint) path(namespace, name string) string {
	path := r.group
	if r.namespaced && namespace != "" {
		path += "/namespaces/" + namespace
	}
	path += "/" + r.name
	if name != "" {
		path += "/" + name
	}
	return path
}

// dump reads all objects.
func (w *world) dump(ctx context.Context) (objects []admit.APIObject, err error) {
	for i := range endpoints {
		var list struct{ Items json.RawMessage }
		if err := w.client.Get(ctx, endpoints[i].path("", ""), &list); err != nil {
			return nil, err
		}
		some, err := endpoints[i].read(list.Items)
		if err != nil {
			return nil, err
		}
		objects = append(objects, some...)
	}
	return objects, w.server.Failure()
}
