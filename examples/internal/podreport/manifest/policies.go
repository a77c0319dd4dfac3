package manifest

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// addLimitRange adds a LimitRange with its defaults, unless the API server would reject it, so that it has no effect.
func (in *Input) addLimitRange(at objects.Place, lr *corev1.LimitRange) {
	for i, item := range lr.Spec.Limits {
		lr.Spec.Limits[i] = limitrange.WithDefaults(item)
	}
	in.Ranges = addPolicy(in, in.Ranges, at, "LimitRange", lr, limitrange.ValidateObject)
}

// addQuota adds a ResourceQuota, unless the API server would reject it, so that it has no effect.
func (in *Input) addQuota(at objects.Place, q *corev1.ResourceQuota) {
	validate := func(q *corev1.ResourceQuota) field.ErrorList { return quota.ValidateObject(nil, q) }
	in.Quotas = addPolicy(in, in.Quotas, at, "ResourceQuota", q, validate)
}

// QuotaAt returns where a quota is in the input.
func (in *Input) QuotaAt(namespace, name string) objects.Place {
	return in.byName[identity{"ResourceQuota", namespace, name}].at
}

// addPolicy adds an object that constrains all others of its namespace. It replaces one with the same name.
func addPolicy[P metav1.Object](
	in *Input, list []P, at objects.Place, kind string, p P, validate func(P) field.ErrorList,
) []P {
	p.SetNamespace(in.orHome(p.GetNamespace()))
	isGenerated := p.GetName() == "" && p.GetGenerateName() != ""
	if isGenerated {
		p.SetName(p.GetGenerateName() + "00000") // the server adds as many characters
	}
	var faults []objects.Fault
	for _, err := range validate(p) {
		faults = append(faults, objects.Fault{Field: err.Field, Text: err.ErrorBody()})
	}
	if len(faults) > 0 {
		in.fail(at, objects.Invalid, faults...)
		return list
	}
	if isGenerated {
		p.SetName(p.GetGenerateName() + generated)
	}
	if _, known := in.earlier(at, identity{kind, p.GetNamespace(), p.GetName()}, place{}); known {
		list = slices.DeleteFunc(list, func(before P) bool {
			return before.GetNamespace() == p.GetNamespace() && before.GetName() == p.GetName()
		})
	}
	return append(list, p)
}

// ByNamespace returns the LimitRanges or ResourceQuotas of each namespace, in the order of their names.
func ByNamespace[P metav1.Object](list []P) map[string][]P {
	of := map[string][]P{}
	for _, p := range list {
		of[p.GetNamespace()] = append(of[p.GetNamespace()], p)
	}
	for _, list := range of {
		slices.SortStableFunc(list, func(a, b P) int { return cmp.Compare(a.GetName(), b.GetName()) })
	}
	return of
}
