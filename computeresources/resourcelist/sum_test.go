package resourcelist_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSum(t *testing.T) {
	wantList(t, "no lists", resourcelist.Sum(), list())
	wantList(t, "nil lists", resourcelist.Sum(nil, nil), list())
	wantList(t, "one", resourcelist.Sum(list("memory", "1.5Gi", "cpu", "0")), list("memory", "1536Mi", "cpu", "0"))
	wantList(t, "three", resourcelist.Sum(list("cpu", "1", "memory", "1.5Gi"), nil, list("cpu", "250m", "pods", "1"), list("memory", "-0.5Gi", "pods", "1")),
		list("cpu", "1250m", "memory", "1Gi", "pods", "2"))
	wantList(t, "past the end of int64 and back", resourcelist.Sum(list("cpu", "9223372036854775807"), list("cpu", "1n"), list("cpu", "-9223372036854775807")), list("cpu", "1n"))
}

// The format is that of the first amount that is not zero.
func TestFormatOfSum(t *testing.T) {
	for _, test := range []struct {
		lists []corev1.ResourceList
		want  resource.Format
	}{
		{[]corev1.ResourceList{list("memory", "1Gi"), list("memory", "1G")}, resource.BinarySI},
		{[]corev1.ResourceList{list("memory", "1G"), list("memory", "1Gi")}, resource.DecimalSI},
		{[]corev1.ResourceList{list("memory", "0"), list("memory", "1Gi"), list("memory", "1G")}, resource.BinarySI},
		{[]corev1.ResourceList{list("memory", "1Gi"), list("memory", "0")}, resource.BinarySI},
		{[]corev1.ResourceList{list("memory", "0Gi"), list("memory", "0")}, resource.BinarySI},
	} {
		if q := resourcelist.Sum(test.lists...)["memory"]; q.Format != test.want {
			t.Errorf("the sum of %v is %s in %s, want %s", test.lists, q.String(), q.Format, test.want)
		}
	}
}

// Any number of lists add up as one after another does.
func TestSumEqualsAddOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(lists(), 0, 5).Draw(t, "lists")
		testkit.Contract(t, func() any { return resourcelist.Sum(all...) }, all)
		want := corev1.ResourceList{}
		for _, list := range all {
			want = resourcelist.Add(want, list)
		}
		got := resourcelist.Sum(all...)
		if diff := cmp.Diff(rats(want), rats(got), exactly); diff != "" {
			t.Fatalf("-one by one +Sum:\n%s", diff)
		}
	})
}

// Sum has room for sixteen names without allocation; more are the same.
func TestSumOfManyNames(t *testing.T) {
	var all []corev1.ResourceList
	want := corev1.ResourceList{}
	for i := range 40 {
		name := corev1.ResourceName(fmt.Sprintf("example.com/%d", i))
		all = append(all, corev1.ResourceList{name: resource.MustParse("1"), "cpu": resource.MustParse("1")})
		want[name] = resource.MustParse("1")
	}
	want["cpu"] = resource.MustParse("40")
	wantList(t, "Sum", resourcelist.Sum(all...), want)
}
