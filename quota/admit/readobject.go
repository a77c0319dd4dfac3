package admit

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// typed are an object of each type that kindOf knows.
func typed() []APIObject {
	return []APIObject{
		&corev1.Pod{}, &corev1.PersistentVolumeClaim{}, &corev1.Service{}, &resourcev1.ResourceClaim{},
		&appsv1.Deployment{}, &appsv1.StatefulSet{}, &appsv1.DaemonSet{}, &appsv1.ReplicaSet{}, &batchv1.Job{},
		&batchv1.CronJob{}, &corev1.ReplicationController{}, &corev1.ConfigMap{}, &corev1.Secret{},
		&corev1.ResourceQuota{}, &corev1.ServiceAccount{},
	}
}

// readObject reads the object of a decision, nil if there is none. Objects of k8s.io/api mostly have no apiVersion and
// kind. What does not have all fields of that type, or others, such as the metadata alone, had another type, and is
// unstructured.
func readObject(text json.RawMessage, kind metav1.GroupKind) (APIObject, error) {
	if len(text) == 0 || string(text) == "null" {
		return nil, nil
	}
	read := map[string]any{}
	if err := utiljson.Unmarshal(text, &read); err != nil {
		return nil, err
	}
	for _, obj := range typed() {
		if kindOf(obj).Kind != kind || json.Unmarshal(text, obj) != nil {
			continue
		}
		kept, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
		if err == nil && haveSameFields(read, kept) {
			return obj, nil
		}
	}
	return &unstructured.Unstructured{Object: read}, nil
}

// haveSameFields reports whether two values that are read from JSON have the same fields. Amounts may be written
// differently.
func haveSameFields(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name := range a {
			other, ok := b[name]
			if !ok || !haveSameFields(a[name], other) {
				return false
			}
		}
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !haveSameFields(a[i], b[i]) {
				return false
			}
		}
	}
	return true
}
