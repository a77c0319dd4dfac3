package admit

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// subject is how messages refer to an object.
type subject struct {
	resource schema.GroupResource
	kind     schema.GroupKind
	name     string
}

// subjectOf returns how messages refer to an object. The resource is empty if it is not known.
func subjectOf(obj APIObject, req *Attributes) subject {
	s := kindOf(obj)
	if req.Resource.Resource != "" {
		s.resource = req.Resource
	}
	s.name = obj.GetName()
	if s.name == "" {
		s.name = req.GeneratedName
	}
	if s.name == "" {
		s.name = obj.GetGenerateName()
	}
	return s
}

// kindOf returns the resource and the kind of an object. The resource of another kind is the most likely one.
func kindOf(obj APIObject) subject {
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
	if kind.Kind == "" {
		return subject{}
	}
	plural, _ := meta.UnsafeGuessKindToResource(kind) // its plural in lower case
	return subject{resource: plural.GroupResource(), kind: kind.GroupKind()}
}

func subjectIn(group, resource, kind string) subject {
	return subject{resource: schema.GroupResource{Group: group, Resource: resource},
		kind: schema.GroupKind{Group: group, Kind: kind}}
}
