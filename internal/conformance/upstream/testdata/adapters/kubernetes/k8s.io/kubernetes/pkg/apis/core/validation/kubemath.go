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
	"kubemath.example/upstream/beside"
)

func ValidateContainerResourceRequirements(requirements *core.ResourceRequirements, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("ValidateContainerResourceRequirements", requirements)
	theirs := upstreamValidateContainerResourceRequirements(requirements.DeepCopy(), podClaimNames, fldPath, opts)
	spec := &v1.PodSpec{Containers: []v1.Container{{Resources: externalRequirements(requirements)}}}
	ours := at(fldPath, "spec.containers[0].resources", computeresources.Validate(spec, computeresources.ValidateOptions{}).ErrorList(nil))
	in.Unchanged()
	beside.Compare("ValidateContainerResourceRequirements", texts(ours), texts(theirs))
	return ours
}

func validatePodResourceRequirements(requirements *core.ResourceRequirements, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	in := beside.Keep("validatePodResourceRequirements", requirements)
	theirs := upstreamValidatePodResourceRequirements(requirements.DeepCopy(), podClaimNames, fldPath, opts)
	whole := externalRequirements(requirements)
	ours := at(fldPath, "spec.resources", computeresources.Validate(&v1.PodSpec{Resources: &whole}, computeresources.ValidateOptions{}).ErrorList(nil))
	in.Unchanged()
	beside.Compare("validatePodResourceRequirements", texts(ours), texts(theirs))
	return ours
}

func validatePodResources(spec *core.PodSpec, podClaimNames sets.Set[string], fldPath *field.Path, opts PodValidationOptions) field.ErrorList {
	if spec.OS != nil && spec.OS.Name == core.Windows {
		beside.Forward("validatePodResources", "a pod of Windows")
		return upstreamValidatePodResources(spec, podClaimNames, fldPath, opts)
	}
	in := beside.Keep("validatePodResources", spec)
	theirs := upstreamValidatePodResources(spec.DeepCopy(), podClaimNames, fldPath, opts)
	var external v1.PodSpec
	if err := corev1.Convert_core_PodSpec_To_v1_PodSpec(spec.DeepCopy(), &external, nil); err != nil {
		panic(err)
	}
	ours := at(fldPath.Child("resources"), "spec.resources", computeresources.Validate(&external, computeresources.ValidateOptions{}).ErrorList(nil))
	in.Unchanged()
	beside.Compare("validatePodResources", texts(ours), texts(theirs))
	return ours
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
