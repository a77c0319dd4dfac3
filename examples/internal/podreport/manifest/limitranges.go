package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/limitrange"
)

// LimitRange is a LimitRange as the API server stores it: with defaults, valid, and with a namespace.
type LimitRange struct {
	objects.Place
	Object *corev1.LimitRange
}

func (r LimitRange) meta() metav1.Object { return r.Object }

// addLimitRange adds a LimitRange, unless the API server would reject it, so that it has no effect.
func (in *Input) addLimitRange(at objects.Place, lr *corev1.LimitRange) {
	lr.Namespace = in.orHome(lr.Namespace)
	for i, item := range lr.Spec.Limits {
		lr.Spec.Limits[i] = limitrange.WithDefaults(item)
	}
	generated := lr.Name == "" && lr.GenerateName != ""
	if generated {
		lr.Name = lr.GenerateName + "00000" // the server adds as many characters
	}
	if errs := limitrange.ValidateObject(lr); len(errs) > 0 {
		in.failAll(at, objects.Invalid, faultsOf(errs))
		return
	}
	if generated {
		lr.Name = lr.GenerateName + "..."
	} else {
		in.replace(at, lr)
	}
	in.Ranges = append(in.Ranges, LimitRange{at, lr})
}

// replace removes the LimitRange that has the name of lr, as applying lr does. There is a note, unless
// they are equal.
func (in *Input) replace(at objects.Place, lr *corev1.LimitRange) {
	i := indexOf(in.Ranges, lr)
	if i < 0 {
		return
	}
	if !equality.Semantic.DeepEqual(in.Ranges[i].Object.Spec, lr.Spec) {
		in.skip(in.Ranges[i].Place, "replaced by "+at.Source().String())
	}
	in.Ranges = slices.Delete(in.Ranges, i, i+1)
}

func faultsOf(errs field.ErrorList) []objects.Fault {
	var faults []objects.Fault
	for _, err := range errs {
		faults = append(faults, objects.Fault{Field: err.Field, Text: err.ErrorBody()})
	}
	return faults
}

// ObjectsOf returns the LimitRanges without their places.
func ObjectsOf(ranges []LimitRange) []*corev1.LimitRange {
	var objects []*corev1.LimitRange
	for _, r := range ranges {
		objects = append(objects, r.Object)
	}
	return objects
}
