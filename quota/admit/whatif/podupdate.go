package whatif

import (
	"cmp"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/workload"
)

// updateErrors returns why the API server does not store an updated spec of a pod, apart from amounts. The nodes of a
// pod with gates may become fewer.
//
// Source: ValidatePodUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
func updateErrors(old, updated *corev1.PodSpec) (errs field.ErrorList) {
	spec, own := field.NewPath("spec"), updated.DeepCopy()
	errs = deadlineErrors(spec.Child("activeDeadlineSeconds"), old.ActiveDeadlineSeconds, updated.ActiveDeadlineSeconds)
	if len(errs) > 0 {
		return errs
	}
	if len(old.SchedulingGates) > 0 {
		errs = append(selectorErrors(spec.Child("nodeSelector"), old, updated),
			affinityErrors(spec.Child("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
				"nodeSelectorTerms"), old, updated)...)
		own.NodeSelector, own.Affinity = old.NodeSelector, withNodeAffinity(own.Affinity, old.Affinity)
	}
	if changesFixed(old, own) {
		errs = append(errs, field.Forbidden(spec, workload.FixedPodFields))
	}
	return errs
}

// deadlineErrors returns why a deadline does not replace another one: it may be set, or become shorter.
func deadlineErrors(path *field.Path, old, updated *int64) field.ErrorList {
	message := ""
	switch {
	case updated == nil && old != nil:
		message = "must not update from a positive integer to nil value"
	case updated == nil:
	case *updated < 0 || *updated > math.MaxInt32:
		message = validation.InclusiveRangeError(0, math.MaxInt32)
	case old != nil && *old < *updated:
		message = "must be less than or equal to previous value"
	}
	if message == "" {
		return nil
	}
	return field.ErrorList{field.Invalid(path, updated, message)}
}

func selectorErrors(path *field.Path, old, updated *corev1.PodSpec) field.ErrorList {
	for name, value := range old.NodeSelector {
		if other, isSet := updated.NodeSelector[name]; !isSet || other != value {
			return field.ErrorList{field.Invalid(path, updated.NodeSelector,
				"only additions to spec.nodeSelector are allowed (no mutations or deletions)")}
		}
	}
	return nil
}

// affinityErrors returns which terms of the required node affinity change otherwise than by further requirements. If
// there were none, all are allowed.
//
// Source: validateNodeAffinityMutation of k8s.io/kubernetes/pkg/apis/core/validation.
func affinityErrors(path *field.Path, old, updated *corev1.PodSpec) (errs field.ErrorList) {
	was, is := requiredTerms(old), requiredTerms(updated)
	if len(was) > 0 && len(was) != len(is) {
		return field.ErrorList{field.Invalid(path, is,
			"no additions/deletions to non-empty NodeSelectorTerms list are allowed")}
	}
	for i := range was {
		isNothing := len(was[i].MatchExpressions)+len(was[i].MatchFields) == 0
		if isNothing && len(is[i].MatchExpressions)+len(is[i].MatchFields) > 0 ||
			!beginsWith(is[i].MatchExpressions, was[i].MatchExpressions) || !beginsWith(is[i].MatchFields, was[i].MatchFields) {
			errs = append(errs, field.Invalid(path.Index(i), is[i], "only additions are allowed (no mutations or deletions)"))
		}
	}
	return errs
}

func beginsWith(all, first []corev1.NodeSelectorRequirement) bool {
	return len(all) >= len(first) && equality.Semantic.DeepEqual(all[:len(first)], first)
}

func nodeAffinityOf(a *corev1.Affinity) *corev1.NodeAffinity {
	if a == nil {
		return nil
	}
	return a.NodeAffinity
}

func requiredTerms(spec *corev1.PodSpec) []corev1.NodeSelectorTerm {
	node := nodeAffinityOf(spec.Affinity)
	if node == nil || node.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return nil
	}
	return node.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
}

// withNodeAffinity returns an affinity with the node affinity of another one, both of which may be nil.
func withNodeAffinity(affinity, of *corev1.Affinity) *corev1.Affinity {
	if equality.Semantic.DeepEqual(nodeAffinityOf(affinity), nodeAffinityOf(of)) {
		return affinity
	}
	own := *cmp.Or(affinity, &corev1.Affinity{})
	own.NodeAffinity = nodeAffinityOf(of)
	if of == nil && own == (corev1.Affinity{}) {
		return nil
	}
	return &own
}

// changesFixed reports whether an updated spec has changed fields of a pod, other than amounts, that cannot be changed.
// Gates may be removed, and a negative grace period may become 1.
//
// Source: ValidatePodUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
func changesFixed(old, updated *corev1.PodSpec) bool {
	was, is := old.DeepCopy(), updated.DeepCopy()
	for _, spec := range []*corev1.PodSpec{was, is} {
		spec.Tolerations, spec.ActiveDeadlineSeconds, spec.Resources = nil, nil, nil
		for _, c := range computeresources.Containers(spec) {
			c.Image, c.Resources = "", corev1.ResourceRequirements{}
		}
	}
	isNew := func(gate corev1.PodSchedulingGate) bool { return !slices.Contains(was.SchedulingGates, gate) }
	if !slices.ContainsFunc(is.SchedulingGates, isNew) {
		is.SchedulingGates = was.SchedulingGates
	}
	grace, next := was.TerminationGracePeriodSeconds, is.TerminationGracePeriodSeconds
	if grace != nil && *grace < 0 && next != nil && *next == 1 {
		is.TerminationGracePeriodSeconds = grace
	}
	return !equality.Semantic.DeepEqual(was, is)
}
