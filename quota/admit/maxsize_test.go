package admit_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func TestMaxSize(t *testing.T) {
	named := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "shop", Name: name} }
	small := &corev1.LimitRange{ObjectMeta: named("small")}
	ofItems := &corev1.LimitRange{ObjectMeta: named("items"), Spec: corev1.LimitRangeSpec{Limits: make([]corev1.LimitRangeItem, 500)}}
	requests := corev1.ResourceList{}
	for i := range 500 {
		requests[corev1.ResourceName(fmt.Sprintf("example.com/r%03d", i))] = testkit.List("cpu", "1")["cpu"]
	}
	ofNames := &corev1.Pod{ObjectMeta: named("names"), Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("a", nil, nil), testkit.Container("b", requests, nil)}}}
	ofText := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "text", Annotations: map[string]string{"a": strings.Repeat("a", 5000)}}}
	even := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("n", 600), Namespace: strings.Repeat("s", 600)}}
	inParts := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "parts",
		Annotations: map[string]string{"a": strings.Repeat("a", 560), "b": strings.Repeat("b", 540)}}}
	for _, test := range []struct {
		name    string
		max     admit.MaxSize
		objects []admit.APIObject
		want    string
	}{
		{"no bounds", admit.MaxSize{}, []admit.APIObject{ofItems, ofNames}, "<nil>"},
		{"within both", admit.MaxSize{Objects: 1, Bytes: 1000}, []admit.APIObject{nil, small, (*corev1.Pod)(nil)}, "<nil>"},
		{"many objects", admit.MaxSize{Objects: 1}, []admit.APIObject{small, ofItems}, "2 objects, at most 1"},
		{"many items", admit.MaxSize{Bytes: 1000}, []admit.APIObject{ofItems, small},
			"LimitRange shop/items: 6068 bytes, at most 1000, of which spec.limits has 6001, in 500 parts"},
		{"many names", admit.MaxSize{Bytes: 1000}, []admit.APIObject{ofNames},
			"Pod shop/names: 11652 bytes, at most 1000, of which spec.containers[1].resources.requests has 11501, in 500 parts"},
		{"long text", admit.MaxSize{Bytes: 5000}, []admit.APIObject{ofText},
			"Namespace text: 5073 bytes, at most 5000, of which metadata.annotations.a has 5002"},
		{"as large as it may be", admit.MaxSize{Bytes: 5073}, []admit.APIObject{ofText}, "<nil>"},
		{"one byte too large", admit.MaxSize{Bytes: 5072}, []admit.APIObject{ofText}, "Namespace text: 5073 bytes, at most 5072, of which"},
		{"too many, and too large", admit.MaxSize{Objects: 2, Bytes: 1000}, []admit.APIObject{ofText, ofItems, ofNames}, "3 objects, at most 2"},
		{"more than half of a part only", admit.MaxSize{Bytes: 1000}, []admit.APIObject{inParts},
			"Namespace parts: 1181 bytes, at most 1000, of which metadata.annotations has 1115, in 2 parts"},
		{"several", admit.MaxSize{Bytes: 1000}, []admit.APIObject{ofText, ofItems, ofNames},
			"[LimitRange shop/items: 6068 bytes"},
		{"two halves", admit.MaxSize{Bytes: 1000}, []admit.APIObject{even}, "1000, of which metadata has 1226, in 2 parts"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := fmt.Sprint(test.max.Check(test.objects...))
			if !strings.Contains(got, test.want) || strings.Contains(got, "small") {
				t.Errorf("%.300s\nwant %s", got, test.want)
			}
		})
	}
}

// What is too large is not compiled.
func TestCompileMaxSize(t *testing.T) {
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "q"}}
	quota.Spec.Scopes = make([]corev1.ResourceQuotaScope, 500)
	of := func(max admit.MaxSize) error {
		_, err := admit.Compile([]*corev1.LimitRange{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "l"}}, nil}, []*corev1.ResourceQuota{quota}, admit.Options{MaxSize: max})
		return err
	}
	testkit.Equal(t, of(admit.MaxSize{Objects: 1}).Error(), "2 objects, at most 1")
	testkit.Equal(t, of(admit.MaxSize{Bytes: 100}).Error(), "ResourceQuota shop/q: 1576 bytes, at most 100, of which spec.scopes has 1501, in 500 parts")
	quota.Spec.Scopes = nil
	testkit.Equal(t, of(admit.MaxSize{Objects: 2, Bytes: 1000}), nil)
}
