package admit

import (
	"cmp"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Subject is how messages refer to an object.
type Subject struct {
	// Resource is empty if it is not known.
	Resource metav1.GroupResource `json:"resource,omitzero"`
	Kind     metav1.GroupKind     `json:"kind,omitzero"`
	// Name is the name of the object, the one that the server generated, or what it is generated from.
	Name string `json:"name,omitempty"`
}

// subjectOf returns how messages refer to an object.
func subjectOf(obj APIObject, req *Attributes) Subject {
	s := kindOf(obj)
	if req.Resource.Resource != "" {
		s.Resource = metav1.GroupResource(req.Resource)
	}
	s.Name = cmp.Or(obj.GetName(), req.GeneratedName, obj.GetGenerateName())
	return s
}

// kindOf returns the resource and the kind of an object. The resource of another kind is the most likely one.
func kindOf(obj APIObject) Subject {
	switch obj.(type) {
	case *corev1.Pod:
		return subjectIn("", "pods", "Pod")
	case *corev1.PersistentVolumeClaim:
		return subjectIn("", "persistentvolumeclaims", "PersistentVolumeClaim")
	case *corev1.Service:
		return subjectIn("", "services", "Service")
	case *resourcev1.ResourceClaim:
		return subjectIn(resourcev1.GroupName, "resourceclaims", "ResourceClaim")
	case *appsv1.Deployment:
		return subjectIn(appsv1.GroupName, "deployments", "Deployment")
	case *appsv1.StatefulSet:
		return subjectIn(appsv1.GroupName, "statefulsets", "StatefulSet")
	case *appsv1.DaemonSet:
		return subjectIn(appsv1.GroupName, "daemonsets", "DaemonSet")
	case *appsv1.ReplicaSet:
		return subjectIn(appsv1.GroupName, "replicasets", "ReplicaSet")
	case *batchv1.Job:
		return subjectIn(batchv1.GroupName, "jobs", "Job")
	case *batchv1.CronJob:
		return subjectIn(batchv1.GroupName, "cronjobs", "CronJob")
	case *corev1.ReplicationController:
		return subjectIn("", "replicationcontrollers", "ReplicationController")
	case *corev1.ConfigMap:
		return subjectIn("", "configmaps", "ConfigMap")
	case *corev1.Secret:
		return subjectIn("", "secrets", "Secret")
	case *corev1.ResourceQuota:
		return subjectIn("", "resourcequotas", "ResourceQuota")
	case *corev1.ServiceAccount:
		return subjectIn("", "serviceaccounts", "ServiceAccount")
	}
	kind := obj.GetObjectKind().GroupVersionKind()
	if kind.Kind == "" { // as clients decode objects
		kind = kindOfType(obj)
	}
	plural, _ := meta.UnsafeGuessKindToResource(kind) // its plural in lower case
	return subjectIn(kind.Group, plural.Resource, kind.Kind)
}

// kindOfType returns the kind of a type of k8s.io/api, zero for others. Most groups are named after their package.
func kindOfType(obj APIObject) schema.GroupVersionKind {
	t := reflect.TypeOf(obj).Elem()
	parts := strings.Split(t.PkgPath(), "/")
	if len(parts) != 4 || parts[0] != "k8s.io" || parts[1] != "api" {
		return schema.GroupVersionKind{}
	}
	group := parts[2]
	switch group {
	case "apps", "autoscaling", "batch", "extensions", "policy":
	case "core":
		group = ""
	case "flowcontrol":
		group = "flowcontrol.apiserver.k8s.io"
	case "rbac":
		group = "rbac.authorization.k8s.io"
	default:
		group += ".k8s.io"
	}
	return schema.GroupVersionKind{Group: group, Version: parts[3], Kind: t.Name()}
}

func subjectIn(group, resource, kind string) Subject {
	return Subject{Resource: metav1.GroupResource{Group: group, Resource: resource},
		Kind: metav1.GroupKind{Group: group, Kind: kind}}
}
