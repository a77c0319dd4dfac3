package arch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// Each answer compares with go-cmp, reflect and Semantic.DeepEqual without a panic, is the same after a round trip
// through JSON, and, if it has a DeepCopy, shares nothing with it: empty, and with all fields set.
func TestAnswersCompareAndMarshal(t *testing.T) {
	for _, of := range answerTypes() {
		t.Run(of.String(), func(t *testing.T) {
			defer func() {
				if problem := recover(); problem != nil {
					t.Fatalf("panic: %v", problem)
				}
			}()
			for seed := range 3 {
				one, same := filled(of, seed), filled(of, seed)
				if !cmp.Equal(one, same) || !equality.Semantic.DeepEqual(one, same) || !reflect.DeepEqual(one, same) {
					t.Fatalf("two equal answers differ:\n%s", cmp.Diff(one, same))
				}
				if other := filled(of, seed+1); cmp.Equal(one, other) || equality.Semantic.DeepEqual(one, other) {
					t.Fatalf("two answers are equal: %v", one)
				}
				text, err := json.Marshal(one)
				if err != nil {
					t.Fatal(err)
				}
				again := reflect.New(of)
				if err := json.Unmarshal(text, again.Interface()); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				read := again.Elem().Interface()
				if diff := cmp.Diff(one, read); diff != "" || !equality.Semantic.DeepEqual(one, read) {
					t.Fatalf("another one after a round trip (-before +after):\n%s", diff)
				}
				checkDeepCopy(t, one)
			}
		})
	}
}

// checkDeepCopy checks the DeepCopy of an answer, if it has one.
func checkDeepCopy(t *testing.T, answer any) {
	t.Helper()
	pointer := reflect.New(reflect.TypeOf(answer))
	pointer.Elem().Set(reflect.ValueOf(answer))
	deepCopy := pointer.MethodByName("DeepCopy")
	if !deepCopy.IsValid() {
		return
	}
	testkit.Contract(t, func() any { return deepCopy.Call(nil)[0].Interface() }, pointer.Interface())
	testkit.NoDiff(t, deepCopy.Call(nil)[0].Interface(), pointer.Interface())
}

// filled returns a value of a type in its own memory: the zero value for seed 0, and otherwise one of which each field
// is set, to other values for another seed.
func filled(of reflect.Type, seed int) any {
	v := reflect.New(of).Elem()
	if seed > 0 {
		fill(v, seed, 0)
	}
	return v.Interface()
}

// fill sets a value and all that it reaches, but for types of others, of which it sets strings and the name.
func fill(v reflect.Value, seed, depth int) {
	if isSpecial(v, seed) {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("%s-%d", strings.ToLower(v.Type().Name()), seed))
	case reflect.Bool:
		v.SetBool(seed%2 == 1)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(math.MaxInt32 - int64(seed))
	case reflect.Uint8:
		v.SetUint(uint64(1 + seed%2)) // of an enumeration that indexes
	case reflect.Float64:
		v.SetFloat(1 / float64(seed+2))
	case reflect.Pointer:
		if depth > maxDepth {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed, depth+1)
	case reflect.Slice:
		if depth > maxDepth {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), seed, depth+1)
		fill(v.Index(1), seed+1, depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, seed, depth+1)
		fill(value, seed, depth+1)
		v.SetMapIndex(key, value)
	case reflect.Interface: // an object of the API
		v.Set(reflect.ValueOf(&corev1.Pod{
			TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pod-", seed)},
		}))
	case reflect.Struct:
		fillFields(v, seed, depth)
	default:
		panic("no value for " + v.Type().String())
	}
}

// maxDepth is up to where lists and pointers of types that contain themselves are filled.
const maxDepth = 6

// isSpecial sets values of types that have their own rules, and reports whether it did.
func isSpecial(v reflect.Value, seed int) bool {
	switch p := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*p = resource.MustParse([]string{"100m", "1536Mi", "10E", "1n"}[seed%4])
	case *metav1.Time:
		*p = metav1.NewTime(time.Unix(int64(seed), 0))
	case *admit.Subject: // by which the object of a Decision is read
		*p = admit.Subject{
			Resource: metav1.GroupResource{Resource: "pods"}, Kind: metav1.GroupKind{Kind: "Pod"},
			Name: fmt.Sprint("pod-", seed),
		}
	default:
		return false
	}
	return true
}

func fillFields(v reflect.Value, seed, depth int) {
	_, ours := below(v.Type().PkgPath())
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch {
		case ours || v.Type().PkgPath() == "":
			fill(v.Field(i), seed, depth+1)
		case field.Type.Kind() == reflect.String, field.Name == "ObjectMeta" && depth <= maxDepth:
			fill(v.Field(i), seed, depth+1)
		}
	}
}
