// Package cluster says of which cluster the tests of Kubernetes are. It is copied beside the copies of its modules.
package cluster

import (
	"reflect"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"

	"github.com/kubemath/kubemath/computeresources"
	"kubemath.example/upstream/beside"
)

// gates are the fields of computeresources.Kubernetes whose gates the release has.
var gates = sync.OnceValue(func() (fields []int) {
	known := utilfeature.DefaultMutableFeatureGate.GetAll()
	of := reflect.TypeFor[computeresources.Kubernetes]()
	for i := range of.NumField() {
		if _, has := known[featuregate.Feature(of.Field(i).Name)]; has {
			fields = append(fields, i)
		}
	}
	return fields
})

// Kubernetes returns the release, with the gates as they are in this process.
func Kubernetes() computeresources.Kubernetes {
	k := computeresources.Kubernetes{Release: beside.Release}
	value := reflect.ValueOf(&k).Elem()
	for _, i := range gates() {
		on := utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(value.Type().Field(i).Name))
		value.Field(i).Set(reflect.ValueOf(&on))
	}
	return k
}

// Claims reports whether claims for resources of the node count (KEP-5517, alpha), which kubemath is given as a sum.
func Claims(pods ...*corev1.Pod) bool {
	if !utilfeature.DefaultFeatureGate.Enabled("DRANodeAllocatableResources") {
		return false
	}
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool { return len(pod.Status.NodeAllocatableResourceClaimStatuses) > 0 })
}
