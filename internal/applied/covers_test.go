package applied_test

import (
	"reflect"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/applied"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestCovers(t *testing.T) {
	now := metav1.NewTime(testkit.Now())
	elsewhere := metav1.NewTime(testkit.Now().In(time.FixedZone("x", 3600)))
	type times struct{ At *metav1.MicroTime }
	at := func(nanoseconds int64) times { return times{&metav1.MicroTime{Time: time.Unix(0, nanoseconds)}} }
	for name, test := range map[string]struct {
		stored, manifest any
		want             bool
	}{
		"nothing is set":                    {corev1.PodSpec{NodeName: "a"}, corev1.PodSpec{}, true},
		"the stored value has more":         {corev1.Container{Name: "a", Image: "x"}, corev1.Container{Name: "a"}, true},
		"the stored value has less":         {corev1.Container{Name: "a"}, corev1.Container{Name: "a", Image: "x"}, false},
		"another value":                     {corev1.Container{Name: "a"}, corev1.Container{Name: "b"}, false},
		"a list":                            {[]string{"a", "b"}, []string{"a", "b"}, true},
		"another element":                   {[]string{"a", "b"}, []string{"a", "c"}, false},
		"another order":                     {[]string{"a", "b"}, []string{"b", "a"}, false},
		"a shorter list":                    {[]string{"a", "b"}, []string{"a"}, false},
		"an empty list":                     {[]string{"a"}, []string{}, true},
		"a map with more":                   {map[string]string{"a": "1", "b": "2"}, map[string]string{"a": "1"}, true},
		"a map without a key":               {map[string]string{"b": "2"}, map[string]string{"a": "1"}, false},
		"a map with another value":          {map[string]string{"a": "2"}, map[string]string{"a": "1"}, false},
		"a pointer to nothing":              {&corev1.Pod{}, (*corev1.Pod)(nil), true},
		"a pointer where nothing is stored": {(*corev1.Pod)(nil), &corev1.Pod{}, false},
		"any values":                        {map[string]any{"a": map[string]any{"b": int64(1), "c": int64(2)}}, map[string]any{"a": map[string]any{"b": int64(1)}}, true},
		"values of other types":             {map[string]any{"a": "1"}, map[string]any{"a": map[string]any{"b": "1"}}, false},
		"the same amounts":                  {testkit.List("cpu", "1"), testkit.List("cpu", "1000m"), true},
		"other amounts":                     {testkit.List("cpu", "1"), testkit.List("cpu", "1001m"), false},
		"amounts without one":               {testkit.List("cpu", "1"), testkit.List("memory", "1"), false},
		"the same time":                     {now, elsewhere, true},
		"another time":                      {now, metav1.NewTime(testkit.Now().Add(time.Second)), false},
		"microseconds":                      {at(1000), at(1000), true},
		"other microseconds":                {at(1000), at(2000), false},
		"a number that is zero":             {intstr.FromInt32(1), intstr.FromInt32(0), false},
	} {
		testkit.Equal(t, applied.Covers(reflect.ValueOf(test.stored), reflect.ValueOf(test.manifest)), test.want, name)
	}
}
