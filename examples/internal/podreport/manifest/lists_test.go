package manifest_test

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestLists(t *testing.T) {
	list := func(cpu, memory string) corev1.ResourceList {
		return corev1.ResourceList{"cpu": resource.MustParse(cpu), "memory": resource.MustParse(memory)}
	}
	var lists manifest.Lists
	first := lists.Of(list("1", "1Gi"))
	for _, test := range []struct {
		name string
		list corev1.ResourceList
		same bool
	}{
		{"equal", list("1000m", "1024Mi"), true},
		{"another amount", list("1", "2Gi"), false},
		{"another format", list("1", "1073741824"), false},
		{"another name", corev1.ResourceList{"cpu": resource.MustParse("1"), "storage": resource.MustParse("1Gi")}, false},
		{"less", corev1.ResourceList{"cpu": resource.MustParse("1")}, false},
	} {
		got := lists.Of(test.list)
		testkit.Equal(t, reflect.ValueOf(got).Pointer() == reflect.ValueOf(first).Pointer(), test.same, test.name, "shared")
	}
	if got := lists.Of(nil); got != nil {
		t.Errorf("nil is %v", got)
	}
	if got := lists.Of(corev1.ResourceList{}); got == nil {
		t.Error("an empty list is nil")
	}
}
