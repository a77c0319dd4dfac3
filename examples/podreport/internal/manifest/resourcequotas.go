package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// ResourceQuota is a ResourceQuota that has a namespace.
type ResourceQuota struct {
	objects.Place
	Object *corev1.ResourceQuota
}

func (q ResourceQuota) meta() metav1.Object { return q.Object }

// addQuota adds a ResourceQuota, unless the server would reject it: then it limits nothing.
func (in *Input) addQuota(at objects.Place, q *corev1.ResourceQuota) {
	q.Namespace = in.orHome(q.Namespace)
	generated := q.Name == ""
	q.Name = nameOf(&q.ObjectMeta)
	if faults := quotaFaults(q); len(faults) > 0 {
		in.failAll(at, objects.Invalid, faults)
		return
	}
	if !generated {
		in.replaceQuota(at, q)
	}
	in.Quotas = append(in.Quotas, ResourceQuota{at, q})
}

// quotaFaults returns why the server would reject a ResourceQuota, where a report by it
// would mislead.
func quotaFaults(q *corev1.ResourceQuota) []objects.Fault {
	var faults []objects.Fault
	if q.Name == "" {
		faults = append(faults, objects.Fault{Field: "metadata.name", Text: "missing"})
	}
	for _, name := range resourcelist.IsNegative(q.Spec.Hard) {
		path := field.NewPath("spec", "hard").Key(string(name))
		err := field.Invalid(path, quantity.Canonical(q.Spec.Hard[name]), "must be greater than or equal to 0")
		faults = append(faults, objects.Fault{Field: path.String(), Text: err.ErrorBody()})
	}
	return faults
}

// replaceQuota removes the ResourceQuota that has the name of q, as applying q does: with a
// note, unless they are the same.
func (in *Input) replaceQuota(at objects.Place, q *corev1.ResourceQuota) {
	i := indexOf(in.Quotas, q)
	if i < 0 {
		return
	}
	old := in.Quotas[i].Object
	if !equality.Semantic.DeepEqual(old.Spec, q.Spec) || !equality.Semantic.DeepEqual(old.Status, q.Status) {
		in.skip(in.Quotas[i].Place, "replaced by "+at.Source().String())
	}
	in.Quotas = slices.Delete(in.Quotas, i, i+1)
}
