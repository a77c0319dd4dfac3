package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota"
)

// ResourceQuota is a ResourceQuota that has a namespace.
type ResourceQuota struct {
	objects.Place
	Object *corev1.ResourceQuota
}

func (q ResourceQuota) meta() metav1.Object { return q.Object }

// addQuota adds a ResourceQuota, unless the API server would reject it, so that it has no effect.
func (in *Input) addQuota(at objects.Place, q *corev1.ResourceQuota) {
	q.Namespace = in.orHome(q.Namespace)
	generated := q.Name == "" && q.GenerateName != ""
	if generated {
		q.Name = q.GenerateName + "00000" // the server adds as many characters
	}
	if errs := quota.ValidateObject(nil, q); len(errs) > 0 {
		in.failAll(at, objects.Invalid, faultsOf(errs))
		return
	}
	if generated {
		q.Name = nameOf(&metav1.ObjectMeta{GenerateName: q.GenerateName})
	} else {
		in.replaceQuota(at, q)
	}
	in.Quotas = append(in.Quotas, ResourceQuota{at, q})
}

// replaceQuota removes the ResourceQuota that has the name of q, as applying q does. There is a note,
// unless they are equal.
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
