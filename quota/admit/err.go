package admit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// Err returns the answer of the API server, unlike Refusals.Err: nil if the object is admitted, and otherwise the
// *StatusError of k8s.io/apimachinery/pkg/api/errors that the client gets, with its code, reason and message: errors.As
// finds it, and apierrors.ReasonForError reads its reason. It is the error of the first step that fails:
//
//   - 404 NotFound for a subresource that the object does not have
//   - 400 BadRequest for an object that names another namespace
//   - 403 Forbidden with a class that does not exist: `pods "web" is forbidden: no PriorityClass with name high was
//     found`
//   - 422 Invalid with all validation errors: `Pod "web" is invalid: spec.containers[0]…`
//   - 403 Forbidden with the violated bounds of one LimitRange: `pods "web" is forbidden: maximum
//     cpu usage per Container is 1, but limit is 2`, or "[a, b]" for several
//   - 403 Forbidden with what the node of a resized pod does not support
//   - 403 Forbidden with one quota: `pods "web" is forbidden: exceeded quota: …`. The webhook of a GlobalResourceQuota
//     comes first, with words of its own, then the quotas of the namespace, and ClusterResourceQuotas last
//   - 500 without a reason for scopes that are limited by default and that no quota allows
//
// Where the server uses LimitRanges, quotas or resources in no fixed order, the message is one of
// those that it can return, and always the same one. Refusals has what it can say instead about the
// same Object. If LimitRanges have different defaults for an amount that the pod lacks, the server may
// store other amounts, and even admit what it refuses otherwise: see Namespace.Possible.
func (d Decision) Err() error { return answer(d.Refusals, d.Subject, d.Order) }

// answer returns the answer of the API server to an object with these refusals in an order of
// LimitRanges and quotas, nil if there are none.
func answer(refusals []*Refusal, s Subject, in Order) error {
	var invalid field.ErrorList
	var violations computeresources.Problems[*limitrange.Violation]
	var node *computeresources.ResizeProblem // the first
	var failures []*quota.Failure
	for i, r := range refusals {
		switch {
		case r == nil:
		case r.Forbidden != "" && i == 0: // others come after one of a step before
			return s.forbidden(r.Forbidden)
		case r.Subresource != "":
			return s.unserved(r.Message())
		case r.BadRequest != nil:
			return apierrors.NewBadRequest(r.Message())
		case r.Invalid != nil:
			invalid = append(invalid, r.Invalid.Field(nil))
		case r.Violation != nil:
			violations = append(violations, r.Violation)
		case r.Node != nil && node == nil:
			node = r.Node
		case r.Failure != nil:
			failures = append(failures, r.Failure)
		}
	}
	switch {
	case len(invalid) > 0:
		return aggregate.Invalid(schema.GroupKind(s.Kind), s.Name, invalid)
	case len(violations) > 0:
		return apierrors.NewForbidden(schema.GroupResource(s.Resource), s.Name, ofOneRange(violations, in.Bounds).Err())
	case node != nil:
		return s.answerOfNode(node)
	case len(failures) > 0:
		return s.answer(first(failures, in.Quotas))
	}
	return nil
}

func (s Subject) forbidden(message string) error {
	return apierrors.NewForbidden(schema.GroupResource(s.Resource), s.Name, errors.New(message))
}

// ofOneRange returns the violations that the API server reports, in its order. It checks one LimitRange
// after the other, in no fixed order, and stops at the first one that is violated; here, that is the
// first one in an order of names, and then by name. Its violations are sorted by item, then by app
// container, init container and sidecar, then by bound.
func ofOneRange(violations []*limitrange.Violation,
	names []string) (reported computeresources.Problems[*limitrange.Violation]) {
	byItem := func(a, b *limitrange.Violation) int {
		return cmp.Or(
			cmp.Compare(ordering.Place(names, a.Source.Name), ordering.Place(names, b.Source.Name)),
			ordering.Sources(a.Source, b.Source),
			ordering.Refs(a.Ref, b.Ref),
			cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.Resource, b.Resource),
		)
	}
	sorted := slices.SortedStableFunc(slices.Values(violations), byItem)
	for _, v := range sorted {
		if v.Source.Namespace == sorted[0].Source.Namespace && v.Source.Name == sorted[0].Source.Name {
			reported = append(reported, v)
		}
	}
	return reported
}

// first returns the failure that the API server reports. It stops at the first one: it checks each
// quota for an invalid scope, missing amounts and an unknown status, then what the object uses, and
// exceeded quotas last. It checks quotas in no fixed order; here they are in an order of names, and then
// by name. Quotas of other kinds belong to other plugins.
//
// Source: AllOrderedPlugins of k8s.io/kubernetes/pkg/kubeapiserver/options, and for OpenShift
// openshiftAdmissionPluginsForKubeAfterResourceQuota of its openshift-kube-apiserver.
func first(failures []*quota.Failure, names []string) *quota.Failure {
	return slices.MinFunc(failures, func(a, b *quota.Failure) int {
		return cmp.Or(
			cmp.Compare(plugin(a.Source.Kind), plugin(b.Source.Kind)),
			cmp.Compare(stage(a.Cause), stage(b.Cause)),
			cmp.Compare(ordering.Place(names, a.Source.Name), ordering.Place(names, b.Source.Name)),
		)
	})
}

// plugin returns when what enforces quotas of a kind decides, relative to the plugin ResourceQuota.
func plugin(kind string) int {
	switch quota.ClusterQuotaKind(kind) {
	case quota.GlobalResourceQuota:
		return -1
	case quota.ClusterResourceQuota:
		return 1
	}
	return 0
}

// stage returns when the API server checks for a cause.
func stage(cause quota.FailureCause) int {
	switch cause {
	case quota.InvalidScope, quota.MustSpecify, quota.StatusUnknown:
		return 0 // one quota after the other
	case quota.NegativeUsage:
		return 1
	case quota.UncoveredResources:
		return 2
	case quota.UncoveredScopes:
		return 3
	case quota.ExceededQuota:
	}
	return 4
}

const (
	forbidden           = 403
	internalServerError = 500
)

// webhookOfCapsule is the webhook that enforces GlobalResourceQuotas, as the chart of Capsule names it.
const webhookOfCapsule = "calculation.global-resource-quotas.validating.projectcapsule.dev"

// answer returns the answer for a quota. The plugin does not wrap errors about scopes, so the API
// server returns them as internal errors.
func (s Subject) answer(f *quota.Failure) error {
	if f.Source.Kind == string(quota.GlobalResourceQuota) {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: forbidden, Reason: metav1.StatusReasonForbidden,
			Message: fmt.Sprintf("admission webhook %q denied the request: %s", webhookOfCapsule, f.Error()),
		}}
	}
	if f.Cause == quota.UncoveredScopes || f.Cause == quota.InvalidScope {
		return &apierrors.StatusError{ErrStatus: metav1.Status{
			Status: metav1.StatusFailure, Code: internalServerError, Message: f.Error(),
		}}
	}
	return apierrors.NewForbidden(schema.GroupResource(s.Resource), s.Name, f)
}

// answerOfNode returns the answer for a node. PodResizeValidator adds a cause, and
// NodeDeclaredFeatureValidator does not.
func (s Subject) answerOfNode(p *computeresources.ResizeProblem) error {
	err := apierrors.NewForbidden(schema.GroupResource(s.Resource), s.Name, p)
	cause := func(of metav1.CauseType) {
		err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{Type: of})
	}
	if p.Cause == computeresources.ResizeNodeIsNotLinux {
		cause("UnsupportedPlatform")
	}
	if p.Cause == computeresources.ResizeNodeIsTooSmall {
		cause("NodeCapacity")
	}
	return err
}
