package sweep_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// What functions return as an answer is plain data: it compares with go-cmp and Semantic.DeepEqual, and survives a
// round trip through JSON. Handles are opaque.

// noAnswers are settings, which functions return for callers to change.
var noAnswers = []reflect.Type{reflect.TypeFor[steps.Options](), reflect.TypeFor[computeresources.Kubernetes]()}

// answers returns the structs of the library that its functions return, and those that these reach.
func answers() map[reflect.Type]bool {
	all := map[reflect.Type]bool{}
	for _, f := range functions {
		of := reflect.TypeOf(f.of)
		for i := range of.NumOut() {
			if result := of.Out(i); !result.Implements(reflect.TypeFor[error]()) {
				addAnswers(result, all)
			}
		}
	}
	return all
}

func addAnswers(of reflect.Type, all map[reflect.Type]bool) {
	switch of.Kind() {
	case reflect.Map:
		addAnswers(of.Key(), all)
		fallthrough
	case reflect.Pointer, reflect.Slice, reflect.Array:
		addAnswers(of.Elem(), all)
	case reflect.Struct:
		if !isOurs(of) || isHandle(of) || slices.Contains(noAnswers, of) || all[of] {
			return
		}
		all[of] = true
		for i := range of.NumField() {
			addAnswers(of.Field(i).Type, all)
		}
	}
}

func isOurs(t reflect.Type) bool { return strings.HasPrefix(t.PkgPath(), module) }

func TestAnswersHaveNames(t *testing.T) {
	for of := range answers() {
		for i := range of.NumField() {
			field := of.Field(i)
			tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if first, _ := utf8.DecodeRuneInString(tag); (!field.Anonymous || tag != "") && !unicode.IsLower(first) {
				t.Errorf("%s.%s has no JSON tag in lower camel case", of, field.Name)
			}
		}
	}
}

// Each answer compares with go-cmp, reflect and Semantic.DeepEqual without a panic, is the same after a round trip
// through JSON, and, if it has a DeepCopy, shares nothing with it: empty, and with all fields set.
func TestAnswersCompareAndMarshal(t *testing.T) {
	for of := range answers() {
		t.Run(of.String(), func(t *testing.T) {
			for seed := range 3 {
				one, same := filled(of, seed), filled(of, seed)
				if !cmp.Equal(one, same) || !equality.Semantic.DeepEqual(one, same) || !reflect.DeepEqual(one, same) {
					t.Fatalf("two equal answers differ:\n%s", cmp.Diff(one, same))
				}
				if other := filled(of, seed+1); cmp.Equal(one, other) || equality.Semantic.DeepEqual(one, other) {
					t.Fatalf("two answers are equal: %v", one)
				}
				text, err := json.Marshal(one)
				testkit.OK(t, err)
				again := reflect.New(of)
				if err := json.Unmarshal(text, again.Interface()); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				read := again.Elem().Interface()
				if diff := cmp.Diff(one, read); diff != "" || !equality.Semantic.DeepEqual(one, read) {
					t.Fatalf("another one after a round trip (-before +after):\n%s", diff)
				}
				if deepCopy := again.MethodByName("DeepCopy"); deepCopy.IsValid() {
					testkit.Contract(t, func() any { return deepCopy.Call(nil)[0].Interface() }, again.Interface())
					testkit.NoDiff(t, deepCopy.Call(nil)[0].Interface(), again.Interface())
				}
			}
		})
	}
}

// filled returns a value of a type in its own memory: the zero value for seed 0, and otherwise one of which each field
// is set, to other values for another seed.
func filled(of reflect.Type, seed int) any {
	v := reflect.New(of).Elem()
	if seed > 0 {
		set(v, seed, 0)
	}
	return v.Interface()
}

// set sets a value and what it reaches in a few steps, but of structs of others only texts and the metadata.
func set(v reflect.Value, seed, depth int) {
	if depth > 6 && slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, v.Kind()) {
		return // of a type that contains itself
	}
	switch p := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*p = resource.MustParse([]string{"100m", "1536Mi", "10E", "1n"}[seed%4])
		return
	case *metav1.Time:
		*p = metav1.NewTime(time.Unix(int64(seed), 0))
		return
	case *admit.Subject: // by which the object of a Decision is read
		*p = admit.Subject{Resource: metav1.GroupResource{Resource: "pods"}, Kind: metav1.GroupKind{Kind: "Pod"}, Name: fmt.Sprint("pod-", seed)}
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
		v.Set(reflect.New(v.Type().Elem()))
		set(v.Elem(), seed, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		set(v.Index(0), seed, depth+1)
		set(v.Index(1), seed+1, depth+1)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		set(key, seed, depth+1)
		set(value, seed, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Interface: // an object of the API
		v.Set(reflect.ValueOf(&corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("pod-", seed)}}))
	case reflect.Struct:
		ours := isOurs(v.Type())
		for i := range v.NumField() {
			if f := v.Type().Field(i); ours || v.Type().PkgPath() == "" || f.Type.Kind() == reflect.String || f.Name == "ObjectMeta" && depth <= 6 {
				set(v.Field(i), seed, depth+1)
			}
		}
	default:
		panic("no value for " + v.Type().String())
	}
}
