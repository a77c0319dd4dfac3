package sweep_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// A source makes values of all types, the same ones for the same seed, and often the same value again, so that
// arguments share memory.
type source struct {
	*rand.Rand
	made  map[reflect.Type][]reflect.Value
	depth int
}

func newSource(seed uint64) *source {
	return &source{Rand: rand.New(rand.NewPCG(seed, 1)), made: map[reflect.Type][]reflect.Value{}}
}

func (s *source) oneIn(n int) bool { return s.IntN(n) == 0 }

func oneOf[T any](s *source, all []T) T { return all[s.IntN(len(all))] }

// quantities are written amounts.
var quantities = []string{
	"0", "1", "2", "10", "100m", "1500m", "-0", "-1", "-1.5Gi", "100n", "1n", "-1n", "1.5Gi", "12.5Gi", "64Mi", "10E", "7Ei",
	"9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e1000", "-1e1000", "1e-9", "0.0000000001",
	"123456789012345678901234", "1G", "1Gi", "3k",
}

// names are for what is named: some are those of other objects, and some are invalid.
var names = []string{"", "a", "a", "b", "c", "web", "shop", "app", "node-0", "-", "A_b", "x/y/z", "ü", strings.Repeat("n", 300),
	"requests.cpu", "count/pods", "1.37", "1.36", "0.0", "system-node-critical", "\x00"}

var resources = []corev1.ResourceName{"cpu", "cpu", "memory", "memory", "ephemeral-storage", "pods", "", "a.b/c", "a.b/d",
	"hugepages-2Mi", "hugepages-", "hugepages-0", "requests.cpu", "limits.memory", "requests.a.b/c", "count/pods",
	"kubernetes.io/x", "attachable-volumes-x", "requests.storage", "gold.storageclass.storage.k8s.io/requests.storage", "/", "ü"}

var integers = []int64{0, 0, 1, 1, 2, 3, 7, -1, 100, 1000, 1 << 20, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}

var instants = []time.Time{{}, testkit.Now(), testkit.Now().Add(-time.Hour), time.Unix(1<<40, 0), time.Unix(-1<<40, 0)}

// examples are random objects of testkit: their amounts are of all kinds. Each call makes others.
var examples = map[reflect.Type]func(seed int) any{
	reflect.TypeFor[corev1.Pod]():                   func(seed int) any { return testkit.Pod().Example(seed) },
	reflect.TypeFor[corev1.PodSpec]():               func(seed int) any { return testkit.Spec().Example(seed) },
	reflect.TypeFor[corev1.PersistentVolumeClaim](): func(seed int) any { return testkit.VolumeClaim(testkit.Quantity()).Example(seed) },
	reflect.TypeFor[corev1.Service]():               func(seed int) any { return testkit.Service().Example(seed) },
	reflect.TypeFor[resourcev1.ResourceClaim]():     func(seed int) any { return testkit.ResourceClaim().Example(seed) },
	reflect.TypeFor[corev1.ResourceQuota](): func(seed int) any {
		return testkit.ResourceQuota(oneOf(newSource(uint64(seed)), names), testkit.QuotaNames(), testkit.Quantity()).Example(seed)
	},
	reflect.TypeFor[corev1.LimitRange](): func(seed int) any {
		all := testkit.LimitRanges(testkit.Quantity()).Example(seed)
		if len(all) == 0 {
			return (*corev1.LimitRange)(nil)
		}
		return all[0]
	},
}

// objects are the types of objects with metadata.
var objects = []reflect.Type{
	reflect.TypeFor[*corev1.Pod](), reflect.TypeFor[*corev1.Pod](), reflect.TypeFor[*corev1.Service](),
	reflect.TypeFor[*corev1.PersistentVolumeClaim](), reflect.TypeFor[*resourcev1.ResourceClaim](),
	reflect.TypeFor[*corev1.ResourceQuota](), reflect.TypeFor[*corev1.LimitRange](), reflect.TypeFor[*corev1.ConfigMap](),
	reflect.TypeFor[*corev1.Node](), reflect.TypeFor[*corev1.Namespace](), reflect.TypeFor[*appsv1.Deployment](),
	reflect.TypeFor[*appsv1.StatefulSet](), reflect.TypeFor[*appsv1.DaemonSet](), reflect.TypeFor[*appsv1.ReplicaSet](),
	reflect.TypeFor[*batchv1.Job](), reflect.TypeFor[*batchv1.CronJob](), reflect.TypeFor[*pool.ResourcePoolClaim](),
	reflect.TypeFor[*schedulingv1.PriorityClass](), reflect.TypeFor[*nodev1.RuntimeClass](),
	reflect.TypeFor[*corev1.PersistentVolume](), reflect.TypeFor[*policyv1.PodDisruptionBudget](),
}

// constants are the values of the enumerations of the library, by package and type.
var constants = sync.OnceValue(func() map[string][]string {
	text, err := os.ReadFile("../../../docs/api.txt")
	if err != nil {
		panic(err)
	}
	values := map[string][]string{}
	declared := regexp.MustCompile(`(?m)^(\S+): const \w+ (\w+) = "?(.*?)"?$`)
	for _, of := range declared.FindAllStringSubmatch(string(text), -1) {
		values[of[1]+"."+of[2]] = append(values[of[1]+"."+of[2]], of[3])
	}
	return values
})

// module is the path before that of a package of the library.
const module = "github.com/kubemath/kubemath/"

// makers are the functions of the library by the type that they return first.
var makers = sync.OnceValue(func() map[reflect.Type][]reflect.Value {
	makers := map[reflect.Type][]reflect.Value{}
	for _, f := range functions {
		of := reflect.ValueOf(f.of)
		if t := of.Type(); t.NumOut() > 0 && strings.HasPrefix(elem(t.Out(0)).PkgPath(), module) && !writesFirst(f.name) {
			makers[t.Out(0)] = append(makers[t.Out(0)], of)
		}
	}
	return makers
})

func elem(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// value returns a value of a type.
func (s *source) value(t reflect.Type) (v reflect.Value) {
	if all := s.made[t]; len(all) > 0 && s.oneIn(3) {
		return oneOf(s, all)
	}
	v = s.fresh(t)
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		s.made[t] = append(s.made[t], v)
	}
	return v
}

// fresh returns a value that was not made before.
func (s *source) fresh(t reflect.Type) reflect.Value {
	s.depth++
	defer func() { s.depth-- }()
	if all := makers()[t]; len(all) > 0 && s.depth < 5 && !s.oneIn(3) {
		maker := oneOf(s, all)
		if a := call(maker, s.arguments(maker.Type())); a.problem == "" {
			v := reflect.New(t).Elem()
			if a.results[0] != nil {
				v.Set(reflect.ValueOf(a.results[0]))
			}
			return v
		}
		return reflect.Zero(t)
	}
	if example := examples[t]; example != nil && s.depth < 8 {
		if v := reflect.ValueOf(example(s.IntN(200))); !v.IsNil() {
			return s.changed(v.Elem())
		}
	}
	v := reflect.New(t).Elem()
	if known, ok := s.known(t); ok {
		v.Set(reflect.ValueOf(known))
		return v
	}
	s.fill(v)
	return v
}

// changed returns a copy of an example, in which sometimes a field is another.
func (s *source) changed(example reflect.Value) reflect.Value {
	v := reflect.New(example.Type()).Elem()
	v.Set(example)
	if s.oneIn(2) {
		if f := v.Field(s.IntN(v.NumField())); f.CanSet() {
			f.Set(s.value(f.Type()))
		}
	}
	return v
}

// known returns values of types that are no plain structure.
func (s *source) known(t reflect.Type) (any, bool) {
	switch reflect.Zero(t).Interface().(type) {
	case resource.Quantity:
		q := resource.MustParse(oneOf(s, quantities))
		if s.oneIn(3) {
			return q.DeepCopy(), true
		}
		testkit.Keep(q.String()) // caches it
		return q, true
	case corev1.ResourceName:
		return oneOf(s, resources), true
	case resource.Scale:
		return oneOf(s, []resource.Scale{0, resource.Milli, resource.Nano, 3, 18, 100, -100}), true
	case time.Time:
		return oneOf(s, instants), true
	case big.Rat:
		return *big.NewRat(oneOf(s, []int64{0, 1, -1, 3, math.MaxInt64}), oneOf(s, []int64{1, 2, 7, math.MaxInt64})), true
	case resourcelist.Rational:
		return oneOf(s, []resourcelist.Rational{"", "0", "1/3", "-1/2", "1/0", "x", "1e1000"}), true
	case field.Path:
		return *field.NewPath("spec", "a"), true
	case metav1.FieldsV1:
		return metav1.FieldsV1{}, true
	}
	return nil, false
}

// fill sets a value, and what is in it.
func (s *source) fill(v reflect.Value) {
	t := v.Type()
	switch t.Kind() {
	case reflect.Pointer:
		if !s.oneIn(5) && s.depth < 9 {
			v.Set(reflect.New(t.Elem()))
			if !s.oneIn(6) {
				v.Elem().Set(s.fresh(t.Elem()))
			}
		}
	case reflect.Slice:
		if n := s.length(); n >= 0 {
			v.Set(reflect.MakeSlice(t, n, n+s.IntN(2)))
			for i := range n {
				v.Index(i).Set(s.value(t.Elem()))
			}
		}
	case reflect.Map:
		if n := s.length(); n >= 0 {
			v.Set(reflect.MakeMap(t))
			for range n {
				v.SetMapIndex(s.value(t.Key()), s.value(t.Elem()))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(s.value(t.Elem()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && (s.depth < 4 || s.oneIn(s.depth)) {
				v.Field(i).Set(s.value(t.Field(i).Type))
			}
		}
	case reflect.Interface:
		if implementation := s.implementation(t); implementation.IsValid() {
			v.Set(implementation)
		}
	case reflect.Func:
		v.Set(s.function(t))
	case reflect.String:
		v.SetString(s.text(t))
	case reflect.Bool:
		v.SetBool(s.oneIn(2))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(oneOf(s, []float64{0, 0.5, -1, math.Inf(1), math.NaN(), math.MaxFloat64}))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(oneOf(s, integers)))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(oneOf(s, integers))
	}
}

// length returns that of a list: -1 for nil. Few are deep inside.
func (s *source) length() int {
	if s.depth > 7 {
		return -1 + s.IntN(2)
	}
	return s.IntN(5) - 1
}

// text returns a string: a name, a value of the enumeration, or an unknown one.
func (s *source) text(t reflect.Type) string {
	path, _ := strings.CutPrefix(t.PkgPath(), module)
	if values := constants()[path+"."+t.Name()]; len(values) > 0 && !s.oneIn(6) {
		return oneOf(s, values)
	}
	return oneOf(s, names)
}

// function returns nil, or a function whose results depend on nothing.
func (s *source) function(t reflect.Type) reflect.Value {
	if s.oneIn(4) && t != yields {
		return reflect.Zero(t)
	}
	results := make([]reflect.Value, t.NumOut())
	for i := range results {
		results[i] = s.value(t.Out(i))
	}
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return results })
}

// yields is the type of a function that only the compiler passes, and never nil.
var yields = reflect.TypeFor[func(node int, score int64) bool]()

// implementation returns a value that has an interface, sometimes a nil pointer, or no value.
func (s *source) implementation(t reflect.Type) reflect.Value {
	switch {
	case s.oneIn(8):
	case t == reflect.TypeFor[error]():
		return reflect.ValueOf(errors.New("an error"))
	case t == reflect.TypeFor[noderesources.NodeFilter](), t == reflect.TypeFor[noderesources.PodFilter]():
		return reflect.ValueOf(filter{oneOf(s, names)})
	case objects[0].Implements(t) && t.NumMethod() > 0:
		return s.value(oneOf(s, objects))
	}
	return reflect.Value{}
}

// filter refuses all nodes with one message, none if it is empty.
type filter struct{ message string }

func (f filter) BeforeResources(node int) (string, bool)  { return f.message, node%2 == 0 }
func (f filter) AfterResources(node int) ([]string, bool) { return []string{f.message}[:node%2], false }
func (f filter) Refusal(node string) (string, bool)       { return f.message, node == "a" }
func (f filter) Evict(string, int)                        {}
func (f filter) PutBack(string, int)                      {}

// arguments returns arguments for a function.
func (s *source) arguments(t reflect.Type) []reflect.Value {
	args := make([]reflect.Value, t.NumIn())
	for i := range args {
		args[i] = s.value(t.In(i))
	}
	return args
}
