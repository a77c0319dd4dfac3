package origin

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/wording"
)

// renderings are the objects that charts and kustomizations have made, by kind, namespace and name. Two overlays that make
// different ones are for two clusters, and in one cluster the last one counts.
type renderings map[[3]string]rendering

type rendering struct {
	dir    string
	object runtime.Object
}

// of yields the objects of a directory, and then which directories have others of the same names, which do not count. That
// fails if strict.
func (r renderings) of(dir string, all iter.Seq[objects.Object], strict bool) iter.Seq[objects.Object] {
	return func(yield func(objects.Object) bool) {
		replaced := map[string]int64{}
		for o := range all {
			if object, is := o.Typed.(runtime.Object); is {
				named := object.(metav1.Object)
				id := [3]string{o.Kind, named.GetNamespace(), named.GetName()}
				before, known := r[id]
				if known && before.dir != dir && !equality.Semantic.DeepEqual(before.object, object) {
					replaced[before.dir]++
				}
				r[id] = rendering{dir, object.DeepCopyObject()} // the caller changes its own
			}
			if !yield(o) {
				return
			}
		}
		for _, other := range slices.Sorted(maps.Keys(replaced)) {
			text := fmt.Sprintf("%s of %s left out, because others of %s have the same names: -f one of these alone", wording.Count(replaced[other], "object"), other, dir)
			if !yield(objects.LeftOut(other, text, strict)) {
				return
			}
		}
	}
}
