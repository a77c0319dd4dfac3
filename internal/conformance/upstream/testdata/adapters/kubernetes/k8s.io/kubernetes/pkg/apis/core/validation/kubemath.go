package validation

import (
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func ValidateContainerResourceRequirements(requirements *core.ResourceRequirements, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("ValidateContainerResourceRequirements", requirements)
	theirs := upstreamValidateContainerResourceRequirements(requirements.DeepCopy(), podClaimNames, fldPath, opts)
	spec := v1.PodSpec{Containers: []v1.Container{{Resources: externalRequirements(requirements)}}, ResourceClaims: claimsOf(podClaimNames)}
	var old *v1.PodSpec
	if opts.AllowIndivisibleHugePagesValues { // as of a pod that has such values already
		old = &spec
	}
	ours := at(fldPath, "spec.containers[0].resources", computeresources.Validate(old, &spec, cluster.Kubernetes()).ErrorList(nil))
	in.Unchanged()
	beside.Compare("ValidateContainerResourceRequirements", texts(ours), texts(theirs))
	return ours
}

func validatePodResourceRequirements(requirements *core.ResourceRequirements, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("validatePodResourceRequirements", requirements)
	theirs := upstreamValidatePodResourceRequirements(requirements.DeepCopy(), podClaimNames, fldPath, opts)
	whole := externalRequirements(requirements)
	ours := at(fldPath, "spec.resources", computeresources.Validate(nil, &v1.PodSpec{Resources: &whole, ResourceClaims: claimsOf(podClaimNames)}, cluster.Kubernetes()).ErrorList(nil))
	in.Unchanged()
	beside.Compare("validatePodResourceRequirements", texts(ours), texts(theirs))
	return ours
}

func validatePodResources(spec *core.PodSpec, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("validatePodResources", spec)
	theirs := upstreamValidatePodResources(spec.DeepCopy(), podClaimNames, fldPath, opts)
	var external v1.PodSpec
	if err := corev1.Convert_core_PodSpec_To_v1_PodSpec(spec.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	ours := at(fldPath.Child("resources"), "spec.resources", computeresources.Validate(nil, &external, cluster.Kubernetes()).ErrorList(nil))
	in.Unchanged()
	beside.Compare("validatePodResources", texts(ours), texts(theirs))
	return ours
}

func ValidateResourceQuota(resourceQuota *core.ResourceQuota) field.ErrorList {
	in := beside.Keep("ValidateResourceQuota", resourceQuota)
	theirs := upstreamValidateResourceQuota(resourceQuota.DeepCopy())
	ours := quota.ValidateObject(nil, externalQuota(resourceQuota), cluster.Kubernetes())
	in.Unchanged()
	beside.Compare("ValidateResourceQuota", texts(ours), texts(theirs))
	return ours
}

func ValidateResourceQuotaUpdate(newQuota, oldQuota *core.ResourceQuota) field.ErrorList {
	in := beside.Keep("ValidateResourceQuotaUpdate", newQuota, oldQuota)
	theirs := upstreamValidateResourceQuotaUpdate(newQuota.DeepCopy(), oldQuota.DeepCopy())
	ours := quota.ValidateObject(externalQuota(oldQuota), externalQuota(newQuota), cluster.Kubernetes())
	in.Unchanged()
	beside.Compare("ValidateResourceQuotaUpdate", texts(ours), texts(theirs))
	return ours
}

// ValidatePodResize also looks at what has nothing to do with resources: theirs is the answer, and ours
// has to be what it says of resources. The server sets pod-level defaults, and all that a resize cannot change, before it
// validates: upstream's tests do not.
func ValidatePodResize(newPod, oldPod *core.Pod, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("ValidatePodResize", newPod, oldPod)
	theirs := upstreamValidatePodResize(newPod.DeepCopy(), oldPod.DeepCopy(), opts)
	old, updated := externalPod(oldPod), externalPod(newPod)
	if cluster.Claims(old, updated) {
		beside.Forward("ValidatePodResize", "claims for resources of the node")
		return theirs
	}
	old.Spec.ResourceClaims = updated.Spec.ResourceClaims
	kubernetes := cluster.Kubernetes()
	kubernetes.PodLevelResourcesFixDefaulting = new(false)
	kubernetes.PodLevelResources, kubernetes.InPlacePodLevelResourcesVerticalScaling = &opts.PodLevelResourcesEnabled, &opts.InPlacePodLevelResourcesVerticalScalingEnabled
	ours := texts(computeresources.ValidateResize(old, updated, computeresources.ResizeOptions{Kubernetes: kubernetes}).ErrorList(nil))
	in.Unchanged()
	var about []string
	for _, text := range texts(theirs) {
		if strings.Contains(text, ".resources") || slices.Contains(ours, text) {
			about = append(about, text)
		}
	}
	beside.Compare("ValidatePodResize", ours, about)
	return theirs
}

func externalPod(internal *core.Pod) *v1.Pod {
	var external v1.Pod
	if err := corev1.Convert_core_Pod_To_v1_Pod(internal.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	return &external
}

func externalQuota(internal *core.ResourceQuota) *v1.ResourceQuota {
	var external v1.ResourceQuota
	if err := corev1.Convert_core_ResourceQuota_To_v1_ResourceQuota(internal.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	return &external
}

func ValidateLimitRange(limitRange *core.LimitRange) field.ErrorList {
	in := beside.Keep("ValidateLimitRange", limitRange)
	theirs := upstreamValidateLimitRange(limitRange.DeepCopy())
	var external v1.LimitRange
	if err := corev1.Convert_core_LimitRange_To_v1_LimitRange(limitRange.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	ours := limitrange.ValidateObject(&external)
	in.Unchanged()
	beside.Compare("ValidateLimitRange", texts(ours), texts(theirs))
	return ours
}

func externalRequirements(requirements *core.ResourceRequirements) (external v1.ResourceRequirements) {
	if err := corev1.Convert_core_ResourceRequirements_To_v1_ResourceRequirements(requirements.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	return external
}

func claimsOf(names sets.Set[string]) (claims []v1.PodResourceClaim) {
	for name := range names {
		claims = append(claims, v1.PodResourceClaim{Name: name})
	}
	return claims
}

// at returns the errors below a path, as those below another.
func at(path *field.Path, below string, errs field.ErrorList) (moved field.ErrorList) {
	for _, err := range errs {
		if rest, ok := strings.CutPrefix(err.Field, below); ok {
			err.Field = path.String() + rest
			moved = append(moved, err)
		}
	}
	return moved
}

func texts(errs field.ErrorList) (all []string) {
	for _, err := range errs {
		all = append(all, err.Error())
	}
	slices.Sort(all)
	return all
}
