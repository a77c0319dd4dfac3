package computeresources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPointers(t *testing.T) {
	items := make([]corev1.Pod, 3)
	got := computeresources.Pointers(items)
	if len(got) != len(items) || cap(got) != len(items) {
		t.Fatalf("%d of %d", len(got), len(items))
	}
	for i := range items {
		if got[i] != &items[i] {
			t.Errorf("item %d is a copy", i)
		}
	}
	for _, none := range [][]corev1.Pod{nil, {}} {
		testkit.NoDiff(t, computeresources.Pointers(none), nil)
	}
}

// The Items of a list from a client, for limitrange.Compile, admit.Compile and others.
func ExamplePointers() {
	list := corev1.LimitRangeList{Items: []corev1.LimitRange{
		{ObjectMeta: metav1.ObjectMeta{Name: "bounds"}}, {ObjectMeta: metav1.ObjectMeta{Name: "defaults"}},
	}}
	for _, lr := range computeresources.Pointers(list.Items) {
		fmt.Println(lr.Name)
	}
	// Output:
	// bounds
	// defaults
}
