package main

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/limitrange"
)

// limitRange is a LimitRange as the API server stores it: completed, valid, and with a
// namespace.
type limitRange struct {
	place
	object *corev1.LimitRange
}

func (r limitRange) meta() metav1.Object { return r.object }

// addLimitRange adds a LimitRange, unless the server would reject it: then it bounds
// nothing.
func (in *input) addLimitRange(at place, lr *corev1.LimitRange) {
	lr.Namespace = in.orHome(lr.Namespace)
	for i, item := range lr.Spec.Limits {
		lr.Spec.Limits[i] = limitrange.Complete(item, limitrange.ServerRules)
	}
	generated := lr.Name == "" && lr.GenerateName != ""
	if generated {
		lr.Name = lr.GenerateName + "00000" // the server adds as many characters
	}
	if errs := limitrange.ValidateObject(lr); len(errs) > 0 {
		in.failAll(at, invalid, faultsOf(errs))
		return
	}
	if generated {
		lr.Name = lr.GenerateName + "..."
	} else {
		in.replace(at, lr)
	}
	in.ranges = append(in.ranges, limitRange{at, lr})
}

// replace removes the LimitRange that has the name of lr, as applying lr does: with a note,
// unless they are the same.
func (in *input) replace(at place, lr *corev1.LimitRange) {
	i := indexOf(in.ranges, lr)
	if i < 0 {
		return
	}
	if !equality.Semantic.DeepEqual(in.ranges[i].object.Spec, lr.Spec) {
		in.skip(in.ranges[i].place, "replaced by "+at.source().String())
	}
	in.ranges = slices.Delete(in.ranges, i, i+1)
}

func faultsOf(errs field.ErrorList) []fault {
	var faults []fault
	for _, err := range errs {
		faults = append(faults, fault{err.Field, err.ErrorBody()})
	}
	return faults
}

func objectsOf(ranges []limitRange) []*corev1.LimitRange {
	var objects []*corev1.LimitRange
	for _, r := range ranges {
		objects = append(objects, r.object)
	}
	return objects
}
