package limitranger

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	api "k8s.io/kubernetes/pkg/apis/core"
	v1 "k8s.io/kubernetes/pkg/apis/core/v1"

	"github.com/kubemath/kubemath/limitrange"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func PodMutateLimitFunc(limitRange *corev1.LimitRange, pod *api.Pod) error {
	in := beside.Keep("PodMutateLimitFunc", limitRange)
	theirs := pod.DeepCopy()
	if err := upstreamPodMutateLimitFunc(limitRange.DeepCopy(), theirs); err != nil {
		return err
	}
	filled := external(pod)
	set := limitrange.Compile([]*corev1.LimitRange{limitRange}, cluster.Kubernetes()).ApplyDefaults(&filled.Spec)
	var ours api.Pod
	if err := v1.Convert_v1_Pod_To_core_Pod(filled, &ours, nil); err != nil {
		return err
	}
	for i := range pod.Spec.Containers {
		pod.Spec.Containers[i].Resources = ours.Spec.Containers[i].Resources
	}
	for i := range pod.Spec.InitContainers {
		pod.Spec.InitContainers[i].Resources = ours.Spec.InitContainers[i].Resources
	}
	if len(set) > 0 {
		if pod.Annotations == nil {
			pod.Annotations = map[string]string{}
		}
		pod.Annotations[limitrange.AnnotationKey] = limitrange.Annotation(set)
	}
	in.Unchanged()
	beside.Compare("PodMutateLimitFunc", pod, theirs)
	return nil
}

func PodValidateLimitFunc(limitRange *corev1.LimitRange, pod *api.Pod) error {
	in := beside.Keep("PodValidateLimitFunc", limitRange, pod)
	theirs := upstreamPodValidateLimitFunc(limitRange.DeepCopy(), pod.DeepCopy())
	ours := aggregate(limitrange.Compile([]*corev1.LimitRange{limitRange}, cluster.Kubernetes()).Validate(nil, &external(pod).Spec))
	in.Unchanged()
	beside.Compare("PodValidateLimitFunc", messages(ours), messages(theirs))
	return ours
}

func PersistentVolumeClaimValidateLimitFunc(limitRange *corev1.LimitRange, pvc *api.PersistentVolumeClaim) error {
	in := beside.Keep("PersistentVolumeClaimValidateLimitFunc", limitRange, pvc)
	theirs := upstreamPersistentVolumeClaimValidateLimitFunc(limitRange.DeepCopy(), pvc.DeepCopy())
	var claim corev1.PersistentVolumeClaim
	if err := v1.Convert_core_PersistentVolumeClaim_To_v1_PersistentVolumeClaim(pvc.DeepCopy(), &claim, nil); err != nil {
		return err
	}
	ours := aggregate(limitrange.Compile([]*corev1.LimitRange{limitRange}, cluster.Kubernetes()).ValidateClaim(nil, &claim.Spec))
	in.Unchanged()
	beside.Compare("PersistentVolumeClaimValidateLimitFunc", messages(ours), messages(theirs))
	return ours
}

func external(pod *api.Pod) *corev1.Pod {
	out := &corev1.Pod{}
	if err := v1.Convert_core_Pod_To_v1_Pod(pod.DeepCopy(), out, nil); err != nil {
		panic(err)
	}
	return out
}

func aggregate(violations []*limitrange.Violation) error {
	var errs []error
	for _, v := range violations {
		errs = append(errs, v)
	}
	return utilerrors.NewAggregate(errs)
}

func messages(err error) (all []string) {
	if aggregate, ok := err.(utilerrors.Aggregate); ok {
		for _, e := range aggregate.Errors() {
			all = append(all, e.Error())
		}
	}
	slices.Sort(all)
	return all
}
