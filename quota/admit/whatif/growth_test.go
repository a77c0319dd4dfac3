package whatif_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// asked is an object that counts how often it is asked for its owners.
type asked struct {
	metav1.PartialObjectMetadata
	times *int
}

func (a *asked) GetOwnerReferences() []metav1.OwnerReference {
	*a.times++
	return a.OwnerReferences
}

func (a *asked) DeepCopyObject() runtime.Object {
	return &asked{*a.PartialObjectMetadata.DeepCopy(), a.times}
}

// Each object is asked for its owners a few times, however many are deleted.
func TestDeletionLooksAtEachObjectOnce(t *testing.T) {
	owner := &corev1.ConfigMap{ObjectMeta: meta("owner")}
	for name, all := range map[string]func(objects []admit.APIObject) []admit.APIObject{
		"all":        func(objects []admit.APIObject) []admit.APIObject { return objects },
		"the owner":  func([]admit.APIObject) []admit.APIObject { return []admit.APIObject{owner} },
		"all, twice": func(objects []admit.APIObject) []admit.APIObject { return append(objects, objects...) },
	} {
		times, objects := 0, []admit.APIObject{owner}
		for i := range 500 {
			o := &asked{times: &times}
			o.ObjectMeta, o.Kind, o.APIVersion = meta(fmt.Sprint(i)), "Widget", "example.com/v1"
			o.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "owner"}}
			objects = append(objects, o)
		}
		c := read(t, whatif.Options{}, objects...)
		times = 0
		_, after := c.Delete(all(objects)...)
		if times > 5*len(objects) {
			t.Errorf("%s: %d objects were asked %d times", name, len(objects), times)
		}
		if r, _ := after.Delete(objects[7]); r.Objects[0].Action != whatif.NotFound {
			t.Errorf("%s: %v of an object that is gone", name, r.Objects[0].Action)
		}
	}
}
