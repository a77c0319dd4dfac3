package computeresources

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Validate returns why the API server rejects the resources of containers and of the pod level:
// invalid resource names, negative amounts, fractions of integer resources, requests above the
// limit, containers that need more than the pod, claims at pod level, claims that the pod does not
// have, and invalid resize policies. It does not check overhead. The elements are in the order of
// Containers, then for the pod. Those of a container are about limits, requests, claims and the
// resize policy, in this order; limits and requests are sorted by resource. The result is nil for a
// valid or nil spec. It owns its memory.
//
// Old is the stored spec if the pod or template is updated, and nil for a new one. An update may
// keep what only new specs must not have: fractions of hugepages, and init containers that their
// resize policy restarts. Of the gates, PodLevelResources counts; of the release, what it checks.
//
// The server validates after it has set defaults: see ApplyRequestDefaults,
// ApplyPodLevelDefaults, and admit.Namespace.Create for all.
//
// As on the server, a container's limit above the pod-level limit is reported at
// spec.resources.containers[0][cpu].limits, a field that does not exist, and for app containers
// only.
//
// Source: ValidateContainerResourceRequirements, validateResizePolicy, validateInitContainers and
// validatePodResources of k8s.io/kubernetes/pkg/apis/core/validation.
func Validate(old, spec *corev1.PodSpec, kubernetes Kubernetes) Problems[*InvalidResource] {
	rules := release.Rules(kubernetes)
	v := validator{old: old, rules: rules}
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		ref := Ref{Kind(kind), cs.Index(i), c.Name}
		v.requirements(ref, &c.Resources)
		v.claims(ref, c.Resources.Claims, spec.ResourceClaims)
		v.resizePolicy(ref, c, spec.RestartPolicy)
		if !kind.RunsBesideApps() && rules.ChecksPolicyOfInitContainers() && !v.oldRestartsInit() {
			v.initResizePolicy(ref, c)
		}
	}
	if spec == nil || spec.Resources == nil || !rules.CountsPodLevel() {
		return aggregate.Pointers(v.found)
	}
	ref := Ref{Kind: Pod}
	if spec.OS != nil && spec.OS.Name == corev1.Windows {
		v.add(InvalidResource{Ref: ref, Cause: PodLevelOnWindows})
		return aggregate.Pointers(v.found)
	}
	if len(spec.Resources.Claims) > 0 {
		v.add(InvalidResource{Ref: ref, Cause: ClaimsAtPodLevel})
	}
	v.requirements(ref, spec.Resources)
	v.claims(ref, spec.Resources.Claims, spec.ResourceClaims)
	v.sums(spec)
	v.containerLimits(spec)
	return aggregate.Pointers(v.found)
}

// ValidateRequirements returns why the API server rejects the requests and limits of a container,
// without a pod: what Validate returns for a container, with a zero Ref. The paths of the errors
// are relative to the requirements, such as limits[cpu]. Claims are not checked. The result is nil
// for valid or nil requirements. It owns its quantities.
//
// Source: ValidateContainerResourceRequirements of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateRequirements(r *corev1.ResourceRequirements) Problems[*InvalidResource] {
	if r == nil {
		return nil
	}
	var v validator
	v.requirements(Ref{}, r)
	return aggregate.Pointers(v.found)
}

// validator collects what is invalid.
type validator struct {
	old   *corev1.PodSpec // of an update
	rules release.Rules
	found []InvalidResource
}

func (v *validator) add(invalid InvalidResource) {
	if invalid.Detail == "" {
		invalid.Detail = invalid.detail()
	}
	v.found = append(v.found, invalid)
}

// addEntry adds an error about an entry of a list that has no amounts.
func (v *validator) addEntry(ref Ref, cause InvalidCause, name corev1.ResourceName, err *field.Error) {
	v.add(InvalidResource{Ref: ref, Resource: name, Cause: cause, Detail: err.Detail, Entry: FieldErrorOf(err)})
}

// requirements looks at the lists of a container, or of the pod.
func (v *validator) requirements(ref Ref, r *corev1.ResourceRequirements) {
	if isOrdinary(r, ref.Kind == Pod) {
		return
	}
	for _, name := range quantity.Names(r.Limits) {
		v.amount(ref, Limits, name, r.Limits[name])
		v.pages(ref, Limits, name, r.Limits[name])
	}
	for _, name := range quantity.Names(r.Requests) {
		v.amount(ref, Requests, name, r.Requests[name])
		v.request(ref, r, name)
		v.pages(ref, Requests, name, r.Requests[name])
	}
	if sets(r, resourcename.IsHugePages) && !sets(r, isCompute) {
		v.add(InvalidResource{Ref: ref, Cause: HugePagesAlone})
	}
}

// amount checks one request or limit on its own.
func (v *validator) amount(ref Ref, list List, name corev1.ResourceName, q resource.Quantity) {
	invalid := func(cause InvalidCause, detail string) {
		v.add(InvalidResource{Ref: ref, List: list, Resource: name, Cause: cause, Amount: quantity.Clone(&q), Detail: detail})
	}
	validateName := resourcename.ValidateOfContainer
	if ref.Kind == Pod {
		validateName = resourcename.Validate
	}
	errs := validateName(name, nil)
	for _, err := range errs {
		invalid(InvalidName, err.Detail)
	}
	if ref.Kind == Pod && len(errs) == 0 && !resourcename.IsPodLevel(name) {
		invalid(NotPodLevel, "")
	}
	if q.Sign() < 0 {
		invalid(Negative, "")
	}
	if resourcename.IsInteger(name) && !quantity.IsWhole(q) {
		invalid(NotInteger, "")
	}
}

// pages looks at an amount of hugepages, which of a request comes after the comparison with the
// limit.
func (v *validator) pages(ref Ref, list List, name corev1.ResourceName, q resource.Quantity) {
	if resourcename.IsHugePages(name) && !isMultipleOfPage(q, name) && !v.setsPartsOfPages() {
		v.add(InvalidResource{Ref: ref, List: list, Resource: name, Cause: NotPageMultiple, Amount: quantity.Clone(&q)})
	}
}

// request compares a request with the limit.
func (v *validator) request(ref Ref, r *corev1.ResourceRequirements, name corev1.ResourceName) {
	request, limit := quantity.Find(r.Requests, name), quantity.Find(r.Limits, name)
	invalid := InvalidResource{Ref: ref, List: Requests, Resource: name, Amount: quantity.Clone(request),
		Against: quantity.Clone(limit)}
	overcommitable := resourcename.IsOvercommitAllowed(name)
	switch {
	case limit == nil && !overcommitable:
		invalid.List, invalid.Cause = Limits, LimitMissing
	case limit != nil && !overcommitable && request.Cmp(*limit) != 0:
		invalid.Cause = RequestNotLimit
	case limit != nil && request.Cmp(*limit) > 0:
		invalid.Cause = RequestAboveLimit
	default:
		return
	}
	v.add(invalid)
}

// sums finds what the pod has less of at pod level than its containers: requests, and limits
// of hugepages, which cannot be overcommitted.
func (v *validator) sums(spec *corev1.PodSpec) {
	ofContainers := Options{IgnorePodLevel: true, ExcludeOverhead: true}
	check := func(list List, name corev1.ResourceName, sum resource.Quantity) {
		if own := quantity.Find(list.Of(spec.Resources), name); own != nil && sum.Cmp(*own) > 0 {
			v.add(InvalidResource{
				Ref: Ref{Kind: Pod}, List: list, Resource: name, Cause: BelowContainers,
				Amount: quantity.Clone(own), Against: aggregated(spec, list, name),
			})
		}
	}
	requests := SpecRequests(spec, ofContainers)
	for _, name := range quantity.Names(requests) {
		check(Requests, name, requests[name])
	}
	limits := SpecLimits(spec, ofContainers)
	for _, name := range quantity.Names(limits) {
		if resourcename.IsHugePages(name) {
			check(Limits, name, limits[name])
		}
	}
}

// aggregated returns the sum of the containers, as the server writes it: the amount of a single
// container as that is written, such as 1e0 or +1.
//
// Source: AggregateContainerRequests of k8s.io/component-helpers/resource.
func aggregated(spec *corev1.PodSpec, list List, name corev1.ResourceName) *resource.Quantity {
	var sum podwalk.Sum[podwalk.Exact]
	cs := podwalk.Of(spec)
	for i := range cs.Len() {
		kind, c := cs.At(cs.AppsFirst(i))
		sum.Add(kind, podwalk.ExactIn(list.Of(&c.Resources), name))
	}
	total := sum.Total().Amount // unlike that of Exact.Quantity, with the text of the container
	return quantity.Clone(&total)
}

// containerLimits finds app containers with a limit above that of the pod.
func (v *validator) containerLimits(spec *corev1.PodSpec) {
	for i := range spec.Containers {
		c := &spec.Containers[i]
		for _, name := range quantity.Names(c.Resources.Limits) {
			limit, ofPod := quantity.Find(c.Resources.Limits, name), quantity.Find(spec.Resources.Limits, name)
			if ofPod != nil && limit.Cmp(*ofPod) > 0 {
				v.add(InvalidResource{
					Ref: Ref{App, i, c.Name}, List: Limits, Resource: name, Cause: AbovePodLevel,
					Amount: quantity.Clone(limit), Against: quantity.Clone(ofPod),
				})
			}
		}
	}
}

// sets reports whether there is a request or limit of such a name.
func sets(r *corev1.ResourceRequirements, such func(corev1.ResourceName) bool) bool {
	for _, list := range []corev1.ResourceList{r.Requests, r.Limits} {
		for name := range list {
			if such(name) {
				return true
			}
		}
	}
	return false
}

// isCompute reports whether a resource is cpu or memory: what QoS classes look at, hugepages need,
// and a resize in place can change.
func isCompute(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory
}

// isMultipleOfPage reports whether a quantity, rounded up to whole bytes, is a multiple of the page size
// in the name. A size that is not a positive whole number of bytes has no multiples.
func isMultipleOfPage(q resource.Quantity, name corev1.ResourceName) bool {
	page, ok := resourcename.HugePageSize(name)
	if !ok || !quantity.IsWhole(page) {
		return false
	}
	q = q.DeepCopy()
	q.RoundUp(0)
	return new(big.Int).Rem(quantity.Rational(q).Num(), quantity.Rational(page).Num()).Sign() == 0
}

// setsPartsOfPages reports whether the old spec has an amount of hugepages that is not a multiple of their size.
func (v *validator) setsPartsOfPages() bool {
	if v.old == nil {
		return false
	}
	isPart := func(list corev1.ResourceList) bool {
		for name, q := range list {
			if resourcename.IsHugePages(name) && !isMultipleOfPage(q, name) {
				return true
			}
		}
		return false
	}
	for _, c := range Containers(v.old) {
		if isPart(c.Resources.Requests) || isPart(c.Resources.Limits) {
			return true
		}
	}
	if r := v.old.Resources; r != nil && v.rules.KeepsPartsOfPagesAtPodLevel() {
		if isPart(r.Requests) || isPart(r.Limits) {
			return true
		}
	}
	return isPart(v.old.Overhead)
}
