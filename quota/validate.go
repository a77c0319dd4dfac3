package quota

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/objectmeta"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ValidateObject returns why the API server rejects a ResourceQuota that is created or, if it replaces an
// old one, updated. Old is nil for a creation. The errors have the paths and texts of the server and its
// order. Those of labels and annotations are sorted by message, and those of a list by resource. An error about scopes
// that the server repeats is returned once, as in its message. The result is nil if the quota is valid, or nil.
//
// Reasons are invalid metadata, invalid resource names, negative amounts, fractions of integer resources,
// and scopes that are unknown, contradict each other, or do not apply to a resource of spec.hard. Names
// with a domain, such as nvidia.com/gpu, and all names with the prefix count/ are valid: Unevaluated
// returns those that the quota controller ignores. Amounts are not compared with each other: a quota whose
// requests.cpu is above its limits.cpu is valid. The status of a new quota is validated, too, although the
// server drops it.
//
// Since 1.38, amounts of spec.hard that old has as well are valid, so that a quota which an older server has stored can
// be updated. Gates do not count.
//
// An update must not change immutable metadata or the scopes; their order and the scope selector may
// change. Its status is not validated, because the server keeps the old one. The updated quota needs a
// resourceVersion. It has that of old if the client has read it.
//
// Source: ValidateResourceQuota and ValidateResourceQuotaUpdate of
// k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateObject(old, quota *corev1.ResourceQuota, kubernetes computeresources.Kubernetes) field.ErrorList {
	if quota == nil {
		return nil
	}
	if old != nil {
		var stored corev1.ResourceList
		if release.Rules(kubernetes).SkipsStoredQuotaAmounts() {
			stored = old.Spec.Hard
		}
		return validateUpdate(old, quota, stored)
	}
	errs := objectmeta.Validate(&quota.ObjectMeta)
	errs = append(errs, validateSpec(&quota.Spec, nil)...)
	errs = append(errs, validateAmounts(quota.Status.Hard, nil, field.NewPath("status", "hard"))...)
	errs = append(errs, validateAmounts(quota.Status.Used, nil, field.NewPath("status", "used"))...)
	return errs
}

// validateUpdate looks at an update. The stored amounts are valid.
func validateUpdate(old, updated *corev1.ResourceQuota, stored corev1.ResourceList) field.ErrorList {
	errs := objectmeta.ValidateUpdate(&updated.ObjectMeta, &old.ObjectMeta)
	errs = append(errs, validateSpec(&updated.Spec, stored)...)
	if !slices.Equal(scopeSet(old.Spec.Scopes), scopeSet(updated.Spec.Scopes)) {
		errs = append(errs, field.Invalid(field.NewPath("spec", "scopes"), slices.Clone(updated.Spec.Scopes),
			validation.FieldImmutableErrorMsg))
	}
	return errs
}

// scopeSet returns scopes sorted, each once.
func scopeSet(scopes []corev1.ResourceQuotaScope) []corev1.ResourceQuotaScope {
	sorted := slices.Sorted(slices.Values(scopes))
	return slices.Compact(sorted)
}

func validateSpec(spec *corev1.ResourceQuotaSpec, stored corev1.ResourceList) field.ErrorList {
	path := field.NewPath("spec")
	errs := validateAmounts(spec.Hard, stored, path.Child("hard"))
	errs = append(errs, validateScopes(spec, path.Child("scopes"))...)
	return append(errs, validateScopeSelector(spec, path.Child("scopeSelector", "matchExpressions"))...)
}

// validateAmounts looks at the names and amounts of a list. The stored amounts are valid.
func validateAmounts(list, stored corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range quantity.Names(list) {
		amount, path := list[name], path.Key(string(name))
		errs = append(errs, resourcename.ValidateOfQuota(name, path)...)
		if before := quantity.Find(stored, name); before != nil && before.Cmp(amount) == 0 {
			continue
		}
		if amount.Sign() < 0 {
			errs = append(errs, field.Invalid(path, quantity.Text(&amount), validation.IsNegativeErrorMsg))
		}
		if resourcename.IsInteger(name) && !quantity.IsWhole(amount) {
			errs = append(errs, field.Invalid(path, amount.DeepCopy(), "must be an integer"))
		}
	}
	return errs
}

func validateScopes(spec *corev1.ResourceQuotaSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	invalid := func(detail string) {
		if !slices.ContainsFunc(errs, func(err *field.Error) bool { return err.Detail == detail }) {
			errs = append(errs, field.Invalid(path, slices.Clone(spec.Scopes), detail))
		}
	}
	limits := scopeLimits{hard: spec.Hard}
	for _, scope := range spec.Scopes {
		if !isScope(scope) {
			invalid("unsupported scope")
		}
		if limits.forbid(scope) {
			invalid("unsupported scope applied to resource")
		}
	}
	if contradict(spec.Scopes) {
		invalid("conflicting scopes")
	}
	return errs
}

func validateScopeSelector(spec *corev1.ResourceQuotaSpec, path *field.Path) field.ErrorList {
	if spec.ScopeSelector == nil {
		return nil
	}
	var errs field.ErrorList
	scopes := make([]corev1.ResourceQuotaScope, 0, len(spec.ScopeSelector.MatchExpressions))
	limits, isForbidden := scopeLimits{hard: spec.Hard}, false
	for i := range spec.ScopeSelector.MatchExpressions {
		expression := &spec.ScopeSelector.MatchExpressions[i]
		scopes = append(scopes, expression.ScopeName)
		if !isScope(expression.ScopeName) {
			errs = append(errs, field.Invalid(path.Child("scopeName"), expression.ScopeName, "unsupported scope"))
		}
		if !isForbidden && limits.forbid(expression.ScopeName) {
			isForbidden = true
			errs = append(errs, field.Invalid(path, quotedSelector(spec.ScopeSelector), "unsupported scope applied to resource"))
		}
		errs = append(errs, validateOperator(expression, path)...)
	}
	if contradict(scopes) {
		errs = append(errs, field.Invalid(path, slices.Clone(spec.Scopes), "conflicting scopes"))
	}
	return errs
}

// validateOperator looks at the operator of a scope, and at the values that go with it.
func validateOperator(expression *corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if existsOnly(expression.ScopeName) && expression.Operator != corev1.ScopeSelectorOpExists {
		errs = append(errs, field.Invalid(path.Child("operator"), expression.Operator,
			"must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "+
				"ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"))
	}
	switch expression.Operator {
	case corev1.ScopeSelectorOpIn, corev1.ScopeSelectorOpNotIn:
		if len(expression.Values) == 0 {
			errs = append(errs, field.Required(path.Child("values"),
				"must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"))
		}
	case corev1.ScopeSelectorOpExists, corev1.ScopeSelectorOpDoesNotExist:
		if len(expression.Values) != 0 {
			errs = append(errs, field.Invalid(path.Child("values"), slices.Clone(expression.Values),
				"must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"))
		}
	default:
		errs = append(errs, field.Invalid(path.Child("operator"), expression.Operator, "not a valid selector operator"))
	}
	return errs
}

// isScope reports whether the API server knows a scope.
func isScope(scope corev1.ResourceQuotaScope) bool {
	switch scope {
	case corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeVolumeAttributesClass:
		return true
	}
	return existsOnly(scope)
}

// existsOnly reports whether the only operator of a scope is Exists.
func existsOnly(scope corev1.ResourceQuotaScope) bool {
	switch scope {
	case corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating,
		corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeNotBestEffort,
		corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return true
	}
	return false
}

// scopeLimits are the limits of a quota. They are looked at once for each scope, however often it is listed.
type scopeLimits struct {
	hard  corev1.ResourceList
	known map[corev1.ResourceQuotaScope]bool
}

// forbid reports whether a name among the limits does not go with a scope. All scopes allow names with a domain, and
// unknown scopes allow all names.
func (l *scopeLimits) forbid(scope corev1.ResourceQuotaScope) bool {
	if forbids, isKnown := l.known[scope]; isKnown || !isScope(scope) {
		return forbids
	}
	forbids := false
	for name := range l.hard {
		forbids = forbids || resourcename.IsStandardOfQuota(name) && !isCompatible(name, scope)
	}
	if l.known == nil {
		l.known = map[corev1.ResourceQuotaScope]bool{}
	}
	l.known[scope] = forbids
	return forbids
}

// isCompatible reports whether the objects of a scope use a resource, according to the API server, which
// knows neither ephemeral-storage nor hugepages here.
func isCompatible(name corev1.ResourceName, scope corev1.ResourceQuotaScope) bool {
	switch scope {
	case corev1.ResourceQuotaScopeVolumeAttributesClass:
		return name == corev1.ResourcePersistentVolumeClaims || name == corev1.ResourceRequestsStorage
	case corev1.ResourceQuotaScopeBestEffort:
		return name == corev1.ResourcePods
	}
	switch name {
	case corev1.ResourcePods, corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceRequestsCPU,
		corev1.ResourceRequestsMemory,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory:
		return true
	}
	return false
}

// contradict reports whether two of some scopes exclude each other.
func contradict(scopes []corev1.ResourceQuotaScope) bool {
	has := func(scope corev1.ResourceQuotaScope) bool { return slices.Contains(scopes, scope) }
	return has(corev1.ResourceQuotaScopeBestEffort) && has(corev1.ResourceQuotaScopeNotBestEffort) ||
		has(corev1.ResourceQuotaScopeTerminating) && has(corev1.ResourceQuotaScopeNotTerminating)
}

// quotedExpression and quotedSelector are how the errors of the server show a scope selector: by
// the names that its internal types have for the fields.
type quotedExpression struct {
	ScopeName corev1.ResourceQuotaScope
	Operator  corev1.ScopeSelectorOperator
	Values    []string
}

func quotedSelector(selector *corev1.ScopeSelector) any {
	quoted := struct{ MatchExpressions []quotedExpression }{}
	quoted.MatchExpressions = slices.Grow(quoted.MatchExpressions, len(selector.MatchExpressions))
	for _, e := range selector.MatchExpressions {
		quoted.MatchExpressions = append(quoted.MatchExpressions,
			quotedExpression{e.ScopeName, e.Operator, slices.Clone(e.Values)})
	}
	return quoted
}
