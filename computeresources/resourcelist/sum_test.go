package resourcelist_test

import (
	"fmt"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

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

// Any number of lists add up as fractions do.
func TestSumEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(lists(), 0, 5).Draw(t, "lists")
		testkit.Contract(t, func() any { return resourcelist.Sum(all...) }, all)
		want := map[corev1.ResourceName]*big.Rat{}
		for _, list := range all {
			for name, amount := range rats(list) {
				want[name] = amount.Add(amount, orZero(want[name]))
			}
		}
		testkit.NoDiff(t, rats(resourcelist.Sum(all...)), want, exactly)
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
