package inventory

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// forget removes what a cluster says of images and mounts of a pod, of which nothing is computed.
func forget(statuses []corev1.ContainerStatus) {
	for i := range statuses {
		statuses[i].Image, statuses[i].ImageID, statuses[i].ContainerID, statuses[i].VolumeMounts = "", "", "", nil
	}
}

// share has a pod use the memory of the pod before it of the same controller for what both have, which is most of a pod.
// Requests and limits of a container are shared together, so that setting a default changes both pods in the same way.
func (l *List) share(pod *corev1.Pod) {
	forget(pod.Status.InitContainerStatuses)
	forget(pod.Status.ContainerStatuses)
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil || owner.UID == "" {
		return
	}
	if l.last == nil {
		l.last = map[types.UID]*corev1.Pod{}
	}
	before := l.last[owner.UID]
	l.last[owner.UID] = pod
	if before == nil {
		return
	}
	shareFields(&pod.ObjectMeta, &before.ObjectMeta)
	shareFields(&pod.Spec, &before.Spec)
	shareContainers(pod.Spec.InitContainers, before.Spec.InitContainers)
	shareContainers(pod.Spec.Containers, before.Spec.Containers)
}

func shareContainers(containers, before []corev1.Container) {
	for i := range min(len(containers), len(before)) {
		if &containers[i] != &before[i] {
			shareFields(&containers[i], &before[i])
		}
	}
}

// shareFields sets each field of a struct that is equal in another one to that of the other one.
func shareFields[T any](of, other *T) {
	to, from := reflect.ValueOf(of).Elem(), reflect.ValueOf(other).Elem()
	for i := range to.NumField() {
		if field := to.Field(i); !field.IsZero() && reflect.DeepEqual(field.Interface(), from.Field(i).Interface()) {
			field.Set(from.Field(i))
		}
	}
}
