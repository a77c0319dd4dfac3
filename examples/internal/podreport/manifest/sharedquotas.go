package manifest

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// addShared adds the quotas of several namespaces that an object describes, unless the API server would reject it. A view of
// one (AppliedClusterResourceQuota) does not replace it.
func (in *Input) addShared(at objects.Place, kind string, o admit.APIObject) {
	described, err := quota.ClusterQuotasOf(o)
	if err != nil {
		in.fail(at, objects.Invalid, objects.Fault{Text: err.Error()})
		return
	}
	for _, q := range described {
		presented := q.In("")
		presented.Status = q.Status
		var faults []objects.Fault
		for _, err := range quota.ValidateObject(nil, presented, computeresources.Kubernetes{}) {
			if !strings.HasPrefix(err.Field, "metadata") {
				faults = append(faults, objects.Fault{Field: quota.SourceOf(presented, err.Field).Field, Text: err.ErrorBody()})
			}
		}
		if _, err := q.Selects(&corev1.Namespace{}); err != nil {
			faults = append(faults, objects.Fault{Field: "spec.selector", Text: err.Error()})
		}
		if len(faults) > 0 {
			in.fail(at, objects.Invalid, faults...)
			continue
		}
		isView := kind == "AppliedClusterResourceQuota"
		i := slices.IndexFunc(in.Shared, func(before Shared) bool { return before.Kind == q.Kind && before.Name == q.Name })
		switch {
		case i < 0:
			in.Shared = append(in.Shared, Shared{q, isView})
		case !isView || in.Shared[i].isView:
			in.Shared[i] = Shared{q, isView}
		}
	}
	slices.SortFunc(in.Shared, func(a, b Shared) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
}

// Shared is a quota that several namespaces share.
type Shared struct {
	*quota.ClusterQuota
	isView bool // the object is only a view of it
}

// IsSharedBy reports whether a namespace shares a quota: by its labels or, if it is not in the input, by the status of the
// quota.
func (in *Input) IsSharedBy(q *quota.ClusterQuota, namespace string) bool {
	if ns := in.spaces[namespace]; ns != nil {
		selected, _ := q.Selects(ns) // its selectors have been validated
		return selected
	}
	_, isCounted := q.Namespaces[namespace]
	return isCounted
}

// SharersKnown reports whether the input says which namespaces share a quota: by their labels, or by its status.
func (in *Input) SharersKnown(q *quota.ClusterQuota) bool {
	return len(in.spaces)+len(q.Namespaces) > 0
}

// dropProjected drops the ResourceQuotas that Capsule derives from quotas of the input, which count instead.
func (in *Input) dropProjected() {
	in.Quotas = slices.DeleteFunc(in.Quotas, func(q *corev1.ResourceQuota) bool {
		name, isSet := q.Labels["projectcapsule.dev/global-resource-quota"]
		return isSet && slices.ContainsFunc(in.Shared, func(s Shared) bool {
			return s.Kind == quota.GlobalResourceQuota && s.Name == name
		})
	})
}
