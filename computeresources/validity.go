package computeresources

import (
	"fmt"
	"iter"
	"maps"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Validate returns why the API server rejects what the containers of a pod, and the pod as
// a whole, request and limit, with its paths and texts: names that are no resource of
// containers, negative amounts, parts of what comes whole, requests above the limit,
// containers that need more than the pod. Claims and overhead are not looked at. The
// errors come in the order of Containers, then for the pod; limits before requests; by
// resource. Nil if there is nothing to reject, as for a nil spec.
//
// The server does this after it has set defaults: see ApplyRequestDefaults, and
// limitrange.Policy.Admit for both at once.
//
// Path is that of the spec; nil is spec, where a Pod has it. A container's limit above that
// of the pod is reported, as by the server, at spec.resources.containers[0][cpu].limits, a
// field that does not exist, and for app containers only.
//
// Source: ValidateContainerResourceRequirements and validatePodResources of
// k8s.io/kubernetes/pkg/apis/core/validation.
func Validate(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, err := range ValidateParts(spec, path) {
		errs = append(errs, err)
	}
	return errs
}

// ValidateParts yields the errors of Validate in their order, each with the part of the pod
// that it is about: a container, or the pod itself for its pod-level resources. An error
// about a container's limit above the pod-level limit is about that container.
func ValidateParts(spec *corev1.PodSpec, path *field.Path) iter.Seq2[Ref, *field.Error] {
	if path == nil {
		path = field.NewPath("spec")
	}
	return func(yield func(Ref, *field.Error) bool) {
		for ref, c := range Containers(spec) {
			v := requirements{&c.Resources, ref.Path(path).Child("resources"), resourcelist.ValidateContainerName}
			for _, err := range v.validate() {
				if !yield(ref, err) {
					return
				}
			}
		}
		for ref, err := range validatePodLevel(spec, path.Child("resources")) {
			if !yield(ref, err) {
				return
			}
		}
	}
}

func validatePodLevel(spec *corev1.PodSpec, path *field.Path) iter.Seq2[Ref, *field.Error] {
	return func(yield func(Ref, *field.Error) bool) {
		if spec == nil || spec.Resources == nil {
			return
		}
		ref := Ref{Kind: Pod}
		if spec.OS != nil && spec.OS.Name == corev1.Windows {
			yield(ref, field.Forbidden(path, "may not be set for a windows pod"))
			return
		}
		v := requirements{spec.Resources, path, validatePodLevelName}
		for _, err := range append(v.validate(), validateAgainstContainers(spec, path)...) {
			if !yield(ref, err) {
				return
			}
		}
		validateContainerLimits(spec, path, yield)
	}
}

func validatePodLevelName(name corev1.ResourceName, path *field.Path) field.ErrorList {
	if errs := resourcelist.ValidateName(name, path); len(errs) > 0 {
		return errs
	}
	if PodLevel(name) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, name, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceHugePagesPrefix, corev1.ResourceMemory})}
}

// validateAgainstContainers finds what the pod as a whole has less of than its containers:
// requests, and limits of hugepages, which cannot be overcommitted.
func validateAgainstContainers(spec *corev1.PodSpec, path *field.Path) field.ErrorList {
	ofContainers := Options{IgnorePodLevel: true, ExcludeOverhead: true}
	var errs field.ErrorList
	check := func(own, sums corev1.ResourceList, path *field.Path, format string) {
		for _, name := range quantity.Names(sums) {
			sum, ofPod := sums[name], own[name]
			if _, stated := own[name]; stated && sum.Cmp(ofPod) > 0 {
				errs = append(errs, field.Invalid(path.Key(string(name)), ofPod.String(), fmt.Sprintf(format, sum.String())))
			}
		}
	}
	check(spec.Resources.Requests, PodRequests(spec, ofContainers), path.Child("requests"), "must be greater than or equal to aggregate container requests of %s")
	limits := PodLimits(spec, ofContainers)
	maps.DeleteFunc(limits, func(name corev1.ResourceName, _ resource.Quantity) bool { return !resourcelist.IsHugePages(name) })
	check(spec.Resources.Limits, limits, path.Child("limits"), "must be greater than or equal to aggregate container limits of %s")
	return errs
}

// validateContainerLimits yields errors for app containers with a limit above that of the
// pod, until yield returns false.
func validateContainerLimits(spec *corev1.PodSpec, path *field.Path, yield func(Ref, *field.Error) bool) {
	for i := range spec.Containers {
		c := &spec.Containers[i]
		for _, name := range quantity.Names(c.Resources.Limits) {
			limit, ofPod := c.Resources.Limits[name], spec.Resources.Limits[name]
			if _, stated := spec.Resources.Limits[name]; !stated || limit.Cmp(ofPod) <= 0 {
				continue
			}
			err := field.Invalid(path.Child("containers").Index(i).Key(string(name)).Child("limits"), limit.String(),
				fmt.Sprintf("must be less than or equal to pod limits of %s", ofPod.String()))
			if !yield(Ref{App, i, c.Name}, err) {
				return
			}
		}
	}
}

// requirements are those of a container or a pod, where they stand, and which names they
// may have.
type requirements struct {
	*corev1.ResourceRequirements
	path         *field.Path
	validateName func(corev1.ResourceName, *field.Path) field.ErrorList
}

func (r *requirements) validate() field.ErrorList {
	var errs field.ErrorList
	for _, name := range quantity.Names(r.Limits) {
		errs = append(errs, r.validateAmount(name, r.Limits[name], r.path.Child("limits").Key(string(name)))...)
	}
	for _, name := range quantity.Names(r.Requests) {
		errs = append(errs, r.validateAmount(name, r.Requests[name], r.path.Child("requests").Key(string(name)))...)
		errs = append(errs, r.validateRequest(name)...)
	}
	if r.states(resourcelist.IsHugePages) && !r.states(func(name corev1.ResourceName) bool {
		return name == corev1.ResourceCPU || name == corev1.ResourceMemory
	}) {
		errs = append(errs, field.Forbidden(r.path, "HugePages require cpu or memory"))
	}
	return errs
}

// validateAmount looks at one request or limit by itself. The quantity is a copy.
func (r *requirements) validateAmount(name corev1.ResourceName, q resource.Quantity, path *field.Path) field.ErrorList {
	errs := r.validateName(name, path)
	if q.Sign() < 0 {
		errs = append(errs, field.Invalid(path, q.String(), validation.IsNegativeErrorMsg))
	}
	if resourcelist.IsInteger(name) && !isWhole(q) {
		errs = append(errs, field.Invalid(path, q.String(), "must be an integer"))
	}
	if resourcelist.IsHugePages(name) && !isMultipleOfPage(q, name) {
		errs = append(errs, field.Invalid(path, q.String(), fmt.Sprintf("%s is not positive integer multiple of %s", q.String(), name)))
	}
	return errs
}

// validateRequest holds a request against the limit.
func (r *requirements) validateRequest(name corev1.ResourceName) field.ErrorList {
	request, limit := r.Requests[name], r.Limits[name]
	_, limited := r.Limits[name]
	switch overcommitable := resourcelist.IsOvercommitAllowed(name); {
	case !limited && !overcommitable:
		return field.ErrorList{field.Required(r.path.Child("limits"), "Limit must be set for non overcommitable resources")}
	case !overcommitable && request.Cmp(limit) != 0:
		return field.ErrorList{field.Invalid(r.path.Child("requests"), request.String(), fmt.Sprintf("must be equal to %s limit of %s", name, limit.String()))}
	case limited && request.Cmp(limit) > 0:
		return field.ErrorList{field.Invalid(r.path.Child("requests"), request.String(), fmt.Sprintf("must be less than or equal to %s limit of %s", name, limit.String()))}
	}
	return nil
}

// states reports whether there is a request or limit of such a name.
func (r *requirements) states(such func(corev1.ResourceName) bool) bool {
	for _, list := range []corev1.ResourceList{r.Requests, r.Limits} {
		for name := range list {
			if such(name) {
				return true
			}
		}
	}
	return false
}

func isWhole(q resource.Quantity) bool {
	q = q.DeepCopy()
	return q.RoundUp(0)
}

// isMultipleOfPage reports whether a quantity, rounded up to whole bytes, is a multiple of the
// page size in the name. A size that is no whole and positive number of bytes has no
// multiples.
func isMultipleOfPage(q resource.Quantity, name corev1.ResourceName) bool {
	page, ok := resourcelist.HugePageSize(name)
	if !ok || !isWhole(page) {
		return false
	}
	q = q.DeepCopy()
	q.RoundUp(0)
	return new(big.Int).Rem(quantity.Rational(q).Num(), quantity.Rational(page).Num()).Sign() == 0
}
